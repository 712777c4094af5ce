"""What a session starts with, out of the whole memory: the plain way, which the index's answers equal."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.route.request import require_manifest
from memwarden.core.route.serving import serve
from memwarden.core.standing import standings
from memwarden.core.visible import plain
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.whole_memory import WholeMemory
from memwarden.edit.starter import unfilled
from memwarden.errors import Refused

if TYPE_CHECKING:
    from memwarden.core.memory import Memory
    from memwarden.core.route.request import Request
    from memwarden.core.route.route import Routed
    from memwarden.edge.place import Place


class WholeStart(WholeMemory):
    """Everything was read."""

    def __init__(self, place: Place, today: str) -> None:
        memory = open_memory(place)
        super().__init__(memory, today)
        self.broken = memory.broken
        self.refused = unrouted(memory)
        # A form that nobody has filled in is no knowledge: a route shows it, a session need not hear it.
        blank = unfilled(memory)
        self._known = memory._replace(notes=tuple(note for note in memory.notes if note.path not in blank))
        self._standing = standings(self._known, today)
        self._today = today

    def pack(self, wanted: Request) -> tuple[Routed, str]:
        """The route and the pack of a request."""
        served = serve(self._known, self._standing, wanted, self._today)
        return served.routed, served.text


def unrouted(memory: Memory) -> str:
    """Why nothing is routed, with the first line that is wrong; "" where the manifest is in order."""
    try:
        require_manifest(memory)
    except Refused as refused:
        where = "".join(
            f" {plain(one.path)}:{one.line or 1}: {plain(one.message)}." for one in refused.findings[:1]
        )
        return f"{plain(refused.message)}.{where} mem check says what to do."
    return ""
