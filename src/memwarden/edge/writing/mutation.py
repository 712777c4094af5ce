"""From an intent to written files: propose, weigh against the law, name, and, when asked, apply.

Preview and apply are one function over the memory; apply only adds the lock around it, recovers what a
dead process left, and writes if the plan it built is the one that was confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from memwarden.core.actor import Actor
from memwarden.core.change import FileChange
from memwarden.core.condition import Verdict
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.memory import Memory
from memwarden.core.neighbours import SUBJECTS
from memwarden.core.note import Note
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.secrets import find_secrets
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.git.plumbing import run
from memwarden.edge.git.unmerged import Unmerged
from memwarden.edge.index_read import Damaged
from memwarden.edge.place import Place
from memwarden.edge.reading.near_memory import near_memory
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.patching import memory_to_change
from memwarden.edge.writing.apply import apply_changes, was_applied
from memwarden.edge.writing.disk import Disk, real_path
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT, locked
from memwarden.edge.writing.plans import load_plan, save_plan, told
from memwarden.edge.writing.recording import stamp_for
from memwarden.edge.writing.recovery import recover
from memwarden.edit.event_writer import event_file
from memwarden.edit.permission import require_authority
from memwarden.edit.plan import Plan, Surroundings, make_plan, starting_digests, what_changed
from memwarden.edit.propose import proposal_for
from memwarden.edit.snapshot import changed_memory
from memwarden.errors import Finding, MemError, Refused, StalePlan
from memwarden.judge.reader import Surroundings as Clockwork
from memwarden.rules.law import judge_change
from memwarden.rules.scene import Context

if TYPE_CHECKING:
    from typing import Any

    from memwarden.core.condition import Condition

    MakeIntent = Callable[[Memory], Mapping[str, Any]]


class Desk(NamedTuple):
    """Where, when and by whom a change is made."""

    place: Place
    now: str
    today: str
    actor: Actor
    disk: Disk | None = None


class Built(NamedTuple):
    """A plan that the law allows, with what it adds that is worth a look, and the files it writes with
    its events as they would be written at this moment; ``unkept`` is why ``mem apply`` will not know it."""

    plan: Plan
    findings: tuple[Finding, ...]
    files: tuple[FileChange, ...]
    unkept: str = ""


class Applied(NamedTuple):
    """How an apply ended; ``again``: the plan had been applied before, and nothing was written."""

    built: Built | None
    again: bool = False


class Stale(StalePlan):
    """The confirmed plan is not the one that the memory gives now; ``built`` is the new one."""

    def __init__(self, message: str, next_step: str, built: Built) -> None:
        super().__init__(message, next_step)
        self.built = built


def preview(desk: Desk, make_intent: MakeIntent, *, keep: bool = True, nearby: bool = False) -> Built:
    """The plan for an intent; ``keep`` saves it for ``mem apply``.  Nothing else is written.

    ``nearby``: making the intent asks nothing of the memory but a free ID.
    """
    _, built = _built(desk, make_intent, nearby, open_memory)
    if keep and not built.plan.is_empty:
        return built._replace(unkept=save_plan(desk.place, built.plan))
    return built


def commit(
    desk: Desk,
    command: str,
    make_intent: MakeIntent,
    timeout: float = DEFAULT_TIMEOUT,
    allow: Callable[[Memory, Plan], None] = lambda memory, plan: None,
    nearby: bool = False,
) -> Built:
    """Preview and apply under one lock; ``allow`` raises where this plan may not be applied unseen.

    ``nearby`` is as for :func:`preview`."""
    with locked(desk.place, command, desk.now, timeout):
        recover(desk.place, desk.disk)
        memory, built = _built(desk, make_intent, nearby, memory_to_change)
        allow(memory, built.plan)
        _write(desk, built)
    return built


def commit_saved(desk: Desk, plan_id: str, timeout: float = DEFAULT_TIMEOUT) -> Applied:
    """Apply a previewed plan if it is still exactly the one that the memory gives.

    Raises :class:`UsageError` for an unknown plan and :class:`Stale` with the new plan, naming what
    changed; then nothing has been written.
    """
    with locked(desk.place, f"apply {plan_id}", desk.now, timeout):
        recover(desk.place, desk.disk)
        try:
            saved = load_plan(desk.place, plan_id)
            _, built = _built(desk, lambda memory: saved.intent, _names_none(saved.intent), memory_to_change)
        except MemError:
            if was_applied(desk.place, plan_id):
                return Applied(None, again=True)
            raise
        if built.plan.id == plan_id:
            _write(desk, built)
            return Applied(built)
        if was_applied(desk.place, plan_id):
            return Applied(None, again=True)
        if not built.plan.is_empty:
            save_plan(desk.place, built.plan)
    now = told(starting_digests(built.plan), saved.discreet)
    paths = what_changed(saved.started, now)
    what = ", ".join(paths) if paths and not saved.discreet else "what it was decided from"
    raise Stale(
        f"plan {plan_id} is stale, and nothing was written; changed since the preview: {what}",
        "nothing is left to do"
        if built.plan.is_empty
        else f"look at the new plan, then run mem apply {built.plan.id}",
        built,
    )


def _names_none(intent: Mapping[str, Any]) -> bool:
    """Whether a saved intent is about no note that is there already."""
    return intent["command"] == "add" and not (intent["supersedes"] or intent["exception_to"])


def _built(
    desk: Desk, make_intent: MakeIntent, nearby: bool, whole: Callable[[Place], Memory]
) -> tuple[Memory, Built]:
    """The memory that was decided from, and the plan."""
    found = _built_nearby(desk, make_intent) if nearby else None
    if found is not None:
        return found
    memory = whole(desk.place)
    return memory, build(desk, memory, make_intent(memory))


def _built_nearby(desk: Desk, make_intent: MakeIntent) -> tuple[Memory, Built] | None:
    """The plan for a new note from what is near to it alone; None where that does not tell.

    A plan is built over what is near, until nothing more is near to what it writes: the law, and whoever
    asks for the owner of a key, then sees every note that the whole memory would show them.  What is
    refused is refused by the whole memory, which knows what else to name.
    """
    near = near_memory(desk.place)
    if near is None:
        return None
    from memwarden.edit.propose.adding import claimed  # as late as the command's own proposal

    try:
        intent = make_intent(near.memory())
        if near.is_taken(str(intent["id"])):
            return None
        near.take_in(claimed(near.memory(), intent, surroundings_of(desk)))
        while True:
            memory = near.memory()
            built, after = _build(desk, memory, intent)
            paths = {change.path for change in built.files}
            if any(path.startswith(SUBJECTS) for path in paths):
                return None
            if near.take_in(note for note in after.notes if note.path in paths):
                continue
            if not near.catch_up():
                return memory, built
            if near.is_taken(str(intent["id"])):
                return None
    except (MemError, Damaged):
        return None
    finally:
        near.close()


def build(desk: Desk, memory: Memory, intent: Mapping[str, Any]) -> Built:
    """The plan that an intent amounts to over this memory, if the law allows it."""
    return _build(desk, memory, intent)[0]


def _build(desk: Desk, memory: Memory, intent: Mapping[str, Any]) -> tuple[Built, Memory]:
    """The plan, and the memory as it would leave it."""
    _require_manifest(memory)
    _refuse_secrets(intent)
    surroundings = surroundings_of(desk)
    proposal = proposal_for(intent)(memory, intent, surroundings)
    plan = make_plan(memory, intent, proposal, lambda path: real_path(desk.place.root, path))
    stamp = stamp_for(desk.place, desk.now, desk.actor, plan.events)
    events = tuple(FileChange(path, None, data) for path, data in (event_file(e, stamp) for e in plan.events))
    files = (*plan.changes, *events)
    after = changed_memory(memory, {change.path: change.after for change in files})
    require_authority(desk.actor, desk.today, memory, after, plan)

    def verdict(note: Note, condition: Condition) -> Verdict:
        from memwarden.judge.judge import judge  # most changes judge nothing

        return judge(condition, after.workspace, surroundings.judging)

    known = surroundings.commit_of
    context = Context(
        desk.today, judge=verdict, has_commit=(lambda text: bool(known(text))) if known is not None else None
    )
    judgement = judge_change(memory, after, context, [change.path for change in files])
    if judgement.errors:
        codes = ", ".join(dict.fromkeys(finding.code for finding in judgement.errors))
        fixes = [finding.fix for finding in judgement.errors if finding.fix]
        raise Refused(
            f"{intent['command']}: refused by {codes}; nothing was written",
            fixes[0] if fixes else f"mem explain {judgement.errors[0].code}",
            judgement.errors,
        )
    return Built(plan, judgement.others, files), after


def surroundings_of(desk: Desk) -> Surroundings:
    """What a proposal may ask about the world."""
    place = desk.place

    def commit_of(text: str) -> str:
        try:
            found = run(place, "rev-parse", "--verify", "-q", "--end-of-options", text + "^{commit}")
        except MemError:
            return ""
        return found.decode().strip()

    def tags() -> tuple[str, ...]:
        from memwarden.edge.git.revisions import tags  # only a condition on a tag asks

        return tags(place)

    judging = Clockwork(desk.today, tags, is_shallow(place), unmerged=Unmerged(place))
    return Surroundings(desk.today, desk.actor, judging, commit_of)


def _write(desk: Desk, built: Built) -> None:
    plan = built.plan
    apply_changes(desk.place, built.files, plan.id, plan.command, disk=desk.disk, discreet=plan.discreet)


def has_authority(plan: Plan) -> bool:
    """Whether the plan does more than ``add`` one more candidate; what others bring is looked at first, were
    it one note."""
    alone = plan.command == "add" and len(plan.changes) == 1 and not plan.events
    return not (alone and plan.changes[0].before is None and plan.changes[0].path.startswith("memory/inbox/"))


def _require_manifest(memory: Memory) -> None:
    """A manifest that cannot be read forbids every change but its own repair, which is made by hand."""
    if memory.manifest is None:
        about = tuple(finding for finding in memory.findings if finding.path == MANIFEST)
        raise Refused(
            "memory/manifest.md is missing or cannot be read, so nothing is changed",
            "mend it, or run mem init where there is none",
            about,
        )


def _refuse_secrets(said: object) -> None:
    """Nothing that looks like a secret gets as far as a saved plan."""
    for text in _texts(said):
        for secret in find_secrets(text):
            raise Refused(
                f"M701: this looks like a secret ({secret.kind}), so nothing was written",
                "leave it out, and revoke it where it was issued if it is real",
            )


def _texts(said: object) -> Iterator[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, Mapping):
        for key, value in said.items():
            yield str(key)
            yield from _texts(value)
    elif isinstance(said, list | tuple):
        for value in said:
            yield from _texts(value)
