"""Checking one state of the repository: the working tree, the index, a commit or a range of commits.

Each state is a workspace, the commits before it, and what may be asked of it; the rules are the same.
"""

from __future__ import annotations

from contextlib import ExitStack

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.changes import MemoryChanges, commit_changes, parents_of, staged_changes
from memwarden.edge.git.fates import fates, old_fates
from memwarden.edge.git.git_workspace import CommitTree, IndexTree
from memwarden.edge.git.gitstate import head, is_shallow, merge_heads
from memwarden.edge.git.history import boundary
from memwarden.edge.git.objects import Objects
from memwarden.edge.git.plumbing import run
from memwarden.edge.git.revisions import Range, commits_of, merge_base, resolve, resolve_range
from memwarden.edge.git.unmerged import Unmerged
from memwarden.edge.place import MEMORY
from memwarden.edge.reading.blob_readings import BlobReadings
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.review.again import checked_again
from memwarden.edge.review.introduced import Introduced
from memwarden.edge.review.kept_check import keep_check
from memwarden.edge.review.kept_fates import kept_fates
from memwarden.edge.review.past import Past
from memwarden.edge.review.reporting import Asker, context_of, now, report_of
from memwarden.edge.review.traces import lost_payments
from memwarden.edge.review.verdicts import Verdicts
from memwarden.errors import ERROR, UsageError
from memwarden.judge.reader import Surroundings
from memwarden.rules import Context, already_there, check
from memwarden.rules.checking import check_scene
from memwarden.rules.report import Report
from memwarden.rules.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memwarden.edge.git.changes import Changes
    from memwarden.edge.place import Place


def check_tree(asker: Asker) -> Report:
    """The working tree, against HEAD (and what a merge in progress brings in)."""
    place = asker.place
    bases = _heads(place)
    with ExitStack() as stack:
        changes = MemoryChanges(place, bases)
        stack.callback(changes.close)
        memory = open_memory(place, aside=stack, beside=changes.begin)
        objects = stack.enter_context(Objects(place))
        # Every file, read or not: an event that became malformed is changed, not removed.
        past = Past(changes.found(memory.workspace.paths(MEMORY)), objects)
        around = now(asker)._replace(unmerged=Unmerged(place))
        verdicts = Verdicts(place, memory, around, asker.running if asker.allow_commands else None)
        context = context_of(asker, memory, past, verdicts)._replace(
            written=(),
            fate=fates(place, bases[0] if bases else "", staged=True, history=kept_fates),
            lost=lambda events: lost_payments(place, events),
        )
        scene = Scene(memory, context)
        return report_of(asker, scene, check_scene(scene), past, bases, objects)


def check_staged(asker: Asker) -> Report:
    """The index, against HEAD (and what a merge in progress brings in): what the commit being made holds.

    A constant number of git processes: one a parent tells what the index changes and one reads contents;
    where the check cannot go on from the last one, a third lists the index.
    """
    place = asker.place
    bases = _heads(place)
    with ExitStack() as stack:
        objects = stack.enter_context(Objects(place))
        staged = [staged_changes(place, base, asker.env) for base in bases]
        report = checked_again(asker, staged[0], objects) if len(staged) == 1 else None
        if report is None:
            return _staged_whole(asker, staged, objects)
        return _compared(asker, report, [staged[0].base], objects)


def _staged_whole(asker: Asker, staged: Sequence[Changes], objects: Objects) -> Report:
    """The index, looked at from one end to the other, and filed for the next check."""
    place = asker.place
    bases = [one.base for one in staged]
    index = IndexTree(place, asker.env, objects)
    if index.entry(MEMORY) is None:
        return Report()
    readings = BlobReadings(place)
    memory = readings.loaded(index)
    past = Past(staged, objects)
    deletes = any(not blob for one in staged for blob in one.after.values())
    context = context_of(asker, memory, past, Verdicts(place, memory, now(asker), None))._replace(
        fate=fates(place, bases[0] if bases else "", asker.env, staged=deletes)
    )
    scene = Scene(memory, context)
    findings = check_scene(scene)
    report = report_of(asker, scene, findings, past, bases, objects)
    keep_check(place, asker.today, memory, index, readings, staged, findings)
    report = _compared(asker, report, bases, objects, readings)
    readings.keep()
    return report


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
        fate = fates(place, commit, history=old_fates)
        context = context_of(asker, memory, past, verdicts)._replace(fate=fate)
        scene = Scene(memory, context)
        return report_of(asker, scene, check_scene(scene), past, bases, objects)


def check_range(asker: Asker, text: str) -> Report:
    """The end of a range, against its start; each new condition is judged at the commit that brought it.

    Where A has gone on since B left it, the range starts where they parted: what A did since is neither
    removed nor mended by B.  Before the empty tree nothing was there, so nothing was there already.
    """
    place = asker.place
    ends = resolve_range(place, text)
    _require_whole(place, ends)
    if ends.start:
        ends = Range(merge_base(place, *ends) or ends.start, ends.end)
    bases = (ends.start,) if ends.start else ()
    with ExitStack() as stack:
        objects = stack.enter_context(Objects(place))
        tree = CommitTree(place, ends.end, objects)
        if tree.entry(MEMORY) is None:
            return Report()
        readings = BlobReadings(place)
        memory = readings.loaded(tree)
        past = Past([commit_changes(place, base, ends.end) for base in bases], objects)
        running = asker.running if asker.allow_commands and ends.end == head(place).commit else None
        verdicts = Verdicts(place, memory, _at(asker, ends.end), running)
        introduced = Introduced(place, ends, memory, objects)
        context = context_of(asker, memory, past, verdicts)._replace(
            fate=fates(place, ends.end, history=old_fates), first_verdict=introduced.verdict
        )
        scene = Scene(memory, context)
        report = report_of(asker, scene, check_scene(scene), past, bases, objects)
        return _compared(asker, report, bases, objects, readings, every=True)


def _require_whole(place: Place, ends: Range) -> None:
    """Refuse a range that a shallow clone has cut: it would seem to bring all that came before it."""
    if not is_shallow(place):
        return
    cut = boundary(place)
    listed = run(place, "rev-list", commits_of(ends), "--").decode("ascii").split()
    if any(commit in cut for commit in listed):
        raise UsageError(
            "this clone is shallow, and the range goes beyond what it has",
            "fetch the rest: git fetch --unshallow (in CI: fetch-depth: 0)",
        )


def _heads(place: Place) -> tuple[str, ...]:
    """The parents that a commit made now would have; () before the first commit."""
    here = head(place).commit
    return (here, *merge_heads(place)) if here else ()


def _at(asker: Asker, commit: str) -> Surroundings:
    """What may be asked at a commit: the clock and tags belong to the present, so to HEAD alone."""
    here = commit == head(asker.place).commit
    return now(asker) if here else Surroundings(shallow=is_shallow(asker.place), blobs=False)


def _compared(
    asker: Asker,
    report: Report,
    bases: Sequence[str],
    objects: Objects,
    readings: BlobReadings | None = None,
    every: bool = False,
) -> Report:
    """The report with what some base had already marked; the bases are read only where there is an error,
    or where ``every`` finding matters: a commit is not kept waiting for what cannot stop it."""
    matters = report.findings if every else [one for one in report.findings if one.severity == ERROR]
    if not matters or not bases:
        return report
    readings = readings or BlobReadings(asker.place)
    old = []
    for base in bases:
        tree = CommitTree(asker.place, base, objects)
        if tree.entry(MEMORY) is not None:
            before = readings.loaded(tree)
            old.append(check(before, Context(asker.today, base=before)))
    there = already_there(report.findings, *old)
    return report._replace(old=tuple(map(max, report.old, there)), compared=True)
