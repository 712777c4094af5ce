"""What erasing does not reach: counted where it can be seen, unknown where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwarden.core.workspace import MOST_BYTES
from memwarden.edge.erase import object_search
from memwarden.edge.erase.exposure import Exposure, measure
from memwarden.edge.erase.outside import outside_scopes
from memwarden.edge.place import find_place
from memwarden.edit.topic import Mark, Topic
from tests.conftest import Repo

TEXT = Topic([Mark("zebra")])


def look(repo: Repo, topic: Topic = TEXT) -> Exposure:
    return measure(find_place(str(repo.root)), topic)


def states(found: Exposure) -> dict[str, str]:
    return {one.name: one.state for one in outside_scopes(found)}


def names(found: Exposure, kind: str) -> list[tuple[str, int]]:
    return [(one.name, one.commits) for one in found.reaches(kind)]


@pytest.fixture
def past(repo: Repo) -> Repo:
    repo.write("a/b/c.txt", "nothing\n")
    repo.commit("start")
    repo.write("a/b/c.txt", "a Zebra\n")
    repo.commit("in")
    repo.write("a/b/c.txt", "nothing\n")
    repo.commit("out")
    return repo


def test_a_text_deep_in_one_commit_is_counted_once(past: Repo) -> None:
    assert names(look(past), "branches") == [("main", 1)]
    [reach] = look(past).reaches("branches")
    assert reach.first == reach.last == past.git("rev-parse", "HEAD~1").strip()


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_both_kinds_of_object_ids_are_read(tmp_path: Path, object_format: str) -> None:
    repo = Repo(tmp_path / "r")
    repo.root.mkdir()
    repo.git("init", "-q", "-b", "main", f"--object-format={object_format}")
    repo.write("x/zebra.txt", "1\n")
    repo.commit("a name")
    repo.git("rm", "-q", "x/zebra.txt")
    repo.commit("gone")
    assert names(look(repo), "branches") == [("main", 1)]


def test_a_note_is_followed_by_its_id_and_its_path_and_not_by_its_title(repo: Repo) -> None:
    repo.write("memory/a/old-name.md", "---\nid: n-aaaaaaaa\n---\n# Zebra\n")
    repo.commit("by its ID")
    repo.git("mv", "memory/a/old-name.md", "memory/a/new.md")
    repo.write("memory/a/new.md", "# Zebra\n")
    repo.commit("by its path")
    repo.git("rm", "-q", "memory/a/new.md")
    repo.write("memory/new.md", "# Zebra\n")
    repo.write("memory/events/n-aaaaaaaa/1.json", '{"kind": "purged", "note": "n-aaaaaaaa"}\n')
    repo.commit("neither")
    topic = Topic([Mark("zebra", "title", True)], ["n-aaaaaaaa"], ["memory/a/new.md"])
    assert names(look(repo, topic), "branches") == [("main", 2)]


def test_tags_of_trees_and_of_tags_are_peeled(past: Repo) -> None:
    past.git("tag", "tree", "HEAD~1^{tree}")
    past.git("tag", "-a", "-m", "one", "inner", "HEAD~1")
    past.git("tag", "-a", "-m", "two", "outer", "inner")
    found = look(past)
    assert names(found, "tags") == [("inner", 1), ("outer", 1), ("tree", 0)]
    assert [one.contents for one in found.reaches("tags")] == [0, 0, 1]
    assert found.past is not None
    assert found.past.loose_blobs == ()


def test_what_nothing_reaches_is_told_apart(past: Repo) -> None:
    past.git("hash-object", "-w", "--stdin-paths", check=False)
    (past.root / "free").write_text("a free zebra\n")
    blob = past.git("hash-object", "-w", "free").strip()
    (past.root / "free").unlink()
    found = look(past)
    assert found.past is not None
    assert (found.past.loose_blobs, found.past.loose_commits) == ((blob,), ())
    assert states(found)["unreachable objects"] == "not-reached"


def test_staged_contents_are_the_indexes_and_not_lost(past: Repo) -> None:
    past.write("new.txt", "zebra\n")
    past.git("add", "new.txt")
    (past.root / "new.txt").unlink()
    found = look(past)
    assert found.here.staged == ("new.txt",)
    assert found.past is not None
    assert found.past.loose_blobs == ()


def test_other_files_of_this_tree_are_named_also_untracked_ones(past: Repo) -> None:
    past.write("src/z.py", "zebra = 1\n")
    past.write("memory/x.md", "zebra\n")
    assert look(past).here.files == ("src/z.py",)


def test_a_partial_clone_never_says_none(past: Repo, tmp_path: Path) -> None:
    past.git("config", "uploadpack.allowFilter", "true")
    past.git("clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{past.root}", str(tmp_path / "p"))
    found = look(Repo(tmp_path / "p"))
    assert not found.whole
    assert states(found)["branches"] == "unknown"


def test_contents_too_large_to_search_are_no_clean_bill(past: Repo) -> None:
    past.write("large.bin", b"\0" * (MOST_BYTES + 1))
    past.commit("large")
    found = look(past, Topic([Mark("unheard")]))
    assert found.past is not None
    assert found.past.unsearched == 1
    assert (states(found)["branches"], states(found)["unreachable objects"]) == ("unknown", "unknown")


def test_a_bare_repository_with_worktrees_has_no_main_tree(past: Repo, tmp_path: Path) -> None:
    past.git("clone", "-q", "--bare", str(past.root), str(tmp_path / "bare.git"))
    bare = Repo(tmp_path / "bare.git")
    bare.git("worktree", "add", "-q", str(tmp_path / "tree"), "main")
    found = look(Repo(tmp_path / "tree"))
    assert names(found, "branches") == [("main", 1)]
    assert states(found)["worktrees"] == "none"


def test_a_worktree_whose_folder_is_gone_is_no_obstacle(past: Repo, tmp_path: Path) -> None:
    import shutil

    past.git("worktree", "add", "-q", str(tmp_path / "w"), "-b", "w")
    shutil.rmtree(tmp_path / "w")
    assert names(look(past), "branches") == [("main", 1), ("w", 1)]


def test_where_git_cannot_be_asked_nothing_is_said_to_be_clean(
    past: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("no git")

    monkeypatch.setattr(object_search, "stored_objects", broken)
    found = look(past)
    assert found.past is None
    assert {states(found)[kind] for kind in ("branches", "tags", "unreachable objects")} == {"unknown"}


def test_criss_cross_merges_count_each_commit_once(past: Repo) -> None:
    past.git("checkout", "-q", "-b", "other", "HEAD~1")
    past.write("other.txt", "1\n")
    past.commit("other")
    past.git("merge", "-q", "--no-edit", "main")
    past.git("checkout", "-q", "main")
    past.git("merge", "-q", "--no-edit", "other~1")
    wanted = sum(
        "zebra" in past.git("grep", "-i", "zebra", one, check=False).lower()
        for one in past.git("rev-list", "main").split()
    )
    assert ("main", wanted) in names(look(past), "branches")
