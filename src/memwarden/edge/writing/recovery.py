"""After a crash: carry a decided change out to its end, and never over somebody's edit."""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.index_read import ANSWERS
from memwarden.edge.index_read import FILE as INDEX
from memwarden.edge.writing.apply import mark_applied, step_state, sweep, take_step, was_applied
from memwarden.edge.writing.disk import Disk, content_at
from memwarden.edge.writing.journal import (
    Journal,
    Step,
    end,
    forget_staging,
    is_discreet,
    is_unfinished,
    read_journal,
    read_staging,
    shown_path,
    target_of,
)
from memwarden.edge.writing.plans import forgets, plan_file, saved_plans
from memwarden.errors import NeedsRecovery

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.edge.place import Place

KEEP = "keep"
TAKE = "take"


class Conflict(NamedTuple):
    """A file that holds neither the old nor the new content of an unfinished change; ``path`` is where
    it lies.  ``found`` is what is there (None: nothing readable), ``planned`` what the change would put
    (None: it would remove the file, or its staged content is gone, see ``lost``)."""

    path: str
    found: bytes | None
    planned: bytes | None
    lost: bool = False


def warning(place: Place) -> str:
    """What a command that only reads says about an unfinished change, or ""."""
    if not is_unfinished(place):
        return ""
    return (
        "a change was cut short and memory/ may be half written; "
        "the next writing command, or mem recover, ends it"
    )


def require_finished(place: Place) -> None:
    """Raise :class:`NeedsRecovery` where a change waits: a verdict about a half-written tree is none."""
    found = warning(place)
    if found:
        raise NeedsRecovery(found, "run mem recover")


def conflicts(place: Place) -> tuple[Conflict, ...]:
    """The files of an unfinished change that were edited since."""
    journal = read_journal(place)
    if journal is None:
        return ()
    return tuple(_conflict(place, step) for step in journal.steps if step_state(place, step) == "changed")


def forgetting(place: Place) -> str:
    """The plan of an unfinished change that forgets, if it is there to end it by; else ""."""
    journal = read_journal(place)
    if journal is None or not is_discreet(journal) or not os.path.lexists(plan_file(place, journal.plan)):
        return ""
    return journal.plan


def unsearched(place: Place) -> str:
    """The plan of a change that forgets and whose files are gone, while what is left was never searched; ""
    where there is none.  Its plan goes last."""
    return next((one for one in saved_plans(place) if forgets(place, one) and was_applied(place, one)), "")


def recover(
    place: Place, disk: Disk | None = None, choices: Mapping[str, str] | None = None
) -> Journal | None:
    """Carry out what a dead process had decided, and clean up after it; the lock must be held.

    ``choices`` says for each conflicting path whether to ``keep`` what is there or ``take`` what was
    planned.  Gives the change that was ended, or None where nothing had been decided.  Raises
    :class:`NeedsRecovery`, with nothing written, while a conflict has no choice.
    """
    disk = disk or Disk()
    journal = read_journal(place)
    staging = read_staging(place)
    if journal is not None:
        states = [(step, step_state(place, step)) for step in journal.steps]
        names = {step: shown_path(place, step) for step, state in states if state == "changed"}
        chosen = {step: choice for step, name in names.items() if (choice := (choices or {}).get(name))}
        open_ones = [name for step, name in names.items() if step not in chosen]
        if open_ones:
            raise NeedsRecovery(
                f"a change was cut short, and since then edited outside: {', '.join(open_ones)}",
                "run mem recover to see both and choose",
            )
        for step, state in states:
            if state == "ready" or (state == "changed" and chosen[step] == TAKE):
                take_step(place, disk, step)
        # Rubbish first, the journal last: a crash in here is recovered once more.
        sweep(place, disk, journal)
        if staging is not None:
            sweep(place, disk, staging)
        mark_applied(place, journal)
        if is_discreet(journal):
            _drop_copies(place)
        end(place, disk)
        return journal
    if staging is not None:
        sweep(place, disk, staging)
    forget_staging(place, disk)
    return None


def _drop_copies(place: Place) -> None:
    """Drop what readers may have kept of a tree that was half erased: it is built again when it is needed."""
    for folder in (place.private, os.path.join(place.private, ANSWERS)):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            if folder != place.private or name.startswith(INDEX):
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))


def _conflict(place: Place, step: Step) -> Conflict:
    found = _content(target_of(place, step))
    planned = _content(os.path.join(place.root, step.staged)) if step.staged else None
    return Conflict(shown_path(place, step), found, planned, lost=bool(step.staged) and planned is None)


def _content(path: str) -> bytes | None:
    try:
        return content_at(path)
    except OSError:
        return None
