"""``mem check`` over the working tree, the index, commits and ranges of a real repository."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memwarden.cli.app import run
from memwarden.core.canonical import canonical, condition_digest, hex_digest
from memwarden.edge.place import find_place
from memwarden.edge.writing.journal import journal_file
from memwarden.edit.condition_reader import read_condition
from tests.conftest import Mem, Repo, note_text

A = "memory/decisions/a.md"
DEBT = "memory/debts/d.md"
ID = "n-4f7k2m9q"
CONTAINS = "{file_contains: {path: a.py, pattern: fixed}}"


def debt(condition: str = CONTAINS, **fields: str) -> str:
    return note_text("It is flaky", lifecycle="debt", condition=condition, anchors="[a.py]", **fields)


def event(repo: Repo, seq: int, kind: str, at: str = "2026-11-30T10:00:00Z", **facts: object) -> str:
    """Write one event's file and give its path."""
    whole = {
        "actor": {"kind": "human", "name": "Ada"},
        "at": at,
        "branch": "main",
        "commit": None,
        "dirty": False,
        "kind": kind,
        "note": ID,
        "schema": 1,
        "seq": seq,
        **facts,
    }
    path = f"memory/events/{ID}/{seq:04}-{kind}-{hex_digest(canonical(whole))[:8]}.json"
    repo.write(path, json.dumps(whole, indent=2, sort_keys=True) + "\n")
    return path


def digest() -> str:
    condition, _ = read_condition({"file_contains": {"path": "a.py", "pattern": "fixed"}}, "condition")
    return condition_digest(condition)


def paid(repo: Repo, seq: int = 1, **facts: object) -> str:
    return event(repo, seq, "paid", condition_digest=digest(), how="settle", **facts)


def codes(mem: Mem, *arguments: str, code: int | None = None) -> list[tuple[str, bool]]:
    """(code, already there) of every finding but the missing admissions."""
    ran = mem("check", *arguments, "--json", "--now", "2026-11-30")
    assert ran.err == ""
    if code is not None:
        assert ran.code == code
    return [(f["code"], f["already_there"]) for f in ran.json["findings"] if f["code"] != "M204"]


def test_a_clean_memory_exits_0_with_its_notices(memory_repo: Repo, mem: Mem) -> None:
    ran = mem("check")
    assert ran.code == 0
    assert "M204" in ran.out
    assert ran.err == "1 notice (1 already there)\n"


def test_errors_exit_1_warnings_0_and_strict_makes_them_1(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", anchors="[gone.py]"))
    assert mem("check").code == 0
    assert mem("check", "--strict").code == 1
    memory_repo.write(A, note_text("a", facet="mood"))
    ran = mem("check")
    assert ran.code == 1
    assert ran.out.startswith("memory/brief.md:1:1:")
    assert f"{A}:4:1: M103 error   unknown facet 'mood'\n    fix: use one of" in ran.out


def test_text_and_json_agree_on_the_exit_code_and_format_json_is_json(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    one, other = mem("check", "--json"), mem("check", "--format", "json")
    assert (one.code, one.out) == (other.code, other.out) == (1, one.out)
    assert one.json["schema"] == "mem.check/1"
    assert one.json["counts"]["error"] == 1
    assert str(memory_repo.root) not in one.out


def test_paths_narrow_what_is_shown_and_what_counts(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    memory_repo.write("memory/constraints/b.md", note_text("b", id="n-0000000b"))
    assert codes(mem, "memory/constraints", code=0) == []
    assert codes(mem, "memory/decisions/", code=1) == [("M103", False)]
    assert codes(mem, "memory/**/a.md", code=1) == [("M103", False)]
    assert codes(mem, ".", code=1) == [("M103", False)]
    memory_repo.write("a.py", "")
    memory_repo.write("README.md", "")
    assert codes(mem, "a.py", "README.md", code=0) == []


def test_no_memory_exits_5_and_staged_passes_quietly(repo: Repo, mem: Mem, tmp_path: Path) -> None:
    assert mem("check").code == 5
    ran = mem("check", "--staged")
    assert (ran.code, ran.out) == (0, "")
    outside = tmp_path / "outside"
    outside.mkdir()
    assert mem("check", cwd=outside).code == 5
    assert mem("check", "--staged", cwd=outside).code == 0
    assert mem("check", "--staged", "--json", cwd=outside).json["findings"] == []


def test_an_unfinished_change_exits_5(memory_repo: Repo, mem: Mem) -> None:
    file = Path(journal_file(find_place(str(memory_repo.root))))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{}")
    ran = mem("check")
    assert ran.code == 5
    assert "mem recover" in ran.err


def test_two_states_at_once_and_unknown_revisions_are_usage_errors(memory_repo: Repo, mem: Mem) -> None:
    assert mem("check", "--staged", "--at", "HEAD").code == 2
    ran = mem("check", "--at", "nowhere")
    assert ran.code == 2
    assert "main" in ran.err
    ran = mem("check", "--range", "origin/main..HEAD")
    assert ran.code == 2
    assert "refs that exist: main" in ran.err


# What is staged


def test_the_staged_half_of_a_file_is_what_counts(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    memory_repo.git("add", A)
    memory_repo.write(A, note_text("a"))
    assert codes(mem, "--staged", code=1) == [("M103", False)]
    memory_repo.git("add", A)
    memory_repo.write(A, note_text("a", facet="mood"))
    assert codes(mem, "--staged", code=0) == []


def test_a_condition_that_holds_only_in_the_unstaged_half_does_not_hold(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.git("add", "-A")
    memory_repo.write("a.py", "fixed\n")
    assert codes(mem, "--staged", code=0) == []
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=1) == [("M401", False)]


def test_before_the_first_commit_everything_is_new(repo: Repo, mem: Mem) -> None:
    from tests.conftest import MANIFEST

    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("b", id="n-br1ef000", facet="overview"))
    repo.write("a.py", "fixed\n")
    repo.write(DEBT, debt())
    repo.git("add", "-A")
    assert codes(mem, "--staged", code=1) == [("M401", False)]
    assert codes(mem, code=1) == [("M401", False)]


def test_a_debt_that_already_holds_is_refused_only_where_it_is_added_or_reworded(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == [("M406", False)]
    memory_repo.write(DEBT, debt("{file_contains: {path: a.py, pattern: fix}}"))
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=1) == [("M401", False)]


def test_a_moved_or_renamed_debt_is_not_added(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    memory_repo.commit()
    memory_repo.git("mv", DEBT, "memory/debts/other.md")
    assert codes(mem, "--staged", code=0) == [("M406", False)]


def test_a_failing_verdict_in_the_log_is_red_enough(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    event(
        memory_repo,
        1,
        "admitted",
        condition_digest=digest(),
        verdict={"state": "does not hold"},
        evidence=[{"user": "Ada"}],
    )
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == [("M406", False)]


def test_a_commit_that_pays_debts_says_so_and_is_not_blocked(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    memory_repo.git("add", "-A")
    ran = mem("check", "--staged", "--json")
    assert (ran.code, ran.json["paid_by_this_commit"]) == (0, [ID])
    assert f"paid by this commit\n  {ID}  It is flaky" in mem("check", "--staged").out
    memory_repo.commit()
    assert mem("check", "--at", "HEAD", "--json").json["paid_by_this_commit"] == [ID]
    assert mem("check", "--range", "HEAD~1..HEAD", "--json").json["paid_by_this_commit"] == [ID]
    assert mem("check", "--json").json["paid_by_this_commit"] == []


def test_a_payment_recorded_in_the_same_commit_is_in_the_block(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    paid(memory_repo)
    memory_repo.git("add", "-A")
    ran = mem("check", "--staged", "--json")
    assert ran.json["paid_by_this_commit"] == [ID]
    assert codes(mem, "--staged", code=0) == []


def test_a_payment_that_what_is_judged_contradicts_is_not_in_the_block(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    paid(memory_repo)
    memory_repo.git("add", "-A")
    for words in (), ("--staged",):
        assert mem("check", *words, "--json").json["paid_by_this_commit"] == []
        assert codes(mem, *words, code=0) == [("M402", False)]


def test_errors_of_the_base_are_already_there_and_do_not_block(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    memory_repo.commit()
    memory_repo.write("b.py", "x")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == [("M103", True)]
    assert "(already there)" in mem("check", "--staged").out
    memory_repo.write("memory/decisions/b.md", note_text("b", id="n-0000000b", evidence="", facet="behavior"))
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=1) == [("M103", True), ("M201", False)]


def test_two_green_branches_that_both_add_an_owner_do_not_block_what_comes_after(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.git("checkout", "-q", "-b", "side")
    memory_repo.write(A, note_text("a", id="n-0000000a"))
    memory_repo.commit()
    memory_repo.git("checkout", "-q", "main")
    memory_repo.write("memory/decisions/b.md", note_text("b", id="n-0000000b"))
    memory_repo.commit()
    memory_repo.git("merge", "-q", "--no-commit", "side", check=False)
    assert codes(mem, "--staged", code=1) == [("M301", False)]
    memory_repo.commit("merge")
    memory_repo.write("x.py", "x")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == [("M301", True)]


def test_in_a_merge_what_either_parent_had_is_not_new(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.commit()
    memory_repo.git("checkout", "-q", "-b", "side")
    memory_repo.write(DEBT, debt())
    memory_repo.write(A, note_text("a", facet="mood", id="n-0000000a"))
    memory_repo.commit()
    memory_repo.git("checkout", "-q", "main")
    memory_repo.write("a.py", "fixed\n")
    memory_repo.commit()
    memory_repo.git("merge", "-q", "--no-commit", "side", check=False)
    assert codes(mem, "--staged", code=0) == [("M406", False), ("M103", True)]


def test_it_is_judged_in_a_linked_worktree_and_on_a_detached_head(
    memory_repo: Repo, mem: Mem, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    memory_repo.git("worktree", "add", "-q", "--detach", str(other))
    (other / "memory/decisions").mkdir(parents=True)
    (other / A).write_text(note_text("a", facet="mood"))
    Repo(other).git("add", "-A")
    assert mem("check", "--staged", cwd=other).code == 1
    assert mem("check", "--staged").code == 0


def test_odd_names_intent_to_add_and_hostile_settings_change_nothing(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.git("config", "diff.external", "false")
    memory_repo.git("config", "color.ui", "always")
    memory_repo.write('memory/decisions/sp ace é "q".md', note_text("a", facet="mood"))
    memory_repo.git("add", "-A")
    memory_repo.write("memory/decisions/later.md", note_text("b", id="n-0000000b", evidence=""))
    memory_repo.git("add", "-N", "memory/decisions/later.md")
    assert codes(mem, "--staged", code=1) == [("M103", False)]


def test_a_hook_environment_that_points_elsewhere_is_not_believed(
    memory_repo: Repo, mem: Mem, tmp_path: Path
) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    memory_repo.git("add", "-A")
    elsewhere = {
        "GIT_DIR": str(tmp_path),
        "GIT_WORK_TREE": str(tmp_path),
        "GIT_INDEX_FILE": str(tmp_path / "i"),
    }
    assert mem("check", "--staged", env=elsewhere).code == 1


def test_the_check_changes_nothing_in_the_repository(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    memory_repo.git("add", "-A")
    memory_repo.write(A, note_text("b"))
    before = memory_repo.git("status", "--porcelain=v2"), memory_repo.git("stash", "list")
    mem("check", "--staged")
    assert (memory_repo.git("status", "--porcelain=v2"), memory_repo.git("stash", "list")) == before


def test_the_number_of_git_processes_does_not_grow_with_the_notes(
    memory_repo: Repo, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    counts = []
    for many in (1, 40):
        for n in range(many):
            fields = {"id": f"n-{n:08}", "facet": "mood", "anchors": f"[gone{n}.py]"}
            memory_repo.write(f"memory/decisions/{n}.md", note_text(str(n), **fields))
        memory_repo.git("add", "-A")
        started: list[object] = []
        spawn = os.posix_spawnp

        def counting(*args: Any, started: list[object] = started, spawn: Any = spawn, **kwargs: Any) -> int:
            started.append(args[1])
            return int(spawn(*args, **kwargs))

        with monkeypatch.context() as patch:
            patch.setattr(os, "posix_spawnp", counting)
            patch.chdir(memory_repo.root)
            assert run(["check", "--staged"]) == 1
        counts.append(len(started))
        capfdbinary.readouterr()
    assert 0 < counts[0] == counts[1] <= 8


# Ranges


def test_a_branch_that_opens_a_debt_and_pays_it_later_passes(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    start = memory_repo.commit()
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("b.py", "x")
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    memory_repo.commit()
    assert codes(mem, "--range", f"{start}..HEAD", code=0) == [("M406", False)]


def test_a_debt_that_held_where_it_was_opened_is_found_in_the_range(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    start = memory_repo.commit()
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("b.py", "x")
    memory_repo.commit()
    assert codes(mem, "--range", f"{start}..", code=1) == [("M401", False)]
    assert codes(mem, "--at", "HEAD~1", code=1) == [("M401", False)]
    assert codes(mem, "--at", "HEAD", code=0) == [("M406", False)]


def test_what_the_start_of_the_range_had_is_already_there(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    start = memory_repo.commit()
    memory_repo.write("b.py", "x")
    memory_repo.commit()
    assert codes(mem, "--range", f"{start}..HEAD", code=0) == [("M103", True)]
    assert codes(mem, "--at", "HEAD", code=1) == [("M103", False)]


def test_a_range_that_a_shallow_clone_has_cut_is_refused_with_the_fix(
    memory_repo: Repo, mem: Mem, tmp_path: Path
) -> None:
    for n in range(3):
        memory_repo.write("b.py", str(n))
        memory_repo.commit()
    clone = tmp_path / "clone"
    memory_repo.git("clone", "-q", "--depth", "1", f"file://{memory_repo.root}", str(clone))
    ran = mem("check", "--range", "HEAD~1..HEAD", cwd=clone)
    assert ran.code == 2
    assert "shallow" in ran.err


def test_a_branch_without_memory_passes(repo: Repo, mem: Mem) -> None:
    repo.write("a.py", "x")
    repo.commit()
    repo.write("a.py", "y")
    repo.commit()
    assert mem("check", "--at", "HEAD").code == 0
    assert mem("check", "--range", "HEAD~1..HEAD").code == 0


# Debts and payments


def test_a_payment_whose_file_was_renamed_is_no_regression_and_names_the_rename(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "fixed\n" * 5)
    memory_repo.write(DEBT, debt())
    paid(memory_repo)
    memory_repo.commit()
    memory_repo.git("mv", "a.py", "b.py")
    memory_repo.commit()
    (found,) = (f for f in mem("check", "--json").json["findings"] if f["code"] == "M402")
    assert found["message"].endswith("git saw a.py renamed to b.py")
    assert found["fix"] == "mem subject rename path:a.py path:b.py"


def test_a_recent_payment_that_no_longer_holds_is_a_warning_and_an_old_one_is_history(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    paid(memory_repo)
    memory_repo.commit()
    assert codes(mem, code=0) == [("M402", False)]
    ran = mem("check", "--json", "--now", "2027-11-30")
    assert [f["code"] for f in ran.json["findings"] if f["code"] != "M204"] == []


def test_a_declared_payment_is_not_taken_back_and_is_named_while_its_condition_fails(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    event(memory_repo, 1, "paid", condition_digest=digest(), how="declared")
    memory_repo.commit()
    assert codes(mem, code=0) == [("M407", False)]


def test_a_rule_whose_verify_fails_is_a_warning(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", verify="{file_exists: gone.txt}"))
    assert codes(mem, code=0) == [("M404", False)]


def test_a_command_is_not_run_unasked_and_ci_may_allow_it(memory_repo: Repo, mem: Mem) -> None:
    command = "{command: {run: [sh, -c, 'exit 0']}}"
    memory_repo.write(A, note_text("a", verify="{command: {run: [sh, -c, 'exit 3']}}"))
    assert codes(mem, code=0) == [("M403", False)]
    assert codes(mem, "--allow-commands", code=0) == [("M404", False)]
    memory_repo.write(A, note_text("a", verify=command))
    assert codes(mem, "--allow-commands", code=0) == []


def test_a_commit_that_writes_an_overdue_anchor_and_leaves_it_owed(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    event(memory_repo, 1, "missed", count=3, paths=["a.py"])
    memory_repo.commit()
    memory_repo.write("a.py", "still broken\n")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == [("M409", False)]
    manifest = memory_repo.read("memory/manifest.md").replace("protocol: 1", "protocol: 1\noverdue: error")
    memory_repo.write("memory/manifest.md", manifest)
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=1) == [("M409", False)]
    memory_repo.write("a.py", "fixed\n")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == [("M406", False)]
    memory_repo.git("reset", "-q", "--hard")
    memory_repo.write("b.py", "x")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == []


def test_a_payment_that_rests_on_nothing_here_is_a_notice(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    gone = {"commit": "1" * 40, "evidence": {"items": [{"path": "a.py", "blob": "2" * 40}]}}
    paid(memory_repo, **gone)
    memory_repo.commit()
    assert codes(mem, code=0) == [("M408", False)]


def test_a_squashed_payment_whose_blob_is_here_is_fine(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    blob = memory_repo.git("hash-object", "a.py").strip()
    paid(memory_repo, commit="1" * 40, evidence={"items": [{"path": "a.py", "blob": blob}]})
    memory_repo.commit()
    assert codes(mem, code=0) == []


# The log


def test_a_changed_event_is_an_error_and_a_removed_one_a_warning_with_the_standing(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    path = paid(memory_repo)
    memory_repo.commit()
    memory_repo.write(path, memory_repo.read(path).replace("Ada", "Eve"))
    assert codes(mem, code=1).count(("M603", False)) == 1  # changed, and so not removed as well
    memory_repo.git("rm", "-q", "-f", path)
    ran = mem("check", "--staged", "--json")
    (found,) = [f for f in ran.json["findings"] if f["code"] == "M603"]
    assert (ran.code, found["severity"], found["path"]) == (0, "warning", path)
    assert "the note was paid and is owed" in found["message"]


def test_an_event_in_another_layout_is_the_same_event(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    path = paid(memory_repo)
    memory_repo.commit()
    facts = json.loads(memory_repo.read(path))
    memory_repo.write(path, json.dumps(facts, indent=4).replace("\n", "\r\n"))
    assert codes(mem, code=0) == []
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == []


def test_a_reverted_payment_reopens_the_debt_and_only_warns(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    paid(memory_repo)
    memory_repo.commit()
    memory_repo.git("revert", "--no-edit", "HEAD")
    assert codes(mem, "--at", "HEAD", code=0) == [("M603", False)]
    assert codes(mem, "--range", "HEAD~1..HEAD", code=0) == [("M603", False)]


def test_what_was_purged_may_lose_its_events_and_must_not_come_back(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(DEBT, debt("{file_exists: x.txt}"))
    old = event(memory_repo, 1, "admitted")
    memory_repo.commit()
    memory_repo.git("checkout", "-q", "-b", "side")
    memory_repo.write(DEBT, debt("{file_exists: x.txt}", tags="[a]"))
    memory_repo.commit()
    memory_repo.git("checkout", "-q", "main")
    (memory_repo.root / DEBT).unlink()
    (memory_repo.root / old).unlink()
    event(memory_repo, 2, "purged", mode="hard")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == []
    memory_repo.commit()
    memory_repo.git("merge", "-q", "--no-commit", "side", check=False)
    memory_repo.git("checkout", "side", "--", DEBT)
    assert codes(mem, "--staged", code=1) == [("M604", False), ("M603", False)]


def test_a_rename_that_git_saw_is_named(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("old.py", "a long enough content to be recognised\n" * 5)
    memory_repo.write("dead.py", "another content altogether, which goes away\n" * 5)
    memory_repo.write(A, note_text("a", anchors="[old.py, dead.py]"))
    memory_repo.commit()
    memory_repo.git("mv", "old.py", "new.py")
    memory_repo.git("rm", "-q", "dead.py")
    staged = [
        f["message"] for f in mem("check", "--staged", "--json").json["findings"] if f["code"] == "M405"
    ]
    assert "renamed to new.py" in staged[0]
    assert "deleted" in staged[1]
    memory_repo.commit()
    later = [f["message"] for f in mem("check", "--json").json["findings"] if f["code"] == "M405"]
    assert later == staged


# Faces


def test_github_and_sarif_are_printed_as_such(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    ran = mem("check", "--format", "github")
    assert (ran.code, ran.out.count("::error file=memory/decisions/a.md,line=4,col=1,title=M103::")) == (1, 1)
    ran = mem("check", "--format", "sarif")
    assert ran.code == 1
    assert {result["ruleId"] for result in ran.json["runs"][0]["results"]} == {"M103", "M204"}


def test_a_secret_is_in_no_output(memory_repo: Repo, mem: Mem) -> None:
    token = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
    memory_repo.write(A, note_text("a", facet=token, body=f"{token} {token}"))
    for format in ("text", "json", "github", "sarif"):
        ran = mem("check", "--format", format)
        assert ran.code == 1
        assert token not in ran.out + ran.err


@pytest.mark.parametrize("code", ["M301", "m301", "key-has-one-owner"])
def test_explain_prints_one_rule(repo: Repo, mem: Mem, code: str) -> None:
    ran = mem("explain", code)
    assert ran.code == 0
    assert ran.out.startswith("M301: Two active rules own one scope, subject and facet.\n\nWhy: ")


def test_explain_lists_every_rule_and_names_the_nearest_for_an_unknown_one(repo: Repo, mem: Mem) -> None:
    ran = mem("explain", "--json")
    assert len(ran.json["rules"]) == len(mem("explain").out.splitlines())
    ran = mem("explain", "M4O5")
    assert ran.code == 2
    assert "M405" in ran.err


def test_a_rename_that_is_staged_and_not_committed_is_named_already(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("src/old.py", "a\nb\nc\n")
    memory_repo.write(A, note_text("a", anchors="[src/old.py, src/older.py]"))
    memory_repo.write("src/older.py", "x\ny\nz\n")
    memory_repo.commit("before")
    memory_repo.git("mv", "src/older.py", "src/middle.py")
    memory_repo.commit("the first move")
    memory_repo.git("mv", "src/middle.py", "src/end.py")
    memory_repo.git("mv", "src/old.py", "src/new.py")
    messages = [f["message"] for f in mem("check", "--json").json["findings"] if f["code"] == "M405"]
    assert len(messages) == 2
    assert messages[0].endswith("git saw it renamed to src/new.py")
    assert messages[1].endswith("git saw it renamed to src/end.py")
