"""What a command looked at while it ran, so that its answer can be given again while all that stands.

Nobody has to remember to say what he reads.  Python itself names every file that is opened, every folder
that is listed and every process that is started (PEP 578); whether a path exists is asked through
``WorkingTree.entry``, which says so.  A file is looked at *before* it is read, so that one that changes
meanwhile is not believed.  Whatever cannot be vouched for, such as another process than git or a write,
makes the witness unsound, and the answer is not kept.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.index_read import folder_at, stamp_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    from memwarden.edge.index_read import Stamp, folder_at
    from memwarden.edge.place import Place

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
OTHER_PROCESSES = ("os.system", "os.fork", "os.forkpty", "os.exec", "os.spawn", "socket.connect")
# What git's answers rest on, beside its objects: relative to this worktree's and to the common directory.
OWN_STATE = (
    "HEAD", "index", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "BISECT_LOG",
    "rebase-merge", "rebase-apply", "config.worktree", "info/sparse-checkout", "commondir", "gitdir",
)  # fmt: skip
COMMON_STATE = (
    "config", "packed-refs", "shallow", "info/attributes", "info/exclude", "info/grafts", "objects",
    "objects/pack", "objects/info/alternates", "reftable", "reftable/tables.list", "refs/stash",
)  # fmt: skip
MOST_REFS = 5000


class Witness:
    """The looks of one command.  ``looks`` maps an absolute path to its stamp (None: nothing was there),
    ``folders`` a folder on the way to its inode, ``links`` a path to where it really led; ``tree`` is the
    ID of the index that held for ``memory/``."""

    def __init__(self, place: Place) -> None:
        self.sound = True
        self.looks: dict[str, Stamp | None] = {}
        self.folders: dict[str, int] = {}
        self.links: dict[str, str] = {}
        self.tree = ""
        self.read_memory = False
        self._place = place
        self._asked_git = False
        self._memory = place.root + "/memory/"
        self._inner = (place.root + "/", place.git_dir + "/", place.common_dir + "/")
        self._libraries = tuple(
            {os.path.realpath(path) + "/" for path in _library_folders()} | _given_folders()
        )

    def asked(self, path: str, as_folder: bool = False) -> None:
        """Somebody is about to ask what is at the absolute ``path``, or only whether a folder is there."""
        if (path + "/").startswith(self._memory):
            self.read_memory = True
        elif not as_folder:
            self.saw(path)
        elif path not in self.folders:
            inode = folder_at(path)
            if inode:
                self.folders[path] = inode
            else:
                self.saw(path)

    def saw(self, path: str) -> None:
        """Look at what is at ``path`` now."""
        if path in self.looks or not self.sound:
            return
        try:
            info = os.lstat(path)
        except (OSError, ValueError):
            self.looks[path] = None
            return
        self.looks[path] = stamp_of(info)
        if stat.S_ISLNK(info.st_mode):
            real = os.path.realpath(path)
            self.links[path] = real
            self.saw(real)

    def saw_git(self) -> None:
        """Somebody is about to ask git: everything that may change its answers is looked at."""
        if self._asked_git:
            return
        self._asked_git = True
        for name in OWN_STATE:
            self.saw(os.path.join(self._place.git_dir, name))
        common = self._place.common_dir
        for name in COMMON_STATE:
            self.saw(os.path.join(common, name))
        self._saw_below(os.path.join(common, "refs"))
        self._saw_below(os.path.join(self._place.git_dir, "refs"))
        objects = os.path.join(common, "objects")
        for name in os.listdir(objects):
            if len(name) == 2:
                self.saw(os.path.join(objects, name))
        for path in (*_configurations(), *self._named_indexes()):
            self.saw(path)

    def _named_indexes(self) -> list[str]:
        """Where the index may be that git's own commit names to its hooks."""
        named = os.environ.get("GIT_INDEX_FILE", "")
        return [os.path.join(base, named) for base in (os.getcwd(), self._place.root)] if named else []

    def _saw_below(self, folder: str) -> None:
        for parent, _, names in os.walk(folder):
            self.saw(parent)
            for name in names:
                self.saw(os.path.join(parent, name))
            if len(self.looks) > MOST_REFS:
                self.sound = False
                return

    def hear(self, event: str, told: tuple[Any, ...]) -> None:
        """One of Python's audit events."""
        if event == "open":
            path, _mode, flags = told
            self._opened(path, bool(isinstance(flags, int) and flags & WRITING))
        elif event in ("os.listdir", "os.scandir"):
            self._opened("." if told[0] is None else told[0], False)
        elif event in ("os.posix_spawn", "subprocess.Popen"):
            words = told[1]
            if words and os.path.basename(os.fsdecode(words[0])) == "git":
                self.saw_git()
            else:
                self.sound = False
        elif event in OTHER_PROCESSES:
            self.sound = False

    def _opened(self, path: Any, writing: bool) -> None:
        if isinstance(path, int):
            return  # opened before, by a name
        path = os.path.join(os.getcwd(), os.fsdecode(path))
        if path.startswith(self._libraries) and not path.startswith(self._inner):
            return
        if path.startswith(self._place.private + "/"):
            if os.path.basename(path).startswith(OURS) or "/answers/" in path:
                return
        elif path.startswith((self._place.git_dir + "/", self._place.common_dir + "/")):
            # Whoever only wants to know where the repository lies has not asked git for anything.
            if path != self._place.git_dir + "/commondir":
                self.saw_git()
                return
        elif path.startswith("/dev/") or "/__pycache__/" in path:
            return
        if writing:
            self.sound = False
        else:
            self.asked(path)


OURS = ("index",)
current: Witness | None = None
_installed = False


def watch(place: Place) -> Witness:
    """A witness of everything from here on, until :func:`rest`."""
    global current, _installed
    from memwarden.edge.tree.worktree import WorkingTree

    current = Witness(place)
    WorkingTree.watcher = current.asked
    if not _installed:
        sys.addaudithook(_hear)
        _installed = True
    return current


def rest() -> None:
    """Nobody is watching any more."""
    global current
    from memwarden.edge.tree.worktree import WorkingTree

    current = None
    WorkingTree.watcher = None


def reading_memory() -> AbstractContextManager[None]:
    """For a reading of ``memory/`` as a whole: an index has to cover it, not a look at each of its files."""
    if current is not None:
        current.read_memory = True
    return not_looking()


@contextmanager
def not_looking() -> Iterator[None]:
    """For a step of our own that the witness need not hear of, because its reading is covered."""
    global current
    before, current = current, None
    try:
        yield
    finally:
        current = before


def _hear(event: str, told: tuple[Any, ...]) -> None:
    witness = current
    if witness is None:
        return
    try:
        witness.hear(event, told)
    except Exception:  # an exception here would be the watched command's
        witness.sound = False


def _library_folders() -> tuple[str, ...]:
    import memwarden

    return sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), os.path.dirname(memwarden.__file__)


def _given_folders() -> set[str]:
    return {path + "/" for path in _library_folders()}


def _configurations() -> tuple[str, ...]:
    home = os.path.expanduser("~")
    settings = os.environ.get("XDG_CONFIG_HOME") or home + "/.config"
    named = [os.environ[key] for key in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM") if os.environ.get(key)]
    usual = (home + "/.gitconfig", settings + "/git/config", settings + "/git/attributes", "/etc/gitconfig")
    return (*usual, *named)
