"""What each task would load that it did not, and no longer loads: the reach of a change."""

from __future__ import annotations

from memwarden.core.compare.difference import Carried, Side, TaskChange
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.route.request import Request
from memwarden.core.route.route import Routed, route
from memwarden.core.route.serving import Blocks

if TYPE_CHECKING:
    from memwarden.core.manifest import Manifest


def task_changes(before: Side, after: Side, today: str) -> list[TaskChange]:
    """Each task whose pack changes, in the order of the manifest, those that are gone last.

    Raises :class:`Refused` where a manifest has an error, so that nothing is routed.
    """
    old, new = _tasks(before.memory.manifest), _tasks(after.memory.manifest)
    then, now = _Router(before, today), _Router(after, today)
    found = []
    for task in dict.fromkeys((*new, *old)):
        was = then.route(task) if task in old else None
        will = now.route(task) if task in new else None
        change = _change(task, was, will)
        if change is not None:
            found.append(change)
    return found


def _tasks(manifest: Manifest | None) -> tuple[str, ...]:
    return tuple(task.name for task in manifest.tasks) if manifest is not None else ()


class _Router:
    """Routes of one side; a note's block is built once, whatever the number of tasks that load it."""

    def __init__(self, side: Side, today: str) -> None:
        self._side = side
        self._today = today
        self._blocks = Blocks(side.memory.workspace, side.standings)

    def route(self, task: str) -> Routed:
        side = self._side
        return route(side.memory, side.standings, Request(task), self._today, self._blocks.measure)


def _change(task: str, was: Routed | None, will: Routed | None) -> TaskChange | None:
    had = {one.note.name: one for one in was.loaded} if was is not None else {}
    has = {one.note.name: one for one in will.loaded} if will is not None else {}
    loads = [Carried(one.note, one.tokens, one.reason) for name, one in has.items() if name not in had]
    omitted = {one.id or one.path: one.reason for one in will.omitted} if will is not None else {}
    drops = [
        Carried(one.note, one.tokens, omitted.get(name, "removed" if will is not None else "no such task"))
        for name, one in had.items()
        if name not in has
    ]
    if not loads and not drops and (was is None) == (will is None):
        return None
    return TaskChange(
        task,
        tuple(loads),
        tuple(drops),
        was.tokens if was is not None else None,
        will.tokens if will is not None else None,
    )
