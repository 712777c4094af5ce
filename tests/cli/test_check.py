"""``mem check``: the working tree, the index, merges, and what it never does."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from memwarden.cli.app import run
from memwarden.edge.place import find_place
from memwarden.edge.writing.journal import journal_file
from tests.cli.check_ground import DEBT, ID, A, codes, debt, digest, event, paid
from tests.conftest import Mem, Repo, note_text


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
    assert (ran.code, ran.out, ran.err) == (0, "", "")
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
        shutil.rmtree(memory_repo.root / ".git/mem", ignore_errors=True)
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
