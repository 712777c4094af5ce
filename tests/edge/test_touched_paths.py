"""What a shell command touches is looked up in bounds, whatever its patterns and folders hold."""

from __future__ import annotations

import os
import subprocess
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


@pytest.fixture
def two_folders(repo: Repo) -> Repo:
    for path in ("new/a.py", "new/deep/b.py", "src/a.py", "src/deep/b.py", "src/other.py", "src/new.txt"):
        repo.write(path, "old\n" if path.startswith("src") else "newer\n")
    return repo


NAMED = ("src/new/a.py", "src/new/deep/b.py")
CONTENT = ("src/a.py", "src/deep/b.py")
FRESH = ("lib/a.py", "lib/deep/b.py")
GONE = ("new/a.py", "new/deep/b.py")


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("cp -r new src", NAMED),
        ("cp -a new/ src/", NAMED),
        ("cp -Rf new src", NAMED),
        ("cp --recursive new -t src", NAMED),
        ("cp -r new gone src", NAMED),
        ("cp -r new/. src", CONTENT),
        ("cd new && cp -r . ../src", CONTENT),
        ("cp -rT new src", CONTENT),
        ("cp -r -T new src", CONTENT),
        ("cp -r new lib", FRESH),
        ("cp -r new/* src", ("src/a.py", "src/deep/b.py")),
        ("cp new src", ()),
        ("cp new/* src", ("src/a.py",)),
        ("mv src/*.py new", ("src/a.py", "src/other.py", "new/a.py", "new/other.py")),
        ("cp new/a.py src", ("src/a.py",)),
        ("cp -r new /elsewhere", ()),
        ('cp -r new "$to"', ()),
        ("rsync -a new src", NAMED),
        ("rsync -rt new/ src", CONTENT),
        ("rsync -t new src", ()),
        ("rsync -a host:new/ src", ()),
        ("scp -r host:new src", ()),
        ("mv new src", (*GONE, *NAMED)),
        ("git mv new src", (*GONE, *NAMED)),
        ("mv new lib", (*GONE, *FRESH)),
        ("Copy-Item -Recurse new src", NAMED),
    ],
)
def test_what_is_copied_is_written_file_by_file(
    two_folders: Repo, command: str, written: tuple[str, ...]
) -> None:
    found = touches(find_place(str(two_folders.root)), command=command)
    assert {path for path in found.writes if path.endswith(".py")} == set(written)


@pytest.mark.parametrize(("target", "written"), [("src", NAMED), ("lib", FRESH)])
def test_a_copy_that_has_run_wrote_the_same_files(
    two_folders: Repo, target: str, written: tuple[str, ...]
) -> None:
    command = f"cp -r new {target}"
    place = find_place(str(two_folders.root))
    before = touches(place, command=command)
    subprocess.run(["cp", "-r", "new", target], cwd=two_folders.root, check=True)
    assert touches(place, command=command) == before
    assert {path for path in before.writes if path.endswith(".py")} == set(written)


def test_folders_that_are_copied_stand_for_so_many_files_together(crowded: Repo) -> None:
    found = touches(find_place(str(crowded.root)), command="cp -r src/d0 src/d1 src/d2 to")
    named = [path for path in found.writes if path.endswith(".py")]
    assert len(named) == MOST
    assert {path.split("/")[1] for path in named} == {"d0", "d1", "d2"}
