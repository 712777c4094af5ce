"""What an agent's plan decides that is a person's to decide, and what a person can do instead."""

from __future__ import annotations

from memwarden.core.actor import AGENT
from memwarden.core.authority import PAY, REWORD, decided_by, eased, may, reworded, swayed
from memwarden.core.event import PAID
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import standings
from memwarden.core.workspace import Unreadable
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from memwarden.core.actor import Actor
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.edit.plan import Plan


def require_authority(actor: Actor, today: str, memory: Memory, after: Memory, plan: Plan) -> None:
    """Raise :class:`Refused` where an agent would decide what is not its to decide: ``plan`` makes ``after``
    of ``memory``.  What a person does is never refused here."""
    if actor.kind != AGENT:
        return
    was = standings(memory, today)
    acts = [(decided_by(event.kind, event.facts), event.note) for event in plan.events]
    # After a reinstatement over a condition that held, a person's word stands against the condition.
    unsure = {note.id for note in memory.notes if was[note.path].awaits_red}
    acts += [(PAY, event.note) for event in plan.events if event.kind == PAID and event.note in unsure]
    acts += swayed(memory.notes, was, after.notes, standings(after, today))
    if not _follows_a_move(memory, plan):
        acts += eased(memory.notes, was, after.notes)
        acts += reworded(memory.notes, was, after.notes, memory.events, _same_words(memory, after))
    for act, note in acts:
        if not may(actor.kind, act, memory.settings):
            raise Refused(
                f"agents_may_admit is off: to {act} {note} is a person's decision, and {actor.name} is an"
                " agent; nothing was written",
                _way_for_a_person(act, plan.command, note),
            )


def _follows_a_move(memory: Memory, plan: Plan) -> bool:
    """Whether the plan only lets notes follow a file that has moved away: no word of theirs is another."""
    if plan.command != "path-rename":
        return False
    try:
        return memory.workspace.entry(str(plan.intent["old"])) is None
    except Unreadable:
        return False


def _same_words(memory: Memory, after: Memory) -> Callable[[Note, Note], bool]:
    """Whether a note says what it said; whoever fills in the form of `mem init` takes nobody's word away."""

    def same(old: Note, new: Note) -> bool:
        from memwarden.edit.note_reader import body_of  # only an agent's edit asks
        from memwarden.edit.starter import is_untouched_brief

        data = memory.workspace.read(old.path)
        said, says = (
            body_of(text).replace("\r\n", "\n").strip() for text in (data, after.workspace.read(new.path))
        )
        return said == says or is_untouched_brief(old, data)

    return same


def _way_for_a_person(act: str, command: str, note: str) -> str:
    verb = {"path-rename": "subject rename", "forget-hard": "forget"}.get(command, command.replace("-", " "))
    way = f"let a person run mem {verb}"
    if verb in ("pay", "reject", "reinstate", "revoke", "forget", "edit", "move"):
        way += f" {note}"
    if command == "forget-hard":
        way += " --hard"
    if command == "add":
        way = "add it with --candidate, and let a person admit it"
    if act == REWORD:
        way = f'say it beside the note: mem add "TEXT" --supersedes {note} --candidate; or {way}'
    return f"{way}, or let the manifest say agents_may_admit: true"
