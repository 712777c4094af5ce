"""The process between ``mem`` and a command that a note names: it lets nothing of the command survive.

It runs as ``python -I -S``, in a session of its own, and becomes the reaper of every process that loses its
parent below it, so that one which leaves its group, or its session, is still found and killed.  It reads
one JSON object (argv, folder, environment, timeout, writable folders) and prints one (how it ended).
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import time
from typing import Any

from memwarden.edge.command import landlock

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

TAIL_BYTES = 4096
TICK = 0.05
# How long what the command left behind may take to end by itself, and how long killing may take.
GRACE = 0.4
KILLING = 10.0
HAS_PROC = os.path.exists("/proc/self/stat")


class Output:
    """The end of an endless stream."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.tail = b""
        self.size = 0
        self.open = True
        os.set_blocking(stream, False)

    def drain(self, most: int = 1 << 20) -> None:
        """Take what is there, at most ``most`` bytes, and keep the end of it."""
        while self.open and most > 0:
            try:
                data = os.read(self.stream, 1 << 16)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self.open = False
                return
            self.size += len(data)
            self.tail = (self.tail + data)[-TAIL_BYTES:]
            most -= len(data)


def main() -> None:
    """Run one command as standard input describes it."""
    task = json.loads(sys.stdin.buffer.read())
    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.set_inheritable(answers, False)
    asked_to_stop: list[int] = []
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, lambda number, frame: asked_to_stop.append(number))
    _adopt_orphans()
    if os.getppid() != task["parent"]:
        return  # whoever asked is gone already
    result = supervise(task, asked_to_stop)
    os.write(answers, json.dumps(result).encode())


def _adopt_orphans() -> None:
    """Linux: orphans below come to us, and we are told when whoever asked dies."""
    if sys.platform.startswith("linux"):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)


def supervise(task: dict[str, Any], asked_to_stop: list[int]) -> dict[str, Any]:
    """Start the command, wait for it within its time, then end everything that it started."""
    began = time.monotonic()
    main_pid, stream, status_pipe = _start(task)
    output = Output(stream)
    said = _read_status(status_pipe)
    deadline = began + task["timeout"]
    status: int | None = None
    timed_out = False
    known: set[int] = {main_pid}
    while status is None:
        _wait(output, TICK)
        if not HAS_PROC:
            _look(known)
        status = _reap(main_pid)
        if status is None and (asked_to_stop or time.monotonic() >= deadline):
            timed_out = True
            break
    seconds = time.monotonic() - began
    left = 0
    if status is not None:
        left = _wait_for_the_rest(known, output)
    stuck = _kill_all(known, main_pid, output)
    output.drain()
    code = None if status is None else os.waitstatus_to_exitcode(status)
    return {
        "exit": code,
        "timed_out": timed_out,
        "left": left,
        "stuck": stuck,
        "seconds": round(seconds, 3),
        "tail": output.tail.decode("utf-8", "replace"),
        "bytes": output.size,
        **said,
    }


def _start(task: dict[str, Any]) -> tuple[int, int, int]:
    """Fork; the child takes its place, confines itself, and becomes the command."""
    read_end, write_end = os.pipe()
    status_read, status_write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write_end)
        os.close(status_write)
        return pid, read_end, status_read
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(write_end, 1)
        os.dup2(write_end, 2)
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(name, signal.SIG_DFL)
        _become(task, status_write)
    except BaseException as error:  # a child must never run on as its parent
        _tell(status_write, failed=f"{type(error).__name__}: {error}"[:200])
    os._exit(126)


def _become(task: dict[str, Any], status_pipe: int) -> None:
    try:
        os.chdir(task["folder"])
        version = landlock.confine(tuple(task["writable"])) if task["landlock"] else 0
    except landlock.Refused:
        version = 0
    _tell(status_pipe, landlock=version)
    try:
        os.execve(task["program"], task["argv"], task["env"])  # noqa: S606 - no shell is the point
    except OSError as error:
        _tell(status_pipe, failed=os.strerror(error.errno or 0))
        os._exit(127)


def _tell(pipe: int, **facts: object) -> None:
    os.write(pipe, json.dumps(facts).encode() + b"\n")


def _read_status(pipe: int) -> dict[str, Any]:
    """What the child said before it became the command; its end is closed by that very exec."""
    said: dict[str, Any] = {"landlock": 0, "failed": ""}
    data = b""
    while chunk := os.read(pipe, 4096):
        data += chunk
    for line in data.splitlines():
        said.update(json.loads(line))
    return said


def _wait(output: Output, seconds: float) -> None:
    if output.open:
        select.select([output.stream], [], [], seconds)
        output.drain()
    else:
        time.sleep(seconds)


def _reap(main_pid: int) -> int | None:
    """Collect the dead, and give the main process's status once it is one of them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == main_pid:
            found = status


def _wait_for_the_rest(known: set[int], output: Output) -> int:
    """Give what still runs a moment to end by itself; the number that does not."""
    until = time.monotonic() + GRACE
    while True:
        _reap(0)
        alive = _look(known)
        if not alive or time.monotonic() >= until:
            return len(alive)
        _wait(output, 0.02)


def _kill_all(known: set[int], main_pid: int, output: Output) -> int:
    """Kill every process below us until there is none; the number that would not die."""
    until = time.monotonic() + KILLING
    alive = _look(known)
    if alive:
        _kill(lambda: os.killpg(main_pid, signal.SIGKILL))
    while alive and time.monotonic() < until:
        for pid in alive:
            _kill(lambda pid=pid: os.kill(pid, signal.SIGKILL))
        _wait(output, 0.005)
        _reap(0)
        alive = _look(known)
    return len(alive)


def _kill(send: Any) -> None:
    try:
        send()
    except OSError:
        return


def _look(known: set[int]) -> set[int]:
    """The living processes below us.  Without /proc an orphan escapes to the system's reaper, so every
    process once seen below us stays known."""
    if not HAS_PROC:
        table = _from_ps()
        below = _below(table, known | {os.getpid()})
        known |= below
        return {pid for pid in known if pid in table} - {os.getpid()}
    return _below(_from_proc(), {os.getpid()})


def _below(table: dict[int, int], roots: set[int]) -> set[int]:
    found: set[int] = set()
    fresh = roots
    while fresh:
        fresh = {pid for pid, parent in table.items() if parent in fresh and pid not in found}
        found |= fresh
    return found


def _from_proc() -> dict[int, int]:
    """Each living process and its parent, from Linux's /proc."""
    table = {}
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        if fields and fields[0] not in (b"Z", b"X"):
            table[int(name)] = int(fields[1])
    return table


def _from_ps() -> dict[int, int]:
    """The same by ``ps``, for macOS; the child that prints it is not in it."""
    read_end, write_end = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, write_end, 1)]
    try:
        argv = ["ps", "-A", "-o", "pid=,ppid=,stat="]
        lister = os.posix_spawn("/bin/ps", argv, {}, file_actions=actions)
    except OSError:
        os.close(read_end)
        return {}
    finally:
        os.close(write_end)
    with os.fdopen(read_end, "rb") as file:
        rows = [line.split() for line in file.read().splitlines()]
    os.waitpid(lister, 0)
    living = [row for row in rows if len(row) == 3 and not row[2].startswith(b"Z")]
    return {int(row[0]): int(row[1]) for row in living if int(row[0]) != lister}


if __name__ == "__main__":
    main()
