"""The check of the index, gone on from the last one: only what a change reaches is looked at again.

The notes that a changed file may put in another light are those with a bond to it and those that look at
it; with their neighbourhoods they are a small memory, in which every rule but those of the whole memory
finds what it would find in the large one.  All other findings stand.  Whatever this cannot tell (another
manifest, subject or day, a new link, a merge, too much at once) is told by a whole check:
``tests/property/test_again.py`` holds the two equal.
"""

from __future__ import annotations

from bisect import insort

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.fitness import UNREADABLE
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.memory import Memory
from memwarden.core.neighbours import bond_of_id, bonds, linked_ids, registry_of
from memwarden.core.note import ACTIVE, ARCHIVE, INBOX, module_of, place_of
from memwarden.core.paths import folded, normal
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git.changes import commit_changes
from memwarden.edge.git.fates import fates
from memwarden.edge.git.git_workspace import REGULAR, BlobTree, Item, ListedTree, refuse
from memwarden.edge.git.plumbing import GitFailed
from memwarden.edge.index_read import Damaged
from memwarden.edge.place import MEMORY
from memwarden.edge.reading.index_codec import unpack_event, unpack_finding
from memwarden.edge.review.kept_check import KeptCheck, events_of, kept_check
from memwarden.edge.review.past import Past
from memwarden.edge.review.reporting import context_of, now, report_of
from memwarden.edge.review.verdicts import Verdicts
from memwarden.edit.memory_reader import SUBJECTS, load_paths
from memwarden.edit.snapshot import joined
from memwarden.edit.starter import AGENT_FILES
from memwarden.rules.catalogue import NEAR
from memwarden.rules.checking import check_scene, in_order
from memwarden.rules.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memwarden.core.manifest import Manifest
    from memwarden.core.note import Note
    from memwarden.edge.git.changes import Changes
    from memwarden.edge.git.objects import Objects
    from memwarden.edge.place import Place
    from memwarden.edge.review.reporting import Asker
    from memwarden.errors import Finding
    from memwarden.rules.report import Report

# More than this is sooner looked at whole, and filed anew.
MOST_FILES = 1000
MOST_OF_MEMORY = 64
MOST_NOTES = 400
OF_ALL = frozenset((MANIFEST, *AGENT_FILES.values()))
# Their findings name what git saw of paths that are gone, or guess at them, so they go together.
OF_LOST_PATHS = ("M402", "M405")


class Steps(NamedTuple):
    """What differs between the index as it was checked and as it is: the blob of each path then and now
    ("": none).  Paths that were or are staged are among them even where the index holds the same."""

    then: Mapping[str, str]
    now: Mapping[str, str]

    def come_or_gone(self) -> list[str]:
        """The paths that are there and were not, or were and are not."""
        return [path for path, blob in self.then.items() if bool(blob) != bool(self.now[path])]


def checked_again(asker: Asker, staged: Changes, objects: Objects) -> Report | None:
    """The report that a whole check of the index would give, not yet compared with the base; None where only
    that can tell."""
    try:
        kept = kept_check(asker.place)
        if kept is None or not staged.plain or not kept.holds_for(asker.place, asker.today):
            return None
        steps = _steps(asker.place, kept, staged)
        if steps is None or _touches_all(kept, steps):
            return None
        return _Again(asker, kept, staged, steps, objects).report()
    except (Damaged, GitFailed):
        return None


def _steps(place: Place, kept: KeptCheck, staged: Changes) -> Steps | None:
    """From the index as it was checked to the index as it is, over the commits between their bases."""
    base, old_before, old_after = {}, {}, kept.after
    if staged.base != kept.base:
        between = commit_changes(place, kept.base, staged.base)
        if not between.plain:
            return None
        old_before, base = dict(between.before), dict(between.after)
    paths = {*kept.before, *old_before, *staged.before}
    if len(paths) > MOST_FILES or sum(path.startswith(MEMORY + "/") for path in paths) > MOST_OF_MEMORY:
        return None
    then, after = {}, {}
    for path in sorted(paths):
        # A path that no commit between changed is in one base what it is in the other.
        same = staged.before.get(path, "") if path in staged.before else kept.before.get(path, "")
        then[path] = old_after.get(path, old_before.get(path, same))
        after[path] = staged.after.get(path, base.get(path, same))
    return Steps(then, after)


def _touches_all(kept: KeptCheck, steps: Steps) -> bool:
    """Whether a change reaches what rules of the whole memory look at, or what files' names alone tell."""
    for path, blob in steps.now.items():
        of_all = path.startswith(SUBJECTS) or not OF_ALL.isdisjoint(kept.ways_to(path))
        if blob != steps.then[path] and of_all:
            return True
        if ".md/" in path and not path.startswith(EVENTS):
            return True  # a folder named like a note
    moved = [path for path in steps.come_or_gone() if path.startswith(MEMORY + "/")]
    manifest = kept.manifest()
    if manifest is None:
        return True
    routed = frozenset(f"{MEMORY}/{module}" for module in manifest.modules())
    return not routed.isdisjoint(moved) or _collide(kept, [path for path in moved if steps.now[path]])


def _collide(kept: KeptCheck, new: Sequence[str]) -> bool:
    """Whether a new file's name is one with another's on some system."""
    if not new:
        return False
    names = {folded(path) for path in new}
    others = {folded(path) for path in kept.listing()[0] if path.startswith(MEMORY + "/") and path not in new}
    return len(names) < len(new) or not names.isdisjoint(others)


class KeptIndex(ListedTree):
    """The index out of what was kept of it and what changed since: git is asked for contents only."""

    def __init__(self, place: Place, objects: Objects, kept: KeptCheck, steps: Steps) -> None:
        super().__init__(place, "index", objects)
        self._kept = kept
        self._steps = steps
        self._blobs: dict[str, str] | None = None

    def names(self) -> list[str]:
        self._all()
        return self._sorted

    def item(self, path: str) -> Item | None:
        if path in self._kept.odd:
            return Item(*self._kept.odd[path])
        blob = self._steps.now.get(path)
        if blob is None:
            blob = self._all().get(path)
        return Item(REGULAR[0], blob) if blob else None

    def _resolved(self, path: str) -> str | None:
        if self._kept.odd:
            return BlobTree._resolved(self, path)
        refuse(path)  # no link is anywhere on the way
        return normal(path)

    def _all(self) -> dict[str, str]:
        if self._blobs is None:
            paths, blobs = self._kept.listing()
            found = dict(zip(paths, blobs, strict=True))
            found.update(self._steps.now)
            self._blobs = {path: blob for path, blob in found.items() if blob}
            self._sorted = sorted(self._blobs)
        return self._blobs

    def _list(self) -> dict[str, Item]:
        found = {path: Item(REGULAR[0], blob) for path, blob in self._all().items()}
        return found | {path: Item(*odd) for path, odd in self._kept.odd.items()}


class _Again:
    """One check that goes on from another."""

    def __init__(
        self, asker: Asker, kept: KeptCheck, staged: Changes, steps: Steps, objects: Objects
    ) -> None:
        self._asker = asker
        self._kept = kept
        self._staged = staged
        self._steps = steps
        self._objects = objects
        self._tree = KeptIndex(asker.place, objects, kept, steps)
        self._past = Past([staged], objects)
        # Manifest and subjects may be staged, but are what they were: else there would be no going on.
        below = (path for path in steps.now if path.startswith(MEMORY + "/"))
        self._changed = {path for path in below if path != MANIFEST and not path.startswith(SUBJECTS)}
        self._new = load_paths(self._tree, sorted(self._changed))
        self._frame = Memory(self._tree, kept.manifest(), subjects=kept.subjects())

    def report(self) -> Report | None:
        manifest = self._frame.manifest
        assert manifest is not None
        if any(one.code == UNREADABLE for one in self._new.findings) or self._leaves_module(manifest):
            return None
        if self._new.broken or self._had_broken():
            return None  # whose note it is, or was, nobody knows
        old = self._kept.findings()
        lost = sorted({one.path for one in old if one.code in OF_LOST_PATHS})
        sides = (self._staged.after, self._kept.after)
        deletes = any(not blob for after in sides for blob in after.values())
        with_lost = bool(deletes or self._steps.come_or_gone())
        found = self._judged(old, lost if with_lost else ())
        if found is None:
            return None
        if not with_lost and lost and any(one.code in OF_LOST_PATHS for one in found.fresh + found.dropped):
            found = self._judged(old, lost)
        return None if found is None else self._told(found)

    def _leaves_module(self, manifest: Manifest) -> bool:
        """Whether a changed note lies, or lay, where no route reaches it: then its module's notes count."""
        declared = manifest.modules()
        before = (self._kept.note(number) for number in self._rows_of_changed())
        for note in (*self._new.notes, *filter(None, before)):
            if not note.anchors and place_of(note.path) == ACTIVE:
                module = module_of(note.path, declared)
                if module not in declared and module not in (INBOX, ARCHIVE):
                    return True
        return False

    def _had_broken(self) -> bool:
        """Whether a note changed that could not be read before."""
        rows = map(self._kept.row, self._rows_of_changed())
        return any(row.record is None and row.findings and not row.path.startswith(EVENTS) for row in rows)

    def _rows_of_changed(self) -> list[int]:
        found = (self._kept.at(path) for path in sorted(self._changed))
        return [number for number in found if number is not None]

    def _judged(self, old: Sequence[Finding], also: Iterable[str]) -> _Found | None:
        """The findings that a small memory gives for all that is reached, and those of all else."""
        reached = self._reached(also)
        if len(reached) > MOST_NOTES:
            return None
        notes = [note for note in map(self._kept.note, sorted(reached)) if note is not None]
        memory, about = self._memory(notes, sorted(reached))
        verdicts = Verdicts(self._asker.place, memory, now(self._asker), None)
        deletes = any(not blob for blob in self._staged.after.values())
        context = context_of(self._asker, memory, self._past, verdicts)._replace(
            fate=fates(self._asker.place, self._staged.base, self._asker.env, staged=deletes)
        )
        ours = {note.path for note in notes} | {note.path for note in memory.notes} | self._changed

        def is_ours(finding: Finding) -> bool:
            path = finding.path
            return path in ours or (path.startswith(EVENTS) and path.split("/")[2] in about)

        scene = Scene(memory, context)
        fresh = [one for one in check_scene(scene, NEAR) if is_ours(one)]
        stand = [one for one in old if not is_ours(one)]
        return _Found(scene, fresh, stand, [one for one in old if is_ours(one)])

    def _reached(self, also: Iterable[str]) -> set[int]:
        """The numbers of the notes to which something leads from the changed files, on and on."""
        kept = self._kept
        registry = registry_of(self._frame)
        waiting = [bond for note in self._new.notes for bond in bonds(note, registry)]
        waiting += [bond_of_id(path.split("/")[2]) for path in self._changed if path.startswith(EVENTS)]
        numbers = {*kept.restless, *self._rows_of_changed()}
        for path in self._steps.now:
            for way in kept.ways_to(path):
                numbers.update(kept.looking_at(way))
        numbers.update(number for path in also if (number := kept.at(path)) is not None)
        seen: set[str] = set()
        reached: set[int] = set()
        while (waiting or numbers) and len(reached) <= MOST_NOTES:
            for number in numbers - reached:
                note = kept.note(number)
                if note is not None:
                    waiting += bonds(note, registry)
            reached |= numbers
            fresh = set(waiting) - seen
            seen |= fresh
            waiting = []
            numbers = {number for bond in fresh for number in kept.under(bond)} - reached
        return reached

    def _memory(self, notes: Sequence[Note], reached: Sequence[int]) -> tuple[Memory, frozenset[str]]:
        """The reached notes with their events, as they are now; and the IDs that they speak of."""
        kept = self._kept
        about = {path.split("/")[2] for path in self._changed if path.startswith(EVENTS)}
        about.update(one for note in (*notes, *self._new.notes) for one in linked_ids(note))
        logs = {one: [kept.row(at) for at in kept.under(events_of(f"{EVENTS}{one}/"))] for one in about}
        rows = [kept.row(number) for number in reached] + [row for log in logs.values() for row in log]
        events = {}
        for one, log in sorted(logs.items()):
            found = [unpack_event(row.record) for row in log if row.record is not None]
            if found:
                events[one] = tuple(sorted(found, key=lambda event: (event.seq, event.at, event.path)))
        known = self._frame._replace(
            notes=tuple(notes),
            events=events,
            findings=tuple(unpack_finding(one) for row in rows for one in row.findings),
        )
        return joined(known, self._new, self._changed), frozenset(about)

    def _told(self, found: _Found) -> Report:
        findings = found.stand
        for one in found.fresh:
            insort(findings, one, key=in_order)
        return report_of(self._asker, found.scene, findings, self._past, (self._staged.base,), self._objects)


class _Found(NamedTuple):
    """The small ``scene`` gave ``fresh``; ``stand`` is what still holds of the last check, and ``dropped``
    what was found then of what is judged anew."""

    scene: Scene
    fresh: list[Finding]
    stand: list[Finding]
    dropped: list[Finding]
