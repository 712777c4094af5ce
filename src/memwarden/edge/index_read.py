"""The index as a touch reads it: a few keyed values out of one constant file, whatever its size.

The index lies in this worktree's private state.  It is never the authority: it says what one reading of
``memory/`` found and how every file stood at that moment, and whoever asks compares first.  It may be
deleted at any time.  Everything that an idle hook needs of it is in this one module, and the module
imports nothing that Python has not loaded already (not even ``__future__``), because each further module
would cost a hook more than all its reading here.

The file is a constant database: a preamble, pages of slots, then the values.

=========  =======================================================================================
preamble   magic, then five numbers: the writer's mark, the count of pages, the size of the file,
           a spare, the hash of all that
page       512 bytes: the hash of the rest, then 21 slots of (hash of the key, offset, length);
           a key that finds its page full is in the next one
value      the hash of its bytes, then the bytes, which are a ``marshal`` value
=========  =======================================================================================

A file of another format, program, Python or user, one that is cut short or damaged, is as good as none.
``marshal`` is read, as Python reads compiled modules, only from a file that belongs to this user and
whose hashes hold.  The hash is the one that guards compiled modules (:func:`importlib.util.source_hash`);
it is taken from the module below because importing ``importlib.util`` costs more than all the rest.
"""

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    def checksum(data: bytes | memoryview) -> bytes: ...

    # What stat says of one file: mtime, ctime (both in nanoseconds), size, inode.  None: not to be trusted.
    Stamp: TypeAlias = tuple[int, int, int, int]
    # path, stamp, note, standing, stamp of its folder of events (all as ``index_codec`` writes them), and
    # how the files and the events of those stand that supersede it
    Row: TypeAlias = tuple[
        str,
        Stamp | None,
        tuple[Any, ...],
        tuple[Any, ...] | None,
        Stamp | None,
        tuple[tuple[str, Stamp | None], ...],
    ]
else:
    try:
        from _frozen_importlib_external import _RAW_MAGIC_NUMBER
        from _imp import source_hash

        def checksum(data):
            return source_hash(_RAW_MAGIC_NUMBER, data)

    except ImportError:
        from importlib.util import source_hash as checksum

FORMAT = 3
FILE = "index"
STALE = "index.stale"
ANSWERS = "answers"
WILD = frozenset("*?[\\")

MAGIC = b"memwarden index\n"
NUMBER = 8
PREAMBLE = len(MAGIC) + 5 * NUMBER
PAGE = 512
SLOT = 3 * NUMBER
SLOTS = (PAGE - NUMBER) // SLOT
FIRST_READ = 1 << 16
BLOCK = 16
START = 8


class Damaged(Exception):
    """Some bytes are not what was written: the whole file is as good as none."""


class KeyedFile:
    """An open file of keyed values."""

    def __init__(self, fd: int, pages: int, start: bytes) -> None:
        self._fd = fd
        self._pages = pages
        self._start = start

    def get(self, key: str) -> "Any":
        """The value of ``key``, or None where the file has none.  Raises :class:`Damaged`."""
        wanted = checksum(key.encode("utf-8", "surrogatepass"))
        number = int.from_bytes(wanted, "little") % self._pages
        while True:
            page = self._read(PREAMBLE + number * PAGE, PAGE)
            if checksum(page[NUMBER:]) != page[:NUMBER]:
                raise Damaged
            for at in range(NUMBER, NUMBER + SLOTS * SLOT, SLOT):
                if page[at : at + NUMBER] == wanted:
                    offset = int.from_bytes(page[at + NUMBER : at + 2 * NUMBER], "little")
                    return self._value(offset, int.from_bytes(page[at + 2 * NUMBER : at + SLOT], "little"))
                if not any(page[at + NUMBER : at + 2 * NUMBER]):
                    return None
            number = (number + 1) % self._pages

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __del__(self) -> None:
        self.close()

    def _value(self, offset: int, length: int) -> "Any":
        data = self._read(offset, NUMBER + length)
        blob = memoryview(data)[NUMBER:]
        if checksum(blob) != data[:NUMBER]:
            raise Damaged
        return marshal.loads(blob)  # noqa: S302  (this user's own file, and its hash holds)

    def _read(self, offset: int, length: int) -> bytes:
        if offset + length <= len(self._start):
            return self._start[offset : offset + length]
        try:
            data = os.pread(self._fd, length, offset)
        except (OSError, OverflowError, MemoryError):
            raise Damaged from None
        if len(data) != length:
            raise Damaged
        return data


def open_keyed(path: str, mark: bytes) -> KeyedFile | None:
    """The file at ``path`` if it is whole, this user's own, and its writer's mark is ``mark``."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    pages, start = _preamble(fd, mark)
    if not pages:
        os.close(fd)
        return None
    return KeyedFile(fd, pages, start)


def _preamble(fd: int, mark: bytes) -> tuple[int, bytes]:
    """The count of pages and the first bytes; no pages where the file cannot be used."""
    try:
        info = os.fstat(fd)
        start = os.pread(fd, FIRST_READ, 0)
    except OSError:
        return 0, b""
    if info.st_uid != os.geteuid() or info.st_mode & 0o170022 != 0o100000:
        return 0, b""
    if len(start) < PREAMBLE or start[: len(MAGIC)] != MAGIC:
        return 0, b""
    places = range(len(MAGIC), PREAMBLE, NUMBER)
    given, pages, size, _spare, check = (start[at : at + NUMBER] for at in places)
    if given != mark or checksum(start[: PREAMBLE - NUMBER]) != check:
        return 0, b""
    if int.from_bytes(size, "little") != info.st_size:
        return 0, b""
    return int.from_bytes(pages, "little"), start


def program_mark(kind: str) -> bytes:
    """What a file of this kind must have been written by: this program, installed as it is, on this Python.

    The version alone would not do: an installation may be replaced by another of the same version, and
    the sources of a working copy change under one version.
    """
    import memwarden

    told = f"{kind} {FORMAT} {memwarden.__version__} {sys.implementation.cache_tag} {marshal.version}"
    try:
        told += str(stamp_of(os.stat(memwarden.__file__)))
    except OSError:  # the program is inside an archive
        return checksum(told.encode())
    if "site-packages" not in memwarden.__file__ and "dist-packages" not in memwarden.__file__:
        from memwarden.edge.source_mark import source_mark

        told += source_mark(os.path.dirname(memwarden.__file__))
    return checksum(told.encode("utf-8", "surrogateescape"))


def stamp_of(info: os.stat_result) -> "Stamp":
    """What of a file's stat changes when its content does."""
    return info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino


def stamp_at(path: "str | bytes") -> "Stamp | None":
    """What stat says of the file itself (a link is not followed), or None where there is none."""
    try:
        return stamp_of(os.lstat(path))
    except (OSError, ValueError):
        return None


def keys_of_path(path: str) -> list[str]:
    """Every key under which an anchor that matches ``path`` may be filed.

    Four kinds, told apart by the letter after the slash: ``p`` and the folders (or the whole path) that each
    match starts with; ``n`` and a literal last segment, which one of the path's names must equal;
    ``s`` and the first letters of the last segment; ``e``, the leading folders and the last segment's
    extension.  ``index_build.key_of_glob`` chooses one of them for each anchor.
    """
    names = path.rstrip("/").split("/")
    keys = {"/p": None}
    folders = [""]
    lead = ""
    for name in names:
        dot = name.rfind(".")
        if dot >= 0:
            for folder in folders:
                keys["/e" + folder + "\0" + name[dot:]] = None
        lead = lead + "/" + name if lead else name
        folders.append(lead)
        keys["/p" + lead] = keys["/n" + name] = None
        if len(name) >= START:
            keys["/s" + name[:START]] = None
    return list(keys)


class IndexReader:
    """What one reading of ``memory/`` found, by key.

    After :class:`Damaged` inside, every answer is None and :meth:`fresh` is False: read the memory.
    """

    def __init__(self, file: KeyedFile, private: str) -> None:
        self.file = file
        self._private = private
        self._blocks: dict[int, list[Row]] = {}
        self.head: dict[str, Any] = self._get("head") or {}

    def fresh(self, root: str, today: str = "") -> bool:
        """Whether no note was added, removed, renamed or checked out since the index was written, as far
        as the folders' own times tell; the manifest is looked at too, and the mark of :func:`mark_stale`.

        A note that was edited in place is not seen here: ask :meth:`current` of the notes that matter,
        or take the full look (``reading.full_look``).
        With ``today``, the standings must hold on that date as well.
        """
        head = self.head
        if not head or stamp_at(self._private + "/" + STALE) is not None:
            return False
        if today and not self.is_of(today):
            return False
        for path, stamp in head["folders"]:
            if stamp is None or stamp_at(root + "/" + path) != stamp:
                return False
        return True

    def is_of(self, today: str) -> bool:
        """Whether every note stands on that day as it did when the index was written."""
        return bool(self.head and self.head["from"] <= today <= self.head["to"])

    def current(self, row: "Row", root: str) -> bool:
        """Whether the note's file and its folder of events are as they were when the index was written, and
        so those of its successors: where one is revoked, it speaks again."""
        path, stamp, note, _standing, events, others = row
        if stamp is None or stamp_at(root + "/" + path) != stamp:
            return False
        if note[1] and stamp_at(f"{root}/memory/events/{note[1]}") != events:
            return False
        return all(stamp_at(root + "/" + path) == stamp for path, stamp in others)

    def candidates(self, path: str) -> "list[Row] | None":
        """The notes with a path anchor that matches the repository-relative ``path``, by path."""
        return self.rows(self.near(path))

    def near(self, path: str) -> "list[int]":
        """The numbers of :meth:`candidates`."""
        found: dict[int, None] = {}
        for key in keys_of_path(path):
            for number, glob in self._get(key) or ():
                if number not in found and glob_matches(glob, path):
                    found[number] = None
        return sorted(found)

    def command_notes(self) -> "list[Row] | None":
        """The notes with a command anchor, by path."""
        return self.rows(self._get("commands") or ()) if self.head.get("commands") else self.rows(())

    def rows(self, numbers: "Any") -> "list[Row] | None":
        found = []
        for number in numbers:
            block = self._blocks.get(number // BLOCK)
            if block is None:
                block = self._blocks[number // BLOCK] = self._get(f"block {number // BLOCK}") or []
            if not block:
                return None
            found.append(block[number % BLOCK])
        return found if self.head else None

    def _get(self, key: str) -> "Any":
        try:
            return self.file.get(key)
        except Damaged:
            self.head = {}
            return None


def open_index(private: str) -> IndexReader | None:
    """The index in a worktree's private folder (``$GIT_DIR/mem``), or None where there is none to use."""
    file = open_keyed(private + "/" + FILE, program_mark(FILE))
    if file is None:
        return None
    reader = IndexReader(file, private)
    return reader if reader.head else None


def mark_stale(private: str) -> None:
    """Say that something under ``memory/`` was written that the folders' times may not show."""
    try:
        # Truncating, so that a mark that is there already gets a new time.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        os.close(os.open(private + "/" + STALE, flags, 0o600))
    except OSError:
        return


def name_of_answer(asked: str) -> str:
    """The file below :data:`ANSWERS` that may hold the answer to a question."""
    return checksum(asked.encode("utf-8", "surrogatepass")).hex()


def glob_matches(glob: str, path: str) -> bool:
    """As ``core.glob.matches``, which is loaded only where a glob is more than a path, or all of a folder."""
    whole = glob[:-2] if glob.endswith("/**") else glob
    if whole[:1] not in "#!/" and whole[-1] != " " and "//" not in whole and WILD.isdisjoint(whole):
        if whole != glob:
            return path.startswith(whole) and path != whole
        if glob == path:
            return True
    from memwarden.core.glob import matches

    return matches(glob, path)


def folder_at(path: str) -> int:
    """The inode of the folder at ``path``; 0 where there is none, or a link."""
    try:
        info = os.lstat(path)
    except OSError:
        return 0
    return info.st_ino if info.st_mode & 0o170000 == 0o040000 else 0
