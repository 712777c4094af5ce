"""What a shell command touches is looked up in bounds, whatever its patterns and folders hold."""

from __future__ import annotations

import os
from typing import Any

import pytest

from memwarden.edge.place import find_place
from memwarden.edge.tree import touched_paths
from memwarden.edge.tree.touched_paths import touches
from tests.conftest import Repo

MOST = 12


@pytest.fixture
def crowded(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for folder in range(6):
        for file in range(6):
            repo.write(f"src/d{folder}/f{file}.py", "")
    monkeypatch.setattr(touched_paths, "MOST_EXPANDED", MOST)
    return repo


@pytest.mark.parametrize(
    "command",
    ["rm -rf src", "rm -rf src/*", "rm -rf src/d0/* src/d1/* src/d2/*", "rm -rf src src/d0 src/d1 src/d2"],
)
def test_folders_that_go_away_stand_for_so_many_files_together(crowded: Repo, command: str) -> None:
    found = touches(find_place(str(crowded.root)), command=command)
    files = [path for path in found.writes if path.endswith(".py")]
    assert 0 < len(files) <= 2 * MOST


def test_every_pattern_and_every_folder_gets_its_share(crowded: Repo) -> None:
    place = find_place(str(crowded.root))
    for command in ("cat src/d0/* src/d1/* src/d2/*", "rm -rf src/d0 src/d1 src/d2"):
        found = touches(place, command=command)
        named = [path for path in (*found.reads, *found.writes) if path.endswith(".py")]
        assert len(named) == MOST
        assert {path.split("/")[1] for path in named} == {"d0", "d1", "d2"}


def test_folders_without_files_are_walked_in_bounds_too(
    crowded: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for outer in range(10):
        for inner in range(10):
            (crowded.root / f"empty/{outer}/{inner}").mkdir(parents=True)
    place = find_place(str(crowded.root))
    listed = []
    scandir = os.scandir

    def count(path: Any) -> Any:
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", count)
    assert touches(place, command="rm -rf empty").writes == ("empty",)
    assert len(listed) == MOST


@pytest.fixture
def changed(repo: Repo) -> Repo:
    """A tracked file that was edited and one that was not in each of two folders, one that was deleted, one
    that git does not know and one that it ignores."""
    for folder in ("src", "lib/deep"):
        repo.write(f"{folder}/edited.py", "one\n")
        repo.write(f"{folder}/same.py", "one\n")
    repo.write("src/deleted.py", "one\n")
    repo.write(".gitignore", "*.log\n")
    repo.commit("start")
    for folder in ("src", "lib/deep"):
        repo.write(f"{folder}/edited.py", "two\n")
        repo.write(f"{folder}/new.py", "two\n")
        repo.write(f"{folder}/noise.log", "two\n")
    (repo.root / "src/deleted.py").unlink()
    return repo


SRC, LIB = ("src/deleted.py", "src/edited.py"), ("lib/deep/edited.py",)


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("git checkout -- src", SRC),
        ("git checkout src", SRC),
        ("git checkout HEAD -- src lib", (*SRC, *LIB)),
        ("git checkout HEAD src", SRC),
        ("git checkout .", (*SRC, *LIB)),
        ("cd src && git checkout .", SRC),
        ("git -C lib checkout -- .", LIB),
        ("git restore src", SRC),
        ("git restore --source HEAD --worktree lib", LIB),
        ("git restore --staged src", ()),
        ("git checkout -- src/same.py", ("src/same.py",)),
        ("git checkout -b src", ()),
        ("git checkout no-such-tree -- lib", ()),
        ("git reset --hard", (*SRC, *LIB)),
        ("git reset --hard HEAD", (*SRC, *LIB)),
        ("git reset --soft HEAD", ()),
        ("git reset", ()),
        ("git stash", (*SRC, *LIB)),
        ("git stash push -m why -- src", SRC),
        ("git stash -u", (*SRC, *LIB, "src/new.py", "lib/deep/new.py")),
        ("git stash -m why", (*SRC, *LIB)),
        ("git stash pop", ()),
        ("git stash list", ()),
        ("git clean -fd", ("src/new.py", "lib/deep/new.py")),
        ("git clean -fd src", ("src/new.py",)),
        ("git clean -fdx src", ("src/new.py", "src/noise.log")),
        ("git clean -nd", ()),
        ("git clean --dry-run -d", ()),
        ("git checkout -- ..", ()),
        ("git checkout -- /etc", ()),
    ],
)
def test_a_folder_that_git_puts_back_is_written_where_it_differs(
    changed: Repo, command: str, written: tuple[str, ...]
) -> None:
    found = touches(find_place(str(changed.root)), command=command)
    files = {path for path in found.writes if path.endswith((".py", ".log"))}
    assert files == set(written)


def test_no_file_is_put_back_before_the_first_commit(repo: Repo) -> None:
    repo.write("src/a.py", "")
    assert touches(find_place(str(repo.root)), command="git reset --hard; git stash").writes == ()
