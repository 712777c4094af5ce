"""What the check of any state is made of: who asks, what surrounds the memory, and the report of what was
found in it."""

from __future__ import annotations

from memwarden.core.condition import FAILS
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import DECLARED, standings
from memwarden.edge.git.git_workspace import CommitTree
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.git.plumbing import GitFailed, run
from memwarden.edge.git.revisions import tags
from memwarden.edge.place import Place
from memwarden.edge.review.verdicts import Verdicts
from memwarden.judge.reader import Surroundings
from memwarden.rules import Context
from memwarden.rules.debt_rules import payable
from memwarden.rules.report import Paid, Report, strictly

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memwarden.core.event import Event
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.edge.command.judging import Running
    from memwarden.edge.git.objects import Objects
    from memwarden.edge.review.past import Past
    from memwarden.errors import Finding
    from memwarden.rules.scene import Scene


class Asker(NamedTuple):
    """Who asks: where, on which date, from which environment; whose word lets commands run; ``running``
    is None where none is run.  ``strict``: warnings count as errors."""

    place: Place
    today: str
    env: Mapping[str, str]
    running: Running
    allow_commands: bool = False
    strict: bool = False


def now(asker: Asker) -> Surroundings:
    """What may be asked beside files at this moment."""
    place = asker.place
    return Surroundings(asker.today, lambda: tags(place), is_shallow(place), blobs=False)


def context_of(asker: Asker, memory: Memory, past: Past, verdicts: Verdicts) -> Context:
    """What surrounds a memory that is checked."""
    place = asker.place
    project = memory.manifest.project if memory.manifest else ""
    trust = asker.running.trust
    return Context(
        asker.today,
        standings(memory, asker.today),
        judge=verdicts.judge,
        has_commit=lambda name: _has_commit(place, name),
        past=past.versions,
        written=past.written(),
        changed_events=past.changed_events(memory.workspace),
        removed_events=past.removed_events(),
        endorsed=lambda note, test: trust.endorsed(project, note.id, test.run, place.root),
    )


def _has_commit(place: Place, name: str) -> bool:
    try:
        run(place, "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}")
    except GitFailed:
        return is_shallow(place)  # it may lie where this clone does not reach
    return True


def report_of(
    asker: Asker,
    scene: Scene,
    findings: Sequence[Finding],
    past: Past,
    bases: Sequence[str],
    objects: Objects,
) -> Report:
    """The report of what was found; the scene has at least every note that the change touched."""
    # A debt that was opened with its condition holding already is refused, not paid.
    opened_paid = {finding.path for finding in findings if finding.code == "M401"}
    paid = _paid(asker, scene, past, bases, objects)
    # Review was their admission when they came, so a commit that leaves them alone has nothing to look at.
    came = {note.path for note in scene.memory.notes if not past.versions(note)}
    report = Report(
        tuple(findings),
        tuple(bool(bases) and one.code == "M204" and one.path not in came for one in findings),
        paid=tuple(one for one in paid if one.path not in opened_paid),
    )
    return strictly(report) if asker.strict else report


def _paid(asker: Asker, scene: Scene, past: Past, bases: Sequence[str], objects: Objects) -> tuple[Paid, ...]:
    """The debts that this change pays: by the event that it adds, or by a condition that came true."""
    found: dict[str, Paid] = {}
    added = past.new_events()
    for note in scene.active:
        event = scene.standings[note.path].paid
        if event is not None and event.path in added and bases and not _is_undone(scene, note, event):
            found[note.path] = Paid(note.id, note.path, note.title)
    waiting = list(payable(scene)) if bases else []
    trees = [CommitTree(asker.place, base, objects) for base in bases] if waiting else []
    befores = [Verdicts(asker.place, scene.memory, Surroundings(blobs=False), None, tree) for tree in trees]
    for note, verdict in waiting:
        if note.condition is not None and not any(
            before.judge(note, note.condition).holds for before in befores
        ):
            found[note.path] = Paid(note.id, note.path, note.title, verdict.why)
    return tuple(found[path] for path in sorted(found))


def _is_undone(scene: Scene, note: Note, event: Event) -> bool:
    """Whether a payment that was seen, not declared, is contradicted by what is judged."""
    if event.facts.get("how") == DECLARED:
        return False
    verdict = scene.verdict(note)
    return verdict is not None and verdict.state == FAILS
