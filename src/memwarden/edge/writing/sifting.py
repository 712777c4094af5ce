"""Which of several decisions can become one plan, so that one that cannot keeps no other waiting.

Of two that each could be, and together cannot, neither is: which of them is right is not for a program to
choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.record import NamedTuple
from memwarden.edge.writing.mutation import Desk, build
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memwarden.core.memory import Memory

Decision = Any  # a mapping, as an intent holds it


class Held(NamedTuple):
    """A decision that waits, why, and the others that wait with it where only one of them can be."""

    decision: Decision
    why: MemError
    rivals: tuple[Decision, ...] = ()


class Sifted(NamedTuple):
    """The decisions that can be one plan, in their order, and why the others wait."""

    kept: list[Decision]
    held: list[Held]


def sift(desk: Desk, memory: Memory, intent: Mapping[str, Any]) -> Sifted:
    """The intent's ``decisions``, parted; raises :class:`MemError` where no change at all is allowed."""
    build(desk, memory, {**intent, "decisions": []})
    return _Sieve(desk, memory, intent).sifted()


class _Sieve:
    def __init__(self, desk: Desk, memory: Memory, intent: Mapping[str, Any]) -> None:
        self.desk = desk
        self.memory = memory
        self.intent = intent

    def sifted(self) -> Sifted:
        """What is left after a rival was taken out may have stood on it: it is looked at again."""
        held: list[Held] = []
        left = list(self.intent["decisions"])
        while True:
            kept: list[Decision] = []
            held += (found := self._pass(kept, left))
            rivals = [rival for one in found for rival in one.rivals]
            left = [one for one in kept if one not in rivals]
            if not rivals:
                return Sifted(left, held)

    def _pass(self, kept: list[Decision], more: Sequence[Decision]) -> list[Held]:
        """Put what can stand beside ``kept`` there too, halving what cannot until it is one decision."""
        why = self._refused([*kept, *more])
        if why is None:
            kept += more
            return []
        if len(more) > 1:
            middle = len(more) // 2
            return [*self._pass(kept, more[:middle]), *self._pass(kept, more[middle:])]
        (one,) = more
        alone = self._refused([one])
        if alone is not None:
            return [Held(one, alone)]
        return [Held(one, why, tuple(other for other in kept if self._refused([other, one]) is not None))]

    def _refused(self, decisions: Sequence[Decision]) -> MemError | None:
        try:
            build(self.desk, self.memory, {**self.intent, "decisions": list(decisions)})
        except MemError as error:
            return error
        return None
