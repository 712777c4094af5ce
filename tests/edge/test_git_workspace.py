"""The index and any commit are workspaces, read from blobs as git stores them."""

from __future__ import annotations

import pytest

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, PathTest, TextTest
from memwarden.core.workspace import FILE, FOLDER, OTHER, Unreadable
from memwarden.edge.git import git_workspace, plumbing
from memwarden.edge.git.git_workspace import CommitTree, EmptyTree, IndexTree
from memwarden.edge.place import find_place
from memwarden.edge.tree.sparse import SparseTree
from memwarden.errors import UsageError
from memwarden.judge.judge import judge


@pytest.fixture
def place(repo):
    return find_place(str(repo.root))


def test_the_index_is_judged_by_its_staged_half(repo, place):
    repo.write("a.py", "old\n")
    repo.commit()
    repo.write("a.py", "old\nstaged\n")
    repo.git("add", "a.py")
    repo.write("a.py", "old\nstaged\nunstaged\n")
    tree = IndexTree(place)
    assert judge(TextTest("file_contains", "a.py", "staged"), tree).state == HOLDS
    assert judge(TextTest("file_contains", "a.py", "unstaged"), tree).state == FAILS
    assert judge(TextTest("file_contains", "a.py", "staged"), CommitTree(place, "HEAD")).state == FAILS
    assert tree.name == "index"


def test_evidence_names_the_blob(repo, place):
    repo.write("a.py", "word\n")
    repo.commit()
    [item] = judge(TextTest("file_contains", "a.py", "word"), CommitTree(place, "HEAD")).items
    blob = repo.git("rev-parse", "HEAD:a.py").strip()
    assert item == {"path": "a.py", "line": 1, "excerpt": "word", "blob": blob}


def test_before_the_first_commit_the_index_is_all_there_is(repo, place):
    assert list(IndexTree(place).paths()) == []
    repo.write("a", "x")
    repo.git("add", "a")
    assert list(IndexTree(place).paths()) == ["a"]
    assert EmptyTree(place).entry("a") is None
    with pytest.raises(UsageError, match="no commit is named 'HEAD'"):
        CommitTree(place, "HEAD")


def test_a_path_that_is_only_announced_is_not_in_the_index(repo, place):
    repo.write("empty", "")
    repo.write("old", "x")
    repo.commit()
    repo.write("new", "content")
    repo.write("void", "")
    repo.git("add", "-N", "new", "void")
    repo.write("staged", "")
    repo.git("add", "staged")
    assert list(IndexTree(place).paths()) == ["empty", "old", "staged"]


def test_a_conflicted_path_is_neither_file_nor_absent(repo, place):
    repo.write("a", "1\n")
    repo.commit()
    repo.git("switch", "-qc", "side")
    repo.write("a", "2\n")
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.write("a", "3\n")
    repo.commit()
    repo.git("merge", "side", check=False)
    tree = IndexTree(place)
    assert tree.entry("a").kind == OTHER
    assert tree.conflicted == ("a",)
    assert judge(PathTest("file_absent", "a"), tree).state == CANNOT_TELL
    assert judge(TextTest("file_lacks", "a", "9"), tree).state == CANNOT_TELL


OUTSIDE = ["../x", "/etc/passwd", ".git/config", "a/.GIT/x", "a\\b", "a/../../x", "a\0b"]
ODD = ["sp ace", "tab\tname", "new\nline", "é中", "quote\"'", "-x", "HEAD", ":(top)x", "*", "b\udcff"]


@pytest.mark.parametrize("staged", [True, False])
def test_odd_names_are_paths_like_any_other(repo, place, staged):
    for name in ODD:
        repo.write("d/" + name, "x " + ascii(name))
    repo.git("config", "core.quotePath", "true")
    repo.commit()
    tree = IndexTree(place) if staged else CommitTree(place, "HEAD")
    assert sorted(tree.paths("d")) == sorted("d/" + name for name in ODD)
    for name in ODD:
        assert tree.read("d/" + name) == ("x " + ascii(name)).encode()


def test_links_are_followed_inside_the_tree_only(repo, place, tmp_path):
    (tmp_path / "secret").write_text("word")
    repo.write("real/file.txt", "word")
    repo.write("memory/n.md", "word")
    links = {
        "to_file": "real/file.txt", "to_dir": "real", "real/up": "../real/file.txt", "out": "../secret",
        "abs": str(tmp_path / "secret"), "dangling": "nothing", "loop": "loop", "chain": "to_dir/up",
        "inner": "memory/n.md", "mem": "memory",
    }  # fmt: skip
    for name, target in links.items():
        (repo.root / name).symlink_to(target)
    repo.commit()
    for tree in (IndexTree(place), CommitTree(place, "HEAD")):
        word = {name: judge(TextTest("file_contains", name, "word"), tree).state for name in links}
        assert word == {
            "to_file": HOLDS, "to_dir": CANNOT_TELL, "real/up": HOLDS, "chain": HOLDS, "out": CANNOT_TELL,
            "abs": CANNOT_TELL, "dangling": CANNOT_TELL, "loop": CANNOT_TELL, "inner": CANNOT_TELL,
            "mem": CANNOT_TELL,
        }  # fmt: skip
        assert tree.entry("to_dir").kind == FOLDER
        assert tree.read("to_dir/file.txt") == b"word"
        assert tree.resolved("chain") == "real/file.txt"
        assert judge(TextTest("file_contains", "mem/n.md", "word"), tree).state == CANNOT_TELL


def test_a_submodule_is_neither_file_nor_folder(repo, place):
    commit = repo.commit()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},vendor/lib")
    tree = IndexTree(place)
    assert tree.entry("vendor/lib").kind == OTHER
    assert tree.entry("vendor/lib/x").kind == OTHER
    assert tree.entry("vendor").kind == FOLDER
    assert judge(PathTest("file_absent", "vendor/lib/x"), tree).state == CANNOT_TELL
    with pytest.raises(Unreadable):
        tree.read("vendor/lib")


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leaves_is_refused(repo, place, path):
    repo.commit()
    for tree in (IndexTree(place), CommitTree(place, "HEAD")):
        with pytest.raises(Unreadable):
            tree.entry(path)


def test_entries_are_files_and_folders(repo, place):
    repo.write("a/b/c", "x")
    repo.write("a/b.x", "x")
    repo.git("update-index", "--chmod=+x", "a/b/c", check=False)
    repo.commit()
    tree = CommitTree(place, "main")
    assert tree.entry("a/b").kind == FOLDER
    assert tree.entry("a/b/c").kind == FILE
    assert tree.entry("").kind == FOLDER
    assert tree.entry("a/").kind == FOLDER
    assert tree.entry("a/c") is None
    assert list(tree.paths("a/b")) == ["a/b/c"]
    assert list(tree.paths("a/b.x")) == []


def test_prefetched_contents_are_the_same(repo, place):
    for number in range(250):
        repo.write(f"n/{number:03}", f"text {number}")
    repo.commit()
    plain, eager = IndexTree(place), IndexTree(place)
    eager.prefetch(eager.paths("n"))
    assert [eager.read(path) for path in eager.paths()] == [plain.read(path) for path in plain.paths()]


def test_the_number_of_processes_does_not_grow_with_the_files(repo, place, monkeypatch):
    for number in range(60):
        repo.write(f"n/{number}", f"text {number}")
    repo.commit()
    started = []
    original = plumbing.spawn

    def counted(place, arguments, env):
        started.append(arguments[0])
        return original(place, arguments, env)

    monkeypatch.setattr("memwarden.edge.git.plumbing.spawn", counted)
    monkeypatch.setattr("memwarden.edge.git.objects.spawn", counted)
    tree = IndexTree(place)
    assert judge(TextTest("file_lacks", "n/*", "zzz"), tree).state == HOLDS
    assert started == ["ls-files", "cat-file"]


def test_settings_of_the_user_change_nothing(repo, place):
    repo.write("a.txt", "one\r\ntwo\r\n")
    repo.commit()
    before = dict(IndexTree(place).listing())
    for setting in ("color.ui=always", "diff.external=false", "core.autocrlf=true", "core.quotePath=true"):
        repo.git("config", *setting.split("="))
    assert dict(IndexTree(place).listing()) == before
    assert CommitTree(place, "HEAD").read("a.txt") == repo.git("cat-file", "blob", "HEAD:a.txt").encode()


def test_the_temporary_index_of_a_partial_commit_is_honoured(repo, place, monkeypatch):
    repo.write("a", "1")
    repo.write("b", "1")
    repo.commit()
    repo.write("a", "2")
    repo.write("b", "2")
    repo.git("add", "b")
    script = '#!/bin/sh\nprintf \'%s\' "$GIT_INDEX_FILE" > seen\ncp "$GIT_INDEX_FILE" .git/kept\n'
    hook = repo.write(".git/hooks/pre-commit", script)
    hook.chmod(0o755)
    repo.git("commit", "-qm", "a only", "--", "a")
    assert "next-index" in repo.read("seen")
    (repo.root / ".git" / "kept").rename(repo.root / ".git" / "next-index-1.lock")
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index-1.lock")
    tree = IndexTree(place)
    assert (tree.read("a"), tree.read("b")) == (b"2", b"1")
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert IndexTree(place).read("b") == b"2"


def test_what_a_sparse_checkout_left_out_is_served_from_the_index(repo, place):
    repo.write("kept/a", "word")
    repo.write("left/b", "word")
    repo.write("left/deep/c", "word")
    repo.commit()
    repo.git("sparse-checkout", "set", "--cone", "kept")
    assert not (repo.root / "left").exists()
    tree = SparseTree(place)
    assert judge(PathTest("file_absent", "left/b"), tree).state == FAILS
    assert judge(PathTest("file_absent", "left"), tree).state == FAILS
    assert judge(PathTest("file_absent", "gone"), tree).state == HOLDS
    assert judge(TextTest("file_contains", "left/deep/c", "word"), tree).state == HOLDS
    assert judge(TextTest("file_contains", "left/**", "word"), tree).state == HOLDS
    assert list(tree.paths()) == ["kept/a", "left/b", "left/deep/c"]
    assert tree.blob("left/b") == tree.blob("kept/a")
    assert "left/b" in IndexTree(place).listing()


def test_a_missing_index_is_an_empty_one(repo, place):
    assert git_workspace.IndexTree(place).entry("a") is None
