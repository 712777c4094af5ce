"""``mem subject rename path:A path:B``: a path moved, and everything that names it follows in one plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.canonical import condition_digest
from memwarden.core.condition import FAILS
from memwarden.core.condition_parts import named
from memwarden.core.event import ADMITTED, PAID
from memwarden.core.fitness import PATH_EVIDENCE
from memwarden.core.note import DEBT, Note
from memwarden.core.paths import normal
from memwarden.core.registry import PATH
from memwarden.core.standing import seen_failing
from memwarden.edit.document import set_field, set_text
from memwarden.edit.event_writer import EventDraft, condition_facts, draft
from memwarden.edit.plan import Proposal, events_folder
from memwarden.edit.propose.bench import Bench, as_note
from memwarden.errors import Refused, UsageError
from memwarden.judge.judge import judge_closely

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings


def propose_path_rename(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """Subjects, anchors, evidence and conditions that name the old path, or something below it."""
    bench = Bench(memory, around)
    old, new = normal(intent["old"]), normal(intent["new"])
    changes: dict[str, bytes | None] = {}
    for note in memory.notes:
        data = bench.content(note.path) if any(_said_paths(note, old)) else None
        if data is not None:
            changes[note.path] = _renamed_note(data, note, old, new)
    for subject in memory.subjects:
        moved = _moved(subject.ref.removeprefix(PATH), old, new) if subject.ref.startswith(PATH) else ""
        if moved:
            changes[subject.path] = set_field(bench.content(subject.path), "ref", PATH + moved)
    if not changes:
        raise Refused(f"nothing names {old}", "mem check tells which anchors match nothing")
    renamed = [note for note in memory.notes if note.path in changes]
    events: list[EventDraft] = []
    reads: set[str] = set()
    for note in renamed:
        carried, judged = _carried_over(bench, note, note.path, changes[note.path] or b"")
        events += carried
        reads |= judged
        if carried:
            reads.add(events_folder(note.id))
    return Proposal(changes, tuple(events), frozenset(reads), tuple(note.id for note in renamed if note.id))


def names(memory: Memory, path: str) -> bool:
    """Whether a rename of ``path`` would have anything to rewrite."""
    old = normal(path)
    refs = (subject.ref.removeprefix(PATH) for subject in memory.subjects if subject.ref.startswith(PATH))
    return any(_moved(ref, old, "") is not None for ref in refs) or any(
        any(_said_paths(note, old)) for note in memory.notes
    )


def _renamed_note(data: bytes, note: Note, old: str, new: str) -> bytes:
    for key, text in _said_paths(note, old):
        moved = _renamed(text, old, new)
        try:
            data = set_text(data, key, moved)
        except UsageError:
            if key != "anchors[0]":
                raise
            data = set_text(data, "anchors", moved)  # a single anchor written as a plain string
    return data


def _carried_over(bench: Bench, note: Note, path: str, data: bytes) -> tuple[list[EventDraft], set[str]]:
    """What the events of a debt say of its condition, said again of the condition at the new path: that it
    was seen failing, and that it is paid where it holds there too."""
    new = as_note(path, data)
    if note.lifecycle != DEBT or note.condition is None or new.condition == note.condition or not note.id:
        return [], set()
    earlier = bench.events_of(note.id)
    said = condition_facts(new.condition)
    events: list[EventDraft] = []
    if seen_failing(earlier, condition_digest(note.condition)):
        verdict = {"state": FAILS, "why": "seen failing before its path moved", "items": []}
        evidence = [{one.key: one.value} for one in new.evidence]
        events.append(draft(note.id, ADMITTED, earlier, {**said, "evidence": evidence, "verdict": verdict}))
    paid = bench.standings[note.path].paid
    if paid is None or new.condition is None:
        return events, set()
    judged = judge_closely(new.condition, bench.memory.workspace, bench.around.judging)
    if judged.verdict.holds:
        facts = {**said, "how": paid.facts.get("how"), "evidence": {"items": list(judged.verdict.items)}}
        event = draft(note.id, PAID, earlier, facts, judged.reads)
        events.append(event._replace(seq=event.seq + len(events)))
    return events, set(judged.reads)


def _said_paths(note: Note, old: str) -> Iterator[tuple[str, str]]:
    """The key path and the text of every field that names the path."""
    for key, text in _texts(note):
        if _renamed(text, old, "") != text:
            yield key, text


def _texts(note: Note) -> Iterator[tuple[str, str]]:
    if note.subject.startswith(PATH):
        yield "subject", note.subject
    for at, anchor in enumerate(note.anchors):
        if anchor.kind == "path":
            yield f"anchors[{at}]", anchor.text
    for at, one in enumerate(note.evidence):
        if one.key in PATH_EVIDENCE:
            yield f"evidence[{at}].{one.key}", one.value
    for field, condition in (("condition", note.condition), ("verify", note.verify)):
        if condition is not None:
            yield from named(condition, field)


def _renamed(text: str, old: str, new: str) -> str:
    """A path, with or without ``path:``, a leading slash, a ``#fragment`` or ``::node``, moved."""
    prefix = PATH if text.startswith(PATH) else "/" if text.startswith("/") else ""
    rest = text[len(prefix) :]
    cut = min((at for at in (rest.find("#"), rest.find("::")) if at >= 0), default=len(rest))
    moved = _moved(rest[:cut], old, new)
    return text if moved is None else prefix + moved + rest[cut:]


def _moved(path: str, old: str, new: str) -> str | None:
    """Where ``path`` is after the move; None where it is not the moved path nor below it."""
    plain = normal(path)
    if plain == old:
        return new + ("/" if path.endswith("/") else "")
    return new + path[len(old) :] if plain.startswith(old + "/") and path.startswith(old + "/") else None
