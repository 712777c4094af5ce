"""``mem close`` and ``mem settle`` as programs."""

from __future__ import annotations

import pytest

from tests.conftest import Mem, Repo
from tests.edge.ladder_ground import DEBT, FLAKY, Play


@pytest.fixture
def play(repo: Repo) -> Play:
    found = Play(repo)
    found.debt()
    found.start()
    return found


def test_close_counts_a_miss_once(play: Play, mem: Mem) -> None:
    mem("touch", FLAKY, "--write", "--session", "s")
    play.edit()
    ran = mem("close", "--session", "s", "--json")
    assert ran.code == 0
    assert ran.json["schema"] == "mem.close/1"
    assert (ran.json["missed"], ran.json["paid"]) == ([DEBT], [])
    assert mem("close", "--session", "s", "--json").json["missed"] == []


def test_close_pays_at_once(play: Play, mem: Mem) -> None:
    mem("touch", FLAKY, "--write", "--session", "s")
    play.fix()
    ran = mem("close", "--session", "s")
    assert ran.out == f"paid: {DEBT}\n"
    assert play.events() == ["paid"]


def test_close_without_a_session_pays_for_what_was_written(play: Play, mem: Mem) -> None:
    play.fix()
    ran = mem("close", "--wrote", FLAKY, "--json")
    assert (ran.json["missed"], ran.json["paid"]) == ([], [DEBT])


def test_settle_records_what_holds(play: Play, mem: Mem) -> None:
    assert mem("settle").err == "nothing to record\n"
    play.fix()
    ran = mem("settle", "--json")
    assert ran.json["paid"] == [DEBT]
    assert play.events() == ["paid"]


def test_settle_as_a_hook_fails_with_the_line_that_adds_the_receipt(play: Play, mem: Mem) -> None:
    play.fix()
    play.repo.git("add", FLAKY)
    ran = mem("settle", "--staged")
    assert ran.code == 1
    assert f"paid by this commit: {DEBT}" in ran.out
    line = next(line for line in ran.err.splitlines() if "git add" in line)
    play.repo.git("add", "--", *line.split("-- ")[1].split())
    assert mem("settle", "--staged").code == 0


def test_settle_as_a_hook_may_stage_the_receipt_itself(play: Play, mem: Mem) -> None:
    play.fix()
    play.repo.git("add", FLAKY)
    assert mem("settle", "--stage").code == 0
    assert "memory/events/" in play.repo.git("diff", "--cached", "--name-only")


def test_settle_as_a_hook_passes_where_there_is_no_memory(repo: Repo, mem: Mem) -> None:
    repo.write("a.txt", "a\n")
    repo.git("add", "a.txt")
    assert mem("settle", "--staged").code == 0


def test_plain_close_writes_payments_although_head_is_detached(play: Play, mem: Mem) -> None:
    play.repo.git("checkout", "-q", "--detach")
    mem("touch", FLAKY, "--write", "--session", "s")
    play.fix()
    assert mem("close", "--session", "s", "--json").json["paid"] == [DEBT]
    assert play.events() == ["paid"]


def test_held_lock_is_exit_4_and_what_was_seen_waits(play: Play, mem: Mem) -> None:
    from memwarden.edge.writing.lock import locked

    play.fix()
    with locked(play.place, "something long", "2026-12-01T10:00:00Z"):
        assert mem("touch", FLAKY, "--lock-timeout", "0").code == 4
        assert mem("settle", "--lock-timeout", "0").code == 4
        assert play.events() == []
    assert mem("close", "--json").json["paid"] == [DEBT]
    assert play.events() == ["paid"]
