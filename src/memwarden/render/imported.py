"""What an import takes over and what it leaves: a short page for people, whole lists for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.note import CANDIDATE
from memwarden.core.visible import plain
from memwarden.edit.propose.importing import ALREADY, MAPPED, Outcome, Sorted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.edit.importing.harvest import Loss

# Beyond this many a page names the first and counts the rest.
MOST_LINES = 40


def imported_fields(decided: Sorted) -> dict[str, Any]:
    """The fields that ``import --json`` adds to the plan."""

    def listed(kind: str) -> list[dict[str, Any]]:
        return [_fields(one) for one in decided.outcomes if one.kind == kind]

    return {
        "mapped": listed(MAPPED),
        "candidates": listed(CANDIDATE),
        "already": listed(ALREADY),
        "lost": [loss._asdict() for loss in decided.lost],
    }


def imported_page(decided: Sorted) -> str:
    """The report: what becomes memory, what waits, what was here, and what is lost with its reason."""
    parts = [
        _part("taken over", decided.outcomes, MAPPED),
        _part("waiting in the inbox", decided.outcomes, CANDIDATE),
        _part("here already", decided.outcomes, ALREADY),
        _losses(decided.lost),
    ]
    return "".join(parts) or "there is nothing to import\n"


def _fields(one: Outcome) -> dict[str, Any]:
    return {
        "source": one.source,
        "line": one.line,
        "why": one.why,
        "title": one.title,
        "id": one.id,
        "path": one.path,
    }


def _part(what: str, outcomes: Iterable[Outcome], kind: str) -> str:
    found = [one for one in outcomes if one.kind == kind]
    if not found:
        return ""
    rows = [f"  {plain(f'{one.source}:{one.line}')}  {plain(one.title)}  ({plain(one.why)})" for one in found]
    return _shown(f"{what}: {len(found)}", rows)


def _losses(lost: Iterable[Loss]) -> str:
    """Losses of one kind in one line, with where each is."""
    places: dict[str, list[str]] = {}
    for loss in lost:
        places.setdefault(loss.why, []).append(f"{loss.source}:{loss.line}" if loss.line else loss.source)
    if not places:
        return ""
    rows = []
    for why, where in places.items():
        more = f" and {len(where) - 3} more" if len(where) > 3 else ""
        rows.append(f"  {plain(', '.join(where[:3]) + more)}  {plain(why)}")
    count = sum(len(where) for where in places.values())
    return _shown(f"lost: {count}", rows)


def _shown(head: str, rows: list[str]) -> str:
    more = [f"  ... and {len(rows) - MOST_LINES} more; --json has them all"] if len(rows) > MOST_LINES else []
    return "\n".join([head, *rows[:MOST_LINES], *more]) + "\n\n"
