"""A route as JSON and as an explanation that fits a screen."""

from __future__ import annotations

from typing import Any

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.route.serving import Served
from memwarden.core.secrets import redact
from memwarden.core.visible import plain
from memwarden.render.lines import fitted, folded
from memwarden.render.screen import styled, width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.core.route.route import Loaded, Omitted, Routed

MOST_COLUMNS = 100


def fields(served: Served) -> dict[str, Any]:
    """The JSON shape of ``mem route``."""
    routed = served.routed
    return {
        "task": routed.task or None,
        "loaded": [loaded_fields(loaded) for loaded in routed.loaded],
        "omitted": [omitted_fields(omitted) for omitted in routed.omitted],
        "tokens": routed.tokens,
        "budget": routed.budget,
        "digest": served.digest,
        "paths": [
            {"path": given.path, "on_disk": given.on_disk, "areas": list(given.areas)}
            for given in routed.given
        ],
        "date": routed.today,
        "text": served.text,
    }


def loaded_fields(loaded: Loaded) -> dict[str, Any]:
    """One note that the pack holds."""
    return {
        "id": loaded.note.id or None,
        "path": loaded.note.path,
        "module": loaded.module,
        "title": redact(loaded.note.title),
        "tokens": loaded.tokens,
        "reason": loaded.reason,
        "reasons": list(loaded.reasons),
        "detail": redact(loaded.detail),
        "contested": list(loaded.contested),
    }


def omitted_fields(omitted: Omitted) -> dict[str, Any]:
    """One note that the pack does not hold, and why."""
    return {
        "id": omitted.id or None,
        "path": omitted.path,
        "module": omitted.module,
        "reason": omitted.reason,
        "detail": redact(omitted.detail),
    }


def explained(served: Served, color: bool) -> str:
    """Every note loaded and omitted with its reasons, in columns that fit a screen."""
    return "\n".join(_lines(served, color)) + "\n"


def _lines(served: Served, color: bool) -> Iterator[str]:
    routed = served.routed
    task = f"Task {plain(routed.task)}" if routed.task else "No task: only what is always loaded"
    yield styled(task, "bold", color)
    yield f"  {_used(routed)}, as of {routed.today}"
    yield f"  {served.digest}"
    for given in routed.given:
        areas = f"selects {', '.join(f'area {name}' for name in given.areas)}" if given.areas else "no area"
        yield f"  path {plain(given.path)}{'' if given.on_disk else ' (not on disk)'}: {areas}"
    yield ""
    yield styled(f"Loaded: {_notes(len(routed.loaded))}", "bold", color)
    module = ""
    for loaded in routed.loaded:
        if loaded.module != module:
            module = loaded.module
            yield f"  {plain(module)}"
        yield from _loaded(loaded)
    by_reason: dict[str, list[Omitted]] = {}
    for omitted in routed.omitted:
        by_reason.setdefault(omitted.reason, []).append(omitted)
    yield ""
    yield styled(f"Omitted: {_notes(len(routed.omitted))}", "bold", color)
    for reason in sorted(by_reason):
        yield f"  {reason}"
        for omitted in by_reason[reason]:
            yield _lead(omitted.id) + plain(omitted.path)  # whole, however long: to be copied
            if omitted.detail:
                yield from _more(redact(omitted.detail))


def _loaded(loaded: Loaded) -> Iterator[str]:
    lead = _lead(loaded.note.id, str(loaded.tokens))
    yield lead + fitted(plain(redact(loaded.note.title)), _columns() - len(lead))
    yield from _more(", ".join(loaded.reasons))
    if loaded.detail:
        yield from _more(loaded.detail)
    if loaded.contested:
        yield from _more(f"contested by {', '.join(loaded.contested)}")


def _lead(note: str, tokens: str = "") -> str:
    return f"    {note or '(no ID)':<10}" + (f"  {tokens:>5}  " if tokens else "  ")


def _more(text: str) -> Iterator[str]:
    """Details under an entry, wrapped and never cut."""
    indent = " " * 8
    yield from folded(plain(text), _columns(), indent, indent)


def _used(routed: Routed) -> str:
    if routed.budget is None:
        return f"{routed.tokens} tokens, no budget"
    return f"{routed.tokens} of {routed.budget} tokens"


def _notes(count: int) -> str:
    return "1 note" if count == 1 else f"{count} notes"


def _columns() -> int:
    return min(width(), MOST_COLUMNS)
