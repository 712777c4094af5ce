"""What every rule looks at: one memory, what surrounds it, and the indexes that all rules share.

Each index is built once, when the first rule asks, so that a check is linear in the number of notes.
The world comes in as callables: rules stay pure, and what a caller cannot provide is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from memwarden.core.condition import Verdict
from memwarden.core.fitness import known_facets
from memwarden.core.memory import Memory
from memwarden.core.note import ACTIVE, Note, place_of
from memwarden.core.ownership import owners
from memwarden.core.record import NamedTuple
from memwarden.core.registry import Registry
from memwarden.core.standing import Standing, standings
from memwarden.errors import Finding
from memwarden.rules.tree import Tree

if TYPE_CHECKING:
    from memwarden.core.condition import Condition
    from memwarden.core.ownership import Key

_Of = TypeVar("_Of")


class Context(NamedTuple):
    """What surrounds a memory.

    ``base`` is the memory before the change that is judged; None: there is no history, and everything
    is new.  ``judge`` judges a condition against the memory's workspace.  ``renamed`` gives the path to
    which git saw a path move, or "".  ``has_commit`` says whether an object ID names a commit here.
    """

    today: str
    standings: Mapping[str, Standing] | None = None
    base: Memory | None = None
    judge: Callable[[Note, Condition], Verdict] | None = None
    renamed: Callable[[str], str] | None = None
    has_commit: Callable[[str], bool] | None = None


class Scene:
    """One memory in its context, as the rules see it."""

    def __init__(self, memory: Memory, context: Context) -> None:
        self.memory = memory
        self.context = context

    @cached_property
    def standings(self) -> Mapping[str, Standing]:
        given = self.context.standings
        return standings(self.memory, self.context.today) if given is None else given

    @cached_property
    def registry(self) -> Registry:
        return Registry(self.memory.subjects)

    @cached_property
    def owned(self) -> dict[Key, tuple[Note, ...]]:
        return owners(self.memory.notes, self.standings, self.registry)

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.memory.workspace)

    @cached_property
    def facets(self) -> frozenset[str]:
        return known_facets(self.memory.manifest)

    @cached_property
    def active(self) -> tuple[Note, ...]:
        """The notes that are active by place, whatever their standing."""
        return tuple(note for note in self.memory.notes if place_of(note.path) == ACTIVE)

    @cached_property
    def live(self) -> tuple[Note, ...]:
        """The notes that are delivered and routed today."""
        return tuple(note for note in self.active if self.standings[note.path].live)

    @cached_property
    def by_id(self) -> dict[str, tuple[Note, ...]]:
        """The notes of each ID, by path: one, or a mistake."""
        return grouped((note.id, note) for note in self.memory.notes if note.id)

    @cached_property
    def base_notes(self) -> dict[str, Note]:
        """The notes before the change, by ID, and by path where they have none."""
        before = self.context.base
        return {note.id or note.path: note for note in before.notes} if before else {}

    @cached_property
    def _read(self) -> dict[str, tuple[Finding, ...]]:
        return grouped((finding.code, finding) for finding in self.memory.findings)

    def read(self, code: str) -> tuple[Finding, ...]:
        """What the readers found under this code."""
        return self._read.get(code, ())

    def before(self, note: Note) -> Note | None:
        """The same note before the change."""
        return self.base_notes.get(note.id or note.path)


def grouped(pairs: Iterator[tuple[str, _Of]]) -> dict[str, tuple[_Of, ...]]:
    """The values of each key, in the order given."""
    found: dict[str, list[_Of]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}
