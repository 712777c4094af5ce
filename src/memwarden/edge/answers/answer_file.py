"""An answer being kept: the file that is begun before the first look and put in place after the last word."""

from __future__ import annotations

import os

from memwarden.edge.index_read import ANSWERS as FOLDER
from memwarden.edge.index_read import name_of_answer as name_of
from memwarden.edge.index_read import program_mark
from memwarden.edge.place import find_place, has_memory
from memwarden.edge.reading.keyed_file import keyed_bytes
from memwarden.errors import MemError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memwarden.edge.index_read import Stamp
    from memwarden.edge.place import Place

MOST_ANSWERS = 64


def open_answers(asked: str) -> tuple[Place, AnswerFile] | None:
    """Where we are, and a file for the answer; None where there is no memory, or nothing can be written."""
    try:
        place = find_place(os.getcwd())
        return (place, AnswerFile(place.private, asked)) if has_memory(place) else None
    except (MemError, OSError):
        return None


class AnswerFile:
    """A file whose making tells the time: what changed at that moment or later is not to be vouched for."""

    def __init__(self, private: str, asked: str) -> None:
        """Raises OSError where nothing can be written."""
        self._asked = asked
        self._folder = f"{private}/{FOLDER}"
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        self._path = f"{self._folder}/{name_of(asked)}"
        self._temporary = f"{self._path}.{os.getpid()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        self._fd = os.open(self._temporary, flags, 0o600)

    def keep(
        self,
        tree: str,
        looks: Mapping[str, Stamp | None],
        folders: Mapping[str, int],
        links: Mapping[str, str],
        code: int,
        said: Iterable[object],
    ) -> None:
        """Keep what was said, unless something that was looked at is as young as this file.

        ``tree`` is the ID of the index that held for ``memory/``, ``looks`` has the stamps of other
        paths (None: nothing was there), ``folders`` the inodes of folders on the way to them, ``links``
        says where paths that were given really lead.
        """
        there = {path: stamp for path, stamp in looks.items() if stamp is not None}
        since = os.fstat(self._fd).st_mtime_ns
        if any(stamp[0] >= since or stamp[1] >= since for stamp in there.values()):
            return
        rests_on = {
            "asked": self._asked,
            "code": code,
            "tree": tree,
            "paths": list(there),
            "stamps": list(there.values()),
            "absent": [path for path in looks if path not in there],
            "folders": list(folders.items()),
            "links": list(links.items()),
        }
        data = keyed_bytes({"rests on": rests_on, "said": list(said)}, program_mark(FOLDER))
        try:
            with os.fdopen(os.dup(self._fd), "wb") as file:
                file.write(data)
            os.rename(self._temporary, self._path)
            make_room(self._folder)
        except OSError:
            return

    def close(self) -> None:
        """Leave nothing behind but what was kept."""
        os.close(self._fd)
        try:
            os.unlink(self._temporary)
        except OSError:
            return


def make_room(folder: str) -> None:
    """Only the answers that were given last stay."""
    names = os.listdir(folder)
    if len(names) <= MOST_ANSWERS:
        return
    found = sorted((os.lstat(f"{folder}/{name}").st_mtime_ns, name) for name in names)
    for _, name in found[: -MOST_ANSWERS // 2]:
        os.unlink(f"{folder}/{name}")


def leads(words: Iterable[str]) -> dict[str, str]:
    """Where the words of a command line lead that may be paths: a path may go through links."""
    found = {}
    for word in words:
        text = word.partition("=")[2] if word.startswith("-") else word
        if text and "\0" not in text:
            whole = os.path.join(os.getcwd(), text)
            found[whole] = os.path.realpath(whole)
    return found
