"""Checking one state of the repository: the working tree, the index, a commit or a range of commits.

Each state is a workspace, the commits before it, and what may be asked of it; the rules are the same.
"""

from __future__ import annotations

from contextlib import ExitStack

from memwarden.core.condition import FAILS
from memwarden.core.memory import Memory
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import DECLARED, standings
from memwarden.edge.git.changes import commit_changes, memory_changes, parents_of, staged_changes
from memwarden.edge.git.fates import fates
from memwarden.edge.git.git_workspace import CommitTree, IndexTree
from memwarden.edge.git.gitstate import head, is_shallow, merge_heads
from memwarden.edge.git.history import boundary
from memwarden.edge.git.objects import Objects
from memwarden.edge.git.plumbing import GitFailed, run
from memwarden.edge.git.revisions import Range, merge_base, resolve, resolve_range, tags
from memwarden.edge.git.unmerged import Unmerged
from memwarden.edge.place import MEMORY, Place
from memwarden.edge.reading.blob_readings import BlobReadings
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.review.introduced import Introduced
from memwarden.edge.review.past import Past
from memwarden.edge.review.traces import lost_payments
from memwarden.edge.review.verdicts import Verdicts
from memwarden.errors import ERROR, UsageError
from memwarden.judge.reader import Surroundings
from memwarden.rules import Context, already_there, check
from memwarden.rules.debt_rules import payable
from memwarden.rules.report import Paid, Report, strictly
from memwarden.rules.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memwarden.core.event import Event
    from memwarden.core.note import Note
    from memwarden.edge.command.judging import Running


class Asker(NamedTuple):
    """Who asks: where, on which date, from which environment; whose word lets commands run; ``running``
    is None where none is run.  ``strict``: warnings count as errors."""

    place: Place
    today: str
    env: Mapping[str, str]
    running: Running
    allow_commands: bool = False
    strict: bool = False


def check_tree(asker: Asker) -> Report:
    """The working tree, against HEAD (and what a merge in progress brings in)."""
    place = asker.place
    memory = open_memory(place)
    bases = _heads(place)
    with ExitStack() as stack:
        objects = stack.enter_context(Objects(place))
        # Every file, read or not: an event that became malformed is changed, not removed.
        there = list(memory.workspace.paths(MEMORY))
        past = Past([memory_changes(place, base, there) for base in bases], objects)
        around = _now(asker)._replace(unmerged=Unmerged(place))
        verdicts = Verdicts(place, memory, around, asker.running if asker.allow_commands else None)
        context = _context(asker, memory, past, verdicts)._replace(
            written=(),
            fate=fates(place, bases[0] if bases else "", staged=True),
            lost=lambda events: lost_payments(place, events),
        )
        return _report(asker, memory, context, past, bases, objects)


def check_staged(asker: Asker) -> Report:
    """The index, against HEAD (and what a merge in progress brings in): what the commit being made holds.

    A constant number of git processes: one lists the index, one a parent tells what it changes, one reads
    contents.
    """
    place = asker.place
    bases = _heads(place)
    with ExitStack() as stack:
        objects = stack.enter_context(Objects(place))
        index = IndexTree(place, asker.env)
        stack.callback(index.close)
        if index.entry(MEMORY) is None:
            return Report()
        readings = BlobReadings(place)
        stack.callback(readings.keep)
        memory = readings.loaded(index)
        past = Past([staged_changes(place, base, asker.env) for base in bases], objects)
        context = _context(asker, memory, past, Verdicts(place, memory, _now(asker), None))._replace(
            fate=fates(place, bases[0] if bases else "", asker.env, staged=True, history=False)
        )
        report = _report(asker, memory, context, past, bases, objects)
        return _compared(asker, report, bases, objects, readings)


def check_commit(asker: Asker, rev: str) -> Report:
    """One commit, against its parents."""
    place = asker.place
    commit = resolve(place, rev)
    bases = parents_of(place, commit)
    with ExitStack() as stack:
        objects = stack.enter_context(Objects(place))
        tree = CommitTree(place, commit, objects)
        if tree.entry(MEMORY) is None:
            return Report()
        memory = BlobReadings(place).loaded(tree)
        past = Past([commit_changes(place, base, commit) for base in bases], objects)
        verdicts = Verdicts(place, memory, _at(asker, commit), None)
        context = _context(asker, memory, past, verdicts)._replace(fate=fates(place, commit))
        return _report(asker, memory, context, past, bases, objects)


def check_range(asker: Asker, text: str) -> Report:
    """The end of a range, against its start; each new condition is judged at the commit that brought it.

    Where A has gone on since B left it, the range starts where they parted: what A did since is neither
    removed nor mended by B.
    """
    place = asker.place
    ends = resolve_range(place, text)
    _require_whole(place, ends)
    ends = Range(merge_base(place, *ends) or ends.start, ends.end)
    with ExitStack() as stack:
        objects = stack.enter_context(Objects(place))
        tree = CommitTree(place, ends.end, objects)
        if tree.entry(MEMORY) is None:
            return Report()
        readings = BlobReadings(place)
        memory = readings.loaded(tree)
        past = Past([commit_changes(place, ends.start, ends.end)], objects)
        running = asker.running if asker.allow_commands and ends.end == head(place).commit else None
        verdicts = Verdicts(place, memory, _at(asker, ends.end), running)
        introduced = Introduced(place, ends, memory, objects)
        context = _context(asker, memory, past, verdicts)._replace(
            fate=fates(place, ends.end), first_verdict=introduced.verdict
        )
        report = _report(asker, memory, context, past, (ends.start,), objects)
        return _compared(asker, report, (ends.start,), objects, readings)


def _require_whole(place: Place, ends: Range) -> None:
    """Refuse a range that a shallow clone has cut: it would seem to bring all that came before it."""
    if not is_shallow(place):
        return
    cut = boundary(place)
    listed = run(place, "rev-list", f"{ends.start}..{ends.end}", "--").decode("ascii").split()
    if any(commit in cut for commit in listed):
        raise UsageError(
            "this clone is shallow, and the range goes beyond what it has",
            "fetch the rest: git fetch --unshallow (in CI: fetch-depth: 0)",
        )


def _heads(place: Place) -> tuple[str, ...]:
    """The parents that a commit made now would have; () before the first commit."""
    here = head(place).commit
    return (here, *merge_heads(place)) if here else ()


def _now(asker: Asker) -> Surroundings:
    place = asker.place
    return Surroundings(asker.today, lambda: tags(place), is_shallow(place), blobs=False)


def _at(asker: Asker, commit: str) -> Surroundings:
    """What may be asked at a commit: the clock and tags belong to the present, so to HEAD alone."""
    here = commit == head(asker.place).commit
    return _now(asker) if here else Surroundings(shallow=is_shallow(asker.place), blobs=False)


def _context(asker: Asker, memory: Memory, past: Past, verdicts: Verdicts) -> Context:
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


def _report(
    asker: Asker, memory: Memory, context: Context, past: Past, bases: Sequence[str], objects: Objects
) -> Report:
    findings = check(memory, context)
    # A debt that was opened with its condition holding already is refused, not paid.
    opened_paid = {finding.path for finding in findings if finding.code == "M401"}
    paid = _paid(asker, Scene(memory, context), past, bases, objects)
    # Review was their admission when they came, so a commit that leaves them alone has nothing to look at.
    stood = {note.path for note in memory.notes if bases and past.versions(note)}
    report = Report(
        tuple(findings),
        tuple(finding.code == "M204" and finding.path in stood for finding in findings),
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


def _compared(
    asker: Asker, report: Report, bases: Sequence[str], objects: Objects, readings: BlobReadings
) -> Report:
    """The report with what some base had already marked; the bases are read only where that matters."""
    if not any(finding.severity == ERROR for finding in report.findings) or not bases:
        return report._replace(compared=True)
    old = []
    for base in bases:
        tree = CommitTree(asker.place, base, objects)
        if tree.entry(MEMORY) is not None:
            before = readings.loaded(tree)
            old.append(check(before, Context(asker.today, base=before)))
    there = already_there(report.findings, *old)
    return report._replace(old=tuple(map(max, report.old, there)), compared=True)
