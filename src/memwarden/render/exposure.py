"""What forgetting found, removed and does not reach, as people and programs see it."""

from __future__ import annotations

from collections import Counter
from textwrap import wrap

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import plain, visible
from memwarden.edge.erase.outside import (
    FOUND,
    NONE,
    NOT_REACHED,
    REMOVED,
    STAGED,
    SUBMODULE,
    SUBMODULES,
    UNKNOWN,
    Scope,
)
from memwarden.edge.erase.outside import outside_fields as _outside_fields
from memwarden.edge.erase.outside import outside_scopes as outside_scopes
from memwarden.edge.erase.private_traces import ANSWERS, OTHER, PRIVATE_SCOPES, REBUILT
from memwarden.edit.erasure import LONE, SUBJECT_FILES
from memwarden.render.lines import with_paths, wrapped
from memwarden.render.screen import width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from memwarden.edge.erase.exposure import Exposure
    from memwarden.edit.erasure import Blocker

WIDTH = 20
HISTORY = (
    "git history is not rewritten: git filter-repo (https://github.com/newren/git-filter-repo) is the tool\n"
    "for that; every clone has to be made anew after it, and what was pushed is to be treated as known.\n"
)
INDEX = "what is staged goes from the index with: git add -A memory\n"
_STAYS = "Found, and still there"
_HEADS = {
    FOUND: "Found, and removed by this plan",
    REMOVED: "Removed",
    NOT_REACHED: "Outside of this, and still there",
    UNKNOWN: "Nobody can tell from here",
}


def scope_fields(scopes: Iterable[Scope]) -> list[dict[str, Any]]:
    """The ``scope`` list of ``--json``."""
    return [
        {"name": scope.name, "state": scope.state, "items": [visible(item) for item in scope.items]}
        for scope in scopes
    ]


def outside_fields(found: Exposure) -> dict[str, Any]:
    """The ``outside`` object of ``--json``, its names made visible."""
    shown = _shown(_outside_fields(found))
    assert isinstance(shown, dict)
    return shown


def blocker_fields(blocked: Iterable[Blocker]) -> list[dict[str, Any]]:
    """The ``blocked`` list of ``--json``."""
    return [{**one._asdict(), "path": visible(one.path)} for one in blocked]


def exposure_page(
    scopes: Sequence[Scope],
    blocked: Sequence[Blocker] = (),
    risks: Sequence[str] = (),
    nothing: bool = False,
    applied: bool = False,
) -> str:
    """The report as plain text: what was found, what is in the way, what is out of reach, what is clean;
    ``nothing``: no managed file has anything of it; ``applied``: this is said after the removal."""
    lines = ["Found nothing of that in the memory\n\n"] if nothing else []
    for state, head in _HEADS.items():
        ours = [scope for scope in scopes if scope.state == state]
        rows = [row for scope in ours for row in _rows(scope)]
        if state == FOUND and (blocked or applied):
            head = "Found" if blocked else _STAYS
        lines += _section(head, rows)
        if state == FOUND:
            rows = [(one.scope, _where(one)) for one in blocked]
            lines += _section("In the way: nothing is removed while these stand", rows)
    lone = any(scope.name == LONE and scope.items for scope in scopes)
    clean = [one.name for one in scopes if one.state == NONE and not (lone and one.name == SUBJECT_FILES)]
    if clean:
        listed = [f"  {line}\n" for line in wrap(", ".join(clean), min(width() - 2, 96))]
        lines += ["Searched, and nothing there\n", *listed, "\n"]
    lines += [wrapped(with_paths(plain(risk)), "note: ", "  ") + "\n" for risk in risks]
    if any(scope.name == STAGED and scope.state == NOT_REACHED for scope in scopes):
        lines.append(INDEX)
    if any(scope.state in (NOT_REACHED, UNKNOWN) for scope in scopes):
        lines += [wrapped(line) + "\n" for line in HISTORY.splitlines()]
    return "".join(lines)


def _rows(scope: Scope) -> Iterable[tuple[str, str]]:
    """The lines of a scope: all submodules stand under one name."""
    if scope.name.startswith(SUBMODULE):
        return [(SUBMODULES, f"{scope.name.removeprefix(SUBMODULE)}: {', '.join(scope.items)}".rstrip(": "))]
    return [(scope.name, item) for item in _told(scope) or ("",)]


def _told(scope: Scope) -> Sequence[str]:
    """What is found in a scope; of our own files outside the tree, whose names say nothing, how many."""
    if scope.name not in PRIVATE_SCOPES or scope.name == OTHER or len(scope.items) < 2:
        return scope.items
    whys = [item.rpartition(": ")[2] if ": " in item else "" for item in scope.items]
    found, one = Counter(whys), dict(zip(whys, scope.items, strict=True))
    reasons = {
        "it names the note": "naming the note",
        "it holds the text": "holding the text",
        "its name": "by its name",
        REBUILT: "dropped whole, and built again when needed",
    }
    kept = "kept answers" if scope.name == ANSWERS else scope.name
    return [
        f"{number} {kept} {reasons.get(why, why)}".rstrip() if number > 1 else one[why]
        for why, number in found.items()
    ]


def _where(one: Blocker) -> str:
    return f"{one.path}{f':{one.line}' if one.line else ''}: {one.why}; {one.fix}"


def _section(head: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    if not rows:
        return []
    lines = [f"{head}\n"]
    before = ""
    for name, item in rows:
        lead = f"  {'' if name == before else name:<{WIDTH}} "
        lines.append(wrapped(with_paths(plain(item)), lead, " " * (WIDTH + 5)).rstrip() + "\n")
        before = name
    return [*lines, "\n"]


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {key: _shown(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(inner) for inner in value]
    return value
