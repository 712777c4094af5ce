"""``mem touch`` as a program: its JSON, its words, its exit codes."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Mem, Repo
from tests.edge.ladder_ground import DEBT, FLAKY, RULE, Play


@pytest.fixture
def play(repo: Repo) -> Play:
    found = Play(repo)
    found.debt()
    found.rule()
    found.start()
    return found


def test_touch_in_json_has_the_contract_s_shape(play: Play, mem: Mem) -> None:
    ran = mem("touch", FLAKY, "--json")
    assert ran.code == 0
    assert ran.json["schema"] == "mem.touch/1"
    assert ran.json["paid"] == []
    assert [(one["id"], one["level"]) for one in ran.json["deliveries"]] == [(DEBT, "warn"), (RULE, "warn")]
    first = ran.json["deliveries"][0]
    assert (first["anchor"], first["title"]) == (FLAKY, "test_retry.py is flaky")
    assert "The back-off test sleeps." in first["text"]
    assert play.place.root not in ran.out


def test_touch_says_nothing_where_nothing_is_anchored(play: Play, mem: Mem) -> None:
    ran = mem("touch", "src/other.py")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_touch_writes_a_payment_at_once(play: Play, mem: Mem) -> None:
    play.fix()
    ran = mem("touch", FLAKY, "--json")
    assert ran.json["paid"] == [DEBT]
    assert play.events() == ["paid"]
    assert [one["id"] for one in ran.json["deliveries"]] == [RULE]


def test_touch_resolves_paths_where_it_stands(play: Play, mem: Mem) -> None:
    ran = mem("touch", "test_retry.py", "--json", cwd=play.repo.root / "tests")
    assert len(ran.json["deliveries"]) == 2


def test_touch_of_a_command_meets_command_anchors(play: Play, mem: Mem) -> None:
    play.rule("n-00pvb000", anchors="[{command: '^npm publish'}]", facet="security")
    ran = mem("touch", "--command", "cd x && sudo npm publish", "--json")
    assert [one["anchor"] for one in ran.json["deliveries"]] == ["^npm publish"]


def test_touch_of_nothing_is_a_usage_error(play: Play, mem: Mem) -> None:
    ran = mem("touch")
    assert ran.code == 2
    assert "name a path" in ran.err


def test_touch_without_a_memory_exits_5(repo: Repo, mem: Mem) -> None:
    assert mem("touch", "a.py").code == 5


def test_debts_lists_by_pressure_with_what_each_condition_sees(play: Play, mem: Mem) -> None:
    play.debt("n-00ca1m00", title="calm", condition="{after: 2027-01-01}", anchors="[src/a.py]")
    play.miss("s")
    ran = mem("debts", "--json", "--now", "2026-12-10")
    rows = ran.json["debts"]
    assert [row["id"] for row in rows] == [DEBT, "n-00ca1m00"]
    assert rows[0]["state"] == "owed"
    assert (rows[0]["misses"], rows[0]["fires"], rows[0]["age_days"]) == (1, 1, 10)
    assert rows[0]["condition"] == {"file_contains": {"path": FLAKY, "pattern": "frozen_clock"}}
    assert rows[0]["verdict"]["holds"] is False
    text = mem("debts").out
    assert "paid when tests/test_retry.py contains /frozen_clock/" in text


def test_debts_shows_paid_ones_on_request(play: Play, mem: Mem) -> None:
    play.fix()
    mem("touch", FLAKY)
    assert mem("debts", "--json").json["debts"] == []
    assert mem("debts").out == "Nothing is owed.\n"
    assert mem("debts", "--all", "--json").json["debts"][0]["state"] == "paid"


def test_debts_lists_a_payment_that_no_longer_holds_as_a_touch_would(play: Play, mem: Mem) -> None:
    play.fix()
    mem("touch", FLAKY)
    play.unfix()
    (row,) = mem("debts", "--json").json["debts"]
    assert (row["state"], row["came_back"], row["verdict"]["holds"]) == ("owed", True, False)
    assert "that payment no longer holds" in mem("debts").out
    assert "no longer holds" in mem("touch", FLAKY).out
    assert mem("debts", "--json", "--now", "2028-01-01").json["debts"] == []  # by then it is history


def test_debts_lists_a_waiting_payment_whose_fix_is_gone(play: Play, mem: Mem) -> None:
    play.fix()
    play.read(session="s")
    assert mem("debts", "--json").json["debts"] == []
    play.unfix()
    (row,) = mem("debts", "--json").json["debts"]
    assert row["state"] == "owed"


def test_debts_names_one_whose_condition_is_invalid_and_why_nobody_is_told(play: Play, mem: Mem) -> None:
    play.debt("n-00badc0n", title="odd", condition="{file_contains: {path: a.py}}", anchors="[src/a.py]")
    rows = mem("debts", "--json").json["debts"]
    assert [(row["id"], row["state"]) for row in rows] == [("n-00badc0n", "invalid"), (DEBT, "owed")]
    assert rows[0]["verdict"] is None
    assert rows[0]["faults"][0].startswith("M106 ")
    assert rows[1]["faults"] == []
    assert "nobody is told of it: M106 " in mem("debts").out
    assert "odd" not in mem("touch", "src/a.py").out


def test_debts_runs_a_command_only_when_it_is_endorsed(play: Play, mem: Mem) -> None:
    play.debt(condition="{command: {run: [grep, -q, frozen_clock, tests/test_retry.py]}}")
    for options, holds in ((), None), (("--run",), None), (("--allow-commands",), False):
        ran = mem("debts", "--json", *options)
        assert ran.json["debts"][0]["verdict"]["holds"] is holds, options


def test_stats_says_what_the_counts_suggest(play: Play, mem: Mem) -> None:
    play.rule("n-00s11ent"[:8] + "00", title="silent", anchors="[never/*]", facet="security")
    for session in range(6):
        play.read(session=str(session))
    rows = {row["id"]: row for row in mem("stats", "--json").json["notes"]}
    assert rows[RULE]["fires"] == 6
    assert "always-loaded" in rows[RULE]["suggests"]
    assert rows[DEBT]["suggests"] == ""
    assert any("never fires" in row["suggests"] for row in rows.values())
    assert "always-loaded" in mem("stats").out


def test_rule_whose_anchor_keeps_being_written_may_become_a_check(play: Play, mem: Mem) -> None:
    for session in range(6):
        play.write(session=str(session))
        play.edit()
        play.close(str(session))
    rows = {row["id"]: row for row in mem("stats", "--json").json["notes"]}
    assert rows[RULE]["misses"] == 0
    assert "become a check" in rows[RULE]["suggests"]


def test_pay_declares_a_debt_paid_with_who_and_why(play: Play, mem: Mem) -> None:
    preview = mem("pay", DEBT, "--reason", "rewritten in Rust", "--json")
    assert preview.code == 0
    assert preview.json["applied"] is False
    assert play.events() == []
    assert mem("pay", DEBT, "--reason", "rewritten in Rust", "--apply").code == 0
    assert play.events() == ["paid"]
    file = next((play.repo.root / "memory/events" / DEBT).iterdir())
    event = json.loads(file.read_text())
    assert (event["how"], event["reason"]) == ("declared", "rewritten in Rust")
    assert event["actor"]["name"] == "Ada"
    assert [one["id"] for one in mem("touch", FLAKY, "--write", "--json").json["deliveries"]] == [RULE]
    again = mem("pay", DEBT, "--apply", "--json")
    assert again.json["applied"] is False


def test_pay_refuses_a_debt_whose_condition_cannot_be_read(play: Play, mem: Mem) -> None:
    play.debt(condition="{file_contains: {path: tests/test_retry.py, patern: frozen_clock}}")
    shown = mem("show", DEBT)
    assert "M106" in shown.out
    assert "paid by declaration" not in shown.out
    ran = mem("pay", DEBT, "--reason", "done", "--apply")
    assert (ran.code, play.events()) == (1, [])
    assert "M106" in ran.err


def test_pay_refuses_a_rule(play: Play, mem: Mem) -> None:
    ran = mem("pay", RULE, "--apply")
    assert ran.code == 1
    assert "never paid" in ran.err


def test_show_counts_fires(play: Play, mem: Mem) -> None:
    play.read()
    assert mem("show", DEBT, "--json").json["fires"] == 1
