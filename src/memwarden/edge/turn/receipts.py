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
    from memwarden.core.standing import Standing
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
    written = Written()
    with locked(place, "settle", now, timeout), LockedLines(pending_path(place)) as file:
        recover(place)
        found = file.read()
        lines = waiting_lines(place, found)
        memory = open_memory(place)
        known = {note.id: note for note in memory.notes if note.id}
        standing = standings(memory, now[:10])
        book = Book(memory)
        used: set[tuple[str, str]] = set()
        pending = waiting.fold([*lines, *(waiting.verdict_line(seen) for seen in fresh)])
        sure = {(seen.kind, seen.note, seen.digest) for seen in fresh}
        for seen in pending.verdicts:
            note = known.get(seen.note)
            if only is not None and seen.note not in only:
                continue
            used.add((seen.kind, seen.note))
            is_fresh = (seen.kind, seen.note, seen.digest) in sure
            if note is None or not _still(place, note, seen, standing[note.path], pending, now, is_fresh):
                continue
            if seen.kind == waiting.PAID:
                _write_misses(book, pending, note, used, written, now, actor, place)
                written.paid.append(note.id)
            else:
                written.failed.append(note.id)
            _write_verdict(book, note, seen)
        settings = memory.manifest.settings if memory.manifest else None
        ask_after = settings.ask_after if settings else 3
        for note_id, count in pending.misses.items():
            note = known.get(note_id)
            if note is None or (only is not None and note_id not in only):
                continue
            recorded = standing[note.path].misses
            ended = standing[note.path].name != OWED
            if every_miss or ended or recorded < ask_after <= recorded + count:
                _write_misses(book, pending, note, used, written, now, actor, place)
        for note_id in doubtful:
            note = known.get(note_id)
            if note is None or standing[note.path].name != SETTLED:
                continue
            if _write_regression(book, place, note, now, actor):
                written.reinstated.append(note_id)
        if book.files:
            # Whoever is stopped between the events and the end of what waits has counted nothing twice.
            file.append((waiting.RECORDED, note_id, path) for note_id, path in book.misses.items())
            apply_changes(
                place, [FileChange(path, None, data) for path, data in book.files.items()], command="settle"
            )
        if used or lines != found:
            file.replace(line for line in lines if (line[0], line[1]) not in used)
    written.paths = sorted(book.files)
    return written


def _still(
    place: Place, note: Note, seen: Seen, standing: Standing, pending: Pending, now: str, is_fresh: bool
) -> bool:
    """Whether a verdict that waited is still to be recorded: what a command once said never waits."""
    if note.condition is None or condition_digest(note.condition) != seen.digest or standing.name != OWED:
        return False
    if is_fresh and has_command(note.condition):
        return True  # the command has run just now
    if seen.kind == waiting.FAILED:
        return standing.awaits_red
    verdict = judge_now(place, note, now[:10])
    return verdict.state == HOLDS and may_pay(standing, pending, note, seen.digest)


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


def _write_misses(
    book: Book,
    pending: Pending,
    note: Note,
    used: set[tuple[str, str]],
    written: Written,
    now: str,
    actor: Actor,
    place: Place,
) -> None:
    count = pending.misses.get(note.id, 0)
    if not count or (waiting.MISSED, note.id) in used:
        return
    used.add((waiting.MISSED, note.id))
    written.missed.append(note.id)
    here = head(place)
    who = pending.missers.get(note.id)
    stamp = Stamp(now, _actor(who) if who else actor, here.commit, here.branch)
    book.add(stamp, note.id, MISSED, {"count": count, "paths": sorted(pending.paths.get(note.id, ()))})


def _write_regression(book: Book, place: Place, note: Note, now: str, actor: Actor) -> bool:
    """Take a payment back where its condition fails on HEAD's own blobs, not only in somebody's edits;
    whether that was so."""
    verdict = judge_at_head(place, note)
    if verdict is None or verdict.state != FAILS or note.condition is None:
        return False
    here = head(place)
    facts = condition_facts(note.condition) | {
        "reason": f"the condition no longer holds: {verdict.why}",
        "why": "regression",
        "verdict": verdict_facts(verdict),
    }
    book.add(Stamp(now, actor, here.commit, here.branch), note.id, REINSTATED, facts)
    return True


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
