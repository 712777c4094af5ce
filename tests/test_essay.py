"""The seven claims that the whole idea rests on, each as a person would try it."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Mem, Repo, note_text
from tests.edge.ladder_ground import DEBT, FLAKY, RULE, Play, levels


@pytest.fixture
def play(repo: Repo) -> Play:
    found = Play(repo)
    found.debt()
    found.start()
    return found


def test_debt_whose_condition_holds_is_not_delivered_and_is_paid_with_evidence(play: Play, mem: Mem) -> None:
    play.fix()
    ran = mem("touch", FLAKY, "--write", "--session", "s", "--json")
    assert (ran.json["deliveries"], ran.json["paid"]) == ([], [DEBT])
    event = json.loads(next((play.repo.root / "memory/events" / DEBT).iterdir()).read_text())
    assert event["kind"] == "paid"
    assert event["commit"] == play.repo.git("rev-parse", "HEAD").strip()
    (item,) = event["evidence"]["items"]
    assert (item["path"], item["line"], item["excerpt"]) == (FLAKY, 2, "def test_backoff(frozen_clock): ...")
    assert item["blob"] == play.repo.git("hash-object", FLAKY).strip()


def test_debt_whose_condition_fails_is_delivered_and_its_miss_is_counted(play: Play, mem: Mem) -> None:
    ran = mem("touch", FLAKY, "--write", "--session", "s", "--json")
    assert [(one["id"], one["level"]) for one in ran.json["deliveries"]] == [(DEBT, "warn")]
    play.edit()
    assert mem("close", "--session", "s", "--json").json["missed"] == [DEBT]
    assert mem("debts", "--json").json["debts"][0]["misses"] == 1


def test_rule_is_never_escalated_in_fifty_rounds(repo: Repo) -> None:
    play = Play(repo)
    play.rule()
    play.start()
    for session in range(50):
        assert levels(play.write(session=str(session), call="t")) == [(RULE, "warn")]
        play.edit()
        play.write(session=str(session), call="t", ran=True)
        closed = play.close(str(session))
        assert (closed.missed, closed.paid, closed.written) == ((), (), ())
    assert levels(play.write(session="last")) == [(RULE, "warn")]
    assert play.events(RULE) == []


def test_unknown_lifecycle_is_a_rule(repo: Repo, mem: Mem) -> None:
    play = Play(repo)
    repo.write("memory/debts/odd.md", note_text("odd", id=DEBT, lifecycle="promise", anchors=f"[{FLAKY}]"))
    play.start()
    for session in range(5):
        assert levels(play.write(session=str(session))) == [(DEBT, "warn")]
        play.edit()
        assert play.close(str(session)).missed == ()
    ran = mem("check", "--json")
    assert ran.code == 0
    assert "M104" in [finding["code"] for finding in ran.json["findings"]]


def test_debt_whose_condition_already_holds_is_rejected(play: Play, mem: Mem) -> None:
    expr = f"contains:{FLAKY}:test_backoff"
    ran = mem("add", "born paid", "--debt", "--until", expr, "--anchor", FLAKY, "--apply")
    assert ran.code == 1
    assert "holds" in ran.err
    assert "born paid" not in mem("list").out
    play.debt("n-00b0rn00", condition=f"{{file_contains: {{path: {FLAKY}, pattern: test_backoff}}}}")
    checked = mem("check", "--json")
    assert checked.code == 1
    assert [(one["code"], one["note"]) for one in checked.json["findings"] if one["severity"] == "error"] == [
        ("M401", "n-00b0rn00")
    ]


def test_condition_that_times_out_is_no_payment(repo: Repo, mem: Mem) -> None:
    play = Play(repo)
    play.debt(condition="{command: {run: [sleep, '30'], timeout: 1}}")
    play.start()
    ran = mem("settle", "--run", "--allow-commands", "--json")
    assert (ran.json["paid"], ran.json["written"]) == ([], [])
    verdict = mem("debts", "--allow-commands", "--json").json["debts"][0]["verdict"]
    assert verdict["holds"] is None
    assert levels(play.write()) == [(DEBT, "warn")]
    assert play.standing() == "owed"


def test_reinstated_death_returns_with_its_misses(play: Play, mem: Mem) -> None:
    for session in "123":
        play.miss(session)
    play.fix()
    play.close("4", wrote=(FLAKY,))
    assert play.standing() == "paid"
    assert mem("reinstate", DEBT, "--reason", "it passed for the wrong reason", "--apply").code == 0
    assert play.standing() == "owed"
    assert play.events() == ["missed", "paid", "reinstated"]
    (debt,) = mem("debts", "--json").json["debts"]
    assert debt["misses"] == 3
    assert levels(play.write(session="5")) == [(DEBT, "ask")]
