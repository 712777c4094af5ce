"""What paths on a command line mean in a subfolder: as git reads them, from where the person stands.

A note holds paths, and globs, from the top of the repository.  A path that is there as seen from the
current folder, and not from the top, means that one; ``./x``, ``../x`` and an absolute path are always
seen from here.  Anything else stays as it was written, and where another reading is likely it is named.
What is looked up in the memory is read by what the memory knows, whether it is still there or not.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from memwarden.cli.stage import Running, say
from memwarden.core.fitness import PATH_EVIDENCE
from memwarden.core.glob import is_literal
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.registry import PATH, Registry, split_aspect
from memwarden.core.secrets import redact
from memwarden.core.visible import plain
from memwarden.edge.place import MEMORY, Place, find_place
from memwarden.edge.tree.given_path import inside
from memwarden.errors import NoMemory, UsageError

if TYPE_CHECKING:
    from typing import Any

    from memwarden.core.memory import Memory

PATH_CONDITIONS = ("file_exists", "file_absent")


class FromHere:
    """The paths of one command line; ``said`` tells what was read otherwise than it was written."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.folder = inside(place, ".") or ""  # "" also where the command is about another repository
        self.said: list[str] = []

    def path(self, text: str, option: str) -> str:
        """``text``, a path or a glob, from the top of the repository."""
        if _says_where(text):
            return self._moved(text, option)
        if not self.folder or not text:
            return text
        from_here = f"{self.folder}/{text}"
        if not is_literal(text):
            self._suggest(text, from_here, option)
            return text
        if self._is_there(text):
            return text
        if self._is_there(from_here):
            self._say(text, from_here, option)
            return from_here
        self._suggest(text, from_here, option)
        return text

    def evidence(self, word: str) -> str:
        """``KEY:VALUE``, whose value may be a path with ``#fragment`` or ``::node``."""
        key, colon, value = word.partition(":")
        if not colon or key not in PATH_EVIDENCE:
            return word
        path = value.partition("::")[0].partition("#")[0]
        return f"{key}:{self.path(path, f'--evidence {key}')}{value[len(path) :]}"

    def subject(self, text: str, option: str = "--subject") -> str:
        """A subject, which may be ``path:PATH#ASPECT``."""
        kind, path, aspect = _path_of(text)
        return kind + self.path(path, option) + aspect if kind else text

    def known_subject(self, text: str, memory: Memory, option: str) -> str:
        """A subject that is looked up: as it is written where the memory knows it so, else from here."""
        registry = Registry(memory.subjects)
        about = {split_aspect(registry.canonical(note.subject))[0] for note in memory.notes if note.subject}

        def knows(path: str) -> bool:
            subject = PATH + path
            return registry.subject(subject) is not None or registry.canonical(subject) in about

        kind, path, aspect = _path_of(text)
        return kind + self._known(path, knows, option) + aspect if kind else text

    def rename(self, old: str, new: str, named: Callable[[str], bool]) -> tuple[str, str]:
        """Two paths of which one became the other.  ``named`` tells what the memory names; the new path
        is read from where the old one was, unless it is there only as seen from elsewhere."""
        first = self._known(old, named, "OLD")
        if first == old or not self.folder or _says_where(old):
            return first, self.path(new, "NEW")
        if _says_where(new):
            return first, self._moved(new, "NEW")
        from_here = f"{self.folder}/{new}"
        if self._is_there(new) and not self._is_there(from_here):
            return first, new
        self._say(new, from_here, "NEW")
        return first, from_here

    def _known(self, text: str, knows: Callable[[str], bool], option: str) -> str:
        if _says_where(text):
            return self._moved(text, option)
        from_here = f"{self.folder}/{text}"
        if not self.folder or not text or knows(text) or not knows(from_here):
            return text
        self._say(text, from_here, option)
        return from_here

    def condition(self, raw: dict[str, Any], option: str) -> dict[str, Any]:
        """A condition given in one word: one predicate, perhaps with a path."""
        found = dict(raw)
        for key, value in raw.items():
            if key in PATH_CONDITIONS:
                found[key] = self.path(value, option)
            elif isinstance(value, dict) and "path" in value:
                found[key] = {**value, "path": self.path(value["path"], option)}
        return found

    def _moved(self, text: str, option: str) -> str:
        """A path that says itself where it starts; a glob in it is kept."""
        start = os.path.join(self.place.root, self.folder)
        whole = os.path.normpath(os.path.join(start, text))
        top = self.place.root.rstrip(os.sep) + os.sep
        if os.path.isabs(text) and not whole.startswith(top):
            # The folder may have another name, through a link.
            whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
        if not whole.startswith(top):
            raise UsageError(
                f"{option}: the path {text!r} is outside the repository",
                "name a path below the top of the repository",
            )
        found = whole[len(top) :] + ("/" if text.endswith("/") else "")
        if found != text.removeprefix("./"):
            self._say(text, found, option)
        return found

    def _is_there(self, path: str) -> bool:
        return os.path.lexists(os.path.join(self.place.root, path))

    def _say(self, text: str, found: str, option: str) -> None:
        self.said.append(f"{option} {text} is {found}, seen from the top of the repository")

    def _suggest(self, text: str, from_here: str, option: str) -> None:
        self.said.append(f"{option} {text} is read from the top of the repository; from here: {from_here}")


def say_how_read(ctx: Running, seen: FromHere) -> None:
    """Tell which paths were read otherwise than they were written, or might be meant otherwise."""
    for line in dict.fromkeys(seen.said):
        say(ctx, f"mem: {plain(redact(line))}")


def _says_where(text: str) -> bool:
    """Whether a path says itself where it starts."""
    return os.path.isabs(text) or text.split("/")[0] in (".", "..")


def _path_of(text: str) -> tuple[str, str, str]:
    """``path:``, the path and ``#ASPECT`` of a subject; three times nothing for another subject."""
    if not text.startswith(PATH):
        return "", "", ""
    path, sharp, aspect = text[len(PATH) :].partition("#")
    return PATH, path, sharp + aspect


def note_said(text: str) -> str:
    """The name of a note as the memory knows it: a path that is a note's file from here, and no file
    from the top, is made one from the top; anything else stays."""
    wanted = text.strip()
    if "/" not in wanted and not wanted.endswith(".md"):
        return text
    try:
        place = find_place(".")
    except NoMemory:
        return text
    path = inside(place, wanted)
    if not path or path == wanted or not path.startswith(f"{MEMORY}/"):
        return text
    is_from_top = not os.path.isabs(wanted) and os.path.lexists(os.path.join(place.root, wanted))
    return text if is_from_top or not os.path.isfile(os.path.join(place.root, path)) else path


def notes_said(texts: list[str] | None) -> list[str] | None:
    """:func:`note_said` for several."""
    return texts and [note_said(text) for text in texts]
