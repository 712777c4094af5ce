"""Debts, touches and counts as a person or a script reads them."""

from __future__ import annotations

from typing import Any

from memwarden.core.condition import Verdict, as_mapping
from memwarden.core.condition_parts import named
from memwarden.core.dates import days_between
from memwarden.core.note import DEBT, Note
from memwarden.core.record import NamedTuple
from memwarden.core.standing import OWED, SETTLED, Standing
from memwarden.core.turn.speech import Delivery
from memwarden.core.turn.wording import in_words
from memwarden.core.visible import plain
from memwarden.render.lines import parted, wrapped
from memwarden.render.screen import many, styled
from memwarden.render.table import Column, table

INVALID = "invalid"
STATE_STYLES = {"owed": "yellow", "paid": "cyan", INVALID: "bold red"}


class Debt(NamedTuple):
    """A debt as it stands: with what waits counted in, and what its condition says now.  ``returned``: it
    was paid, and that payment no longer holds here; ``faults``: the errors for which nobody is told of it."""

    note: Note
    standing: Standing
    misses: int
    fires: int
    verdict: Verdict | None = None
    waits: bool = False
    returned: bool = False
    faults: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """As a touch would treat it."""
        if self.faults:
            return INVALID
        if self.returned:
            return OWED
        return SETTLED if self.waits else self.standing.name


def delivery_fields(delivery: Delivery) -> dict[str, Any]:
    """One of ``deliveries`` of ``mem touch --json``."""
    return {
        "id": delivery.id,
        "level": delivery.level,
        "anchor": delivery.anchor.text,
        "title": delivery.title,
        "text": delivery.text,
        "path": delivery.path,
        "lifecycle": delivery.lifecycle,
        "misses": delivery.misses,
    }


def debt_fields(debt: Debt, today: str) -> dict[str, Any]:
    """One of the ``debts`` of ``mem debts --json``."""
    note, verdict = debt.note, debt.verdict
    return {
        "id": note.id,
        "path": note.path,
        "title": note.title,
        "state": debt.state,
        "came_back": debt.returned,
        "misses": debt.misses,
        "fires": debt.fires,
        "age_days": age_of(note, today),
        "condition": as_mapping(note.condition) if note.condition else None,
        "verdict": verdict_fields(verdict) if verdict else None,
        "faults": list(debt.faults),
    }


def verdict_fields(verdict: Verdict) -> dict[str, Any]:
    """``holds`` is true, false, or null where it cannot be told."""
    holds = {"holds": True, "does not hold": False}.get(verdict.state)
    return {"holds": holds, "state": verdict.state, "why": verdict.why, "evidence": list(verdict.items)}


def age_of(note: Note, today: str) -> int | None:
    """Days since the note was written; None where it does not say."""
    return max(0, days_between(note.created, today)) if note.created else None


def debt_lines(debts: list[Debt], today: str, ask_after: int, color: bool = False) -> str:
    """One block a debt, the most pressing first."""
    if not debts:
        return "Nothing is owed.\n"
    return "\n".join(_debt_block(debt, today, ask_after, color) for debt in debts)


def _debt_block(debt: Debt, today: str, ask_after: int, color: bool) -> str:
    note = debt.note
    age = age_of(note, today)
    days = "" if age is None else f", {age} day{'' if age == 1 else 's'} old"
    state = debt.state
    loud = " (writes are asked about)" if state == "owed" and debt.misses >= ask_after else ""
    shown = styled(state, STATE_STYLES.get(state, ""), color)
    facts = wrapped(f"{state}{days}, {debt.misses} missed{loud}, {_told(debt.fires)}", "    ", " " * 6)
    lines = [
        wrapped(f"{note.id}  {plain(note.title)}", later=" " * 12),
        facts.replace(state, shown, 1),
        styled(f"    {plain(note.path)}", "dim", color),
    ]
    paths = [plain(path) for _, path in named(note.condition, "")] if note.condition is not None else []
    if debt.faults:
        lines += [wrapped(f"nobody is told of it: {plain(fault)}", "    ", " " * 6) for fault in debt.faults]
    elif note.condition is None:
        lines.append(f"    paid by declaration: mem pay {note.id}")
    else:
        told = parted(f"paid when {plain(in_words(note.condition))}", paths)
        lines.append(wrapped(told, "    ", " " * 6))
    if debt.returned and debt.standing.paid is not None:
        day = debt.standing.paid.at[:10]
        lines.append(f"    was paid on {day}, and that payment no longer holds")
    if debt.verdict:
        told = parted(f"now: {debt.verdict.state}: {plain(debt.verdict.why)}", paths)
        lines.append(wrapped(told, "    ", " " * 6))
    lines[0] = styled(lines[0], "bold", color)
    return "\n".join(lines) + "\n"


def _told(count: int) -> str:
    return {0: "never told", 1: "told once", 2: "told twice"}.get(count, f"told {count} times")


class Fired(NamedTuple):
    """What the counts say of one note, and what that suggests ("" where nothing)."""

    note: Note
    fires: int
    sessions: int
    misses: int
    writes: int
    suggests: str = ""


def suggestion(note: Note, fires: int, sessions: int, writes: int, all_sessions: int) -> str:
    """What a note's counts mean; only what was counted over several sessions means anything."""
    if note.lifecycle == DEBT or all_sessions < 5:
        return ""
    if not fires:
        return "never fires: its anchor is wrong, or it is of no use" if note.anchors else ""
    if writes >= 3:
        return "its anchor keeps being written: it may want to become a check"
    if sessions * 2 > all_sessions:
        return "fires in most sessions: it belongs in an always-loaded module"
    return ""


def fired_fields(fired: Fired) -> dict[str, Any]:
    """One of the ``notes`` of ``mem stats --json``."""
    note = fired.note
    return {
        "id": note.id,
        "path": note.path,
        "title": note.title,
        "lifecycle": note.lifecycle,
        "fires": fired.fires,
        "sessions": fired.sessions,
        "misses": fired.misses,
        "writes": fired.writes,
        "suggests": fired.suggests,
    }


def fired_table(rows: list[Fired], sessions: int, color: bool) -> str:
    """A line a note, and below them all what the counts suggest."""
    seen = f"{many(sessions, 'session')} seen in this worktree\n"
    columns = (
        Column("id", "bold"),
        Column("told", right=True),
        Column("sessions", right=True, spare=True),
        Column("written", right=True, spare=True),
        Column("missed", right=True),
        Column("title", flexible=True),
    )
    cells = [
        (
            row.note.id or "-",
            str(row.fires),
            str(row.sessions),
            str(row.writes),
            str(row.misses) if row.note.lifecycle == DEBT else "-",
            row.note.title,
        )
        for row in rows
    ]
    suggested = [
        wrapped(f"{row.note.id}: {row.suggests}", later=" " * 12) + "\n" for row in rows if row.suggests
    ]
    return seen + table(columns, cells, color) + "".join(suggested)
