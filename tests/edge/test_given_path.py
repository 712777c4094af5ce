"""Many spellings, one path; outside is outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwarden.edge.place import find_place
from memwarden.edge.tree.given_path import given_path, inside
from memwarden.errors import UsageError
from tests.conftest import Repo


@pytest.mark.parametrize(
    "text",
    [
        "src/a.py",
        "./src/a.py",
        "src/./a.py",
        "src//a.py",
        "x/../src/a.py",
        "src\\a.py",
        "src/link.py",
        "way/a.py",
    ],
)
def test_every_form_is_one_path(repo: Repo, text: str) -> None:
    repo.write("src/a.py", "")
    (repo.root / "src" / "link.py").symlink_to("a.py")
    (repo.root / "way").symlink_to("src")
    place = find_place(str(repo.root))
    assert given_path(place, text, str(repo.root)) == "src/a.py"
    assert given_path(place, str(repo.root / "src" / "a.py"), "/") == "src/a.py"


def test_a_relative_path_starts_where_the_person_is(repo: Repo) -> None:
    repo.write("src/a.py", "")
    place = find_place(str(repo.root))
    assert given_path(place, "a.py", str(repo.root / "src")) == "src/a.py"
    assert given_path(place, "../b.py", str(repo.root / "src")) == "b.py"
    assert given_path(place, "src/a.py", "/") == "src/a.py"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        (".", "is the top of the repository"),
        ("src/..", "is the top of the repository"),
        ("..", "is outside the repository"),
        ("../x", "is outside the repository"),
        ("/etc/passwd", "is outside the repository"),
        ("out/x", "is outside the repository"),
        (".git", "is inside .git"),
        (".git/config", "is inside .git"),
        ("a\0b", "has a NUL character"),
    ],
)
def test_what_is_no_path_of_the_repository_is_refused_with_the_reason(
    repo: Repo, tmp_path: Path, text: str, why: str
) -> None:
    (repo.root / "out").symlink_to(tmp_path)
    place = find_place(str(repo.root))
    assert inside(place, text, str(repo.root)) is None
    with pytest.raises(UsageError, match=why):
        given_path(place, text, str(repo.root))


def test_a_sibling_folder_with_the_same_start_is_outside(repo: Repo) -> None:
    place = find_place(str(repo.root))
    assert inside(place, str(repo.root) + "-other/x", str(repo.root)) is None
