"""Purging in odd repositories: without a past, cut off, sparse, with worktrees, half staged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.purge_ground import OTHER, RULE, Tree, applied, scope
from tests.conftest import MANIFEST, Mem, Repo, note_text


def test_without_any_commit_history_is_none(repo: Repo, inside: Mem) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    repo.write(RULE, note_text("Frobnicate daily", id="n-aaaaaaaa", subject="path:src/a.py"))
    ran = inside("purge", "--match", "frobnicate", "--json")
    assert {scope(ran)[name]["state"] for name in ("branches", "tags", "reflogs", "stashes")} == {"none"}
    assert scope(ran)["elsewhere"]["state"] == "unknown"
    applied(inside, "purge", "--match", "frobnicate")


def test_a_shallow_clone_never_says_none(purgeable: Repo, inside: Mem, tmp_path: Path) -> None:
    purgeable.write("later", "x\n")
    purgeable.commit("later")
    purgeable.git("clone", "-q", "--depth", "1", f"file://{purgeable.root}", str(tmp_path / "cut"))
    ran = inside("purge", "--match", "frobnicate", "--json", cwd=tmp_path / "cut")
    found = scope(ran)
    assert found["branches"]["state"] == "not-reached"
    assert found["tags"]["state"] == "unknown"
    assert ran.json["outside"]["searched"]["whole"] is False


@pytest.mark.parametrize("when", ["before the preview", "before the removal"])
def test_a_damaged_object_keeps_no_result_from_being_told(purgeable: Repo, inside: Mem, when: str) -> None:
    def damage() -> None:
        purgeable.write(".git/new", "plain\n")
        oid = purgeable.git("hash-object", "-w", ".git/new").strip()
        file = purgeable.root / ".git/objects" / oid[:2] / oid[2:]
        file.chmod(0o644)
        file.write_bytes(b"")

    if when == "before the preview":
        damage()
    seen = inside("purge", "--match", "frobnicate", "--json")
    assert seen.code == 0, seen.err
    if when == "before the removal":
        damage()
    done = inside("apply", seen.json["plan"]["id"], "--json")
    assert done.code == 0, done.err
    assert (scope(done)["notes"]["state"], scope(done)["branches"]["state"]) == ("removed", "not-reached")
    assert scope(done)["unreachable objects"]["state"] == "unknown"


def test_a_detached_head_is_named(purgeable: Repo, inside: Mem) -> None:
    purgeable.git("checkout", "-q", "--detach")
    purgeable.git("commit", "-q", "--allow-empty", "-m", "alone")
    names = [one["name"] for one in inside("purge", "n-aaaaaaaa", "--json").json["outside"]["branches"]]
    assert names == ["HEAD (detached)", "main"]


def test_what_a_sparse_checkout_left_out_blocks(purgeable: Repo, inside: Mem, tree: Tree) -> None:
    purgeable.git("sparse-checkout", "set", "--no-cone", "/*", "!/memory/decisions/")
    before = tree()
    ran = inside("purge", "n-aaaaaaaa", "--json")
    assert ran.code == 1
    assert "sparse" in ran.json["blocked"][0]["why"]
    assert tree() == before


def test_a_purge_in_a_linked_worktree_reports_the_main_one(
    purgeable: Repo, inside: Mem, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    purgeable.git("worktree", "add", "-q", str(second), "-b", "second")
    inside("list", "--json")
    seen = inside("purge", "n-aaaaaaaa", "--json", cwd=second)
    assert seen.code == 0, seen.err
    [other] = seen.json["outside"]["worktrees"]
    assert (other["name"], other["files"]) == ("main", [RULE])
    assert inside("apply", seen.json["plan"]["id"], cwd=second).code == 0
    assert not (second / RULE).exists()
    assert (purgeable.root / RULE).exists()
    for path in (purgeable.root / ".git/mem").rglob("*"):
        assert path.is_dir() or b"n-aaaaaaaa" not in path.read_bytes(), path


# What only the index has

STAGED = "memory/decisions/zebra-cccccccc.md"


@pytest.fixture
def staged(purgeable: Repo) -> Repo:
    """A note that was staged and is in the working tree no more."""
    purgeable.write(STAGED, note_text("The zebra rule", id="n-cccccccc", subject="path:src/z.py"))
    purgeable.write("src/z.py", "z\n")
    purgeable.git("add", "-A")
    (purgeable.root / STAGED).unlink()
    return purgeable


@pytest.mark.parametrize(
    "words", [("n-cccccccc",), ("--match", "zebra"), ("--subject", "path:src/z.py"), (STAGED,)]
)
def test_a_note_that_only_the_index_has_is_purged_from_there(
    staged: Repo, inside: Mem, words: tuple[str, ...]
) -> None:
    before = staged.git("ls-files", "--stage")
    seen = inside("purge", *words, "--json")
    assert seen.code == 0, seen.err
    [item] = scope(seen)["notes"]["items"]
    assert item.startswith(STAGED)
    assert item.endswith("; only the index has it")
    assert (scope(seen)["notes"]["state"], seen.json["outside"]["index"]) == ("found", [])
    assert staged.git("ls-files", "--stage") == before
    done = inside("apply", seen.json["plan"]["id"], "--json")
    assert done.code == 0, done.err + done.out
    assert STAGED not in staged.git("ls-files")
    assert "zebra" not in done.out
    [event] = (staged.root / "memory/events/n-cccccccc").iterdir()
    assert json.loads(event.read_text())["kind"] == "purged"
    assert RULE in staged.git("ls-files")


def test_a_note_that_was_deleted_here_alone_is_purged_from_the_index(purgeable: Repo, inside: Mem) -> None:
    (purgeable.root / RULE).unlink()
    applied(inside, "purge", "--match", "frobnicate")
    assert purgeable.git("ls-files", "memory/decisions") == OTHER + "\n"


def test_a_note_that_is_staged_otherwise_since_makes_the_plan_stale(staged: Repo, inside: Mem) -> None:
    plan = inside("purge", "n-cccccccc", "--json").json["plan"]["id"]
    staged.write(STAGED, note_text("The zebra rule, once more", id="n-cccccccc", subject="path:src/z.py"))
    staged.git("add", "-A")
    (staged.root / STAGED).unlink()
    before = staged.git("ls-files", "--stage")
    assert inside("apply", plan).code == 3
    assert staged.git("ls-files", "--stage") == before


def test_a_note_that_is_back_in_the_tree_is_not_taken_for_one_of_the_index(staged: Repo, inside: Mem) -> None:
    plan = inside("purge", "n-cccccccc", "--json").json["plan"]["id"]
    staged.git("checkout", "-q", "--", STAGED)
    before = staged.git("ls-files", "--stage")
    ran = inside("apply", plan)
    assert (ran.code, "only the index had" in ran.err) == (3, True)
    assert (staged.git("ls-files", "--stage"), (staged.root / STAGED).exists()) == (before, True)


def test_hard_forgetting_takes_it_from_the_index_too(staged: Repo, inside: Mem) -> None:
    applied(inside, "forget", "n-cccccccc", "--hard")
    assert STAGED not in staged.git("ls-files")


def test_prose_that_only_the_index_has_is_told_and_blocks_nothing(staged: Repo, inside: Mem) -> None:
    ran = inside("purge", "--match", "It was decided")
    assert "only the index has it" not in ran.out
    other = inside("purge", "n-aaaaaaaa", "--json")
    assert (other.code, "index" in other.json["plan"]) == (0, False)


def test_an_index_that_is_damaged_meanwhile_keeps_no_result_from_being_told(
    staged: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = inside("purge", "n-cccccccc", "--json").json["plan"]["id"]

    def damage(*given: object) -> None:
        (staged.root / ".git/index").write_bytes(b"DIRC no more")

    monkeypatch.setattr("memwarden.edge.erase.erasing.remove_empty_folders", damage)
    ran = inside("apply", plan, "--json")
    assert (ran.code, ran.json["applied"]) == (1, True)
    assert [one.partition(":")[0] for one in ran.json["residue"]] == ["index"]


def test_an_index_that_is_locked_leaves_residue_that_is_named(staged: Repo, inside: Mem) -> None:
    plan = inside("purge", "n-cccccccc", "--json").json["plan"]["id"]
    staged.write(".git/index.lock", "")
    ran = inside("apply", plan, "--json")
    assert ran.code == 1
    assert any(item.startswith("index: ") for item in ran.json["residue"])
    assert not any("zebra" in item for item in ran.json["residue"])


def test_what_a_sparse_checkout_left_out_is_not_taken_for_deleted(purgeable: Repo, inside: Mem) -> None:
    purgeable.git("sparse-checkout", "set", "--no-cone", "/*", "!/memory/decisions/")
    (purgeable.root / "memory/brief.md").unlink()
    ran = inside("purge", "--match", "frobnicate", "--json")
    assert ran.code == 1
    assert "sparse" in ran.json["blocked"][0]["why"]
