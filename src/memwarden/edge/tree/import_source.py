"""Another tool's files, read and nothing else: bounded, never through a link that leads out, never a FIFO.

The folder may lie anywhere, also outside the repository.  Its own path goes no further than a message to
whoever named it: what is read is called by its path below the folder, or by a file's name alone.  What is
there and is not read is told too, by name, or counted where it is much.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from itertools import islice

from memwarden.core.paths import normal
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.visible import plain, visible
from memwarden.core.workspace import FILE, FOLDER, Unreadable
from memwarden.edge.git.plumbing import run
from memwarden.edge.place import MEMORY
from memwarden.edge.tree.given_path import inside
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.fence import CONFLICT, MOST_NOTE, split
from memwarden.edit.importing.harvest import Loss
from memwarden.errors import ERROR, Finding, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memwarden.edge.place import Place

MOST_FILES = 2_000
MOST_PATHS = 20_000
MOST_BYTES = 32 * 1024 * 1024
# A tracked source file beyond this is no place for a remark.
MOST_SOURCE = 1024 * 1024
# More files than these are counted, not named.
MOST_NAMED = 20


class Source(NamedTuple):
    """Texts by name, the files that are not read, and what a person ``named``: a file by what its text is
    called, a folder by itself, each safe to show."""

    texts: dict[str, str]
    lost: tuple[Loss, ...] = ()
    named: Mapping[str, str] = {}


def read_folder(place: Place, folder: str, homes: Sequence[str] = ("",), sign: str = "") -> Source:
    """Every Markdown file below ``folder``, apart from this repository's own memory.

    With ``sign`` only below the first of ``homes`` (paths below the folder that end in ``/``, or "") that
    has a file of that name.  Raises :class:`UsageError` where there is no such folder, too much in it, or
    the ``sign`` cannot be read; and for conflict markers, for nobody can tell which half holds.
    """
    shown = _as_given(folder)
    why = _why_no_folder(folder) or _why_own(place, folder)
    if why:
        raise UsageError(f"{shown} {why}", "name the folder that holds the other tool's memory")
    tree = WorkingTree(folder)
    home = next((home for home in homes if sign and _is_there(tree, home + sign)), "")
    paths = list(islice(tree.paths(home.rstrip("/")), MOST_PATHS + 1))
    if len(paths) > MOST_PATHS:
        raise UsageError(
            f"{shown} holds more than {MOST_PATHS} files, so it is no memory",
            "name the folder of the memory itself",
        )
    own = _own_below(place, folder)
    ours = [path for path in paths if own and path.startswith(own)]
    paths = [path for path in paths if not (own and path.startswith(own))]
    wanted = [path for path in paths if path.lower().endswith(".md")]
    if len(wanted) > MOST_FILES:
        raise UsageError(f"{shown} holds more than {MOST_FILES} Markdown files", "import a part")
    source, faults = _read(tree, wanted, MOST_NOTE)
    source = source._replace(lost=(*source.lost, *_passed_over(folder, paths)), named={folder: shown})
    if ours:
        source = source._replace(lost=(*source.lost, Loss(own, 0, "this repository's own memory")))
    about_sign = [loss for loss in source.lost if sign and loss.source == home + sign]
    if about_sign:
        raise UsageError(
            f"{about_sign[0].source}: {about_sign[0].why}", "make it a plain, readable text first"
        )
    _refuse_conflicts(faults)
    return source


def read_files(place: Place, named: Sequence[str]) -> Source:
    """The files that a person named; each is called by its path in the repository, or by its name alone.

    Raises :class:`UsageError` for the first that cannot be read as text.
    """
    texts: dict[str, str] = {}
    faults: list[Finding] = []
    spelled: dict[str, str] = {}
    for file in named:
        if file == "" or (file == "-" and not os.path.lexists(file)):
            why = "standard input is not read here" if file else "is empty"
            raise UsageError(f"{_as_given(file)}: {why}", "name a file")
        if _why_own(place, file):
            raise UsageError(f"{_as_given(file)} {_why_own(place, file)}", "name the other tool's files")
        folder, name = os.path.split(os.path.abspath(file))
        called = visible(inside(place, file) or name)
        found, conflicts = _read(WorkingTree(folder), [name], MOST_NOTE)
        if found.lost:
            raise UsageError(f"{_as_given(file)}: {found.lost[0].why}", "name a plain, readable text")
        faults += [fault._replace(path=called) for fault in conflicts]
        if called in texts:
            again = f" (as {spelled[called]} before)" if spelled[called] != _as_given(file) else ""
            raise UsageError(
                f"{_as_given(file)} is named twice{again}", "give files of one name one at a time"
            )
        texts.update(dict.fromkeys([called], *found.texts.values()))
        spelled[called] = _as_given(file)
    _refuse_conflicts(faults)
    return Source(texts, named=spelled)


def read_tracked(place: Place, wanted: Callable[[str], bool], signs: Sequence[str] = ()) -> Source:
    """The text files that git tracks or would add, as they are on disk, apart from the memory's own.

    What is too large or cannot be decoded is lost where it has one of the ``signs``, and else nobody's
    loss; links and other repositories have no text of their own."""
    told = run(place, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = sorted(told.decode("utf-8", "surrogateescape").split("\0"))
    tree = WorkingTree(place.root)
    paths = [
        path for path in dict.fromkeys(listed) if path and not path.startswith("memory/") and wanted(path)
    ]
    texts: dict[str, str] = {}
    lost: list[Loss] = []
    total = 0
    for at, path in enumerate(paths):
        try:
            entry = tree.entry(path)
            if entry is None or entry.kind != FILE or entry.link:
                continue
            data = tree.read(path)
        except Unreadable as error:
            lost.append(Loss(visible(path), 0, str(error)))
            continue
        if entry.size > MOST_SOURCE:
            if _has_sign(data, signs):
                lost.append(Loss(visible(path), 0, "larger than 1 MiB"))
            continue
        total += len(data)
        if total > 8 * MOST_BYTES:
            after = f", and {len(paths) - at - 1} files after it" if at + 1 < len(paths) else ""
            lost.append(Loss(visible(path), 0, f"too much to read at once{after}: import it by its folder"))
            break
        text = _text(data)
        if text is not None:
            texts[path] = text
        elif _has_sign(data, signs):
            lost.append(Loss(visible(path), 0, "it is no UTF-8 text"))
    return Source(texts, tuple(lost))


def _read(tree: WorkingTree, paths: Iterable[str], most: int) -> tuple[Source, list[Finding]]:
    texts: dict[str, str] = {}
    lost: list[Loss] = []
    conflicts: list[Finding] = []
    total = 0
    for path in paths:
        name = visible(normal(path))
        try:
            entry = tree.entry(path)
            if entry is None:
                raise Unreadable("no such file")
            if entry.kind != FILE:
                raise Unreadable(
                    "a folder" if entry.kind == FOLDER else "no regular file, or a link that leads out"
                )
            if entry.size > most:
                raise Unreadable("larger than 1 MiB")
            data = tree.read(path)
        except Unreadable as error:
            lost.append(Loss(name, 0, str(error)))
            continue
        total += len(data)
        if total > MOST_BYTES:
            raise UsageError("there is more than 32 MiB of text", "import it in parts")
        parts = split(data)
        if parts.fault is not None and parts.fault.code == CONFLICT:
            conflicts.append(Finding(CONFLICT, ERROR, parts.fault.message, name, parts.fault.line, 1))
            continue
        text = _text(data)
        if text is None:
            lost.append(Loss(name, parts.fault.line if parts.fault else 0, "it is no UTF-8 text"))
        else:
            texts[name] = text
    return Source(texts, tuple(lost)), conflicts


def _as_given(text: str) -> str:
    """A path as the person wrote it, safe to show back."""
    return plain(text) or "''"


def _why_no_folder(folder: str) -> str:
    """Why nothing can be listed there, as the end of a sentence, or ""."""
    if not folder:
        return "is empty"
    try:
        with os.scandir(folder):
            return ""
    except FileNotFoundError:
        return "is a link that leads nowhere" if os.path.lexists(folder) else "is not there"
    except NotADirectoryError:
        return "is no folder" if os.path.lexists(folder) else "is not there"
    except PermissionError:
        return "may not be read: permission denied"
    except (OSError, ValueError) as error:
        return f"cannot be read: {getattr(error, 'strerror', '') or 'not a usable path'}"


def _why_own(place: Place, given: str) -> str:
    """Whether what was given lies in this repository's memory: the end of a sentence, or ""."""
    own, real = (os.path.realpath(path) for path in (os.path.join(place.root, MEMORY), given))
    return "is of this repository's own memory" if real == own or real.startswith(own + os.sep) else ""


def _own_below(place: Place, folder: str) -> str:
    """Where this repository's memory lies in the folder, with a slash at its end, or ""."""
    own, real = (os.path.realpath(path) for path in (os.path.join(place.root, MEMORY), folder))
    if not own.startswith(real.rstrip(os.sep) + os.sep):
        return ""
    return os.path.relpath(own, real).replace(os.sep, "/") + "/"


def _passed_over(folder: str, paths: Iterable[str]) -> Iterable[Loss]:
    """What is in the folder and is never opened: by name, or counted by where it is."""
    kinds: dict[str, list[str]] = {}
    for path in paths:
        full = os.path.join(folder, path)
        is_folder = os.path.isdir(full)
        if is_folder and os.path.islink(full):
            kinds.setdefault("a link to a folder is not followed", []).append(path)
        elif path.lower().endswith(".md"):
            continue  # it was opened, or its own loss says why not
        elif is_folder:
            kinds.setdefault("a folder that is another repository, or cannot be listed", []).append(path)
        else:
            kinds.setdefault("no Markdown file", []).append(path)
    for why, found in kinds.items():
        if len(found) <= MOST_NAMED:
            yield from (Loss(visible(normal(path)), 0, why) for path in found)
            continue
        counts: dict[str, int] = {}
        for path in found:
            top, slash, _ = normal(path).partition("/")
            where = f"{top}/" if slash else "."
            counts[where] = counts.get(where, 0) + 1
        yield from (Loss(visible(where), 0, f"{why} ({count} of them)") for where, count in counts.items())


def _has_sign(data: bytes, signs: Sequence[str]) -> bool:
    """Whether a text in any encoding has a sign: UTF-16 says by its mark that it is one, for all its NULs."""
    if data[:2] in (BOM_UTF16_LE, BOM_UTF16_BE):
        data = data.decode("utf-16", "replace").encode()
    return b"\0" not in data and any(sign.encode() in data for sign in signs)


def _refuse_conflicts(faults: Sequence[Finding]) -> None:
    if faults:
        names = ", ".join(dict.fromkeys(fault.path for fault in faults))
        raise UsageError(
            f"M002: conflict markers in {names}", "resolve them in the source first", tuple(faults)
        )


def _is_there(tree: WorkingTree, path: str) -> bool:
    try:
        return tree.entry(path) is not None
    except Unreadable:
        return False


def _text(data: bytes) -> str | None:
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
