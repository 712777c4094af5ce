"""Settling: what holds is recorded, what came back is taken back, and what a commit pays goes into it."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from memwarden.core.actor import Actor
from memwarden.edge.command.judging import Running, judge_now
from memwarden.edge.command.trust import Everyone
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.turn.closing import Close
from memwarden.edge.turn.closing import close as close_turn
from memwarden.edge.turn.staged_payments import StagedPayments, settle_staged
from memwarden.edge.turn.touching import Touch
from memwarden.edge.turn.touching import touch as touch_tool
from memwarden.edge.writing.lock import locked
from memwarden.edit.event_writer import condition_facts, verdict_facts
from memwarden.errors import LockHeld
from memwarden.rules import Context
from memwarden.rules.debt_rules import payable
from memwarden.rules.scene import Scene
from tests.conftest import Mem, Repo
from tests.edge.ladder_ground import ADA, DEBT, FLAKY, FROZEN, NOW, Play, levels

FILE = "memory/events"


@pytest.fixture
def play(repo: Repo) -> Play:
    found = Play(repo)
    found.debt()
    found.start()
    return found


def test_payment_that_holds_is_recorded_once(play: Play) -> None:
    play.fix()
    assert play.settle().written.paid == [DEBT]
    assert play.settle().written.paths == []
    assert play.events() == ["paid"]


def test_debt_that_fails_is_left_alone(play: Play) -> None:
    assert play.settle().written.paths == []


def test_waiting_misses_are_written(play: Play) -> None:
    play.miss("s")
    assert play.settle().written.missed == [DEBT]
    assert play.events() == ["missed"]
    assert play.misses() == 1
    assert play.settle().written.missed == []


def test_regression_at_head_is_recorded_once_a_payment(play: Play) -> None:
    play.fix()
    play.settle()
    play.repo.commit("fixed")
    play.unfix()
    play.repo.commit("back")
    assert play.settle().written.reinstated == [DEBT]
    assert play.settle().written.reinstated == []
    assert play.events() == ["paid", "reinstated"]


def test_fix_that_was_discarded_before_its_commit_is_a_regression(play: Play) -> None:
    play.fix()
    play.read(at_once=True)
    play.repo.git("checkout", "-q", "--", FLAKY)
    assert levels(play.read()) == [(DEBT, "warn")]
    assert play.settle().written.reinstated == [DEBT]


def test_fix_that_is_not_committed_yet_is_no_regression(play: Play) -> None:
    play.fix()
    play.settle()
    assert play.settle().written.reinstated == []


def reinstate_while_it_holds(play: Play) -> None:
    """What ``mem reinstate`` records where the condition had passed for the wrong reason."""
    from memwarden.core.change import FileChange
    from memwarden.core.event import REINSTATED
    from memwarden.edge.command.judging import judge_now
    from memwarden.edge.reading.opening import open_memory
    from memwarden.edge.reading.whole_memory import WholeMemory
    from memwarden.edge.writing.apply import apply_changes
    from memwarden.edge.writing.recording import stamp_for
    from memwarden.edit.event_writer import draft, event_file

    memory = open_memory(play.place)
    note = WholeMemory(memory, NOW[:10]).named([DEBT])[DEBT].note
    verdict = judge_now(play.place, note, NOW[:10])
    facts = condition_facts(note.condition) | {"why": "manual", "verdict": verdict_facts(verdict)}
    with locked(play.place, "test", NOW):
        said = draft(DEBT, REINSTATED, memory.events[DEBT], facts)
        path, data = event_file(said, stamp_for(play.place, NOW, ADA, [said]))
        apply_changes(play.place, [FileChange(path, None, data)])


def test_reinstated_while_it_holds_pays_only_after_red_then_green(play: Play) -> None:
    play.fix()
    play.settle()
    reinstate_while_it_holds(play)
    told = play.read()
    assert levels(told) == [(DEBT, "warn")]
    assert "has a match, as when the debt was reinstated" in told.context
    assert play.settle().written.paid == []
    play.unfix()
    assert play.settle().written.failed == [DEBT]
    assert play.settle().written.failed == []
    play.fix()
    assert play.settle().written.paid == [DEBT]
    assert play.events() == ["paid", "reinstated", "failed", "paid"]


def test_red_then_green_inside_one_session_pays_too(play: Play) -> None:
    play.fix()
    play.settle()
    reinstate_while_it_holds(play)
    play.unfix()
    play.read(session="s")
    play.fix()
    assert play.read(session="s").paid == (DEBT,)
    play.close("s")
    assert play.events() == ["paid", "reinstated", "failed", "paid"]


def test_touch_records_no_failure_and_leaves_the_payment_that_rests_on_one_to_the_close(play: Play) -> None:
    play.fix()
    play.settle()
    reinstate_while_it_holds(play)
    play.unfix()
    play.read(at_once=True)
    play.fix()
    assert play.read(at_once=True).paid == (DEBT,)
    assert play.events() == ["paid", "reinstated"]
    play.close(at_once=True)
    assert play.events() == ["paid", "reinstated", "failed", "paid"]
    assert play.standing() == "paid"


def test_part_that_holds_without_the_command_beside_it_pays_wherever_it_is_seen(repo: Repo) -> None:
    command = "{command: {run: [grep, -q, frozen_clock, tests/test_retry.py]}}"
    for condition in (f"{{any: [{command}, {FROZEN}]}}", f"{{any: [{FROZEN}, {command}]}}"):
        play = Play(repo)
        play.debt(condition=condition)
        play.start()
        play.fix()
        (note,) = [note for note in open_memory(play.place).notes if note.id == DEBT]
        judged = judge_now(play.place, note, NOW[:10])
        context = Context(NOW[:10], judge=lambda note, condition, verdict=judged: verdict)
        scene = Scene(open_memory(play.place), context)
        assert [found.id for found, _ in payable(scene)] == [DEBT]
        settled = play.settle(running=Running(Everyone(), dict(os.environ)))
        assert (settled.written.paid, settled.unproven) == ([DEBT], ())
        shutil.rmtree(play.repo.root / "memory/events")
        play.unfix()
        play.fix()
        assert play.read(at_once=True).paid == (DEBT,)
        shutil.rmtree(play.repo.root / "memory/events")
        play.unfix()


def test_command_pays_only_after_it_was_seen_failing(repo: Repo) -> None:
    play = Play(repo)
    play.debt(condition="{command: {run: [grep, -q, frozen_clock, tests/test_retry.py]}}")
    play.start()
    running = Running(Everyone(), os.environ)
    play.fix()
    assert play.settle(running=running).unproven == (DEBT,)
    play.unfix()
    assert play.settle().written.paths == []
    assert play.settle(running=running).written.failed == [DEBT]
    assert play.settle(running=running).written.failed == []
    play.fix()
    assert play.settle().written.paid == []
    assert levels(play.write()) == [(DEBT, "warn")]
    assert play.settle(running=running).written.paid == [DEBT]
    assert play.events() == ["failed", "paid"]


@pytest.mark.parametrize("committed", [True, False])
def test_receipt_of_a_command_is_dirty_where_anything_but_the_memory_differs(
    repo: Repo, committed: bool
) -> None:
    play = Play(repo)
    play.debt(condition="{command: {run: [grep, -q, frozen_clock, tests/test_retry.py]}}")
    play.start()
    running = Running(Everyone(), os.environ)
    play.settle(running=running)
    if committed:
        play.fix()
        repo.commit("fixed")
        repo.write("memory/inbox/idea.md", "# An idea\n")
    else:
        play.fix()
    play.settle(running=running)
    receipt = json.loads(next((repo.root / FILE / DEBT).glob("*-paid-*")).read_text())
    assert receipt["dirty"] is not committed


def test_payment_beside_a_command_that_was_seen_by_file_is_dropped_when_the_fix_is_gone(repo: Repo) -> None:
    play = Play(repo)
    play.debt(condition=f"{{any: [{FROZEN}, {{command: {{run: [nothing-such]}}}}]}}")
    play.start()
    play.fix()
    assert play.read(session="s").paid == (DEBT,)
    play.unfix()
    play.close("s")
    assert play.events() == []
    assert play.standing() == "owed"


def test_command_that_alone_decides_is_unproven_beside_a_file_that_does_not_hold(repo: Repo) -> None:
    play = Play(repo)
    play.debt(condition=f"{{any: [{FROZEN}, {{command: {{run: [test, -e, {FLAKY}]}}}}]}}")
    play.start()
    settled = play.settle(running=Running(Everyone(), dict(os.environ)))
    assert (settled.written.paid, settled.unproven) == ([], (DEBT,))
    assert play.read(at_once=True).paid == ()


def test_misses_are_recorded_as_those_of_whoever_missed(play: Play) -> None:
    agent = Actor("agent", "claude-code")
    touch_tool(play.place, Touch(writes=(FLAKY,), session="s", ran=True, call="1"), NOW, agent)
    close_turn(play.place, Close("s"), NOW, agent)
    play.settle()
    (file,) = (play.repo.root / "memory/events" / DEBT).glob("*-missed-*")
    assert json.loads(file.read_text())["actor"] == {"kind": "agent", "name": "claude-code"}


def test_command_that_succeeded_while_another_wrote_pays_nothing_later(repo: Repo) -> None:
    play = Play(repo)
    play.debt(condition="{command: {run: [grep, -q, frozen_clock, tests/test_retry.py]}}")
    play.start()
    running = Running(Everyone(), dict(os.environ))
    assert play.settle(running=running).written.failed == [DEBT]
    play.fix()
    with locked(play.place, "test", NOW), pytest.raises(LockHeld):
        play.settle(running=running, timeout=0)
    play.unfix()
    assert play.settle().written.paid == []
    assert play.standing() == "owed"


def test_command_payment_counts_on_its_own_line_of_history(repo: Repo) -> None:
    play = Play(repo)
    play.debt(condition="{command: {run: [grep, -q, frozen_clock, tests/test_retry.py]}}")
    play.start()
    running = Running(Everyone(), os.environ)
    play.settle(running=running)
    play.repo.commit("failing")
    play.repo.git("checkout", "-q", "-b", "topic")
    play.repo.commit("on the way")
    play.fix()
    play.settle(running=running)
    assert play.read().deliveries == ()
    play.repo.git("stash", "-q", "--", FLAKY)
    play.repo.git("checkout", "-q", "main")
    assert levels(play.read()) == [(DEBT, "warn")]
    play.repo.git("checkout", "-q", "topic")
    play.repo.commit("receipt")
    play.repo.git("checkout", "-q", "main")
    play.repo.git("merge", "-q", "--squash", "topic")
    play.repo.commit("squashed")
    assert play.read().deliveries == ()


# -- what a commit pays ----------------------------------------------------------------------------


def staged(play: Play, stage: bool = False) -> StagedPayments:
    return settle_staged(play.place, NOW, ADA, os.environ, stage)


def test_commit_that_pays_names_the_receipt_to_add(play: Play) -> None:
    play.fix()
    play.repo.git("add", FLAKY)
    found = staged(play)
    assert found.paid == (DEBT,)
    assert [path.rpartition("/")[2][:9] for path in found.paths] == ["0001-paid"]
    assert not found.staged
    again = staged(play)
    assert again == found
    play.repo.git("add", "--", *found.paths)
    assert staged(play) == StagedPayments()


def test_commit_that_pays_may_stage_its_receipt(play: Play) -> None:
    play.fix()
    play.repo.git("add", FLAKY)
    play.edit("unstaged\n")
    found = staged(play, stage=True)
    assert found.staged
    assert sorted(play.repo.git("diff", "--cached", "--name-only").split()) == sorted((*found.paths, FLAKY))
    assert play.repo.git("diff", "--name-only").split() == [FLAKY]


def test_half_staged_file_is_judged_by_its_staged_half(play: Play) -> None:
    play.edit("something else\n")
    play.repo.git("add", FLAKY)
    play.fix()
    assert staged(play) == StagedPayments()


def test_commit_without_a_memory_passes(repo: Repo) -> None:
    repo.write("a.txt", "a\n")
    repo.git("add", "a.txt")
    play = Play(repo)
    assert staged(play) == StagedPayments()


def test_debt_that_is_born_paid_gets_no_receipt(repo: Repo) -> None:
    play = Play(repo)
    play.debt()
    play.fix()
    repo.git("add", "-A")
    assert staged(play) == StagedPayments()
    repo.commit("start")
    play.debt("n-00b0rn00")
    repo.git("add", "-A")
    assert staged(play).paid == (DEBT,)


def test_debt_that_was_seen_failing_is_settled_in_the_first_commit_of_all(repo: Repo, mem: Mem) -> None:
    play = Play(repo)
    added = mem("add", "flaky", "--debt", "--until", f"contains:{FLAKY}:frozen_clock", "--apply", "--json")
    play.fix()
    repo.git("add", "-A")
    assert list(staged(play).paid) == added.json["notes"]


def test_commit_of_named_paths_is_never_given_a_file_that_the_next_one_would_lack(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.fix()
    index = play.repo.root / ".git/next-index-4711.lock"
    index.write_bytes((play.repo.root / ".git/index").read_bytes())
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    play.repo.git("add", FLAKY)
    found = staged(play, stage=True)
    assert (found.paid, found.staged, found.partial) == ((DEBT,), False, True)
    assert play.repo.git("ls-files", "memory/events") == ""
