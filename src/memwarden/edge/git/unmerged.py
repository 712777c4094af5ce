"""Which files git has not merged yet, for whoever must not take a conflict for an answer.

What lies in the working tree at such a path is nobody's version.  Asking takes a git process, so it is
asked only in the middle of an operation that may leave conflicts, or where a text looks like one (popping
a stash leaves conflicts and no other trace).
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.gitstate import operation

if TYPE_CHECKING:
    from memwarden.edge.place import Place


class Unmerged:
    """Called with whether a text looks like a conflict, it gives the paths with more than one version."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._busy: bool | None = None
        self._known: frozenset[str] | None = None

    def __call__(self, suspected: bool = False) -> frozenset[str]:
        if self._known is None:
            if self._busy is None:
                self._busy = bool(operation(self._place))
            if not self._busy and not suspected:
                return frozenset()
            self._known = _asked(self._place)
        return self._known


def _asked(place: Place) -> frozenset[str]:
    from memwarden.edge.git.plumbing import run  # rare, and a hook's every module counts

    out = run(place, "ls-files", "-u", "-z")
    records = out.split(b"\0")[:-1]
    return frozenset(record.partition(b"\t")[2].decode("utf-8", "surrogateescape") for record in records)
