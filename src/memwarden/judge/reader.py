"""How a judge reads: text decoded once, every path accounted for, and nothing that cannot count.

Files under ``memory/`` and ``.git`` never satisfy a condition.  What is not plainly text of at most
8 MiB is :class:`Unreadable`, which every judge turns into "cannot tell".
"""

from __future__ import annotations

from memwarden.core.glob import literal_prefix, matches
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.visible import plain
from memwarden.core.workspace import FILE, FOLDER, OTHER, Steady, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from memwarden.core.condition import CommandTest, Verdict
    from memwarden.core.workspace import Entry, Workspace

UNMERGED = "has versions that git has not merged yet"
LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
LONGEST_EXCERPT = 160
MOST_ITEMS = 20
# Characters of text that one run keeps at hand.
MOST_KEPT = 1 << 27


class Surroundings(NamedTuple):
    """What a verdict needs beyond files.

    ``today`` is the UTC date, "" where there is no clock (a past commit).  ``tags`` lists the
    repository's tags and ``run_command`` runs an endorsed command; None where there is none to ask.
    ``shallow``: history, and so tags, may be missing.  ``blobs``: name the blob of every file read
    (a hook that only wants to know leaves it out).  ``unmerged`` gives the paths of the working tree that
    git has not merged yet, told whether a text looks like a conflict; None where there can be none.
    """

    today: str = ""
    tags: Callable[[], tuple[str, ...]] | None = None
    shallow: bool = False
    run_command: Callable[[CommandTest], Verdict] | None = None
    blobs: bool = True
    unmerged: Callable[[bool], frozenset[str]] | None = None


class Text(str):
    """A file's text, and its bytes as UTF-8, for whoever searches those: made once, when first asked."""

    _data: bytes | None = None

    @property
    def data(self) -> bytes:
        if self._data is None:
            self._data = self.encode("utf-8", "surrogatepass")
        return self._data


class Texts:
    """What files say, read and decoded once for all the conditions that look at them.

    The key is a file's path and its stamp, so that one that changes meanwhile is read again; a
    workspace that gives no stamp is read each time.  What is oldest goes where room is short.
    """

    def __init__(self, room: int = MOST_KEPT) -> None:
        self._room = room
        self._known: dict[tuple[str, str], Text | Unreadable] = {}
        self._blobs: dict[tuple[str, str], str] = {}

    def read(self, workspace: Workspace, path: str, stamp: str) -> Text:
        """The text of a file; raises :class:`Unreadable`."""
        found = self._known.get((path, stamp)) if stamp else None
        if found is None:
            try:
                found = Text(decode(workspace.read(path)))
            except Unreadable as reason:
                found = reason
            if stamp:
                self._keep((path, stamp), found)
        if isinstance(found, Unreadable):
            raise Unreadable(str(found))
        return found

    def blob(self, workspace: Workspace, path: str, stamp: str) -> str:
        """The blob ID of a file; raises :class:`Unreadable`."""
        found = self._blobs.get((path, stamp)) if stamp else None
        if found is None:
            found = workspace.blob(path)
            if stamp:
                self._blobs[path, stamp] = found
        return found

    def _keep(self, key: tuple[str, str], found: Text | Unreadable) -> None:
        self._known[key] = found
        self._room -= _size(found)
        while self._room < 0 and len(self._known) > 1:
            self._room += _size(self._known.pop(next(iter(self._known))))


def _size(found: Text | Unreadable) -> int:
    return len(found) if isinstance(found, Text) else 0


class Reader:
    """One judgement's view of a workspace.

    ``reads`` maps every path that was looked at to its stamp ("" where nothing was there) and
    ``listed`` holds the folders whose listing was asked for: with the condition's digest they are the
    key under which a verdict may be kept, unless it is ``fleeting``: told by what git is in the middle of.
    """

    def __init__(self, workspace: Workspace, surroundings: Surroundings, texts: Texts | None = None) -> None:
        self.workspace = workspace
        self.surroundings = surroundings
        self._texts = texts or Texts()
        self.reads: dict[str, str] = {}
        self.listed: set[str] = set()
        self.fleeting = False
        self._entries: dict[str, Entry | None] = {}

    def entry(self, path: str) -> Entry | None:
        """What is at ``path``; raises :class:`Unreadable` for a path that cannot count."""
        if path in self._entries:
            return self._entries[path]  # one judgement is of one moment
        if never_counts(path):
            raise Unreadable("files under memory/ and .git never satisfy a condition")
        found = self.workspace.entry(path)
        self.reads[path] = found.stamp if found else ""
        if found and found.kind != OTHER and never_counts(self.workspace.resolved(path)):
            raise Unreadable("leads into memory/ or .git, which never satisfy a condition")
        self._entries[path] = found
        return found

    def targets(self, path: str) -> list[str]:
        """The files that a condition's ``path`` means: itself, or all that it matches as a glob."""
        literal = path.rstrip("/")
        if not is_glob(path) or ("\\" not in path and self.entry(literal)):
            # A name like app/[id]/page.tsx means itself where it exists.
            found = self.entry(literal)
            self._require_merged(
                lambda name: name == literal or (name.startswith(f"{literal}/") and not found)
            )
            return [literal] if found else []
        folder = literal_prefix(path)
        self.listed.add(folder)
        self._require_merged(lambda name: matches(path, name))
        known = self.workspace.matched if isinstance(self.workspace, Steady) else {}
        if path not in known:
            listed = self.workspace.paths(folder)
            known[path] = [name for name in listed if matches(path, name) and not never_counts(name)]
        return known[path]

    def named(self, names: frozenset[str], passing: frozenset[str], most: int) -> list[str]:
        """The files of these names in folders of the repository, but for those in folders of the names in
        ``passing``; raises :class:`Unreadable` where there are more than ``most``."""
        self.listed.add("")
        found = []
        for path in self.workspace.paths("", passing):
            folder, _, name = path.rpartition("/")
            if folder and name in names and not never_counts(path):
                found.append(path)
                if len(found) > most:
                    raise Unreadable(f"there are more than {most} files that may declare it")
        return found

    def text(self, path: str) -> Text:
        """The text of a file with its line endings normalised; raises :class:`Unreadable`."""
        found = self.entry(path)
        if found is None:
            raise Unreadable("is not there")
        if found.kind == FOLDER:
            raise Unreadable("is a folder, not a file")
        if found.unmerged:
            raise Unreadable(UNMERGED)
        if found.kind != FILE:
            raise Unreadable("is not a regular file inside the repository")
        text = self._texts.read(self.workspace, path, found.stamp)
        unmerged = self._unmerged("<<<<<<< " in text)
        if unmerged and (path in unmerged or self.workspace.resolved(path) in unmerged):
            raise Unreadable(UNMERGED)
        return text

    def _require_merged(self, means: Callable[[str], bool]) -> None:
        """Raise :class:`Unreadable` where git has not merged a path that is meant: what lies there, if
        anything does, is nobody's version."""
        for name in sorted(self._unmerged()):
            if means(name):
                raise Unreadable(f"{name} {UNMERGED}")

    def _unmerged(self, suspected: bool = False) -> frozenset[str]:
        ask = self.surroundings.unmerged
        found = ask(suspected) if ask is not None else frozenset()
        self.fleeting |= suspected or bool(found)
        return found

    def item(self, path: str, note: str) -> dict[str, Any]:
        """Evidence about a file as a whole."""
        return {"path": path, "note": note, **self._blob(path)}

    def match(self, path: str, text: str, start: int) -> dict[str, Any]:
        """Evidence of a match: its line, and the line's text."""
        line = text.count("\n", 0, start) + 1
        return {"path": path, "line": line, "excerpt": excerpt(text, start), **self._blob(path)}

    def _blob(self, path: str) -> dict[str, str]:
        if not self.surroundings.blobs:
            return {}
        try:
            return {"blob": self._texts.blob(self.workspace, path, self.reads.get(path, ""))}
        except (Unreadable, OSError):
            return {}


def excerpt(text: str, start: int = 0) -> str:
    """The line of ``text`` around ``start``, fit to keep: secrets masked, odd characters visible.

    Secrets are looked for in whole words, and well beyond the line where a key's block may span many.
    """
    from memwarden.core.secrets import LONGEST_BLOCK, MASK, find_secrets  # only a match comes here

    at = max(text.rfind("\n", 0, start) + 1, start - LONGEST_EXCERPT // 2)
    end = text.find("\n", start)
    end = min(len(text) if end < 0 else end, at + LONGEST_EXCERPT)
    low, high = max(0, at - LONGEST_BLOCK), end + LONGEST_BLOCK
    if "PRIVATE KEY" not in text[low:high]:
        low, high = _word_start(text, at, low), _word_end(text, end, high)
    parts = []
    for secret in find_secrets(text[low:high]):
        first, last = low + secret.start, low + secret.end
        if last <= at or first >= end:
            continue
        parts += [text[at:first], MASK.format(secret.kind)]
        at = min(last, end)
    return plain("".join((*parts, text[at:end])).strip())


def _word_start(text: str, at: int, low: int) -> int:
    """Where the word that ``at`` stands in begins, not before ``low``."""
    while at > low and not text[at - 1].isspace():
        at -= 1
    return at


def _word_end(text: str, at: int, high: int) -> int:
    """Where the word that ends at or goes on after ``at`` ends, not after ``high``."""
    high = min(high, len(text))
    while at < high and not text[at].isspace():
        at += 1
    return at


def is_glob(path: str) -> bool:
    """Whether a condition's path has a wildcard or an escape."""
    return any(char in path for char in "*?[\\")


def never_counts(path: str) -> bool:
    """Whether a path is the memory's own, or git's."""
    lower = path.lower()
    if lower[:1] not in "m./" and ".git" not in lower:
        return False  # nearly every path, and cheap to see
    parts = lower.split("/")
    while parts and parts[0] in ("", "."):
        parts.pop(0)
    return bool(parts) and (parts[0] == "memory" or ".git" in parts)


def decode(data: bytes) -> str:
    """Bytes as text: by the byte-order mark, else UTF-8; line ends become ``\\n``.

    Raises :class:`Unreadable` for binary, undecodable and not-fetched content.
    """
    if data.startswith(LFS_POINTER):
        raise Unreadable("is a git LFS pointer: its content is not here")
    try:
        if data.startswith(b"\xef\xbb\xbf"):
            text = data[3:].decode("utf-8")
        elif data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
            text = data.decode("utf-32")
        elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = data.decode("utf-16")
        else:
            text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("is binary" if b"\0" in data else "is not UTF-8 text") from None
    if "\0" in text:
        raise Unreadable("is binary")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text
