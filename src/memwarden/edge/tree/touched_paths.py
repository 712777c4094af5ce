"""The paths that a tool call touches, each in one spelling, whatever the host or the shell wrote."""

from __future__ import annotations

import os

from memwarden.core.paths import forms
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.tree.copied import files_below, written_by_copies
from memwarden.edge.tree.given_path import as_here, inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.core.shell.shellpaths import ShellPath
    from memwarden.edge.place import Place

# The files that patterns, and the files that folders that go away, may stand for in one tool call.
MOST_EXPANDED = 1000


class Touches(NamedTuple):
    """Repository-relative paths written and read, and the text of every simple command."""

    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


def touches(
    place: Place,
    writes: Iterable[str] = (),
    reads: Iterable[str] = (),
    command: str = "",
    shell: str = "",
    cwd: str = "",
) -> Touches:
    """What a tool call touches inside the repository; what lies outside is left out."""
    here = cwd or place.root
    written = dict.fromkeys(path for text in writes for path in spellings(place, text, here))
    seen = dict.fromkeys(path for text in reads for path in spellings(place, text, here))
    commands: tuple[str, ...] = ()
    if command:
        from memwarden.core.shell.shellpaths import touches_of  # only shell calls need the lexer

        if shell == "powershell":
            from memwarden.core.shell.powershell import as_posix_text

            command = as_posix_text(command)
        told = touches_of(command)
        commands = told.commands
        named = _Named(here, (*told.writes, *told.reads, *told.gone))
        for found, paths in ((written, told.writes), (seen, told.reads)):
            for path in paths:
                for text in named.by(path):
                    found.update(dict.fromkeys(spellings(place, text, here)))
        gone = [text for path in told.gone for text in named.by(path)]
        room = MOST_EXPANDED
        for at, text in enumerate(gone):
            if not room:
                break
            below = list(_below(place, text, here, room // (len(gone) - at) or 1))
            room -= len(below)
            written.update((form, None) for path in below for form in forms(path))
        if told.copied:
            named = _Named(here, (one.source for one in told.copied))
            pairs = [(text, one.target.text, one.how) for one in told.copied for text in named.by(one.source)]
            copies = written_by_copies(place, pairs, here, MOST_EXPANDED)
            written.update((form, None) for path in copies for form in forms(path))
        if told.back:
            from memwarden.edge.tree.put_back import put_back  # a git process, for a few of git's verbs

            back = put_back(place, told.back, here, MOST_EXPANDED)
            written.update((form, None) for path in back for form in forms(path))
    return Touches(tuple(written), tuple(path for path in seen if path not in written), commands)


def spellings(place: Place, text: str, cwd: str) -> Iterator[str]:
    """The repository-relative path that ``text`` means: where it really leads, and, through a link, also
    the link's own path, since a note may be anchored to either; both in every form of their letters."""
    if text.startswith("~"):
        text = os.path.expanduser(text)
    real = inside(place, text, cwd)
    if real is not None:
        yield from forms(real)
    if "\0" in text or not text:
        return
    plain = os.path.normpath(os.path.join(cwd, as_here(text, cwd)))
    root = place.root.rstrip(os.sep) + os.sep
    if plain.startswith(root):
        path = plain[len(root) :].replace(os.sep, "/")
        if path != real and path.split("/")[0].lower() != ".git":
            yield from forms(path)


class _Named:
    """What each path of a command names now: a pattern the files that it matches, each pattern its fair
    share of :data:`MOST_EXPANDED`; itself where there is none."""

    def __init__(self, cwd: str, paths: Iterable[ShellPath]) -> None:
        self._cwd = cwd
        self._waiting = len({path.text for path in paths if path.glob})
        self._room = MOST_EXPANDED
        self._found: dict[str, tuple[str, ...]] = {}

    def by(self, path: ShellPath) -> tuple[str, ...]:
        if not path.glob:
            return (path.text,)
        if path.text not in self._found:
            share = self._room // self._waiting
            self._found[path.text] = self._expanded(path.text, share) if share else (path.text,)
            self._waiting -= 1
        return self._found[path.text]

    def _expanded(self, text: str, most: int) -> tuple[str, ...]:
        from glob import iglob  # only a command with a pattern comes here
        from itertools import islice

        found = sorted(islice(iglob(os.path.join(self._cwd, os.path.expanduser(text))), most))
        self._room -= len(found)
        return tuple(found) or (text,)


def _below(place: Place, text: str, cwd: str, most: int) -> Iterator[str]:
    """The files of a folder that goes away whole, at most so many, and out of no more folders; a link to a
    folder goes alone."""
    text = os.path.expanduser(text)
    top = inside(place, text, cwd)
    if top is None or os.path.islink(os.path.join(cwd, text)):
        return
    for name in files_below(os.path.join(place.root, top), most):
        yield f"{top}/{name}"
