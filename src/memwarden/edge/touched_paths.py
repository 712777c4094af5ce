"""The paths that a tool call touches, each in one spelling, whatever the host or the shell wrote."""

from __future__ import annotations

import os

from memwarden.core.paths import forms
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.given_path import inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.edge.place import Place

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
        from memwarden.core.shellpaths import touches_of  # only shell calls need the lexer

        if shell == "powershell":
            from memwarden.core.powershell import as_posix_text

            command = as_posix_text(command)
        told = touches_of(command)
        commands = told.commands
        for found, paths in ((written, told.writes), (seen, told.reads)):
            for path in paths:
                for text in _expanded(path.text, here) if path.glob else (path.text,):
                    found.update(dict.fromkeys(spellings(place, text, here)))
        for path in told.gone:
            for text in _expanded(path.text, here) if path.glob else (path.text,):
                written.update(dict.fromkeys(_below(place, text, here)))
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
    plain = os.path.normpath(os.path.join(cwd, text))
    root = place.root.rstrip(os.sep) + os.sep
    if plain.startswith(root):
        path = plain[len(root) :].replace(os.sep, "/")
        if path != real and path.split("/")[0].lower() != ".git":
            yield from forms(path)


def _expanded(text: str, cwd: str) -> list[str]:
    """The files that a shell pattern names now; the pattern itself where there is none."""
    from glob import glob  # only a command with a pattern comes here

    found = sorted(glob(os.path.join(cwd, os.path.expanduser(text))))
    return found[:MOST_EXPANDED] or [text]


def _below(place: Place, text: str, cwd: str) -> Iterator[str]:
    """The files of a folder that goes away whole, as many as a shell pattern may name; a link to a folder
    goes alone."""
    text = os.path.expanduser(text)
    top = inside(place, text, cwd)
    if top is None or os.path.islink(os.path.join(cwd, text)):
        return
    room = MOST_EXPANDED
    waiting = [top]
    while waiting and room:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(place.root, folder)) as listing:
                items = sorted((item.name, item.is_dir(follow_symlinks=False)) for item in listing)
        except OSError:
            continue  # a file, or gone already
        for name, is_folder in items[:room]:
            if is_folder and name.lower() != ".git":
                waiting.append(f"{folder}/{name}")
            elif not is_folder:
                room -= 1
                yield from forms(f"{folder}/{name}")
