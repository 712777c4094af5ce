"""Running the command of a condition: endorsed by this user, read-only, bounded, and gone afterwards.

A note is untrusted, and so is the command that it names.  It runs only where this user has endorsed its
exact words, without a shell, in a process group, session and environment of its own, with nothing to read
on standard input; the kernel forbids it to write outside a scratch folder where it can, and the tracked
files are compared before and after in any case.  A run that timed out, left a process behind, changed a
tracked file or could not start says "cannot tell", which is never payment.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import memwarden
from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, CommandTest, Verdict
from memwarden.core.manifest import Settings
from memwarden.core.record import NamedTuple
from memwarden.edge.command import seatbelt
from memwarden.edge.git import plumbing
from memwarden.edge.place import Place
from memwarden.errors import MemError

# What a command may know of the environment that mem runs in.
ALLOWED = ("HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LOGNAME", "TERM", "TZ", "USER", "VIRTUAL_ENV")
# Tools that a person installed for themselves are found through these; each names a folder to read from.
TOOL_HOMES = ("CARGO_HOME", "RUSTUP_HOME", "GOROOT", "GOPATH", "JAVA_HOME", "NVM_DIR", "PYENV_ROOT")
PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin"

# How much longer than the command itself the supervisor may take to clear up.
CLEARING = 20
MOST_TAIL = 1000


class Endorsements(Protocol):
    """Who may say that a command may run: the user's trust store, or CI's ``--allow-commands``."""

    def endorsed(self, project: str, note: str, argv: tuple[str, ...], folder: str) -> bool:
        """Whether this exact command of this note may run in this folder."""


class Run(NamedTuple):
    """How one execution ended.  ``left`` processes outlived it and were killed; ``stuck`` could not be."""

    code: int | None
    timed_out: bool = False
    left: int = 0
    stuck: int = 0
    seconds: float = 0.0
    tail: str = ""
    size: int = 0
    enforced: tuple[str, ...] = ()
    trouble: str = ""


def command_runner(
    place: Place,
    trust: Endorsements,
    project: str,
    note: str,
    settings: Settings,
    redact: Callable[[str], str],
    env: Mapping[str, str] | None = None,
) -> Callable[[CommandTest], Verdict]:
    """The judge's way to run a ``command`` condition of one note, in the working tree of ``place``."""
    given = os.environ if env is None else env

    def run_command(test: CommandTest) -> Verdict:
        if not trust.endorsed(project, note, test.run, place.root):
            why = f"the command is not endorsed here: mem trust {note} shows it and asks"
            return Verdict(CANNOT_TELL, why, ({"note": why},))
        return _judge(test, place, settings, redact, given)

    return run_command


def _judge(
    test: CommandTest, place: Place, settings: Settings, redact: Callable[[str], str], env: Mapping[str, str]
) -> Verdict:
    """Every one of the runs must end in time with what is expected; the first that does not decides."""
    timeout = test.timeout or settings.command_timeout
    items: list[dict[str, Any]] = []
    for number in range(1, test.runs + 1):
        before = _tracked_files(place)
        run = run_once(test.run, place.root, timeout, env)
        changed = _changes(before, _tracked_files(place))
        tail = redact(run.tail.replace(place.root, "."))
        items.append(_evidence(run, number, test.runs, tail))
        trouble = _trouble(run, timeout, changed)
        if trouble:
            return Verdict(CANNOT_TELL, redact(trouble), tuple(items))
        if run.code != test.expect:
            return Verdict(FAILS, f"exit {run.code}, expected {test.expect}", tuple(items))
    times = "" if test.runs == 1 else f" in each of {test.runs} runs"
    return Verdict(HOLDS, f"exit {test.expect}{times}", tuple(items))


def _trouble(run: Run, timeout: int, changed: tuple[str, ...]) -> str:
    """Why this run tells nothing, or ""."""
    if changed:
        return f"the command changed tracked files: {', '.join(changed[:3])}"
    if run.trouble:
        return run.trouble
    if run.timed_out:
        return f"timed out after {timeout} s"
    if run.stuck:
        return f"{run.stuck} processes could not be killed"
    if run.left:
        return f"left {run.left} {'process' if run.left == 1 else 'processes'} running, now killed"
    return ""


def _evidence(run: Run, number: int, runs: int, tail: str) -> dict[str, Any]:
    return {
        "note": f"run {number} of {runs}",
        "exit": run.code,
        "seconds": run.seconds,
        "tail": tail[-MOST_TAIL:],
        "enforced": list(run.enforced),
    }


def run_once(argv: tuple[str, ...], folder: str, timeout: float, env: Mapping[str, str]) -> Run:
    """Run one command to its end, or to the end of its time, and clear up whatever it started."""
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="mem-command-"))
    try:
        return _run_in(scratch, argv, folder, timeout, env)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _run_in(scratch: str, argv: tuple[str, ...], folder: str, timeout: float, env: Mapping[str, str]) -> Run:
    environment = command_env(env, scratch)
    program = shutil.which(argv[0], path=environment["PATH"]) if "/" not in argv[0] else argv[0]
    if program is None:
        return Run(None, trouble=f"{argv[0]}: no such command")
    sealed = seatbelt.wrapped(program, argv, scratch) if sys.platform == "darwin" else ()
    task = {
        "argv": list(sealed or argv),
        "program": seatbelt.PROGRAM if sealed else program,
        "folder": folder,
        "env": environment,
        "timeout": timeout,
        "landlock": sys.platform.startswith("linux"),
        "writable": [scratch],
        "parent": os.getpid(),
    }
    said = _supervise(task, timeout)
    if said is None:
        return Run(None, trouble="the sandbox gave no answer")
    if said["failed"]:
        return Run(None, trouble=f"{argv[0]}: {said['failed']}")
    why = seatbelt.refused(said["exit"], said["tail"]) if sealed else ""
    if why:
        return Run(None, trouble=f"{argv[0]}: {why}")
    return Run(
        said["exit"],
        said["timed_out"],
        said["left"],
        said["stuck"],
        said["seconds"],
        _whole_lines(said["tail"], said["bytes"]).replace(scratch, "$TMPDIR"),
        said["bytes"],
        _enforced(said["landlock"], bool(sealed)),
    )


def _whole_lines(tail: str, size: int) -> str:
    """The tail from its first whole line on: half a token would escape the redaction."""
    return tail.partition("\n")[2] if size > len(tail.encode()) else tail


def _enforced(landlock: int, sealed: bool) -> tuple[str, ...]:
    """What kept the command in, as the evidence tells it."""
    always = ("own session", "no input", "allow-listed environment", "tracked files compared")
    if landlock:
        return (f"read-only by Landlock (ABI {landlock})", *always)
    if sealed:
        return ("read-only by sandbox-exec", *always)
    return always


def _supervise(task: dict[str, Any], timeout: float) -> dict[str, Any] | None:
    source = os.path.dirname(os.path.dirname(os.path.abspath(memwarden.__file__)))
    start = (
        "import sys; sys.path.append(sys.argv[1]); import memwarden.edge.command.supervisor as s; s.main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", start, source],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        answer, _ = process.communicate(json.dumps(task).encode(), timeout=timeout + CLEARING)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    except BaseException:  # an interrupt: the supervisor clears up, then we go
        process.send_signal(signal.SIGTERM)
        process.wait()
        raise
    try:
        said = json.loads(answer)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def command_env(env: Mapping[str, str], scratch: str) -> dict[str, str]:
    """What the command gets to know: an allow-list, a path of absolute folders, and a place to write."""
    kept = {key: env[key] for key in (*ALLOWED, *TOOL_HOMES) if env.get(key)}
    folders = [folder for folder in env.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    kept["PATH"] = os.pathsep.join(folders) or PLAIN_PATH
    kept["TMPDIR"] = kept["TMP"] = kept["TEMP"] = scratch
    kept["XDG_CACHE_HOME"] = os.path.join(scratch, "cache")
    # A test runner that cannot write its by-products must not fail for it.
    kept["PYTHONDONTWRITEBYTECODE"] = "1"
    return kept


def _tracked_files(place: Place) -> dict[str, tuple[int, ...]] | None:
    """What stat says of each tracked file, and of the branch and the index; None where git cannot say."""
    try:
        listed = plumbing.run(place, "ls-files", "-z")
    except MemError:
        return None
    names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    found = {name: _stamp(os.path.join(place.root, name)) for name in names}
    found[".git/HEAD"] = _stamp(os.path.join(place.git_dir, "HEAD"))
    return found


def _stamp(path: str) -> tuple[int, ...]:
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    return (found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _changes(
    before: dict[str, tuple[int, ...]] | None, after: dict[str, tuple[int, ...]] | None
) -> tuple[str, ...]:
    """The tracked files that differ; where git could not say, the comparison tells nothing."""
    if before is None or after is None:
        return ()
    return tuple(sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p)))
