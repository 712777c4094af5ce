"""The end of a turn in a real repository: misses counted once, payments recorded at quiet moments."""

from __future__ import annotations

import json

import pytest

from memwarden.edge.turn.ledger import Ledger
from tests.conftest import Repo
from tests.edge.ladder_ground import DEBT, FLAKY, RULE, Play, levels


@pytest.fixture
def play(repo: Repo) -> Play:
    found = Play(repo)
    found.debt()
    found.start()
    return found


# -- charging --------------------------------------------------------------------------------------


def test_anchor_written_and_condition_false_is_one_miss(play: Play) -> None:
    play.write(session="s")
    play.edit()
    assert play.close("s").missed == (DEBT,)
    assert play.misses() == 1


def test_one_miss_however_many_edits_turns_agents_and_closes(play: Play) -> None:
    for turn in range(3):
        for agent in ("", "a1", "a2"):
            play.write(session="s", agent=agent, call=f"{turn}{agent}")
            play.write(session="s", agent=agent, call=f"{turn}{agent}", ran=True)
            play.edit()
        play.close("s", agent="a1")
        play.close("s")
        play.close("s", wrote=(FLAKY,))
    assert play.misses() == 1


def test_anchor_written_and_condition_true_is_paid(play: Play) -> None:
    play.write(session="s")
    play.fix()
    closed = play.close("s")
    assert (closed.missed, closed.paid) == ((), (DEBT,))
    assert play.events() == ["paid"]
    assert play.misses() == 0


def test_anchor_only_read_is_no_miss(play: Play) -> None:
    play.read(session="s")
    assert play.close("s").missed == ()


def test_write_before_the_delivery_is_no_miss(play: Play) -> None:
    play.edit()
    play.read(session="s")
    assert play.close("s").missed == ()


def test_announced_call_that_never_ran_wrote_nothing(play: Play) -> None:
    play.write(session="s", call="t1")
    assert play.close("s").missed == ()


def test_call_that_ran_wrote_although_the_content_is_the_same(play: Play) -> None:
    play.write(session="s", call="t1")
    play.write(session="s", call="t1", ran=True)
    assert play.close("s").missed == (DEBT,)


def test_reported_path_counts(play: Play) -> None:
    play.read(session="s")
    assert play.close("s", wrote=(f"./{FLAKY}",)).missed == (DEBT,)


def test_debt_that_was_never_delivered_is_not_charged(play: Play) -> None:
    play.edit()
    assert play.close("s", wrote=(FLAKY,)).missed == ()
    assert play.close("s").missed == ()


def test_shell_edit_that_nobody_announced_counts(play: Play) -> None:
    play.read(session="s")
    play.edit()
    assert play.close("s").missed == (DEBT,)


def test_new_file_under_a_glob_anchor_counts(repo: Repo) -> None:
    play = Play(repo)
    play.debt(anchors="['src/**/*.py']")
    repo.write("src/a/one.py", "1\n")
    play.start()
    play.read("src/a/one.py", session="s")
    repo.write("src/b/two.py", "2\n")
    assert play.close("s").missed == (DEBT,)
    play.read("src/a/one.py", session="t")
    repo.write("src/a/one.txt", "not matched\n")
    assert play.close("t").missed == ()


def test_file_that_was_touched_and_restored_is_no_edit(repo: Repo) -> None:
    play = Play(repo)
    play.debt(anchors="['src/**/*.py']")
    for name in ("one", "two"):
        repo.write(f"src/{name}.py", "1\n")
    play.start()
    play.read("src/one.py", session="s")
    for name in ("one", "two"):
        repo.write(f"src/{name}.py", "2\n")
        repo.write(f"src/{name}.py", "1\n")
    assert play.close("s").missed == ()


def test_deleted_anchor_counts_and_is_still_owed(repo: Repo) -> None:
    play = Play(repo)
    play.debt(condition="{file_lacks: {path: tests/test_retry.py, pattern: test_backoff}}")
    play.start()
    play.read(session="s")
    (repo.root / FLAKY).unlink()
    closed = play.close("s")
    assert (closed.missed, closed.paid) == ((DEBT,), ())


def test_command_anchor_counts_when_its_command_ran(repo: Repo) -> None:
    play = Play(repo)
    play.debt(anchors="[{command: '^npm publish'}]")
    play.start()
    play.touch(command="npm publish", session="s", call="t1")
    assert play.close("s").missed == ()
    play.touch(command="npm publish", session="s", call="t1", ran=True)
    assert play.close("s").missed == (DEBT,)
    play.touch(command="npm publish", session="plain")
    assert play.close("plain").missed == (DEBT,)


def test_only_memory_changed_charges_nothing(repo: Repo) -> None:
    play = Play(repo)
    play.debt(anchors="['*.md']")
    play.start()
    path = f"memory/debts/{DEBT}.md"
    play.write(path, session="s", call="t1")
    play.edit("more\n", path)
    play.write(path, session="s", call="t1", ran=True)
    assert play.close("s", wrote=(path,)).missed == ()


def test_rule_is_never_charged(play: Play) -> None:
    play.rule()
    for session in range(5):
        assert (RULE, "warn") in levels(play.write(session=str(session), call="t"))
        play.edit()
        assert RULE not in play.close(str(session)).missed
    assert play.events(RULE) == []


def test_interrupted_turn_is_charged_once_by_the_next_close(play: Play) -> None:
    play.write(session="s")
    play.edit()
    play.write(session="s")
    play.edit()
    assert play.close("s").missed == (DEBT,)


def test_misses_by_turn_charge_each_turn_that_wrote(repo: Repo) -> None:
    play = Play(repo, "miss_per: turn\n")
    play.debt()
    play.start()
    play.write(session="s")
    play.edit()
    assert play.close("s").missed == (DEBT,)
    assert play.close("s").missed == ()
    play.edit()
    assert play.close("s").missed == (DEBT,)
    assert play.misses() == 2


def test_without_a_session_close_pays_and_charges_nothing(play: Play) -> None:
    play.edit()
    assert play.close(wrote=(FLAKY,)) == play.close()
    play.fix()
    assert play.close().paid == ()
    closed = play.close(wrote=(FLAKY,), at_once=True)
    assert (closed.missed, closed.paid) == ((), (DEBT,))
    assert play.misses() == 0


# -- HEAD moves --------------------------------------------------------------------------------


def test_own_commit_does_not_hide_the_edit(play: Play) -> None:
    play.read(session="s")
    play.edit()
    play.repo.commit("mine")
    play.repo.git("commit", "-q", "--amend", "-m", "mine, better")
    assert play.close("s").missed == (DEBT,)


def test_pull_between_delivery_and_close_is_no_edit(play: Play) -> None:
    play.repo.git("checkout", "-q", "-b", "theirs")
    play.edit()
    play.repo.commit("theirs")
    play.repo.git("checkout", "-q", "main")
    play.read(session="s")
    play.repo.git("merge", "-q", "--ff-only", "theirs")
    assert play.close("s").missed == ()


def test_switching_branches_is_no_edit(play: Play) -> None:
    play.repo.git("branch", "other")
    play.edit()
    play.repo.commit("main goes on")
    play.read(session="s")
    play.repo.git("checkout", "-q", "other")
    assert play.close("s").missed == ()


def test_reported_write_counts_although_head_moved(play: Play) -> None:
    play.write(session="s", call="t")
    play.write(session="s", call="t", ran=True)
    play.repo.git("checkout", "-q", "-b", "other")
    assert play.close("s").missed == (DEBT,)


# -- what is written, and when -----------------------------------------------------------------------


def test_misses_become_one_event_when_the_debt_reaches_ask_after(play: Play) -> None:
    for session in ("1", "2"):
        play.miss(session)
        assert play.events() == []
    play.miss("3")
    assert play.events() == ["missed"]
    file = next((play.repo.root / "memory/events" / DEBT).iterdir())
    event = json.loads(file.read_text())
    assert (event["count"], event["paths"]) == (3, [FLAKY])
    assert "1" not in (event.get("session"),)
    play.miss("4")
    assert play.events() == ["missed"]
    assert play.misses() == 4


def test_waiting_misses_are_written_with_the_payment(play: Play) -> None:
    play.miss("1")
    play.write(session="2")
    play.fix()
    play.close("2")
    assert play.events() == ["missed", "paid"]


def detached(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach")


def rebasing(repo: Repo) -> None:
    repo.write(".git/rebase-merge/head-name", "refs/heads/main\n")


def bisecting(repo: Repo) -> None:
    repo.write(".git/BISECT_LOG", "git bisect start\n")


def merging(repo: Repo) -> None:
    repo.write(".git/MERGE_HEAD", repo.git("rev-parse", "HEAD"))


@pytest.mark.parametrize("disturb", [detached, rebasing, bisecting, merging])
def test_payment_waits_while_git_is_busy_and_is_written_after(play: Play, disturb) -> None:  # type: ignore[no-untyped-def]
    disturb(play.repo)
    play.fix()
    play.read(session="s")
    assert play.close("s").written == ()
    assert play.events() == []
    assert play.read(session="s").deliveries == ()
    play.repo.git("checkout", "-q", "main")
    for leftover in ("rebase-merge/head-name", "BISECT_LOG", "MERGE_HEAD"):
        (play.repo.root / ".git" / leftover).unlink(missing_ok=True)
    if (play.repo.root / ".git/rebase-merge").exists():
        (play.repo.root / ".git/rebase-merge").rmdir()
    assert play.close("s").paid == (DEBT,)
    assert play.events() == ["paid"]


def test_payment_waits_in_a_mode_that_only_reads(play: Play) -> None:
    play.fix()
    play.read(session="s")
    play.close("s", read_only=True)
    assert play.events() == []
    play.close("s")
    assert play.events() == ["paid"]


def test_receipt_says_where_it_was_seen(play: Play) -> None:
    play.repo.git("checkout", "-q", "-b", "fix/retry")
    play.fix()
    commit = play.repo.git("rev-parse", "HEAD").strip()
    play.read(session="s", now="2026-12-01T09:00:00Z")
    play.repo.commit("fixed")
    play.close("s", now="2026-12-01T11:00:00Z")
    file = next((play.repo.root / "memory/events" / DEBT).iterdir())
    event = json.loads(file.read_text())
    assert event["at"] == "2026-12-01T09:00:00Z"
    assert event["commit"] == commit
    assert event["branch"] == "fix/retry"
    assert event["dirty"] is True
    assert event["how"] == "touch"
    assert event["actor"] == {"kind": "human", "name": "Ada"}
    assert event["condition"] == {"file_contains": {"path": FLAKY, "pattern": "frozen_clock"}}
    item = event["evidence"]["items"][0]
    assert item["blob"] == play.repo.git("hash-object", FLAKY).strip()
    assert item["excerpt"] == "def test_backoff(frozen_clock): ..."


# -- payments that are taken back --------------------------------------------------------------------


def paid_and_committed(play: Play) -> None:
    play.fix()
    play.read(at_once=True)
    play.repo.commit("fixed")


def test_regression_at_head_is_recorded_once_at_close(play: Play) -> None:
    paid_and_committed(play)
    play.unfix()
    play.repo.commit("the bug is back")
    assert levels(play.write(session="s")) == [(DEBT, "warn")]
    play.edit()
    closed = play.close("s")
    assert closed.missed == ()
    assert play.events() == ["paid", "reinstated"]
    assert play.standing() == "owed"
    play.edit()
    assert play.close("s").missed == (DEBT,)
    assert play.events() == ["paid", "reinstated"]


def test_edit_in_the_working_tree_alone_is_no_regression_yet(play: Play) -> None:
    paid_and_committed(play)
    play.unfix()
    play.write(session="s")
    play.edit()
    assert play.close("s").missed == ()
    assert play.events() == ["paid"]


def test_misses_survive_a_reinstatement(play: Play) -> None:
    for session in "123":
        play.miss(session)
    paid_and_committed(play)
    play.unfix()
    play.repo.commit("back")
    play.settle()
    assert play.misses() == 3
    assert levels(play.write()) == [(DEBT, "ask")]


def test_repaired_regression_pays_again(play: Play) -> None:
    paid_and_committed(play)
    play.unfix()
    play.repo.commit("back")
    play.settle()
    play.fix()
    assert play.read(at_once=True).paid == (DEBT,)
    assert play.events() == ["paid", "reinstated", "paid"]


def test_damaged_ledger_lines_are_skipped(play: Play) -> None:
    play.write(session="s")
    with Ledger(play.place, "s") as ledger:
        path = ledger._file.path
    with open(path, "ab") as file:
        file.write(b"\xff\xfe\0garbage\ntold\tshort\n\n\nhalf a li")
    play.edit()
    assert play.close("s").missed == (DEBT,)
    assert play.close("s").missed == ()
