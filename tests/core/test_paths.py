"""The path law."""

from __future__ import annotations

import pytest

from memwarden.core.paths import check_path, folded, normal


@pytest.mark.parametrize(
    "path",
    [
        "src/x.py",
        "src/**/*.py",
        "a",
        "./a/b",
        "a//b/",
        "tests/[ab]*.py",
        "docs/caf\u00e9.md",
        "src/aux.c",
        ".github/workflows/ci.yml",
        ".gitignore",
        "a..b/c...d",
        "100%/x",
        "odd\udcff.txt",
    ],
)
def test_path_inside_the_repository_is_fine(path: str) -> None:
    assert check_path(path) is None


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("../x", ".."),
        ("a/../../x", ".."),
        ("/etc/passwd", "absolute"),
        ("//host/share", "absolute"),
        ("~/x", "absolute"),
        ("\\\\h\\s", "backslash"),
        ("a\\b", "backslash"),
        ("C:x", "drive"),
        ("c:/x", "drive"),
        ("%2e%2e/x", "percent"),
        ("a%2Fb", "percent"),
        ("NUL", "device"),
        ("a/com1/b", "device"),
        ("x.md:ads", "colon"),
        ("a./b", "dot or a blank"),
        ("a /b", "dot or a blank"),
        ("x.md.", "dot or a blank"),
        (".git/config", ".git"),
        ("a/.GIT/x", ".git"),
        (".git./x", ".git"),
        ("GIT~1/x", ".git"),
        (".g\u200cit/x", ".git"),
        ("a\0b", "control"),
        ("a\nb", "control"),
        ("a\u202eb", "control"),
        (".", "whole repository"),
        ("./", "whole repository"),
    ],
)
def test_path_that_could_leave_is_refused_by_its_rule(path: str, rule: str) -> None:
    reason = check_path(path)
    assert reason is not None
    assert rule in reason


@pytest.mark.parametrize(
    "path", ["memory/a.md", "memory//a.md", "./memory/a.md", "memory/./a.md", "memory/a.md/"]
)
def test_every_spelling_of_a_path_is_one_key(path: str) -> None:
    assert normal(path) == "memory/a.md"


def test_case_and_unicode_form_fold_to_one_name() -> None:
    assert folded("memory/Caf\u00e9.md") == folded("memory/cafe\u0301.md") == folded("MEMORY/CAF\u00c9.MD")
    assert folded("a.md") != folded("b.md")
