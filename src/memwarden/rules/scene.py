"""What every rule looks at: one memory, what surrounds it, and the indexes that all rules share.

Each index is built once, when the first rule asks, so that a check is linear in the number of notes.
The world comes in as callables: rules stay pure, and what a caller cannot provide is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from memwarden.core.condition import Verdict
from memwarden.core.event import Event
from memwarden.core.fitness import PATH_EVIDENCE, known_facets, malformed_fields
from memwarden.core.memory import Memory
from memwarden.core.neighbours import registry_of
from memwarden.core.note import ACTIVE, DEBT, Note, place_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.registry import Registry
from memwarden.core.standing import Standing, standings
from memwarden.errors import Finding
from memwarden.rules.tree import Tree

if TYPE_CHECKING:
    from typing import TypeVar

    from memwarden.core.condition import CommandTest, Condition

    _Of = TypeVar("_Of")


class Context(NamedTuple):
    """What surrounds a memory.

    ``base`` is the memory before the change that is judged, whole; or ``past`` gives a note's versions
    before it, one for each parent that has the note.  With neither there is no history, and everything is
    new.  ``written`` are the paths that the change writes; ``changed_events`` and ``removed_events`` what
    it did to the log.

    ``judge`` judges a note's condition against the memory's workspace, ``first_verdict`` where the change
    is many commits: the verdict at the one that introduced the condition.  ``recheck``: also judge what
    stood before the change.  ``endorsed`` says whether this user lets a command run, ``has_commit``
    whether an object ID names a commit here, ``fate`` where git saw a path go ("": deleted; None: it knows
    nothing), ``lost`` which payments (by path) rest on nothing that is still here.
    """

    today: str
    standings: Mapping[str, Standing] | None = None
    base: Memory | None = None
    judge: Callable[[Note, Condition], Verdict] | None = None
    fate: Callable[[str], str | None] | None = None
    has_commit: Callable[[str], bool] | None = None
    past: Callable[[Note], tuple[Note, ...]] | None = None
    written: tuple[str, ...] = ()
    changed_events: tuple[str, ...] = ()
    removed_events: Mapping[str, tuple[Event, ...]] = {}
    first_verdict: Callable[[Note], Verdict | None] | None = None
    recheck: bool = True
    endorsed: Callable[[Note, CommandTest], bool] | None = None
    lost: Callable[[Sequence[Event]], frozenset[str]] | None = None


class Scene:
    """One memory in its context, as the rules see it."""

    def __init__(self, memory: Memory, context: Context) -> None:
        self.memory = memory
        self.context = context
        self._verdicts: dict[str, Verdict | None] = {}

    @cached_property
    def standings(self) -> Mapping[str, Standing]:
        given = self.context.standings
        return standings(self.memory, self.context.today) if given is None else given

    @cached_property
    def registry(self) -> Registry:
        return registry_of(self.memory)

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
        alone: dict[str, tuple[Note, ...]] = {note.id: (note,) for note in self.memory.notes if note.id}
        named = [note for note in self.memory.notes if note.id]
        return alone if len(alone) == len(named) else grouped((note.id, note) for note in named)

    @cached_property
    def citing(self) -> list[Note]:
        """The active notes whose evidence names files."""
        found = []
        for note in self.active:
            for evidence in note.evidence:
                if evidence.key in PATH_EVIDENCE:
                    found.append(note)
                    break
        return found

    @cached_property
    def _base_notes(self) -> dict[str, Note]:
        """The notes of a whole base, by ID, and by path where they have none."""
        return {note.id or note.path: note for note in self.context.base.notes} if self.context.base else {}

    @cached_property
    def _malformed(self) -> dict[str, frozenset[str]]:
        return malformed_fields(self.memory)

    @cached_property
    def _read(self) -> dict[str, tuple[Finding, ...]]:
        return grouped((finding.code, finding) for finding in self.memory.findings)

    def lacking(self, found: Iterable[Finding | None]) -> Iterator[Finding]:
        """Of what notes lack, that of which no reader has said already that it is malformed."""
        for one in found:
            if one is not None and one.key not in self._malformed.get(one.path, ()):
                yield one

    def read(self, code: str) -> tuple[Finding, ...]:
        """What the readers found under this code."""
        return self._read.get(code, ())

    def before(self, note: Note) -> tuple[Note, ...]:
        """The note's versions before the change: one for each parent that has it."""
        if self.context.past is not None:
            return self.context.past(note)
        found = self._base_notes.get(note.id or note.path)
        return () if found is None else (found,)

    def verdict(self, note: Note) -> Verdict | None:
        """The verdict on the debt's condition, or on what the rule verifies; None where nobody judges."""
        if not self.context.recheck and note in self.before(note):
            return None
        if note.path not in self._verdicts:
            condition = note.condition if note.lifecycle == DEBT else note.verify
            judge = self.context.judge
            self._verdicts[note.path] = judge(note, condition) if judge and condition is not None else None
        return self._verdicts[note.path]

    def first_verdict(self, note: Note) -> Verdict | None:
        """The verdict where the debt's condition was introduced."""
        return self.context.first_verdict(note) if self.context.first_verdict else self.verdict(note)


def grouped(pairs: Iterator[tuple[str, _Of]]) -> dict[str, tuple[_Of, ...]]:
    """The values of each key, in the order given."""
    found: dict[str, list[_Of]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}
