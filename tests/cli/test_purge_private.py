"""The private state of every worktree is searched too, and what was purged is written nowhere."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from memwarden.edge.command.trust import Entry, TrustStore, trust_folder
from memwarden.edge.place import find_place
from memwarden.edge.writing.lock import locked
from tests.cli.purge_ground import RULE, Tree, applied, assert_gone, scope
from tests.conftest import Mem, Repo, note_text


def test_neither_plan_nor_journal_tells_the_topic(
    purgeable: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    from memwarden.edge.writing.disk import Disk

    original = Disk.write

    def write(self: Disk, descriptor: int, data: bytes) -> None:
        written.append(data)
        original(self, descriptor, data)

    monkeypatch.setattr(Disk, "write", write)
    purgeable.write("memory/decisions/zebra/x-eeeeeeee.md", note_text("A frobnicate rule", id="n-eeeeeeee"))
    applied(inside, "purge", "--match", "-", stdin="frobnicate")
    whole = b"".join(written).lower()
    assert whole
    assert b"frobnicate" not in whole
    assert b"zebra" not in whole


def test_what_is_said_after_applying_repeats_no_topic_of_the_tree(purgeable: Repo, inside: Mem) -> None:
    purgeable.git("rm", "-q", "-r", "--cached", "memory")
    ran = applied(inside, "purge", "--match", "frobnicate")
    assert "frobnicate" not in json.dumps(ran.json["plan"]).lower()


def test_a_text_on_the_command_line_is_warned_about(purgeable: Repo, inside: Mem) -> None:
    assert "shell" in " ".join(inside("purge", "--match", "frobnicate", "--json").json["remarks"])
    quiet = inside("purge", "--match", "-", "--json", stdin="frobnicate\n").json
    assert "shell" not in " ".join(quiet["remarks"])


def test_no_absolute_path_is_in_the_report(purgeable: Repo, inside: Mem) -> None:
    ran = inside("purge", "n-aaaaaaaa", "--json")
    assert str(purgeable.root) not in ran.out
    assert str(purgeable.root) not in inside("apply", ran.json["plan"]["id"], "--json").out


def test_other_plans_that_hold_the_text_are_dropped(purgeable: Repo, inside: Mem) -> None:
    plan = inside("add", "Also frobnicate weekly", "--json").json["plan"]["id"]
    ran = applied(inside, "purge", "n-aaaaaaaa", "--match", "frobnicate")
    assert any(plan in item for item in scope(ran)["plans"]["items"])
    assert inside("apply", plan).code == 2


def test_private_state_of_every_worktree_is_searched_and_scrubbed(
    purgeable: Repo, inside: Mem, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    purgeable.git("worktree", "add", "-q", str(second), "-b", "second")
    for folder in (purgeable.root, second):
        inside("touch", "src/a.py", "--write", "--session", "s", cwd=folder)
        inside("list", "--json", cwd=folder)
    state = purgeable.root / ".git/worktrees/second/mem"
    state.mkdir(parents=True, exist_ok=True)
    (state / "hook.log").write_text("kept line\n2026 claude: n-aaaaaaaa: asked\n")
    (state / "pending").write_text(
        "missed\tn-aaaaaaaa\tt\thuman\tAda\tsrc/a.py\nmissed\tn-bbbbbbbb\tt\thuman\tAda\tb\n"
    )
    (state / "counts").write_text("fire\tn-aaaaaaaa\ts\nfire\tn-bbbbbbbb\ts\n")
    (state / "counts.new").write_text("fire\tn-aaaaaaaa\ts\n")  # of one who was killed
    applied(inside, "purge", "n-aaaaaaaa")
    assert (state / "hook.log").read_text() == "kept line\n"
    assert (state / "pending").read_text() == "missed\tn-bbbbbbbb\tt\thuman\tAda\tb\n"
    assert (state / "counts").read_text() == "fire\tn-bbbbbbbb\ts\n"
    for folder in (purgeable.root / ".git/mem", state):
        for path in folder.rglob("*"):
            assert path.is_dir() or b"n-aaaaaaaa" not in path.read_bytes(), path
            assert path.is_dir() or b"robnicate" not in path.read_bytes(), path


def test_every_worktrees_lock_is_taken(purgeable: Repo, inside: Mem, tmp_path: Path, tree: Tree) -> None:
    second = tmp_path / "second"
    purgeable.git("worktree", "add", "-q", str(second), "-b", "second")
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    before = tree()
    with locked(find_place(str(second)), "edit", "2026-11-30T00:00:00Z"):
        ran = inside("apply", plan, "--lock-timeout", "0")
    assert ran.code == 4
    assert "mem edit" in ran.err
    assert tree() == before


def test_matching_endorsements_are_dropped(purgeable: Repo, inside: Mem) -> None:
    import os

    store = TrustStore(trust_folder(os.environ))
    for note in ("n-aaaaaaaa", "n-bbbbbbbb"):
        store.add(Entry("p-7q2m4x9k", note, ("make", "test"), "."))
    store.add(Entry("p-other000", "n-aaaaaaaa", ("make",), "."))
    ran = applied(inside, "purge", "n-aaaaaaaa")
    assert scope(ran)["trust"]["state"] == "removed"
    assert [(one.project, one.note) for one in store.entries()] == [
        ("p-7q2m4x9k", "n-bbbbbbbb"),
        ("p-other000", "n-aaaaaaaa"),
    ]


def test_residue_is_a_failure_that_names_it_without_the_topic(
    purgeable: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memwarden.edge.writing.apply import apply_changes

    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]
    original = apply_changes

    def interfere(*given: Any, **named: Any) -> None:
        original(*given, **named)
        purgeable.write("memory/inbox/frobnicate-again.md", "# We FROBNICATE again\n")

    monkeypatch.setattr("memwarden.edge.erase.erasing.apply_changes", interfere)
    ran = inside("apply", plan, "--json")
    assert ran.code == 1
    assert len(ran.json["residue"]) == 1
    assert "memory/inbox/?" in ran.json["residue"][0]
    assert "frobnicate" not in json.dumps([ran.json["residue"], ran.json["error"], ran.err]).lower()


def test_a_purge_that_is_killed_is_carried_out_and_tells_nothing_meanwhile(
    purgeable: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memwarden.edge.writing.disk import Disk

    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]
    original = Disk.remove

    def die(self: Disk, path: str) -> None:
        if path.endswith(".md"):
            raise KeyboardInterrupt
        original(self, path)

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "remove", die)
        with contextlib.suppress(KeyboardInterrupt):
            inside("apply", plan)
    assert (purgeable.root / ".git/mem/journal").exists()
    assert (purgeable.root / RULE).exists()
    for path in (purgeable.root / ".git/mem").rglob("*"):
        assert path.is_dir() or b"frobnicate" not in path.read_bytes().lower(), path
    assert inside("recover").code == 0
    assert_gone(purgeable, "frobnicate")


def test_a_purge_that_is_killed_before_the_tree_is_touched_is_applied_by_the_same_plan(
    purgeable: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside("touch", "src/a.py", "--write", "--session", "s")
    other = inside("add", "Also frobnicate weekly", "--json").json["plan"]["id"]
    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]

    def die(*given: Any, **named: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("memwarden.edge.erase.erasing.apply_changes", die)
        with contextlib.suppress(KeyboardInterrupt):
            inside("apply", plan)
    assert (purgeable.root / RULE).exists()
    assert not (purgeable.root / f".git/mem/plans/{other}.json").exists()
    assert inside("apply", plan).code == 0
    assert_gone(purgeable, "frobnicate")


def test_a_file_that_is_none_of_ours_is_told_as_out_of_reach_and_left(
    purgeable: Repo, inside: Mem, tree: Tree
) -> None:
    stray = purgeable.root / ".git/mem/frobnicate.txt"
    stray.parent.mkdir(parents=True, exist_ok=True)
    stray.write_text("mine\n")
    ran = inside("purge", "--match", "frobnicate", "--json")
    found = scope(ran)["other private state"]
    assert (found["state"], len(found["items"])) == ("not-reached", 1)
    assert found["items"][0] == "mem/frobnicate.txt: its name; no file of ours: remove it by hand"
    done = inside("apply", ran.json["plan"]["id"])
    assert done.code == 1
    assert "1 trace is left: other private state: mem/?" in done.err
    assert "Found, and removed by this plan" not in done.out
    [named] = [line for line in done.out.splitlines() if "by hand" in line]
    assert "frobnicate" not in named
    assert named.split()[3].rstrip(":") in done.err
    assert stray.read_text() == "mine\n"
    purgeable.commit("purged")
    before = tree()
    again = inside("purge", "--match", "frobnicate", "--json")
    assert (again.code, again.json["plan"]) == (0, None)
    assert tree() == before


def test_an_unfinished_change_of_another_worktree_comes_first(
    purgeable: Repo, inside: Mem, tmp_path: Path, tree: Tree
) -> None:
    purgeable.git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second")
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    state = purgeable.root / ".git/worktrees/second/mem"
    state.mkdir(parents=True)
    (state / "journal").write_text("{}")
    before = tree()
    ran = inside("apply", plan)
    assert (ran.code, tree()) == (5, before)
    assert "second" in ran.err


def test_what_a_killed_process_left_half_staged_elsewhere_is_removed(
    purgeable: Repo, inside: Mem, tmp_path: Path
) -> None:
    purgeable.git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second")
    state = purgeable.root / ".git/worktrees/second/mem"
    state.mkdir(parents=True, exist_ok=True)
    for name in ("staging", "journal.new"):
        (state / name).write_text("# Frobnicate daily, too\n")
    ran = applied(inside, "purge", "--match", "frobnicate")
    assert scope(ran)["journals"]["state"] == "removed"
    assert_gone(purgeable, "frobnicate")


def test_a_text_that_only_private_state_holds_is_erased_there(purgeable: Repo, inside: Mem) -> None:
    plan = inside("add", "The zebra rule", "--json").json["plan"]["id"]
    seen = inside("purge", "--match", "-", "--json", stdin="zebra")
    assert plan in scope(seen)["plans"]["items"][0]
    saved = purgeable.root / ".git/mem/plans" / f"{seen.json['plan']['id']}.json"
    assert "zebra" not in saved.read_text()
    assert inside("apply", seen.json["plan"]["id"]).code == 0
    assert_gone(purgeable, "zebra")
    assert inside("apply", plan).code == 2


def test_the_preview_counts_our_own_files_and_fits_a_screen(purgeable: Repo, mem: Mem) -> None:
    purgeable.write(RULE, purgeable.read(RULE).replace("\n---\n", "\nanchors: [src/a.py]\n---\n", 1))
    for number in range(12):
        assert mem("search", f"word{number}", "--json").code == 0
        assert mem("touch", "src/a.py", "--session", f"s{number}").code == 0
    ran = mem("purge", "n-aaaaaaaa")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert len(lines) < 40
    assert any("12 ledgers naming the note" in line for line in lines)
    assert any("kept answers" in line for line in lines)
    assert RULE in ran.out
    assert len(scope(mem("purge", "n-aaaaaaaa", "--json"))["ledgers"]["items"]) == 12


def test_a_single_file_of_ours_is_named_also_beside_others_that_are_there_for_another_reason(
    purgeable: Repo, mem: Mem
) -> None:
    assert mem("add", "Frobnicate twice", "--facet", "security").code == 0  # a plan that holds the text
    assert mem("purge", "n-aaaaaaaa").code == 0  # and one that names the note
    told = mem("purge", "--match", "frobnicate").out
    assert ".json: it holds the text\n" in told
    assert ".json: it names the note\n" in told
    assert "1 plans" not in told
