"""Which files are not as an index says, where a look has found a few changes."""

from __future__ import annotations

import os

from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.neighbours import SUBJECTS
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.edge.reading.full_look import FullLook

# With more files to read again a new index pays.
FEW = 200


def changed_files(look: FullLook, names: list[bytes]) -> set[str] | None:
    """The files that came, went or changed, from the ``names`` that do not stand; None where these are many,
    or such that the memory has to be read whole: the manifest, a subject, a link, a folder in the place of a
    file."""
    if len(names) > FEW:
        return None
    known: set[bytes] = set()
    for number in range(look.reader.head["looks"]) if names else ():
        known.update(look.reader.file.get(f"look {number}")[0].split(b"\0"))
    found: set[bytes] = set()
    folders = {name.rpartition(b"/")[0] for name in known}
    for name in names:
        where = look.lead + name
        was_folder = name in folders
        if os.path.lexists(where) and (os.path.islink(where) or os.path.isdir(where) != was_folder):
            return None
        if not was_folder:
            found.add(name)
            continue
        try:
            for new, is_plain in _new_below(look.lead, name, known):
                if not is_plain or len(found) > FEW:
                    return None
                found.add(new)
        except OSError:
            return None
    paths = set(map(os.fsdecode, found))
    whole = any(path == MANIFEST or path.startswith(SUBJECTS) for path in paths)
    return None if whole or len(paths) > FEW else paths


def _new_below(lead: bytes, folder: bytes, known: set[bytes]) -> Iterator[tuple[bytes, bool]]:
    """The files below a folder that nobody knows, in new folders too, and whether they are plain files."""
    if not os.path.lexists(lead + folder):
        return
    with os.scandir(lead + folder) as listing:
        entries = [(entry.name, entry.is_dir(follow_symlinks=False), entry) for entry in listing]
    for name, is_folder, entry in entries:
        path = folder + b"/" + name
        if path in known:
            continue
        if not is_folder:
            yield path, entry.is_file(follow_symlinks=False)
        elif name.endswith(b".md"):
            yield path, False
        else:
            yield from _new_below(lead, path, known)
