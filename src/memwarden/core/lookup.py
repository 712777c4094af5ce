"""From what a person types to one note: an ID, a path, or an unambiguous part of either."""

from __future__ import annotations

from memwarden.core.note import Note
from memwarden.core.record import TYPE_CHECKING
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from memwarden.core.memory import Memory

MOST_SHOWN = 8


def find_note(memory: Memory, text: str) -> Note:
    """The note that ``text`` names; raises :class:`UsageError` where there is none, or more than one."""
    wanted = text.strip().removeprefix("./")
    if not wanted:
        raise UsageError("an empty note name", "name a note by its ID or its path")
    for tier in (_exactly(memory, wanted), _at_an_end(memory, wanted), _partly(memory, wanted)):
        if len(tier) == 1:
            return tier[0]
        if tier:
            shown = [f"{note.id or '(no ID)'} {note.path}" for note in tier[:MOST_SHOWN]]
            more = f" and {len(tier) - MOST_SHOWN} more" if len(tier) > MOST_SHOWN else ""
            raise UsageError(
                f"{text!r} names {len(tier)} notes: {'; '.join(shown)}{more}", "say more of its ID or path"
            )
    broken = _broken(memory, wanted)
    if len(broken) == 1:
        findings = tuple(finding for finding in memory.findings if finding.path == broken[0])
        raise UsageError(
            f"{broken[0]} cannot be read", "mend it first; mem check names every fault", findings
        )
    raise UsageError(f"no note {text!r}", _hint(memory, wanted))


def _exactly(memory: Memory, wanted: str) -> list[Note]:
    paths = (wanted, f"memory/{wanted}")
    return [note for note in memory.notes if (note.id and note.id == wanted) or note.path in paths]


def _at_an_end(memory: Memory, wanted: str) -> list[Note]:
    """The start of an ID, with or without its ``n-``, or a whole file name."""
    return [
        note
        for note in memory.notes
        if (note.id and (note.id.startswith(wanted) or note.id[2:].startswith(wanted)))
        or note.path.rpartition("/")[2] in (wanted, f"{wanted}.md")
    ]


def _partly(memory: Memory, wanted: str) -> list[Note]:
    folded = wanted.casefold()
    return [
        note
        for note in memory.notes
        if folded in note.id or folded in note.path.removeprefix("memory/").casefold()
    ]


def _broken(memory: Memory, wanted: str) -> list[str]:
    """The unreadable files of that name, else those that it is a part of."""
    names = {path: path.removeprefix("memory/") for path in memory.broken}
    whole = [path for path, name in names.items() if wanted in (path, name)]
    return whole or [path for path, name in names.items() if wanted.casefold() in name.casefold()]


def _hint(memory: Memory, wanted: str) -> str:
    from memwarden.core.nearest import Nearest  # only a mistake comes here

    if wanted in memory.events:
        return f"only its events are left: git log -- memory/events/{wanted} names the commits that say more"
    titled = _titled(memory, wanted)
    if titled:
        shown = " or ".join(note.name for note in titled[:MOST_SHOWN])
        return f"a note is named by its ID or its path, not by its title: did you mean {shown}?"
    names = {note.path.rpartition("/")[2].removesuffix(".md"): note for note in memory.notes}
    near = Nearest([*names, *(note.id for note in memory.notes if note.id)]).to(wanted, 1)
    return f"did you mean {near[0]}?" if near else "mem list names every note, mem search TEXT finds one"


def _titled(memory: Memory, wanted: str) -> list[Note]:
    words = " ".join(wanted.casefold().split())
    return [note for note in memory.notes if words in " ".join(note.title.casefold().split())]
