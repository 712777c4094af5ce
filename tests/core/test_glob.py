"""Globs as git reads them; the same table is put to git itself."""

from __future__ import annotations

import pytest

from memwarden.core.glob import check_glob, is_literal, literal_prefix, matches, stands_below
from tests.conftest import Repo

TABLE = [
    ("src/*.py", "src/x.py", True),
    ("src/*.py", "src/a/b.py", False),
    ("src/**/*.py", "src/x.py", True),
    ("src/**/*.py", "src/a/b/c.py", True),
    ("src/**/*.py", "lib/x.py", False),
    ("x.py", "x.py", True),
    ("x.py", "a/b/x.py", True),
    ("/x.py", "a/x.py", False),
    ("/x.py", "x.py", True),
    ("src/", "src/a.py", True),
    ("src/", "src", False),
    ("src/", "lib/src/a.py", True),
    ("/src/", "lib/src/a.py", False),
    ("src", "src/a/b.py", True),
    ("a/b", "a/b/c/d", True),
    ("a/b", "x/a/b", False),
    ("a/*", "a/b/c", True),
    ("a/**", "a/b/c", True),
    ("a/**", "a", False),
    ("a/**/", "a/b", False),
    ("a/**/", "a/b/c", True),
    ("*/**/", "a/a", False),
    ("*/**/", "a/b/c", True),
    ("**/a", "x/y/a", True),
    ("**/a/**", "x/a/y", True),
    ("**", "x/y", True),
    ("**/", "x", False),
    ("**/", "x/y", True),
    ("*", "x/y", True),
    ("*/", "x", False),
    ("a**b", "axxb", True),
    ("a**b", "a/b", False),
    ("a?c", "abc", True),
    ("a?c", "a/c", False),
    ("a[bc]d", "acd", True),
    ("a[!b]c", "abc", False),
    ("a[!b]c", "axc", True),
    ("a[!b]c", "a/c", False),
    ("a[^b]c", "axc", True),
    ("a[b-d]e", "ace", True),
    ("a[d-b]e", "ace", False),
    ("a[]]b", "a]b", True),
    ("a[]-]b", "a-b", True),
    ("a[\\]]b", "a]b", True),
    ("a[[:digit:]]b", "a7b", True),
    ("a[[:nope:]]b", "anb", False),
    ("a[b", "a[b", False),
    ("a\\*b", "a*b", True),
    ("a\\*b", "axb", False),
    ("\\#a", "#a", True),
    ("\\!a", "!a", True),
    ("#a", "#a", False),
    ("a ", "a", True),
    ("a\\ ", "a ", True),
    ("A.py", "a.py", False),
    ("日*.md", "docs/日本.md", True),
    ("a\\", "a", False),
]


@pytest.mark.parametrize(("glob", "path", "verdict"), TABLE)
def test_glob_matches_as_gitignore_does(glob: str, path: str, verdict: bool) -> None:
    assert matches(glob, path) is verdict


@pytest.mark.slow
def test_git_itself_gives_the_same_table(repo: Repo) -> None:
    answers = []
    for glob, path, _ in TABLE:
        repo.write(".gitignore", glob + "\n")
        shown = repo.git("check-ignore", "--no-index", "--", path, check=False)
        answers.append((glob, path, bool(shown)))
    assert answers == TABLE


def test_a_folder_path_is_matched_by_a_folder_glob() -> None:
    assert matches("src/", "src/")
    assert matches("src", "src/")
    assert not matches("src/*.py", "src/")


def test_many_stars_take_no_exponential_time() -> None:
    assert not matches("a*" * 40 + "b", "a" * 4000)
    assert not matches("**/a/" * 20 + "b", "a/" * 400 + "c")


@pytest.mark.parametrize(
    ("glob", "literal", "prefix"),
    [
        ("src/x.py", True, "src/x.py"),
        ("/x.py", True, "x.py"),
        ("x.py", True, ""),
        ("src/", True, ""),
        ("a/src/", True, "a/src"),
        ("src/**/*.py", False, "src"),
        ("src/**", False, "src"),
        ("**/x", False, ""),
        ("a/b*/c", False, "a"),
        ("a/\\*/c", True, "a/*/c"),
        ("*.py", False, ""),
    ],
)
def test_a_glob_tells_whether_it_is_literal_and_its_prefix(glob: str, literal: bool, prefix: str) -> None:
    assert is_literal(glob) is literal
    assert literal_prefix(glob) == prefix


@pytest.mark.parametrize(
    "glob",
    ["", "  ", "!x", "#x", "/", "a[b", "a\\", "../x", "a/../b", "C:/x", "~/x", "//h/s", "a\nb", "a//b"],
)
def test_unusable_glob_is_refused_with_a_reason(glob: str) -> None:
    assert check_glob(glob)


@pytest.mark.parametrize("glob", ["a", "src/**/*.py", "\\!x", "\\#x", "/x.py", "a/", "[ab].md", "日本/*.md"])
def test_usable_glob_has_no_reason_against_it(glob: str) -> None:
    assert check_glob(glob) is None


@pytest.mark.parametrize(
    ("glob", "folder", "expected"),
    [
        ("src/ui/**", "src/ui/", True),
        ("src/ui/*.py", "src/ui/", True),
        ("src/ui/**", "src/", True),
        ("src/ui/**", "src/uix/", False),
        ("src/ui", "src/ui/deep/", True),
        ("src/**/ui/**", "src/a/ui/", True),
        ("*.py", "src/", False),
        ("**", "src/", True),
    ],
)
def test_a_glob_is_about_a_folder_that_it_covers_or_starts_below(
    glob: str, folder: str, expected: bool
) -> None:
    assert stands_below(glob, folder) is expected
