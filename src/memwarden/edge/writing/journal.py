"""What an apply is about to do, written down before it does it.

Two files in the worktree's private folder.  ``staging`` names the temporary files that are being
written: they are rubbish if the process dies.  ``journal`` replaces it once all of them are flushed:
from then on the change is decided, and whoever comes next carries it out to the end.
"""

from __future__ import annotations

import json
import os

from memwarden.core.canonical import hex_digest
from memwarden.core.record import NamedTuple
from memwarden.edge.place import Place
from memwarden.edge.writing.disk import Disk, content_at
from memwarden.errors import NeedsRecovery

VERSION = 1
HIDDEN = "?"


class Step(NamedTuple):
    """One file's change: ``path`` is where it lands (repository-relative, links resolved), ``before``
    and ``after`` are digests, ``staged`` the temporary file with the new content ("" for a removal),
    ``mode`` the octal mode to keep ("" for a new file).  A name that starts with ``HIDDEN`` is the
    digest of the file's name."""

    path: str
    before: str
    after: str
    staged: str = ""
    mode: str = ""


class Journal(NamedTuple):
    """A decided change.  ``made`` are folders made for it, the outer ones first; ``leftovers`` are
    temporary files of a change that this one takes back."""

    plan: str
    command: str
    steps: tuple[Step, ...]
    made: tuple[str, ...] = ()
    leftovers: tuple[str, ...] = ()


def journal_file(place: Place) -> str:
    """The path of the journal."""
    return os.path.join(place.private, "journal")


def staging_file(place: Place) -> str:
    """The path of the note about temporary files."""
    return os.path.join(place.private, "staging")


def is_unfinished(place: Place) -> bool:
    """Whether a decided change waits to be carried out: one look, for commands that only read."""
    return os.path.lexists(journal_file(place))


def note_staging(place: Place, disk: Disk, journal: Journal) -> None:
    """Note which temporary files and folders are about to appear.  It need not survive a loss of
    power: it only helps to clean up."""
    _discard(disk, staging_file(place))
    descriptor = disk.create(staging_file(place), None)
    try:
        disk.write(descriptor, _bytes(journal))
    finally:
        disk.close(descriptor)


def decide(place: Place, disk: Disk, journal: Journal) -> None:
    """The point of no return: the journal is in place and flushed."""
    fresh = journal_file(place) + ".new"
    _discard(disk, fresh)
    disk.write_file(fresh, _bytes(journal))
    disk.replace(fresh, journal_file(place))
    disk.flush_folder(place.private)


def read_journal(place: Place) -> Journal | None:
    """The change that waits, or None.  Raises :class:`NeedsRecovery` for one that cannot be read."""
    return _read(journal_file(place))


def read_staging(place: Place) -> Journal | None:
    """What a process that died before it decided has left, as far as it had noted it."""
    try:
        return _read(staging_file(place))
    except NeedsRecovery:
        return None  # cut short while it was written: nothing had been staged yet


def forget_staging(place: Place, disk: Disk) -> None:
    """Nothing is being staged any more."""
    _discard(disk, staging_file(place))
    _discard(disk, journal_file(place) + ".new")


def withdraw(place: Place, disk: Disk) -> None:
    """The change is not decided after all; none of its steps has been taken."""
    disk.remove(journal_file(place))


def discreetly(journal: Journal) -> Journal:
    """The journal with digests in place of the names of the files that it removes."""
    hidden = (step if step.staged else step._replace(path=_hidden(step.path)) for step in journal.steps)
    return journal._replace(steps=tuple(hidden))


def hidden(journal: Journal) -> Journal:
    """The journal with digests in place of all file names."""
    return journal._replace(steps=tuple(step._replace(path=_hidden(step.path)) for step in journal.steps))


def is_discreet(journal: Journal) -> bool:
    """Whether the change is one that forgets: it names a file by a digest."""
    return any(HIDDEN in step.path for step in journal.steps)


def shown_path(place: Place, step: Step) -> str:
    """The path of a step's file as a person knows it; digests stay where there is no such file."""
    return os.path.relpath(target_of(place, step), place.root)


def target_of(place: Place, step: Step) -> str:
    """The absolute path of a step's file; hidden names are looked for, folder by folder."""
    full = place.root
    for name in step.path.split("/"):
        full = os.path.join(full, _found(full, name) if name.startswith(HIDDEN) else name)
    return full


def _found(folder: str, hidden: str) -> str:
    """The name in a folder that has this digest; the digest itself where none has."""
    if os.path.isdir(folder):
        for name in os.listdir(folder):
            if _digest(name) == hidden:
                return name
    return hidden


def _hidden(path: str) -> str:
    """A path with a digest for each name below the first folder: a folder's name tells a topic too."""
    top, *names = path.split("/")
    return "/".join((top, *map(_digest, names)))


def _digest(name: str) -> str:
    return HIDDEN + hex_digest(name.encode("utf-8", "surrogateescape"))


def end(place: Place, disk: Disk) -> None:
    """The end mark: the change is carried out."""
    disk.remove(journal_file(place))
    forget_staging(place, disk)


def _discard(disk: Disk, path: str) -> None:
    if os.path.lexists(path):
        disk.remove(path)


def _bytes(journal: Journal) -> bytes:
    fields = {"version": VERSION, **journal._asdict(), "steps": [list(step) for step in journal.steps]}
    return json.dumps(fields, ensure_ascii=True).encode() + b"\n"


def _read(path: str) -> Journal | None:
    try:
        data = content_at(path)
        if data is None:
            return None
        fields = json.loads(data)
        if fields["version"] != VERSION:
            raise ValueError(f"version {fields['version']}")
        return Journal(
            str(fields["plan"]),
            str(fields["command"]),
            tuple(Step(*map(str, step)) for step in fields["steps"]),
            tuple(map(str, fields["made"])),
            tuple(map(str, fields["leftovers"])),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NeedsRecovery(
            f"the journal of a change that was cut short cannot be read ({error})",
            "look at git diff; then remove the file mem/journal in the git directory",
        ) from None
