"""The ladder's decisions as values: no disk, no git, no clock."""

from __future__ import annotations

import pytest

from memwarden.core.condition import (
    CANNOT_TELL,
    FAILS,
    HOLDS,
    Combined,
    CommandTest,
    TagTest,
    TextTest,
    Verdict,
)
from memwarden.core.event import Event
from memwarden.core.manifest import Settings
from memwarden.core.note import DEBT, RULE, Anchor, Note
from memwarden.core.standing import ACTIVE, OWED, RETIRED, SETTLED, Standing
from memwarden.core.turn.closing import Due
from memwarden.core.turn.closing import decide as decide_close
from memwarden.core.turn.ladder import Abilities, Decision, Match, World, decide
from memwarden.core.turn.pending import Pending, Seen, miss_line, verdict_line
from memwarden.core.turn.session import Session
from memwarden.core.turn.speech import ask_text

TODAY = "2026-12-01"
ANCHOR = Anchor("path", "src/a.py")
TEXT = TextTest("file_contains", "src/a.py", "done")
COMMAND = CommandTest("command", ("true",))
BOTH = Combined("all", (TEXT, COMMAND))


def note(lifecycle: str = DEBT, condition: object = TEXT, identity: str = "n-00000001") -> Note:
    return Note(
        f"memory/debts/{identity}.md",
        identity,
        "A title",
        lifecycle=lifecycle,
        condition=condition if lifecycle == DEBT else None,  # type: ignore[arg-type]
        anchors=(ANCHOR,),
    )


def world(state: str = FAILS, stands: bool = False, committed: bool = True, rests: bool = False) -> World:
    return World(
        lambda found: Verdict(state, "as the test says"),
        lambda standing: stands,
        lambda standing: committed,
        lambda match, asked: rests,
        lambda match, level, anchor, misses, seen, back: (f"{match.note.id} {level}", 10),
        lambda condition: "" if condition is None else "sha256:x",
    )


def say(
    found: Note,
    standing: Standing,
    write: bool = True,
    here: World | None = None,
    pending: Pending | None = None,
    session: Session | None = None,
    able: Abilities | None = None,
    **settings: object,
) -> Decision:
    match = Match(found, standing, found.anchors, write)
    chosen = Settings(**settings)  # type: ignore[arg-type]
    return decide(
        [match], chosen, pending or Pending(), here or world(), TODAY, session, "", able or Abilities()
    )


def level(decision: Decision) -> str:
    return decision.deliveries[0].level if decision.deliveries else ""


def paid(day: str = "2026-11-30", how: str = "touch") -> Standing:
    event = Event("n-00000001", 1, "paid", day + "T00:00:00Z", facts={"how": how})
    return Standing(SETTLED, 5, event)


@pytest.mark.parametrize(
    ("misses", "write", "expected"),
    [(0, True, "warn"), (2, True, "warn"), (3, True, "ask"), (9, True, "ask"), (9, False, "warn")],
)
def test_debt_asks_from_ask_after_on_and_only_before_a_write(misses: int, write: bool, expected: str) -> None:
    assert level(say(note(), Standing(OWED, misses), write)) == expected


@pytest.mark.parametrize("misses", [0, 3, 1000])
def test_rule_only_warns_whatever_its_count(misses: int) -> None:
    assert level(say(note(RULE), Standing(ACTIVE, misses))) == "warn"


def test_misses_that_wait_count() -> None:
    pending = Pending()
    for _ in range(2):
        pending.take(miss_line("n-00000001", "", ("", ""), ()))
    assert level(say(note(), Standing(OWED, 1), pending=pending)) == "ask"


def test_debt_whose_condition_holds_is_paid_and_not_delivered() -> None:
    decision = say(note(), Standing(OWED, 9), here=world(HOLDS))
    assert decision.deliveries == ()
    assert [found.id for found, _ in decision.payments] == ["n-00000001"]


def test_cannot_tell_is_no_payment() -> None:
    decision = say(note(), Standing(OWED), here=world(CANNOT_TELL))
    assert level(decision) == "warn"
    assert decision.payments == ()


def test_debt_that_awaits_red_is_not_paid_by_green() -> None:
    standing = Standing(OWED, awaits_red=True)
    assert level(say(note(), standing, here=world(HOLDS))) == "warn"
    red = say(note(), standing, here=world(FAILS))
    assert len(red.failures) == 1
    pending = Pending()
    pending.take(
        verdict_line(Seen("failed", "n-00000001", "sha256:x", "", ("", ""), "", "", False, "", "{}"))
    )
    assert say(note(), standing, here=world(FAILS), pending=pending).failures == ()
    assert say(note(), standing, here=world(HOLDS), pending=pending).payments


@pytest.mark.parametrize("name", [RETIRED, "superseded", "expired", "not-yet", "candidate", "archived"])
def test_what_is_not_live_is_silent(name: str) -> None:
    assert say(note(), Standing(name)).deliveries == ()
    assert say(note(RULE), Standing(name)).deliveries == ()


def test_paid_debt_is_silent_while_its_condition_holds() -> None:
    assert say(note(), paid(), here=world(HOLDS)).deliveries == ()
    assert say(note(), paid(), here=world(CANNOT_TELL)).deliveries == ()


def test_paid_debt_that_fails_while_young_comes_back_at_its_old_rung() -> None:
    decision = say(note(), paid(), here=world(FAILS))
    assert level(decision) == "ask"
    assert decision.payments == decision.failures == ()


def test_paid_debt_is_left_alone_once_old_and_committed() -> None:
    assert say(note(), paid("2026-10-20"), here=world(FAILS)).deliveries == ()
    assert level(say(note(), paid("2026-10-21"), here=world(FAILS))) == "ask"
    assert level(say(note(), paid("2026-10-20"), here=world(FAILS, committed=False))) == "ask"
    assert say(note(), paid("2026-11-29"), here=world(FAILS), recheck_days=2).deliveries == ()


def test_declared_payment_is_not_judged_again() -> None:
    assert say(note(), paid(how="declared"), here=world(FAILS)).deliveries == ()


@pytest.mark.parametrize("condition", [COMMAND, BOTH])
def test_command_payment_stands_by_history_and_not_by_judging(condition: object) -> None:
    assert say(note(condition=condition), paid(), here=world(FAILS, stands=True)).deliveries == ()
    assert level(say(note(condition=condition), paid(), here=world(FAILS, stands=False))) == "ask"


def test_payment_by_a_tag_alone_is_not_judged_again() -> None:
    assert say(note(condition=TagTest("git_tag", "v*")), paid(), here=world(FAILS)).deliveries == ()


def test_ask_that_nobody_can_answer_is_what_the_setting_says() -> None:
    standing, session = Standing(OWED, 3), Session()
    deaf = Abilities(ask=False, refuse=True)
    assert level(say(note(), standing, session=session, able=deaf)) == "refuse"
    assert level(say(note(), standing, session=session, able=deaf, on_no_ask="deny")) == "refuse"
    assert level(say(note(), standing, session=session, able=deaf, on_no_ask="warn")) == "warn"
    assert level(say(note(), standing, session=session, able=Abilities(ask=False))) == "warn"
    assert level(say(note(), standing, session=None, able=deaf)) == "warn"
    session.refused.add("n-00000001")
    let_through = say(note(), standing, session=session, able=deaf)
    assert let_through.deliveries == ()
    assert let_through.degraded == ("n-00000001",)


def test_after_the_tool_ran_there_is_no_ask() -> None:
    assert level(say(note(), Standing(OWED, 3), able=Abilities(before=False))) == "warn"


def test_whole_notes_only_and_a_smaller_one_may_still_fit() -> None:
    def tell(match: Match, *rest: object) -> tuple[str, int]:
        return match.note.id, int(match.note.id[-1]) * 10

    notes = [note(RULE, identity=f"n-0000000{size}") for size in (3, 6, 1)]
    matches = [Match(found, Standing(ACTIVE), found.anchors, False) for found in notes]
    decision = decide(matches, Settings(deliver_tokens=50), Pending(), world()._replace(tell=tell), TODAY)
    assert [delivery.id[-1] for delivery in decision.deliveries] == ["1", "3"]
    assert decision.omitted == 1


@pytest.mark.parametrize(("text", "kept"), [("x" * 300, 2), ("\U0001f600" * 150, 2), ("\u4e2d" * 290, 2)])
def test_ask_that_the_host_would_cut_away_is_not_told_but_counted(text: str, kept: int) -> None:
    def tell(match: Match, *rest: object) -> tuple[str, int]:
        return text, 1_000_000

    found = [note(identity=f"n-0000000{number}") for number in (1, 2, 3)]
    matches = [Match(one, Standing(OWED, 3), one.anchors, True) for one in found]
    decision = decide(
        *(matches, Settings(), Pending(), world()._replace(tell=tell), TODAY),
        abilities=Abilities(most=1010),
    )
    assert [delivery.id[-1] for delivery in decision.deliveries] == ["1", "2"][:kept]
    assert (decision.omitted, decision.waiting) == (1, 1)
    assert {match.note.id for match, _, _ in decision.told} == {one.id for one in found[:kept]}
    assert "\n\n1 more debt that asks does not fit here" in ask_text(decision.deliveries, decision.waiting)


def test_first_ask_is_told_however_long_it_is() -> None:
    able = Abilities(most=10)
    assert level(say(note(), Standing(OWED, 3), able=able)) == "ask"


def close(
    standing: Standing, state: str = FAILS, found: Note | None = None, **due: bool
) -> tuple[int, int, int, int]:
    """How many were missed, paid, seen failing, and put in doubt."""
    given = {"delivered": True, "written": True, **due}
    closing = decide_close(
        [Due(found or note(), standing, **given)],
        Pending(),
        lambda one: Verdict(state),
        lambda condition: "sha256:x",
    )
    return len(closing.missed), len(closing.paid), len(closing.failed), len(closing.doubtful)


def test_close_charges_only_what_was_delivered_written_and_not_charged() -> None:
    assert close(Standing(OWED)) == (1, 0, 0, 0)
    assert close(Standing(OWED), CANNOT_TELL) == (1, 0, 0, 0)
    for reason in ({"delivered": False}, {"written": False}, {"charged": True}):
        assert close(Standing(OWED), **reason) == (0, 0, 0, 0), reason


def test_close_pays_what_holds() -> None:
    assert close(Standing(OWED), HOLDS) == (0, 1, 0, 0)
    assert close(Standing(OWED, awaits_red=True), HOLDS) == (1, 0, 0, 0)


def test_close_charges_a_declared_debt_without_judging() -> None:
    assert close(Standing(OWED), HOLDS, note(condition=None)) == (1, 0, 0, 0)


def test_close_never_charges_a_rule_or_a_recorded_payment() -> None:
    assert close(Standing(ACTIVE), FAILS, note(RULE)) == (0, 0, 0, 0)
    assert close(paid(), FAILS) == (0, 0, 0, 1)
    assert close(paid(how="declared"), FAILS) == (0, 0, 0, 0)
    assert close(paid(), FAILS, note(condition=COMMAND)) == (0, 0, 0, 0)
