"""What an event says of the moment it was written in: when, who, at which commit, and what was dirty."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.gitstate import head
from memwarden.edge.git.plumbing import run
from memwarden.edit.event_writer import EventDraft, Stamp
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.actor import Actor
    from memwarden.edge.place import Place


def stamp_for(place: Place, now: str, actor: Actor, drafts: Iterable[EventDraft]) -> Stamp:
    """What every event of this moment says; git is asked what is dirty only where a verdict read files."""
    here = head(place)
    read = sorted({path for draft in drafts for path in draft.reads})
    return Stamp(now, actor, here.commit, here.branch, dirty_paths(place, read) if read else frozenset())


def dirty_paths(place: Place, paths: list[str]) -> frozenset[str]:
    """Those of ``paths`` that differ from HEAD in the working tree or the index; all of them where git
    cannot say."""
    try:
        status = run(place, "status", "--porcelain=v1", "-z", "--no-renames", "--ignored", "--", *paths)
    except MemError:
        return frozenset(paths)
    changed = [entry[3:] for entry in status.decode("utf-8", "surrogateescape").split("\0") if entry]
    return frozenset(
        path for path in paths if any(path == one or path.startswith(_folder(one)) for one in changed)
    )


def is_dirty(place: Place) -> bool:
    """Whether anything but the memory differs from HEAD, as a command may see it; true where git cannot
    say."""
    try:
        status = run(place, "status", "--porcelain=v1", "-z", "--no-renames")
    except MemError:
        return True
    changed = (entry[3:] for entry in status.split(b"\0") if entry)
    return any(not path.startswith(b"memory/") for path in changed)


def _folder(path: str) -> str:
    return path if path.endswith("/") else path + "/"
