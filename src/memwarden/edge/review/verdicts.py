"""Verdicts on the conditions of one memory against one workspace, each condition judged once."""

from __future__ import annotations

from memwarden.core.condition import has_command
from memwarden.core.note import ACTIVE, place_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Steady
from memwarden.edge.git.git_workspace import BlobTree
from memwarden.judge.judge import judge, paths_of
from memwarden.judge.reader import Texts

if TYPE_CHECKING:
    from memwarden.core.condition import Condition, Verdict
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.workspace import Workspace
    from memwarden.edge.command.judging import Running
    from memwarden.edge.place import Place
    from memwarden.judge.reader import Surroundings


class Verdicts:
    """A judge for the rules.  Commands run only with ``running``, and each note's only where it may."""

    def __init__(
        self,
        place: Place,
        memory: Memory,
        around: Surroundings,
        running: Running | None,
        workspace: Workspace | None = None,
        texts: Texts | None = None,
    ) -> None:
        self._place = place
        self._memory = memory
        self._around = around
        self._running = running
        self._workspace = workspace or memory.workspace
        self._steady = Steady(self._workspace)
        self._known: dict[Condition, Verdict] = {}
        self._texts = texts or Texts()

    def judge(self, note: Note, condition: Condition) -> Verdict:
        """The verdict on a note's condition."""
        if self._running is not None and has_command(condition):
            from memwarden.edge.command.judging import runner_for

            runner = runner_for(self._place, self._memory, note, self._running)
            around = self._around._replace(run_command=runner)
            return judge(condition, self._workspace, around, self._texts)
        found = self._known.get(condition)
        if found is None:
            if not self._known:
                self._fetch()
            found = self._known[condition] = judge(condition, self._steady, self._around, self._texts)
        return found

    def _fetch(self) -> None:
        """Where contents come from git, ask it once for all that the conditions name, not file by file."""
        if isinstance(self._workspace, BlobTree):
            active = [note for note in self._memory.notes if place_of(note.path) == ACTIVE]
            asked = [one for note in active for one in (note.condition, note.verify) if one is not None]
            paths = dict.fromkeys(path for one in asked for path in paths_of(one))
            self._workspace.prefetch(path for path in paths if self._workspace.item(path) is not None)
