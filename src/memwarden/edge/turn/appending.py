"""Private state that many processes append to: one file of lines, read and extended under a lock.

Hooks run in parallel, so whoever decides by what a file says holds its lock from the reading to the
writing.  The lock is the file's own, released by the death of its holder; where a file system cannot
lock, or the holder takes too long, single appended writes still keep lines whole.  Lines in place of others
are written beside and put there in one step, so that whoever is killed meanwhile has lost none of them.
"""

import os
import time

from memwarden.core.turn.lines import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memwarden.core.turn.lines import Line

PATIENCE = 5.0
PAUSE = 0.002
BESIDE = ".new"  # what is to take a file's place, until it has
LOOKS = 50
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class LockedLines:
    """An open file of lines under its lock.  Use it as a context."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._fd = -1
        self._torn = False

    def __enter__(self) -> "LockedLines":
        for _ in range(LOOKS):
            self._open()
            _lock(self._fd)
            if self._is_there():
                break
            self._close()  # it was put away while we waited: what counts is what lies there now
        else:
            self._open()
            _lock(self._fd)
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _open(self) -> None:
        try:
            self._fd = os.open(self.path, _FLAGS, 0o600)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(self.path), 0o700, exist_ok=True)
            self._fd = os.open(self.path, _FLAGS, 0o600)

    def _is_there(self) -> bool:
        """Whether the file that is open is still the one that the path names."""
        try:
            named = os.lstat(self.path)
        except FileNotFoundError:
            return False
        opened = os.fstat(self._fd)
        return (named.st_ino, named.st_dev) == (opened.st_ino, opened.st_dev)

    def _close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def read(self) -> "list[Line]":
        """Every whole line."""
        return list(decode(self.read_bytes()))

    def read_bytes(self) -> bytes:
        """All that is there, also of a line that was cut short."""
        size = self.size()
        data = os.pread(self._fd, size, 0) if size else b""
        self._torn = bool(data) and not data.endswith(b"\n")
        return data

    def look_at_end(self) -> None:
        """All that has to be read before something is appended: whether the last line is whole."""
        size = self.size()
        self._torn = size > 0 and os.pread(self._fd, 1, size - 1) != b"\n"

    def size(self) -> int:
        return os.fstat(self._fd).st_size

    def now(self) -> int:
        """The file system's own time in nanoseconds, as it stamps a file that is written now."""
        os.utime(self._fd)
        return os.fstat(self._fd).st_mtime_ns

    def append(self, lines: "Iterable[Line]") -> None:
        """Add lines in one write, after a line that was cut short, if there is one."""
        data = encode(lines)
        if data:
            _write(self._fd, b"\n" + data if self._torn else data)
            self._torn = False

    def replace(self, lines: "Iterable[Line]") -> None:
        """Put these lines in place of all there are, or leave all as it was.

        The new file is locked before it has its name, so nobody comes in between.
        """
        beside = self.path + BESIDE
        _remove(beside)  # of one that was killed
        new = os.open(beside, _FLAGS | os.O_EXCL, 0o600)
        try:
            _lock(new)
            _write(new, encode(lines))
            os.fsync(new)
            os.replace(beside, self.path)
        except BaseException:
            os.close(new)
            _remove(beside)
            raise
        os.close(self._fd)
        self._fd, self._torn = new, False


def read_lines(path: str) -> "list[Line]":
    """The lines of a file without its lock, for who only looks; [] where there is none."""
    try:
        with open(path, "rb") as file:
            return list(decode(file.read()))
    except OSError:
        return []


def append_lines(
    path: str,
    lines: "Iterable[Line]",
    most: int = 0,
    shorten: "Callable[[list[Line]], Iterable[Line]] | None" = None,
) -> None:
    """Append to a file; where it has grown beyond ``most`` bytes it is shortened first."""
    with LockedLines(path) as file:
        if shorten and file.size() > most:
            file.replace(shorten(file.read()))
        else:
            file.look_at_end()
        file.append(lines)


def _write(fd: int, data: bytes) -> None:
    """All of it, in one write as long as the disk takes it."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _lock(fd: int) -> None:
    try:
        import fcntl
    except ImportError:
        return
    waited = 0.0
    while waited < PATIENCE:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(PAUSE)
            waited += PAUSE
        except OSError:
            return


def forget_old(folder: str, keep: int, days: int) -> None:
    """Remove the files in a folder that nobody wrote for some days, and the oldest beyond ``keep``."""
    try:
        with os.scandir(folder) as found:
            files = sorted((entry.stat().st_mtime, entry.path) for entry in found if entry.is_file())
    except OSError:
        return
    oldest = time.time() - days * 86_400
    for age, (written, path) in enumerate(reversed(files)):
        if age >= keep or written < oldest:
            _remove(path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
