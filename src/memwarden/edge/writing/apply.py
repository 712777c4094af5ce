"""Many files changed all together or not at all, whatever happens in between.

Stage every new content beside its target and flush it; decide, by putting a journal in place; carry the
steps out by renames and removals; end.  A process that dies before the decision leaves the old tree and
some rubbish that is noted; one that dies after it leaves a journal that the next writer carries out.
A step that fails takes back those before it, in the same way.  Whoever calls in here holds the lock.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from itertools import pairwise

from memwarden.core.change import ABSENT, FileChange, digest_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.writing.disk import NO_FOLLOW, Disk, content_at, real_path
from memwarden.edge.writing.interrupts import held_back
from memwarden.edge.writing.journal import (
    Journal,
    Step,
    decide,
    discreetly,
    end,
    forget_staging,
    hidden,
    is_unfinished,
    note_staging,
    target_of,
    withdraw,
)
from memwarden.edge.writing.store import TEMPORARY
from memwarden.errors import MemError, NeedsRecovery, Refused, StalePlan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memwarden.edge.place import Place


# Below the private folder: a file for each plan that was applied in this worktree.
APPLIED = "applied"


class CannotWrite(Refused):
    """The system refused a write; the tree is as it was."""


class ChangedUnderneath(StalePlan):
    """A file was edited while the change was being written; the tree is as it was."""


@held_back()
def apply_changes(
    place: Place,
    changes: Iterable[FileChange],
    plan: str = "",
    command: str = "",
    disk: Disk | None = None,
    discreet: bool = False,
    last: Collection[str] = (),
) -> None:
    """Write all the changes, or none of them; an interrupt waits for that.

    With ``discreet`` the journal names a file that is removed by a digest, for its name may tell what
    is to be forgotten.  The files of ``last`` are removed after all others.

    Raises :class:`CannotWrite` where the system refuses, :class:`ChangedUnderneath` where a file is
    not what its change starts from, and :class:`NeedsRecovery` where the tree could not be put back.
    """
    disk = disk or Disk()
    wanted = _landing(place, [change for change in changes if change.before != change.after])
    if not wanted:
        return
    contents = {change.path: change for change in wanted}
    journal = _planned(place, wanted, plan, command, last)
    written = discreetly(journal) if discreet else journal
    try:
        _check_before(place, journal.steps)
        note_staging(place, disk, written)
        _stage(place, disk, journal, contents)
        decide(place, disk, written)
    except (OSError, MemError) as error:
        _abandon(place, disk, journal)
        raise _told(error) from None
    done: list[Step] = []
    try:
        for step in journal.steps:
            _check_before(place, (step,))
            take_step(place, disk, step)
            done.append(step)
    except (OSError, MemError) as error:
        _take_back(place, disk, journal, done, contents, error)
        raise _told(error) from None
    mark_applied(place, journal)
    with suppress(OSError):  # the tree is wholly after; the next writer finds every step done, and ends it
        end(place, disk)


def take_step(place: Place, disk: Disk, step: Step) -> None:
    """Carry out one step."""
    target = target_of(place, step)
    if step.staged:
        disk.replace(os.path.join(place.root, step.staged), target)
    else:
        disk.remove(target)
        _remove_if_empty(disk, os.path.dirname(target), place)


def mark_applied(place: Place, journal: Journal) -> None:
    """Remember that a plan was applied in this worktree, for whoever applies it twice.  No file is
    named but by its digest: what is remembered here must not keep a topic alive."""
    if not journal.plan:
        return
    folder = os.path.join(place.private, APPLIED)
    steps = [step for step in hidden(journal).steps if step.before != step.after]
    kept = json.dumps([[step.path, step.before, step.after] for step in steps])
    with suppress(OSError):  # only a kinder answer to a second apply is lost
        os.makedirs(folder, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | NO_FOLLOW
        descriptor = os.open(os.path.join(folder, journal.plan), flags, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(kept)


def was_applied(place: Place, plan: str) -> bool:
    """Whether the plan was applied in this worktree and git has not taken it back since: what it made
    is there, what it removed is not, and what it changed is as it left it."""
    try:
        steps = json.loads(content_at(os.path.join(place.private, APPLIED, plan)) or b"[]")
        return bool(steps) and all(_stands(place, Step(*map(str, step))) for step in steps)
    except (OSError, ValueError, TypeError):
        return False


def _stands(place: Place, step: Step) -> bool:
    target = target_of(place, step)
    if ABSENT in (step.before, step.after):
        return os.path.lexists(target) == (step.after != ABSENT)
    return digest_of(content_at(target)) == step.after


def sweep(place: Place, disk: Disk, journal: Journal) -> None:
    """Remove the temporary files and the empty folders that a journal names, as far as they are there."""
    for name in (*(step.staged for step in journal.steps), *journal.leftovers):
        path = os.path.join(place.root, name)
        if name and os.path.basename(name).startswith(TEMPORARY) and os.path.lexists(path):
            disk.remove(path)
    for folder in reversed(journal.made):
        with suppress(OSError):  # not empty, or never made
            disk.remove_folder(os.path.join(place.root, folder))


def step_state(place: Place, step: Step) -> str:
    """``done``, ``ready``, or ``changed`` where neither the old nor the new content is there (or the
    staged content is gone)."""
    try:
        found = digest_of(content_at(target_of(place, step)))
        if found == step.after:
            return "done"
        if found != step.before:
            return "changed"
        staged = digest_of(content_at(os.path.join(place.root, step.staged))) if step.staged else ABSENT
    except OSError:
        return "changed"
    return "ready" if staged == step.after else "changed"


def _planned(
    place: Place, changes: Sequence[FileChange], plan: str, command: str, last: Collection[str] = ()
) -> Journal:
    """The steps in the order in which they will be taken: contents by path, then removals."""
    steps = []
    for change in changes:
        staged = ""
        if change.after is not None:
            folder = change.path.rpartition("/")[0]
            staged = (folder + "/" if folder else "") + TEMPORARY + os.urandom(8).hex() + ".tmp"
        mode = _mode_of(os.path.join(place.root, change.path))
        steps.append(Step(change.path, digest_of(change.before), digest_of(change.after), staged, mode))
    steps.sort(key=lambda step: (step.after == ABSENT, step.path in last, step.path))
    return Journal(plan, command, tuple(steps), _missing_folders(place, steps))


def _landing(place: Place, changes: Sequence[FileChange]) -> list[FileChange]:
    """The changes at the paths where they land: links inside the repository are written through."""
    found = []
    for change in changes:
        landing = real_path(place.root, change.path)
        if change.after is None and os.path.islink(os.path.join(place.root, change.path)):
            raise Refused(f"{change.path} is a link", "remove the link by hand, or put the file in its place")
        found.append(change._replace(path=landing))
    for one, two in pairwise(sorted(change.path for change in found)):
        if one == two:
            raise Refused(
                f"{one}: two of the changed files are one, through a link", "replace the link by a file"
            )
    return found


def _mode_of(path: str) -> str:
    try:
        return f"{os.lstat(path).st_mode & 0o7777:o}"
    except OSError:
        return ""


def _missing_folders(place: Place, steps: Iterable[Step]) -> tuple[str, ...]:
    missing = set()
    for step in steps:
        folder = step.path.rpartition("/")[0] if step.staged else ""
        while folder and folder not in missing and not os.path.isdir(os.path.join(place.root, folder)):
            missing.add(folder)
            folder = folder.rpartition("/")[0]
    return tuple(sorted(missing))


def _check_before(place: Place, steps: Iterable[Step]) -> None:
    for step in steps:
        try:
            found = digest_of(content_at(target_of(place, step)))
        except OSError:
            found = "not a regular file"
        if found != step.before:
            raise ChangedUnderneath(
                f"{step.path} changed while it was being written; nothing was changed",
                "run the command again",
            )


def _stage(place: Place, disk: Disk, journal: Journal, contents: dict[str, FileChange]) -> None:
    for folder in journal.made:
        with suppress(FileExistsError):  # somebody else made it meanwhile
            disk.make_folder(os.path.join(place.root, folder))
    for step in journal.steps:
        if step.staged:
            _stage_one(place, disk, step, contents[step.path].after or b"")


def _stage_one(place: Place, disk: Disk, step: Step, content: bytes) -> None:
    """A new file beside the target, with the mode and the group of the file that it will replace."""
    try:
        like = os.lstat(os.path.join(place.root, step.path))
    except FileNotFoundError:
        like = None
    mode = int(step.mode, 8) if step.mode else None
    descriptor = disk.create(os.path.join(place.root, step.staged), mode, like)
    try:
        disk.write(descriptor, content)
        disk.flush(descriptor)
    finally:
        disk.close(descriptor)


def _abandon(place: Place, disk: Disk, journal: Journal) -> None:
    """Nothing is decided, or nothing has been done yet: remove the traces."""
    with suppress(OSError):  # what is left is noted, and the next writer removes it
        if is_unfinished(place):
            withdraw(place, disk)
        sweep(place, disk, journal)
        forget_staging(place, disk)


def _take_back(
    place: Place,
    disk: Disk,
    journal: Journal,
    done: Sequence[Step],
    contents: dict[str, FileChange],
    error: Exception,
) -> None:
    """Undo the steps already taken, by a journal of its own: a crash in here ends in the old tree."""
    if not done:
        _abandon(place, disk, journal)
        return
    undone = {path: FileChange(path, change.after, change.before) for path, change in contents.items()}
    modes = {step.path: step.mode for step in journal.steps}
    back = _planned(place, [undone[step.path] for step in done], journal.plan, journal.command)
    back = back._replace(
        steps=tuple(step._replace(mode=modes[step.path]) for step in back.steps),
        made=tuple(sorted({*journal.made, *back.made})),
        leftovers=tuple(step.staged for step in journal.steps if step.staged),
    )
    try:
        note_staging(place, disk, back)
        _stage(place, disk, back, undone)
        decide(place, disk, back)
        for step in back.steps:
            take_step(place, disk, step)
        sweep(place, disk, back)
        end(place, disk)
    except (OSError, MemError):
        raise NeedsRecovery(
            f"the change was cut short ({_reason(error)}) and could not be taken back",
            "make the files writable again, then run mem recover",
        ) from None


def _remove_if_empty(disk: Disk, folder: str, place: Place) -> None:
    """A folder of events or notes whose last file went goes too, as git would have it."""
    if os.path.dirname(folder) != os.path.join(place.root, "memory", "events"):
        return
    with suppress(OSError):
        disk.remove_folder(folder)


def _told(error: Exception) -> Exception:
    if isinstance(error, OSError):
        return CannotWrite(
            f"nothing was written: {_reason(error)}", "free or open the place, then run it again"
        )
    return error


def _reason(error: Exception) -> str:
    """What the system said, without the absolute path."""
    if isinstance(error, OSError):
        name = os.path.basename(os.fsdecode(error.filename)) if error.filename else ""
        return f"{error.strerror}: {name}" if name else str(error.strerror)
    return str(error)
