"""The files that a folder brings where it is copied or moved to: those below it, by their names there."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.shell.copies import CONTENT, EITHER, FILES
from memwarden.edge.tree.given_path import inside

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memwarden.edge.place import Place


def written_by_copies(
    place: Place, copies: Sequence[tuple[str, str, str]], cwd: str, most: int
) -> Iterator[str]:
    """The repository-relative paths that copies (source, target, how) write, at most so many together.

    Where the copy has run already, the target may be a folder only since then: it was none before if all
    that came is right in it, as long as it was, and the folder's own name is not.
    """
    room = most
    for at, (source, target, how) in enumerate(copies):
        if not room:
            return
        folder, goal = (os.path.join(cwd, os.path.expanduser(text)) for text in (source, target))
        if os.path.islink(folder) and os.path.isdir(folder):
            continue
        if os.path.isfile(folder):
            names = [""]  # itself, by its own name
        else:
            names = list(files_below(folder, room // (len(copies) - at) or 1)) if how != FILES else []
        room -= len(names)
        own = os.path.join(goal, os.path.basename(os.path.normpath(folder)))
        if names == [""]:
            own = own if os.path.isdir(goal) else goal
        elif how == CONTENT or (how == EITHER and not _goes_inside(folder, goal, own, names)):
            own = goal
        for name in names:
            path = inside(place, os.path.join(own, name), cwd)
            if path is not None:
                yield path


def _goes_inside(folder: str, goal: str, own: str, names: list[str]) -> bool:
    if not os.path.isdir(goal):
        return False
    if os.path.lexists(own):
        return True
    return any(_size(os.path.join(goal, name)) != _size(os.path.join(folder, name)) for name in names)


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return -1


def files_below(top: str, most: int) -> Iterator[str]:
    """The files below a folder, by their paths from it: at most so many, out of no more folders."""
    room = folders = most
    waiting = [""]
    while waiting and room and folders:
        folder = waiting.pop()
        folders -= 1
        try:
            with os.scandir(os.path.join(top, folder)) as listing:
                items = sorted((item.name, item.is_dir(follow_symlinks=False)) for item in listing)
        except OSError:
            continue  # a file, or nothing
        for name, is_folder in items[:room]:
            path = f"{folder}/{name}" if folder else name
            if is_folder and name.lower() != ".git":
                waiting.append(path)
            elif not is_folder:
                room -= 1
                yield path
