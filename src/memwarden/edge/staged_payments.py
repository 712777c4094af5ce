"""What the commit being made pays, from staged content alone: the receipts go into the same commit."""

from __future__ import annotations

import os

from memwarden.core.canonical import condition_digest
from memwarden.core.change import FileChange
from memwarden.core.condition import HOLDS
from memwarden.core.event import FOLDER, PAID
from memwarden.core.ladder import has_command, may_pay
from memwarden.core.note import DEBT
from memwarden.core.pending import Pending
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import OWED
from memwarden.edge.apply import apply_changes
from memwarden.edge.git_workspace import IndexTree
from memwarden.edge.gitstate import head, is_shallow
from memwarden.edge.lock import DEFAULT_TIMEOUT, locked
from memwarden.edge.note_source import WholeMemory
from memwarden.edge.opening import open_memory
from memwarden.edge.place import MEMORY
from memwarden.edge.plumbing import run
from memwarden.edge.receipts import Book
from memwarden.edge.recovery import recover
from memwarden.edge.revisions import tags
from memwarden.edit.event_writer import Stamp, condition_facts
from memwarden.edit.memory_reader import load
from memwarden.judge.judge import judge_closely
from memwarden.judge.reader import Surroundings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.actor import Actor
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.edge.place import Place


class StagedPayments(NamedTuple):
    """The debts that the commit pays, and the event files that have to be in it."""

    paid: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    staged: bool = False


def settle_staged(
    place: Place,
    now: str,
    actor: Actor,
    env: Mapping[str, str],
    stage: bool = False,
    timeout: float = DEFAULT_TIMEOUT,
) -> StagedPayments:
    """Write a ``paid`` event for each debt that the staged content pays; ``stage`` adds them to it."""
    index = IndexTree(place, env)
    try:
        if index.entry(MEMORY) is None:
            return StagedPayments()
        with locked(place, "settle --staged", now, timeout):
            recover(place)
            paid, paths = _pay(place, load(index), index, now, actor)
    finally:
        index.close()
    if paths and stage:
        run(place, "add", "--", *paths, env=env, index=True)
    return StagedPayments(tuple(paid), tuple(paths), bool(paths) and stage)


def _pay(
    place: Place, staged: Memory, index: IndexTree, now: str, actor: Actor
) -> tuple[list[str], list[str]]:
    around = Surroundings(now[:10], lambda: tags(place), is_shallow(place))
    here = head(place)
    book = Book(open_memory(place))
    paid: list[str] = []
    paths: list[str] = []
    for note, standing in WholeMemory(staged, now[:10]).all():
        condition = note.condition
        if note.lifecycle != DEBT or standing.name != OWED or condition is None or has_command(condition):
            continue
        verdict = judge_closely(condition, index, around).verdict
        if verdict.state != HOLDS or not may_pay(standing, Pending(), note, condition_digest(condition)):
            continue
        paid.append(note.id)
        waiting = _written_already(place, book, note, index)
        if waiting:
            paths += waiting
            continue
        evidence = {"items": list(verdict.items), "why": verdict.why}
        facts = condition_facts(condition) | {"how": "settle", "evidence": evidence}
        stamp = Stamp(now, actor, here.commit, here.branch, frozenset("*"))
        book.add(stamp, note.id, PAID, facts, ("*",))
    changes = [FileChange(path, None, data) for path, data in book.files.items()]
    apply_changes(place, changes, command="settle --staged")
    return paid, sorted((*paths, *book.files))


def _written_already(place: Place, book: Book, note: Note, index: IndexTree) -> list[str]:
    """The event files of a note that lie in the working tree and are not staged, if they pay it."""
    digest = condition_digest(note.condition)
    unstaged = [
        event
        for event in book.earlier(note.id)
        if event.path
        and index.entry(event.path) is None
        and os.path.exists(os.path.join(place.root, event.path))
    ]
    if not any(e.kind == PAID and e.facts.get("condition_digest") == digest for e in unstaged):
        return []
    return [event.path for event in unstaged if event.path.startswith(FOLDER)]
