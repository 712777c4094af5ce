"""A path as a person or a tool gives it, made repository-relative: one file, one spelling."""

from __future__ import annotations

import os

from memwarden.core.glob import matches
from memwarden.core.paths import without_drive
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.place import MEMORY, Place
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence


def given_path(place: Place, text: str, cwd: str = "") -> str:
    """The repository-relative path of ``text``: absolute, relative to ``cwd`` (the current folder where
    empty), through ``.``, ``..`` or links.  It need not exist.  Raises :class:`UsageError`, which says
    why, for what is no such path."""
    found = inside(place, text, cwd)
    if found is None:
        why = _why_not(place, text, cwd)
        raise UsageError(f"{text!r} {why}", "name a file or folder below the top of the repository")
    return found


def _why_not(place: Place, text: str, cwd: str) -> str:
    """Why ``text`` is no path of the repository, as the end of a sentence."""
    if not text:
        return "is empty"
    if "\0" in text:
        return "has a NUL character"
    root, real = _resolved(place, text, cwd)
    if real == root:
        return "is the top of the repository, which is all of it"
    if real.startswith(root.rstrip(os.sep) + os.sep):
        return "is inside .git, which belongs to git alone"
    return "is outside the repository"


def inside(place: Place, text: str, cwd: str = "") -> str | None:
    """As :func:`given_path`, with None for the top of the repository and for everything outside it."""
    if not text or "\0" in text:
        return None
    root, real = _resolved(place, text, cwd)
    if not real.startswith(root.rstrip(os.sep) + os.sep):
        return None
    path = real[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
    return None if path.split("/")[0].lower() == ".git" else path


def _resolved(place: Place, text: str, cwd: str) -> tuple[str, str]:
    """The top of the repository and what ``text`` leads to, both without links."""
    root = os.path.realpath(place.root)
    start = os.path.realpath(cwd or os.getcwd())
    if os.path.commonpath([root, start]) != root:
        start = root
    return root, os.path.realpath(os.path.join(start, as_here(text, start)))


def as_here(text: str, folder: str) -> str:
    """A path as this system writes it: backslashes and a drive mean what they mean on Windows, unless a
    file in ``folder`` has them in its name."""
    if os.sep == "\\" or not ("\\" in text or text[1:2] == ":"):
        return text
    return text if os.path.lexists(os.path.join(folder, text)) else without_drive(text)


def wanted_paths(place: Place, given: Sequence[str]) -> Callable[[str], bool]:
    """Whether a repository-relative path is one of those given, lies below one, or matches one as a glob."""
    if not given:
        return lambda path: True
    given = [_from_top(place, text) for text in given]
    plain = [inside(place, text) for text in given]
    roots = [path for path in plain if path is not None]
    everything = any(path is None and _is_top(place, text) for path, text in zip(plain, given, strict=True))
    globs = [text.removeprefix("./") for text in given if any(char in text for char in "*?[")]
    here = inside(place, ".")
    globs += [f"{here}/{glob}" for glob in globs] if here else []

    def wanted(path: str) -> bool:
        if everything or any(path == root or path.startswith(root + "/") for root in roots):
            return True
        return any(matches(glob, path) for glob in globs)

    return wanted


def require_there(place: Place, given: Sequence[str], known: Collection[str]) -> None:
    """Raise :class:`UsageError` for a path that is neither in the working tree nor among the ``known``
    ones: a mistyped word must not look like a clean answer.  A glob may match nothing."""
    for text in given:
        if any(char in text for char in "*?[") or _is_top(place, text):
            continue
        path = given_path(place, _from_top(place, text))
        if path not in known and not os.path.lexists(os.path.join(place.root, path)):
            raise UsageError(
                f"{text}: no such file or folder", f"name it as it is from here, as in {MEMORY}/"
            )


def _from_top(place: Place, text: str) -> str:
    """``text``; in full where it is a path from the top of the repository and none from here."""
    whole = os.path.join(place.root, text)
    return whole if not os.path.lexists(text) and os.path.lexists(whole) else text


def _is_top(place: Place, text: str) -> bool:
    return os.path.realpath(text) == os.path.realpath(place.root)
