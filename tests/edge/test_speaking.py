"""How loud a note speaks, how often, and in what order, in a real repository."""

from __future__ import annotations

import os

import pytest

from memwarden.edge.turn.counts import read_counts
from memwarden.edge.turn.ledger import note_compaction
from tests.conftest import Repo
from tests.edge.ladder_ground import DEBT, FLAKY, RULE, Play, levels, overdue

WARNED = [(DEBT, "warn")]
ASKED = [(DEBT, "ask")]
SILENT: list[tuple[str, str]] = []


@pytest.fixture
def play(repo: Repo) -> Play:
    found = Play(repo)
    found.debt()
    found.start()
    return found


# -- the rungs ---------------------------------------------------------------------------------


def test_read_of_an_overdue_debt_only_warns(play: Play) -> None:
    overdue(play)
    assert levels(play.read()) == WARNED


def test_write_below_ask_after_only_warns(play: Play) -> None:
    play.miss("one")
    play.repo.git("checkout", "-q", "--", FLAKY)
    assert levels(play.write()) == WARNED


def test_write_asks_although_a_read_of_the_session_warned(play: Play) -> None:
    overdue(play)
    assert levels(play.read(session="s")) == WARNED
    assert levels(play.write(session="s", call="t1")) == ASKED


def test_ask_repeats_until_its_call_ran_then_rests(play: Play) -> None:
    overdue(play)
    assert levels(play.write(session="s", call="t1")) == ASKED
    assert levels(play.write(session="s", call="t2")) == ASKED
    play.write(session="s", call="t2", ran=True)
    assert levels(play.write(session="s", call="t3")) == SILENT
    assert levels(play.write(session="new", call="t1")) == ASKED


def test_ask_without_call_ids_rests_once_the_file_changed(play: Play) -> None:
    overdue(play)
    assert levels(play.write(session="s")) == ASKED
    assert levels(play.write(session="s")) == ASKED
    play.edit()
    assert levels(play.write(session="s")) == SILENT


def test_several_debts_on_a_file_are_one_ask(play: Play) -> None:
    play.debt("n-0sec0nd0", title="another")
    overdue(play)
    touched = play.write()
    assert levels(touched) == [(DEBT, "ask"), ("n-0sec0nd0", "ask")]
    assert "test_retry.py is flaky" in touched.ask
    assert "another" in touched.ask


def test_ask_after_may_change_and_misses_stay(play: Play) -> None:
    overdue(play)
    play.set("ask_after: 4")
    assert levels(play.write()) == WARNED
    assert play.misses() == 3


def test_declared_debt_climbs_like_any_other(repo: Repo) -> None:
    play = Play(repo)
    play.debt(condition="")
    play.start()
    overdue(play)
    touched = play.write()
    assert levels(touched) == ASKED
    assert f"mem pay {DEBT}" in touched.deliveries[0].text


def test_debt_whose_condition_cannot_be_told_stays_owed(repo: Repo) -> None:
    play = Play(repo)
    play.debt(condition="{file_contains: {path: blob.bin, pattern: frozen_clock}}")
    repo.write("blob.bin", b"\0frozen_clock")
    play.start()
    assert levels(play.write()) == WARNED
    assert play.events() == []


# -- a host that cannot ask ----------------------------------------------------------------------


def test_deny_once_refuses_the_first_write_and_lets_the_second_through(play: Play) -> None:
    overdue(play)
    first = play.write(session="s", call="t1", ask=False, refuse=True)
    assert levels(first) == [(DEBT, "refuse")]
    assert first.degraded == (DEBT,)
    assert "made again" in first.refusal
    second = play.write(session="s", call="t2", ask=False, refuse=True)
    assert levels(second) == SILENT
    assert second.refusal == ""


def test_deny_refuses_every_write(repo: Repo) -> None:
    play = Play(repo, "on_no_ask: deny\n")
    play.debt()
    play.start()
    overdue(play)
    for call in ("t1", "t2"):
        assert levels(play.write(session="s", call=call, ask=False, refuse=True)) == [(DEBT, "refuse")]


def test_warn_stands_in_for_an_ask_where_set(repo: Repo) -> None:
    play = Play(repo, "on_no_ask: warn\n")
    play.debt()
    play.start()
    overdue(play)
    touched = play.write(session="s", ask=False, refuse=True)
    assert levels(touched) == WARNED
    assert touched.degraded == (DEBT,)


def test_host_that_can_do_neither_warns(play: Play) -> None:
    overdue(play)
    assert levels(play.write(session="s", ask=False, refuse=False)) == WARNED


def test_what_could_not_be_told_stays_eligible(play: Play) -> None:
    assert levels(play.write(session="s", call="t1", tell=False)) == SILENT
    assert levels(play.write(session="s", call="t1", ran=True)) == WARNED


# -- once ----------------------------------------------------------------------------------------


def test_warning_speaks_once_a_session(play: Play) -> None:
    assert levels(play.read(session="s")) == WARNED
    assert levels(play.read(session="s")) == SILENT
    assert levels(play.write(session="s")) == SILENT
    assert levels(play.read(session="t")) == WARNED


def test_another_anchor_of_the_note_speaks_again(repo: Repo) -> None:
    play = Play(repo)
    play.rule(anchors="[a.py, b.py]")
    play.start()
    assert levels(play.read("a.py", session="s")) == [(RULE, "warn")]
    assert levels(play.read("b.py", session="s")) == [(RULE, "warn")]
    assert levels(play.read("a.py", session="s")) == SILENT


def test_without_a_session_nothing_is_remembered(play: Play) -> None:
    assert levels(play.read()) == WARNED
    assert levels(play.read()) == WARNED
    assert not os.path.exists(os.path.join(play.place.private, "sessions"))


def test_subagent_has_ears_of_its_own(play: Play) -> None:
    assert levels(play.read(session="s")) == WARNED
    assert levels(play.read(session="s", agent="a1")) == WARNED
    assert levels(play.read(session="s", agent="a1")) == SILENT
    assert levels(play.read(session="s", agent="a2")) == WARNED


def test_compaction_makes_warnings_eligible_again_for_every_agent(play: Play) -> None:
    for agent in ("", "a1"):
        play.read(session="s", agent=agent)
    note_compaction(play.place, "s")
    for agent in ("", "a1"):
        assert levels(play.read(session="s", agent=agent)) == WARNED


def test_compaction_does_not_charge_again(play: Play) -> None:
    play.miss("s")
    note_compaction(play.place, "s")
    play.miss("s")
    assert play.misses() == 1


def test_one_tool_call_is_processed_once(play: Play) -> None:
    assert levels(play.write(session="s", call="t1")) == WARNED
    note_compaction(play.place, "s")
    assert levels(play.write(session="s", call="t1")) == SILENT
    assert levels(play.write(session="s", call="t2")) == WARNED


# -- budget and order ------------------------------------------------------------------------------


def test_what_does_not_fit_is_whole_absent_and_stays_eligible(repo: Repo) -> None:
    play = Play(repo, "deliver_tokens: 150\n")
    play.debt(body="short")
    play.rule("n-00b1g000", title="big", body="word " * 200)
    play.start()
    first = play.read(session="s")
    assert levels(first) == WARNED
    assert first.omitted == 1
    assert "1 more note does not fit" in first.context
    assert "big" not in first.context
    assert play.read(session="s").omitted == 1
    assert "n-00b1g000" not in read_counts(play.place).notes


def test_asks_are_never_dropped_for_budget(repo: Repo) -> None:
    play = Play(repo)
    play.debt()
    play.rule()
    play.start()
    overdue(play)
    play.set("deliver_tokens: 1")
    touched = play.write()
    assert levels(touched) == ASKED
    assert touched.omitted == 1


def test_asks_come_first_then_debts_by_misses_then_rules(repo: Repo) -> None:
    play = Play(repo)
    play.debt()
    play.start()
    overdue(play)
    play.debt("n-0sec0nd0")
    play.rule()
    assert levels(play.write()) == [(DEBT, "ask"), ("n-0sec0nd0", "warn"), (RULE, "warn")]


def test_the_same_touch_gives_the_same_words(play: Play) -> None:
    play.rule()
    assert play.write() == play.write()
