"""Receipts: the evidence that a verdict is recorded with, and the events made of what waited.

This is the slow half of a touch, reached only when something is to be recorded.
"""

from __future__ import annotations

import json

from memwarden.core.canonical import condition_digest
from memwarden.core.change import FileChange
from memwarden.core.condition import FAILS, HOLDS, has_command
from memwarden.core.event import FAILED, MISSED, PAID, REINSTATED, Event
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import OWED, SETTLED, standings
from memwarden.core.turn import pending as waiting
from memwarden.core.turn.ladder import may_pay
from memwarden.edge.command.judging import judge_closely_now, judge_now
from memwarden.edge.git.gitstate import head
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.turn.appending import LockedLines
from memwarden.edge.turn.waiting import pending_path, waiting_lines
from memwarden.edge.writing.apply import apply_changes
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT, locked
from memwarden.edge.writing.recording import dirty_paths, is_dirty
from memwarden.edge.writing.recovery import recover
from memwarden.edit.event_writer import (
    EventDraft,
    Stamp,
    condition_facts,
    draft,
    event_file,
    verdict_facts,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memwarden.core.actor import Actor
    from memwarden.core.condition import Verdict
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.turn.pending import Pending, Seen
    from memwarden.edge.place import Place
    from memwarden.judge.judge import Judged


def seen_verdict(
    place: Place, kind: str, note: Note, how: str, now: str, actor: Actor, judged: Judged | None = None
) -> Seen:
    """The verdict on a note's condition as it is to be recorded; it is judged again, closely, unless it
    was already."""
    assert note.condition is not None
    judged = judged or judge_closely_now(place, note, now[:10])
    here = head(place)
    if has_command(note.condition):  # nobody can tell what it read
        dirty = is_dirty(place)
    else:
        dirty = bool(judged.reads) and bool(dirty_paths(place, sorted(judged.reads)))
    return waiting.Seen(
        kind,
        note.id,
        condition_digest(note.condition),
        now,
        (actor.kind, actor.name),
        here.commit,
        here.branch,
        dirty,
        how,
        json.dumps(verdict_facts(judged.verdict), ensure_ascii=False),
    )


class Written:
    """What a flush wrote: the paths of the event files, and the notes that they pay."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.paid: list[str] = []
        self.missed: list[str] = []
        self.failed: list[str] = []
        self.reinstated: list[str] = []


class Book:
    """The events of one flush, note by note, numbered one after the other; ``misses`` says which hold the
    misses of which note."""

    def __init__(self, memory: Memory) -> None:
        self._earlier = {note: list(events) for note, events in memory.events.items()}
        self.files: dict[str, bytes] = {}
        self.misses: dict[str, str] = {}

    def earlier(self, note: str) -> list[Event]:
        """The events that a note has."""
        return self._earlier.get(note, [])

    def add(
        self, stamp: Stamp, note: str, kind: str, facts: dict[str, object], reads: Iterable[str] = ()
    ) -> EventDraft:
        """Make one more event of a note."""
        earlier = self._earlier.setdefault(note, [])
        drafted = draft(note, kind, earlier, facts, reads)
        earlier.append(Event(note, drafted.seq, kind, stamp.at))
        path, data = event_file(drafted, stamp)
        self.files[path] = data
        if kind == MISSED:
            self.misses[note] = path
        return drafted


def flush(
    place: Place,
    now: str,
    actor: Actor,
    *,
    only: Collection[str] | None = None,
    every_miss: bool = False,
    doubtful: Collection[str] = (),
    fresh: Sequence[Seen] = (),
    timeout: float = DEFAULT_TIMEOUT,
) -> Written:
    """Write what waits, and the ``fresh`` verdicts of this moment, as event files.

    Payments whose condition no longer holds are dropped: nothing was recorded, and the debt is owed.
    Misses are written where their note is paid, where they bring it to ``ask_after``, or all of them
    with ``every_miss``.  ``only`` limits it to some notes.  ``doubtful`` are the IDs of notes whose
    recorded payment is taken back if their condition fails on HEAD's own blobs.
    """
    with locked(place, "settle", now, timeout), LockedLines(pending_path(place)) as file:
        recover(place)
        found = file.read()
        lines = waiting_lines(place, found)
        pending = waiting.fold([*lines, *(waiting.verdict_line(seen) for seen in fresh)])
        work = _Recording(place, now, actor, open_memory(place), pending)
        work.record_verdicts(only, {(seen.kind, seen.note, seen.digest) for seen in fresh})
        work.record_misses(only, every_miss)
        work.take_back(doubtful)
        files, used = work.book.files, work.used
        if files:
            # Whoever is stopped between the events and the end of what waits has counted nothing twice.
            file.append((waiting.RECORDED, note_id, path) for note_id, path in work.book.misses.items())
            changes = [FileChange(path, None, data) for path, data in files.items()]
            apply_changes(place, changes, command="settle")
        if used or lines != found:
            file.replace(line for line in lines if (line[0], line[1]) not in used)
    work.written.paths = sorted(files)
    return work.written


class _Recording:
    """One flush under way: what waits, the memory that it is about, and the events made of it so far.
    ``used`` are the kinds and notes of what waits no longer."""

    def __init__(self, place: Place, now: str, actor: Actor, memory: Memory, pending: Pending) -> None:
        self._place = place
        self._now = now
        self._actor = actor
        self._pending = pending
        self._notes = {note.id: note for note in memory.notes if note.id}
        self._standings = standings(memory, now[:10])
        self._ask_after = memory.settings.ask_after
        self.book = Book(memory)
        self.used: set[tuple[str, str]] = set()
        self.written = Written()

    def record_verdicts(self, only: Collection[str] | None, fresh: set[tuple[str, str, str]]) -> None:
        """The verdicts that still stand, and with a payment the misses before it; ``fresh`` are kind,
        note and digest of those of this moment."""
        for seen in self._pending.verdicts:
            if only is not None and seen.note not in only:
                continue
            self.used.add((seen.kind, seen.note))
            note = self._notes.get(seen.note)
            if note is None or not self._still(note, seen, (seen.kind, seen.note, seen.digest) in fresh):
                continue
            if seen.kind == waiting.PAID:
                self._write_misses(note)
                self.written.paid.append(note.id)
            else:
                self.written.failed.append(note.id)
            _write_verdict(self.book, note, seen)

    def record_misses(self, only: Collection[str] | None, every_one: bool) -> None:
        """The misses of notes that are owed no longer, or that they bring to ``ask_after``."""
        for note_id, count in self._pending.misses.items():
            note = self._notes.get(note_id)
            if note is None or (only is not None and note_id not in only):
                continue
            standing = self._standings[note.path]
            ended = standing.name != OWED
            if every_one or ended or standing.misses < self._ask_after <= standing.misses + count:
                self._write_misses(note)

    def take_back(self, doubtful: Collection[str]) -> None:
        """The payments of notes whose condition fails on HEAD's own blobs, not only in somebody's edits."""
        for note_id in doubtful:
            note = self._notes.get(note_id)
            if note is not None and self._standings[note.path].name == SETTLED and self._has_regressed(note):
                self.written.reinstated.append(note_id)

    def _still(self, note: Note, seen: Seen, is_fresh: bool) -> bool:
        """Whether a verdict that waited is still to be recorded: what a command once said never waits."""
        standing = self._standings[note.path]
        if note.condition is None or condition_digest(note.condition) != seen.digest or standing.name != OWED:
            return False
        if is_fresh and has_command(note.condition):
            return True  # the command has run just now
        if seen.kind == waiting.FAILED:
            return standing.awaits_red
        verdict = judge_now(self._place, note, self._now[:10])
        return verdict.state == HOLDS and may_pay(standing, self._pending, note, seen.digest)

    def _write_misses(self, note: Note) -> None:
        pending = self._pending
        count = pending.misses.get(note.id, 0)
        if not count or (waiting.MISSED, note.id) in self.used:
            return
        self.used.add((waiting.MISSED, note.id))
        self.written.missed.append(note.id)
        who = pending.missers.get(note.id)
        facts = {"count": count, "paths": sorted(pending.paths.get(note.id, ()))}
        self.book.add(self._stamp(_actor(who) if who else self._actor), note.id, MISSED, facts)

    def _has_regressed(self, note: Note) -> bool:
        verdict = judge_at_head(self._place, note)
        if verdict is None or verdict.state != FAILS or note.condition is None:
            return False
        facts = condition_facts(note.condition) | {
            "reason": f"the condition no longer holds: {verdict.why}",
            "why": "regression",
            "verdict": verdict_facts(verdict),
        }
        self.book.add(self._stamp(self._actor), note.id, REINSTATED, facts)
        return True

    def _stamp(self, actor: Actor) -> Stamp:
        here = head(self._place)
        return Stamp(self._now, actor, here.commit, here.branch)


def _write_verdict(book: Book, note: Note, seen: Seen) -> None:
    evidence = json.loads(seen.evidence)
    facts = condition_facts(note.condition)
    if seen.kind == waiting.PAID:
        facts |= {
            "how": seen.how,
            "evidence": {"items": evidence.get("items", []), "why": evidence.get("why", "")},
        }
    else:
        facts |= {"verdict": evidence}
    reads = ["*"] if seen.dirty else []
    stamp = Stamp(seen.at, _actor(seen.actor), seen.commit, seen.branch, frozenset(reads))
    book.add(stamp, note.id, PAID if seen.kind == waiting.PAID else FAILED, facts, reads)


def judge_at_head(place: Place, note: Note) -> Verdict | None:
    """The verdict on the files of HEAD's commit; None before the first commit."""
    from memwarden.edge.git.git_workspace import CommitTree
    from memwarden.judge.judge import judge

    commit = head(place).commit
    if not commit or note.condition is None:
        return None
    tree = CommitTree(place, commit)
    try:
        return judge(note.condition, tree)
    finally:
        tree.close()


def _actor(who: tuple[str, str]) -> Actor:
    from memwarden.core.actor import Actor

    return Actor(*who)
