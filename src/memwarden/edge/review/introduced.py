"""The commit of a range that introduced a condition, and the verdict there: red must come first.

A branch may open a debt and pay it two commits later; judged at its end the condition holds, judged where
it was written it failed.
"""

from __future__ import annotations

from memwarden.core.note import ACTIVE, DEBT, Note, place_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable
from memwarden.edge.git.git_workspace import PastTree
from memwarden.edge.git.history import ABSENT, Step, all_steps
from memwarden.edge.git.revisions import commits_of
from memwarden.edge.place import MEMORY
from memwarden.judge.judge import judge
from memwarden.judge.reader import Surroundings, Texts

if TYPE_CHECKING:
    from memwarden.core.condition import Verdict
    from memwarden.core.memory import Memory
    from memwarden.edge.git.objects import Objects
    from memwarden.edge.git.revisions import Range
    from memwarden.edge.place import Place


class Introduced:
    """The commits of one range, read when the first debt asks."""

    def __init__(self, place: Place, ends: Range, memory: Memory, objects: Objects) -> None:
        self._place = place
        self._ends = ends
        self._memory = memory
        self._objects = objects
        self._steps: list[Step] | None = None
        self._notes: dict[tuple[str, str], Note | None] = {}
        self._trees: dict[str, PastTree] = {}
        self._texts = Texts()

    def verdict(self, note: Note) -> Verdict | None:
        """The verdict on the debt's condition at the commit that introduced it; at the end of the range
        where no single commit did."""
        if note.condition is None:
            return None
        commit = next((step.commit for step in self._walk() if self._introduces(step, note)), self._ends.end)
        tree = self._trees.get(commit)
        if tree is None:
            tree = self._trees[commit] = PastTree(self._place, commit, self._objects)
        return judge(note.condition, tree, Surroundings(), self._texts)

    def _walk(self) -> list[Step]:
        if self._steps is None:
            self._steps = all_steps(self._place, commits_of(self._ends), (MEMORY,))
        return self._steps

    def _introduces(self, step: Step, note: Note) -> bool:
        """Whether the commit brings the note with this condition, and its first parent had it not."""
        came = any(
            change.mode != ABSENT and self._says(change.path, change.blob, note) for change in step.changes
        )
        if not came:
            return False
        return not any(
            change.old_mode != ABSENT and self._says(change.path, change.old_blob, note)
            for change in step.changes
        )

    def _says(self, path: str, blob: str, note: Note) -> bool:
        """Whether the file is this debt, active, with this condition."""
        if not path.endswith(".md") or place_of(path) != ACTIVE:
            return False
        key = (path, blob)
        if key not in self._notes:
            try:
                from memwarden.edit.note_reader import read_note  # late: most checks need no parser

                self._notes[key] = read_note(path, self._objects.read(blob))[0]
            except Unreadable:
                self._notes[key] = None
        found = self._notes[key]
        same = found is not None and (found.id == note.id if note.id else found.path == note.path)
        return bool(same and found and found.lifecycle == DEBT and found.condition == note.condition)
