"""Light git children: one spawn, pinned options, a scrubbed environment, distinct refusals.

GitPython costs 70 ms to import and :mod:`subprocess` 10; pre-commit and the hook can afford neither, so
plumbing commands are spawned here by ``posix_spawn`` and answer in bytes.  A child never inherits a
``GIT_DIR``, ``GIT_WORK_TREE`` or configuration that could point it at another repository; it runs no
hook, pager, external diff, filesystem monitor or network transport, and takes no optional lock.  The
repository is found by git itself from the working tree, so git's ownership check stays in force.
"""

from __future__ import annotations

import os
from select import POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT, poll

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.errors import EXIT_NO_MEMORY, MemError, NoMemory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.edge.place import Place

PINNED = (
    "--no-pager",
    "--literal-pathspecs",
    "-c", "core.quotePath=false",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "color.ui=never",
    "-c", "log.showSignature=false",
    "-c", "log.showRoot=true",
    "-c", "submodule.recurse=false",
)  # fmt: skip

# Where git's configuration lives is the user's and the machine's choice; it names no repository.
KEPT = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH")
# Of the configuration that the environment itself carries, only these sections may pass.
KEPT_SECTIONS = ("safe.", "user.")
FIXED = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}

SIGPIPE = 13
# A folder that may be entered need not be readable.
_WAY_BACK = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)
DUBIOUS = (b"dubious ownership", b"unsafe repository")


class GitFailed(MemError):
    """git ran and refused; ``status`` is its exit code, the message its last complaint."""

    exit_code = EXIT_NO_MEMORY

    def __init__(self, status: int, complaint: str) -> None:
        super().__init__(f"git refused: {complaint}" if complaint else f"git ended with {status}")
        self.status = status
        self.complaint = complaint


class Child(NamedTuple):
    """A running git: its process ID and our ends of its three pipes."""

    pid: int
    stdin: int
    stdout: int
    stderr: int


def clean_env(place: Place, env: Mapping[str, str] | None = None, *, index: bool = False) -> dict[str, str]:
    """The environment of a git child: nothing in it points to another repository.

    With ``index`` the index that ``GIT_INDEX_FILE`` names is kept where it is one of this repository's
    own, as it is in a hook that ``git commit -- PATH`` runs.
    """
    source = os.environ if env is None else env
    kept = {key: value for key, value in source.items() if not key.startswith("GIT_") or key in KEPT}
    kept.update(FIXED)
    if place.root == place.git_dir:
        # No working tree is looked for: the one that a submodule's settings name may be gone.
        kept |= {"GIT_DIR": place.git_dir, "GIT_WORK_TREE": place.git_dir}
    _keep_configuration(source, kept)
    _keep_quarantine(place, source, kept)
    if index:
        named = own_index(place, source)
        if named:
            kept["GIT_INDEX_FILE"] = named
    return kept


def _keep_configuration(source: Mapping[str, str], kept: dict[str, str]) -> None:
    """Pass on who the user is and which folders are safe, where the environment says so."""
    count = source.get("GIT_CONFIG_COUNT", "")
    pairs = []
    for number in range(min(int(count), 100) if count.isdecimal() else 0):
        key = source.get(f"GIT_CONFIG_KEY_{number}", "")
        if key.lower().startswith(KEPT_SECTIONS):
            pairs.append((key, source.get(f"GIT_CONFIG_VALUE_{number}", "")))
    if pairs:
        kept["GIT_CONFIG_COUNT"] = str(len(pairs))
        for number, (key, value) in enumerate(pairs):
            kept[f"GIT_CONFIG_KEY_{number}"] = key
            kept[f"GIT_CONFIG_VALUE_{number}"] = value


def _keep_quarantine(place: Place, source: Mapping[str, str], kept: dict[str, str]) -> None:
    """Objects that a push into this repository has brought but not yet admitted are readable."""
    incoming = source.get("GIT_QUARANTINE_PATH", "")
    store = os.path.join(os.path.realpath(place.common_dir), "objects")
    if incoming and os.path.realpath(incoming).startswith(store + os.sep):
        kept["GIT_QUARANTINE_PATH"] = os.path.realpath(incoming)
        kept["GIT_OBJECT_DIRECTORY"] = os.path.realpath(incoming)
        kept["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = store


def own_index(place: Place, source: Mapping[str, str]) -> str:
    """The absolute path of the index that the environment names, if it is this repository's, else ""."""
    named = source.get("GIT_INDEX_FILE", "")
    if not named:
        return ""
    own = os.path.realpath(place.git_dir)
    for base in (os.getcwd(), place.root):
        candidate = os.path.realpath(os.path.join(base, named))
        if candidate.startswith(own + os.sep) and os.path.exists(candidate):
            return candidate
    git_dir = source.get("GIT_DIR", "")
    if git_dir and os.path.realpath(git_dir) == own:
        candidate = os.path.realpath(named)
        return candidate if os.path.exists(candidate) else ""
    return ""


def spawn(place: Place, arguments: tuple[str, ...], env: Mapping[str, str]) -> Child:
    """Start git in the working tree of ``place``; raises :class:`NoMemory` where git is missing."""
    back = _enter(place.root)
    try:
        return _spawn(arguments, env)
    finally:
        if back is not None:
            os.fchdir(back)
            os.close(back)


def _enter(root: str) -> int | None:
    """Go into a folder, as a child starts where we are: its arguments, which everybody on the machine can
    read, need not say the path.  The result leads back; None where we are there."""
    try:
        if os.getcwd() == root:
            return None
    except OSError:  # somebody removed the folder that we are in
        pass
    back = os.open(".", _WAY_BACK)
    try:
        os.chdir(root)
    except OSError as error:
        os.close(back)
        raise GitFailed(128, f"the working tree cannot be entered ({error.strerror})") from None
    return back


def _spawn(arguments: tuple[str, ...], env: Mapping[str, str]) -> Child:
    to_child, stdin = os.pipe()
    stdout, from_child = os.pipe()
    stderr, complaints = os.pipe()
    try:
        pid = os.posix_spawnp(
            "git",
            ("git", *PINNED, *arguments),
            env,
            file_actions=(
                (os.POSIX_SPAWN_DUP2, to_child, 0),
                (os.POSIX_SPAWN_DUP2, from_child, 1),
                (os.POSIX_SPAWN_DUP2, complaints, 2),
            ),
            setsigdef=(SIGPIPE,),
        )
    except OSError:
        for ours in (stdin, stdout, stderr):
            os.close(ours)
        raise NoMemory("git could not be started", "install git and put it on PATH") from None
    finally:
        for theirs in (to_child, from_child, complaints):
            os.close(theirs)
    return Child(pid, stdin, stdout, stderr)


def run(
    place: Place,
    *arguments: str,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    index: bool = False,
) -> bytes:
    """The bytes that one git command prints.

    ``env`` stands for the process environment, from which the child's is made; ``index`` honours an
    index that it names.  Raises :class:`GitFailed` where git refuses, :class:`NoMemory` where git is
    missing, finds no repository or does not trust its owner.
    """
    return answer(spawn(place, arguments, clean_env(place, env, index=index)), stdin)


def answer(child: Child, stdin: bytes = b"") -> bytes:
    """What a child that was spawned prints; raises as :func:`run` does."""
    out, err = _exchange(child, stdin)
    status = finish(child.pid)
    if status:
        raise refusal(status, err)
    return out


def refusal(status: int, complaint: bytes) -> MemError:
    """The error that says what git complained about, and what to do."""
    if any(mark in complaint for mark in DUBIOUS):
        return NoMemory(
            "git does not trust this repository: another user owns it (safe.directory)",
            'in its top folder run: git config --global --add safe.directory "$PWD"',
        )
    if b"not a git repository" in complaint:
        return NoMemory("git finds no repository here", "run git init first, or pass --root DIR")
    lines = complaint.decode("utf-8", "replace").strip().splitlines()
    return GitFailed(status, lines[-1].removeprefix("fatal: ") if lines else "")


def finish(pid: int) -> int:
    """Wait for a child; its exit code, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _exchange(child: Child, stdin: bytes) -> tuple[bytes, bytes]:
    """Feed a child and drain both of its outputs, whatever their sizes, then close all three pipes."""
    chunks: dict[int, list[bytes]] = {child.stdout: [], child.stderr: []}
    waiting = poll()
    waiting.register(child.stdout, POLLIN)
    waiting.register(child.stderr, POLLIN)
    rest = memoryview(stdin)
    if rest:
        os.set_blocking(child.stdin, False)
        waiting.register(child.stdin, POLLOUT)
    else:
        os.close(child.stdin)
    open_ends = 2
    while open_ends:
        for handle, events in waiting.poll():
            if handle == child.stdin:
                rest = _feed(handle, rest, events)
                if not rest:
                    waiting.unregister(handle)
                    os.close(handle)
                continue
            piece = os.read(handle, 1 << 20)
            if piece:
                chunks[handle].append(piece)
            else:
                waiting.unregister(handle)
                os.close(handle)
                open_ends -= 1
    if rest:
        os.close(child.stdin)
    return b"".join(chunks[child.stdout]), b"".join(chunks[child.stderr])


def _feed(handle: int, rest: memoryview, events: int) -> memoryview:
    """What is left to write; nothing where the child stopped listening."""
    if events & (POLLERR | POLLHUP | POLLNVAL):
        return rest[:0]
    try:
        return rest[os.write(handle, rest[: 1 << 16]) :]
    except BrokenPipeError:
        return rest[:0]


def config_value(place: Place, key: str) -> str:
    """One value of git's configuration, or "" where it is not set or git cannot say."""
    try:
        return run(place, "config", "--get", "--null", key).decode("utf-8", "replace").rstrip("\0")
    except MemError:
        return ""
