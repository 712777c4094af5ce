"""The working tree: what is read, and every way out of the repository closed."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memwarden.core.workspace import FILE, FOLDER, OTHER, Unreadable
from memwarden.edge.tree.worktree import WorkingTree
from tests.conftest import Repo


@pytest.fixture
def tree(repo: Repo) -> WorkingTree:
    repo.write("src/a.py", "a\n")
    repo.write("src/deep/b.py", "b\n")
    return WorkingTree(str(repo.root))


def kind(tree: WorkingTree, path: str) -> str | None:
    entry = tree.entry(path)
    return entry.kind if entry else None


def test_files_and_folders_are_told_apart(tree: WorkingTree) -> None:
    assert kind(tree, "src/a.py") == FILE
    assert kind(tree, "./src//deep/") == FOLDER
    assert kind(tree, "") == FOLDER
    assert kind(tree, "src/none") is None
    assert kind(tree, "src/a.py/below") is None
    assert tree.read("src/a.py") == b"a\n"
    assert tree.entry("src/a.py").size == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "src/../../x", "a\0b"])
def test_path_that_leaves_is_unreadable(tree: WorkingTree, path: str) -> None:
    with pytest.raises(Unreadable, match=r"outside the repository|not a usable path"):
        tree.read(path)
    with pytest.raises(Unreadable):
        tree.entry(path)


@pytest.mark.parametrize("path", [".git/config", ".GIT/config", "src/.git/x", ".git"])
def test_git_folder_is_never_entered(tree: WorkingTree, path: str) -> None:
    with pytest.raises(Unreadable, match=r"\.git"):
        tree.read(path)
    assert not [listed for listed in tree.paths() if ".git/" in listed]


def test_paths_are_sorted_as_whole_paths(repo: Repo, tree: WorkingTree) -> None:
    for path in ("a/b", "a-b", "a.b/c", "a/-", "z", ".hidden"):
        repo.write(path, "")
    listed = list(tree.paths())
    assert listed == sorted(listed)
    assert listed == [".hidden", "a-b", "a.b/c", "a/-", "a/b", "src/a.py", "src/deep/b.py", "z"]
    assert list(tree.paths("src/")) == ["src/a.py", "src/deep/b.py"]
    assert list(tree.paths("none")) == list(tree.paths("../")) == list(tree.paths("z")) == []


def test_what_is_listed_once_is_the_same_when_asked_again(repo: Repo, tree: WorkingTree) -> None:
    for name in ("a/-x.py", "a/+y.py", "a/b/c d.py", "a.py", "a b.md"):
        repo.write(name, "x")
    (repo.root / "a/empty").mkdir()
    (repo.root / "a/empty.md").mkdir()
    every = [list(tree.paths(under)) for under in ("", "a", "a/empty", "a/b", "nowhere")]
    tree.list_once()
    for _ in range(2):
        assert [list(tree.paths(under)) for under in ("", "a", "a/empty", "a/b", "nowhere")] == every


def test_link_inside_is_followed(repo: Repo, tree: WorkingTree) -> None:
    (repo.root / "link.py").symlink_to("src/a.py")
    (repo.root / "linked").symlink_to("src")
    assert tree.read("link.py") == tree.read("linked/a.py") == b"a\n"
    entry = tree.entry("link.py")
    assert entry is not None
    assert (entry.kind, entry.link) == (FILE, True)
    assert tree.resolved("linked/a.py") == tree.resolved("link.py") == "src/a.py"
    assert tree.resolved("none/x") == "none/x"
    assert [path for path in tree.paths() if path.startswith("link")] == ["link.py", "linked"]


def test_link_out_of_the_repository_is_never_read(repo: Repo, tree: WorkingTree, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    (tmp_path / "repo-twin").mkdir()
    (tmp_path / "repo-twin" / "x").write_text("s")
    for name, target in {
        "absolute": tmp_path / "secret",
        "relative": Path("../secret"),
        "twin": Path("../repo-twin/x"),
        "dangling": Path("nowhere"),
        "loop": Path("loop"),
        "git": Path(".git/config"),
        "device": Path("/dev/zero"),
    }.items():
        (repo.root / name).symlink_to(target)
        assert kind(tree, name) == OTHER
        with pytest.raises(Unreadable):
            tree.read(name)


def test_link_to_a_folder_outside_leads_nowhere(repo: Repo, tree: WorkingTree, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x").write_text("s")
    (repo.root / "out").symlink_to(tmp_path / "out")
    (repo.root / "gitlink").symlink_to(".git")
    for path in ("out/x", "gitlink/config"):
        with pytest.raises(Unreadable):
            tree.read(path)
        with pytest.raises(Unreadable):
            tree.entry(path)
    with pytest.raises(Unreadable):
        tree.resolved("out/x")
    assert [path for path in tree.paths() if path.startswith(("out", "gitlink"))] == ["gitlink", "out"]


def test_fifo_and_socket_never_block(repo: Repo, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(repo.root / "fifo")
    monkeypatch.chdir(repo.root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for name in ("fifo", "socket"):
            assert kind(tree, name) == OTHER
            with pytest.raises(Unreadable):
                tree.read(name)


def test_folder_is_not_read(tree: WorkingTree) -> None:
    with pytest.raises(Unreadable, match="a folder"):
        tree.read("src")


def test_file_over_8_mib_is_unreadable(repo: Repo, tree: WorkingTree) -> None:
    with (repo.root / "big").open("wb") as file:
        file.truncate(8 * 1024 * 1024 + 1)
    with pytest.raises(Unreadable, match="8 MiB"):
        tree.read("big")


def test_another_repository_is_one_other_path(repo: Repo, tree: WorkingTree) -> None:
    repo.write("vendor/sub/x.py", "x")
    repo.git("init", "-q", "vendor/sub")
    repo.write("module/.git", "gitdir: ../.git/modules/module\n")
    repo.write("module/y.py", "y")
    assert [path for path in tree.paths() if path.startswith(("vendor", "module"))] == [
        "module",
        "vendor/sub",
    ]
    assert kind(tree, "vendor/sub") == kind(tree, "module") == OTHER
    for path in ("vendor/sub/x.py", "module/y.py"):
        with pytest.raises(Unreadable, match="another repository"):
            tree.read(path)


def test_name_with_odd_bytes_round_trips(repo: Repo, tree: WorkingTree) -> None:
    with open(os.fsencode(repo.root) + b"/od\xffd\n.txt", "wb") as file:
        file.write(b"x")
    (odd,) = [path for path in tree.paths() if path.startswith("od")]
    assert tree.read(odd) == b"x"


def test_empty_folder_named_like_a_note_is_listed(repo: Repo, tree: WorkingTree) -> None:
    (repo.root / "memory/x.md").mkdir(parents=True)
    (repo.root / "memory/empty").mkdir()
    assert list(tree.paths("memory")) == ["memory/x.md"]


def test_stamp_changes_with_the_content_and_all_stamps_agree(repo: Repo, tree: WorkingTree) -> None:
    (repo.root / "src/link").symlink_to("a.py")
    before = tree.stamps()
    assert sorted(before) == list(tree.paths())
    assert before == {path: entry.stamp for path in tree.paths() if (entry := tree.entry(path))}
    repo.write("src/a.py", "longer\n")
    after = tree.stamps("src")
    assert {path for path, stamp in after.items() if before[path] != stamp} == {"src/a.py", "src/link"}


def test_blob_is_the_one_git_computes(repo: Repo, tree: WorkingTree) -> None:
    repo.write("win.txt", "a\r\nb\r\n")
    repo.write("raw.bin", b"a\r\nb\0")
    for attributes in ("", "*.txt text\n", "*.txt -text\n", "* text=auto\n", "*.txt eol=lf\n*.txt binary\n"):
        repo.write(".gitattributes", attributes)
        for path in ("win.txt", "raw.bin", "src/a.py"):
            assert tree.blob(path) == repo.git("hash-object", path).strip(), (attributes, path)


@pytest.mark.parametrize("setting", ["true", "input", "false"])
def test_blob_follows_autocrlf(repo: Repo, tree: WorkingTree, setting: str) -> None:
    repo.git("config", "core.autocrlf", setting)
    repo.write("win.txt", "a\r\nb\r\n")
    assert tree.blob("win.txt") == repo.git("hash-object", "win.txt").strip()
