"""Which git this is: an older one refuses options that keep a name from being taken for an option."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.plumbing import run

if TYPE_CHECKING:
    from memwarden.edge.place import Place

OLDEST = (2, 30)  # the first whose rev-parse knows --end-of-options


def too_old(place: Place) -> str:
    """What to say of a git that is older than the oldest that serves, or ""; raises :class:`MemError`
    where there is none."""
    said = run(place, "version").decode("utf-8", "replace").strip()
    words = said.removeprefix("git version ").partition(" ")[0].split(".")
    if not said.startswith("git version ") or not all(word.isdecimal() for word in words[:2]):
        return ""
    if tuple(map(int, words[:2])) >= OLDEST:
        return ""
    return f"{said} is too old: memwarden needs git {'.'.join(map(str, OLDEST))} or later"
