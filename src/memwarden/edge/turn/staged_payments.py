"""What the commit being made pays, from staged content alone: the receipts go into the same commit.

A debt that the commit itself brings, and that was never seen failing, is not paid but born paid: the check
refuses it, and no receipt is written for it.
"""

from __future__ import annotations

import os

from memwarden.core.canonical import condition_digest
from memwarden.core.change import FileChange
from memwarden.core.condition import HOLDS
from memwarden.core.event import FOLDER, PAID
from memwarden.core.note import ACTIVE, DEBT, place_of
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import OWED, seen_failing
from memwarden.core.turn.ladder import may_pay
from memwarden.core.turn.pending import Pending
from memwarden.edge.git.changes import staged_changes
from memwarden.edge.git.git_workspace import IndexTree
from memwarden.edge.git.gitstate import head, is_shallow, merge_heads
from memwarden.edge.git.objects import Objects
from memwarden.edge.git.plumbing import own_index, run
from memwarden.edge.git.revisions import tags
from memwarden.edge.place import MEMORY
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.whole_memory import WholeMemory
from memwarden.edge.review.past import Past
from memwarden.edge.turn.receipts import Book
from memwarden.edge.writing.apply import apply_changes
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT, locked
from memwarden.edge.writing.recovery import recover
from memwarden.edit.event_writer import Stamp, condition_facts
from memwarden.edit.memory_reader import load
from memwarden.judge.judge import judge_closely
from memwarden.judge.reader import Surroundings, Texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.actor import Actor
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.edge.place import Place


# git's name for the index of a commit that takes only named paths.
PARTIAL = "next-index-"


class StagedPayments(NamedTuple):
    """The debts that the commit pays, and the event files that have to be in it.

    ``staged``: they are.  ``partial``: they cannot be added, because the commit takes only the paths that
    it was given (``git commit -- PATH``).
    """

    paid: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    staged: bool = False
    partial: bool = False


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
            paid, paths = _pay(place, load(index), index, now, actor, env)
    finally:
        index.close()
    # What is added to the index of a partial commit would be missing from the index that comes after it.
    partial = bool(paths) and os.path.basename(own_index(place, env)).startswith(PARTIAL)
    staged = bool(paths) and stage and not partial
    if staged:
        run(place, "add", "--", *paths, env=env, index=True)
    return StagedPayments(tuple(paid), tuple(paths), staged, partial)


def _pay(
    place: Place, staged: Memory, index: IndexTree, now: str, actor: Actor, env: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    around = Surroundings(now[:10], lambda: tags(place), is_shallow(place))
    texts, here = Texts(), head(place)
    book = Book(open_memory(place))
    paid: list[str] = []
    paths: list[str] = []
    for note, standing in WholeMemory(staged, now[:10]).all():
        condition = note.condition
        if note.lifecycle != DEBT or standing.name != OWED or condition is None:
            continue
        verdict = judge_closely(condition, index, around, texts).verdict
        digest = condition_digest(condition)
        if verdict.state != HOLDS or not may_pay(standing, Pending(), note, digest):
            continue
        if not _is_older(place, note, env) and not seen_failing(staged.events.get(note.id, ()), digest):
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


def _is_older(place: Place, note: Note, env: Mapping[str, str]) -> bool:
    """Whether some parent of the commit has the debt, with this condition."""
    here = head(place).commit
    bases = (here, *merge_heads(place)) if here else ()
    with Objects(place) as objects:
        past = Past([staged_changes(place, base, env) for base in bases], objects)
        return any(
            old.lifecycle == DEBT and old.condition == note.condition and place_of(old.path) == ACTIVE
            for old in past.versions(note)
        )


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
