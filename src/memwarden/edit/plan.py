"""A mutation before it happens: what it would change, what it looked at, and one name for exactly that.

The memory is a value.  A proposal is a pure function of it and of an intent; a plan is the difference
that the proposal makes, and its ID is the digest of intent, difference and everything that was read.
Rebuilt over the same content, in whatever folder, it has the same ID; over any other it has not.
"""

from __future__ import annotations

from memwarden.core.actor import Actor
from memwarden.core.canonical import canonical, hex_digest
from memwarden.core.change import ABSENT, FileChange, digest_of
from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import FILE, Unreadable, Workspace
from memwarden.edit.event_writer import EventDraft
from memwarden.errors import Refused
from memwarden.judge.reader import Surroundings as Clockwork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from memwarden.core.memory import Memory

ID_LENGTH = 12


class Surroundings(NamedTuple):
    """What a proposal may know beside the memory: the date, who acts, what judging needs, and the full
    ID of a commit ("" where it is none of this repository's)."""

    today: str
    actor: Actor
    judging: Clockwork = Clockwork()
    commit_of: Callable[[str], str] | None = None


class Proposal(NamedTuple):
    """What a mutation wants: new contents by path (None removes), events to append, the files that the
    decision read (a folder's listing ends in ``/``), the notes it is about, and remarks for the
    preview.  ``discreet``: file names and contents must not be written down anywhere else."""

    changes: Mapping[str, bytes | None] = {}
    events: tuple[EventDraft, ...] = ()
    reads: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    discreet: bool = False


class Digests(NamedTuple):
    """A touched file by its digests; ``through`` is where a link leads it, "" where it is no link."""

    path: str
    before: str
    after: str
    through: str = ""


class Plan(NamedTuple):
    """One state transition.  ``changes`` are the files apart from new events; ``touched`` and ``read``
    are what its ID covers, sorted by path."""

    id: str
    command: str
    intent: Mapping[str, Any]
    changes: tuple[FileChange, ...]
    events: tuple[EventDraft, ...]
    touched: tuple[Digests, ...]
    read: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    discreet: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it would leave everything as it is."""
        return not self.changes and not self.events


def make_plan(
    memory: Memory, intent: Mapping[str, Any], proposal: Proposal, through: Callable[[str], str]
) -> Plan:
    """The plan that a proposal amounts to over the memory it was made from.

    ``through`` gives the real path of a path.  Raises :class:`Refused` where a touched file cannot be
    read.
    """
    changes = []
    for path, after in sorted(proposal.changes.items()):
        before = _content(memory.workspace, path)
        if before != after:
            changes.append(FileChange(path, before, after))
    touched = tuple(_digests(change, through(change.path)) for change in changes)
    looked_at = {MANIFEST, *proposal.reads} - {change.path for change in changes}
    read = tuple((path, _read_digest(memory.workspace, path)) for path in sorted(looked_at))
    plan_id = _name(intent, touched, proposal.events, read)
    return Plan(
        plan_id,
        str(intent["command"]),
        intent,
        tuple(changes),
        proposal.events,
        touched,
        read,
        proposal.notes,
        proposal.remarks,
        proposal.discreet,
    )


def events_folder(note: str) -> str:
    """The listing of a note's events, as a path that a decision reads."""
    return f"{EVENTS}{note}/"


def what_changed(saved: Iterable[tuple[str, str]], now: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The paths whose digests differ between a saved plan and the rebuilt one."""
    before, after = dict(saved), dict(now)
    return tuple(sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path)))


def starting_digests(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Every file that a plan starts from, touched or read, with its digest."""
    return (*((one.path, f"{one.before} {one.through}".strip()) for one in plan.touched), *plan.read)


def _name(
    intent: Mapping[str, Any],
    touched: tuple[Digests, ...],
    events: tuple[EventDraft, ...],
    read: tuple[tuple[str, str], ...],
) -> str:
    covered = {
        "intent": dict(intent),
        "touched": [list(one) for one in touched],
        "events": [event.as_mapping() for event in events],
        "read": [list(one) for one in read],
    }
    return hex_digest(canonical(_as_unicode(covered)))[:ID_LENGTH]


def _as_unicode(value: Any) -> Any:
    """The same value with odd bytes of file names, which JSON cannot hold, written as escapes."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_as_unicode(key): _as_unicode(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_unicode(inner) for inner in value]
    return value


def _digests(change: FileChange, landing: str) -> Digests:
    through = "" if landing == change.path else landing
    return Digests(change.path, digest_of(change.before), digest_of(change.after), through)


def _content(workspace: Workspace, path: str) -> bytes | None:
    try:
        if workspace.entry(path) is None:
            return None
        return workspace.read(path)
    except Unreadable as error:
        raise Refused(f"{path} cannot be read: {error}", "make it a plain, readable file first") from None


def _read_digest(workspace: Workspace, path: str) -> str:
    try:
        if path.endswith("/"):
            names = list(workspace.paths(path[:-1]))
            return digest_of("\0".join(names).encode("utf-8", "surrogateescape")) if names else ABSENT
        entry = workspace.entry(path)
        if entry is None:
            return ABSENT
        return digest_of(workspace.read(path)) if entry.kind == FILE else entry.kind
    except Unreadable:
        return "unreadable"
