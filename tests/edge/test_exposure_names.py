"""Everything from which history is reached, and every file of git's own: none is passed by in silence."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from memwarden.core.workspace import MOST_BYTES
from memwarden.edge.erase.exposure import Exposure, measure
from memwarden.edge.erase.outside import outside_fields, outside_scopes
from memwarden.edge.erase.tips import Tip, names
from memwarden.edge.place import find_place
from memwarden.edit.topic import Mark, Topic
from tests.conftest import Repo

TEXT = Topic([Mark("zebra")])


def look(repo: Repo) -> Exposure:
    return measure(find_place(str(repo.root)), TEXT)


def states(found: Exposure) -> dict[str, str]:
    return {one.name: one.state for one in outside_scopes(found)}


def reached(found: Exposure, kind: str) -> dict[str, int]:
    return {one.name: one.commits for one in found.reaches(kind)}


@pytest.fixture
def lost(repo: Repo) -> str:
    """The ID of a commit with the text that no name reaches yet, beside a clean main."""
    repo.write("a.txt", "nothing\n")
    repo.commit("start")
    repo.git("checkout", "-q", "-b", "aside")
    repo.write("a.txt", "a zebra\n")
    found = repo.commit("in")
    repo.git("checkout", "-q", "main")
    repo.git("branch", "-q", "-D", "aside")
    shutil.rmtree(repo.root / ".git/logs")
    assert look(repo).past is not None
    return found


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        ("refs/heads/topic", "branches", "topic"),
        ("refs/remotes/origin/main", "remotes", "origin/main"),
        ("refs/tags/v1", "tags", "v1"),
        ("refs/notes/commits", "other refs", "refs/notes/commits"),
        ("refs/bisect/bad", "other refs", "refs/bisect/bad"),
        ("refs/replace/" + "a" * 40, "other refs", "refs/replace/" + "a" * 40),
        ("refs/stash", "stashes", "refs/stash"),
    ],
)
def test_every_kind_of_ref_is_counted(repo: Repo, lost: str, name: str, kind: str, told: str) -> None:
    repo.git("-c", "core.logAllRefUpdates=false", "update-ref", name, lost)
    found = look(repo)
    assert reached(found, kind) == {told: 1}
    assert found.past is not None
    assert found.past.loose_commits == ()


@pytest.mark.parametrize(
    "name", ["ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "BISECT_EXPECTED_REV", "rebase-merge/autostash"]
)
def test_what_git_remembers_of_an_operation_is_counted(repo: Repo, lost: str, name: str) -> None:
    repo.write(f".git/{name}", lost + "\n")
    assert reached(look(repo), "other refs") == {name: 1}


def test_what_is_replaced_is_searched_as_it_was(repo: Repo, lost: str) -> None:
    repo.git("branch", "topic", lost)
    repo.git("replace", lost, "main")
    assert reached(look(repo), "branches") == {"topic": 1}


def test_a_broken_line_in_a_reflog_is_no_obstacle(repo: Repo, lost: str) -> None:
    repo.write(".git/logs/refs/stash", f"\n\nzzz\n{'0' * 40} {lost} Ada <a@b> 1 +0000\tWIP\n")
    repo.write(".git/logs/refs/heads/gone", f"{'0' * 40} {lost} Ada <a@b> 1 +0000\tcommit: in\nhalf a li")
    found = look(repo)
    assert (reached(found, "stashes"), reached(found, "reflogs")) == (
        {"stash@{0}": 1},
        {"refs/heads/gone": 1},
    )


def test_who_made_a_change_is_searched_too(repo: Repo, lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Zebra")
    repo.git("commit", "-q", "--allow-empty", "-m", "plain")
    [reach] = look(repo).reaches("branches")
    assert (reach.commits, reach.messages) == (0, 1)
    assert [one.told for one in look(repo).reaches("reflogs")] == [True, True]


def test_a_lost_commit_that_only_says_it_is_named(repo: Repo, lost: str) -> None:
    said = repo.git("commit-tree", "-m", "a zebra", "main^{tree}").strip()
    found = look(repo)
    assert found.past is not None
    assert set(found.past.loose_commits) == {lost, said}


@pytest.mark.parametrize(
    "name",
    [
        "COMMIT_EDITMSG", "config", "description", "hooks/pre-commit", "info/exclude", "rr-cache/1/preimage",
        "rebase-apply/0001", "lfs/objects/aa/x", "anything-new",
    ],
)  # fmt: skip
def test_files_of_gits_own_are_searched(repo: Repo, lost: str, name: str) -> None:
    before = repo.read(f".git/{name}") if (repo.root / ".git" / name).exists() else ""
    repo.write(f".git/{name}", f"{before}# a Zebra\n")
    found = look(repo)
    assert found.kept.files == (name,)
    assert states(found)["git's own files"] == "not-reached"


def test_a_file_of_gits_own_that_is_too_large_is_no_clean_bill(repo: Repo, lost: str) -> None:
    repo.write(".git/lfs/objects/large", b"\0" * (MOST_BYTES + 1))
    assert states(look(repo))["git's own files"] == "unknown"


def test_compressed_contents_are_said_to_be_closed_to_us(repo: Repo) -> None:
    repo.write("a.gz", gzip.compress(b"zebra"))
    repo.commit("packed")
    found = look(repo)
    assert states(found)["compressed contents"] == "unknown"
    assert outside_fields(found)["searched"]["compressed"] == 1


def test_a_commit_that_git_would_not_write_is_no_obstacle(repo: Repo) -> None:
    repo.write("a.txt", "a zebra\n")
    repo.commit("in")
    tree = repo.git("rev-parse", "HEAD^{tree}").strip()
    odd = repo.write(".git/odd", f"tree {tree}\nauthor x\ncommitter\n\nodd\n")
    oid = repo.git("hash-object", "--literally", "-w", "-t", "commit", str(odd)).strip()
    odd.unlink()
    repo.write(".git/refs/heads/odd", oid + "\n")
    assert reached(look(repo), "branches") == {"main": 1, "odd": 1}


def test_folders_a_thousand_deep_are_no_obstacle(repo: Repo) -> None:
    blob = repo.git("hash-object", "-w", "--stdin").strip()
    path = "/".join(["d"] * 1500)
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}/zebra")
    tree = repo.git("write-tree").strip()
    repo.git("update-index", "--force-remove", f"{path}/zebra")
    repo.git("update-ref", "refs/heads/deep", repo.git("commit-tree", "-m", "deep", tree).strip())
    assert reached(look(repo), "branches") == {"deep": 1}


def test_texts_in_wide_characters_are_read(repo: Repo) -> None:
    repo.write("a.txt", "a zebra\n".encode("utf-16"))
    repo.commit("wide")
    assert reached(look(repo), "branches") == {"main": 1}


def test_every_side_of_a_conflict_is_searched(repo: Repo) -> None:
    repo.write("a.txt", "one\n")
    repo.commit("one")
    blob = repo.git("hash-object", "-w", str(repo.write("b.txt", "zebra\n"))).strip()
    (repo.root / "b.txt").unlink()
    repo.root.joinpath(".git/info-in").write_text(f"100644 {blob} 2\tc.txt\n100644 {blob} 3\tc.txt\n")
    with open(repo.root / ".git/info-in", "rb") as told:
        subprocess.run(["git", "update-index", "--index-info"], cwd=repo.root, stdin=told, check=True)
    (repo.root / ".git/info-in").unlink()
    found = look(repo)
    assert found.here.staged == ("c.txt",)
    assert found.past is not None
    assert found.past.loose_blobs == ()


def test_an_index_is_read_though_its_tree_is_gone(repo: Repo, tmp_path: Path) -> None:
    repo.write("a.txt", "one\n")
    repo.commit("one")
    second = tmp_path / "second"
    repo.git("worktree", "add", "-q", str(second), "-b", "second")
    (second / "z.txt").write_text("zebra\n")
    Repo(second).git("add", "z.txt")
    shutil.rmtree(second)
    [other] = look(repo).others
    assert (other.staged, other.seen) == (("z.txt",), True)
    repo.write(".git/worktrees/second/locked", "on a stick\n")
    [other] = look(repo).others
    assert not other.seen


def test_a_file_here_that_is_too_large_is_no_clean_bill(repo: Repo) -> None:
    repo.write("large.bin", b"\0" * (MOST_BYTES + 1))
    assert states(look(repo))["other files here"] == "unknown"


def test_a_link_is_searched_by_where_it_leads(repo: Repo) -> None:
    (repo.root / "link").symlink_to("zebra/nowhere")
    assert look(repo).here.files == ("link",)


def as_told(tips: list[Tip]) -> list[tuple[str, str, bytes]]:
    return [(tip.kind, tip.name, tip.oids[-1]) for tip in tips if tip.kind in ("stashes", "reflogs")]


def test_reflogs_in_tables_are_asked_of_git(repo: Repo) -> None:
    """What git tells of them is what their files say; what this git cannot tell is unknown."""
    for number in range(3):
        repo.write("a.txt", f"{number}\n")
        repo.commit(f"change {number}")
    repo.git("checkout", "-q", "-b", "other")
    for number in range(2):
        repo.write("a.txt", f"a zebra {number}\n")
        repo.git("stash")
    place = find_place(str(repo.root))
    from_files = {(kind, name) for kind, name, _ in as_told(names(place).tips)}
    (repo.root / ".git/reftable").mkdir()
    logs = repo.root / ".git/logs"
    asked = names(place)
    assert {(kind, name) for kind, name, _ in as_told(asked.tips)} == from_files
    assert reached(look(repo), "stashes") == {"stash@{0}": 1, "stash@{1}": 1}
    shutil.rmtree(logs)
    repo.git("update-ref", "-d", "refs/stash")
    found = look(repo)
    assert {"branches", "other refs"} >= set(found.unlisted)
    assert all(states(found)[kind] == "unknown" for kind in found.unlisted)


def test_reflogs_that_git_cannot_tell_are_unknown_and_never_none(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("a.txt", "1\n")
    repo.commit("one")
    (repo.root / ".git/reftable").mkdir()
    real = shutil.which("git")
    (tmp_path / "git").write_text(
        f'#!/bin/sh\ncase "$*" in *walk-reflogs*) exit 128;; esac\nexec {real} "$@"\n'
    )
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    shutil.rmtree(repo.root / ".git/logs")
    found = look(repo)
    assert {states(found)[kind] for kind in ("reflogs", "stashes")} == {"unknown"}
