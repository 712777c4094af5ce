"""Ratios that hold on a noisy machine: everything runs in turn, and a ratio is taken inside one round."""

from __future__ import annotations

import os
import resource
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Arguments = Callable[[int], list[str]]


class Command(NamedTuple):
    """One thing to time, in the folder ``root``.  ``argv`` and ``stdin`` may depend on the round;
    ``before`` and ``after`` run outside the clock.  ``env`` is added to the environment, and a run that
    takes more seconds than ``limit`` is ended with all that it started."""

    name: str
    root: str
    argv: Arguments
    stdin: Callable[[int], bytes] | None = None
    before: Callable[[], None] | None = None
    after: Callable[[], None] | None = None
    env: Mapping[str, str] | None = None
    limit: int = 0


class Overran(Exception):
    """A run took longer than its command may."""


class Spent(NamedTuple):
    """What one run took, in seconds."""

    wall: float
    cpu: float


def run_rounds(commands: Sequence[Command], rounds: int, scratch: str) -> dict[str, list[Spent]]:
    """Every command once in each round, the order rotated; the first round warms up and is not counted."""
    found: dict[str, list[Spent]] = {command.name: [] for command in commands}
    for number in range(rounds + 1):
        shift = number % len(commands)
        for command in [*commands[shift:], *commands[:shift]]:
            spent = _once(command, number, scratch)
            if number:
                found[command.name].append(spent)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{number}/{rounds} ")
    return found


# Runs a command and prints the most memory that it held, in KiB: a small process of its own, because a
# process is counted with what its parent held when it was started.
PEAK = """
import os, sys
files = [(os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)]
files += [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=files)
usage = os.wait4(child, 0)[2]
print(usage.ru_maxrss // (1 if sys.platform == "linux" else 1024))
"""


def peak(command: Command, python: str, number: int, scratch: str) -> float:
    """The most memory that one run held, in MiB."""
    argv = [python, "-S", "-E", "-c", PEAK, _input_of(command, number, scratch), *command.argv(number)]
    if command.before is not None:
        command.before()
    told = subprocess.run(argv, cwd=command.root, capture_output=True, check=True).stdout
    if command.after is not None:
        command.after()
    return int(told) / 1024


def ratio(ones: Sequence[Spent], others: Sequence[Spent], key: str = "wall") -> float:
    """The median of the ratios inside each round."""
    pairs = zip(ones, others, strict=True)
    return float(statistics.median(getattr(one, key) / getattr(other, key) for one, other in pairs))


def median(spent: Sequence[Spent]) -> float:
    """In milliseconds, by the wall clock."""
    return sorted(one.wall for one in spent)[len(spent) // 2] * 1e3


def _once(command: Command, number: int, scratch: str) -> Spent:
    argv = command.argv(number)
    source = _input_of(command, number, scratch)
    if command.before is not None:
        command.before()
    files = [
        (os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    here = os.getcwd()
    os.chdir(command.root)
    start = time.perf_counter()
    environment = os.environ if command.env is None else {**os.environ, **command.env}
    child = os.posix_spawnp(argv[0], argv, environment, file_actions=files, **_group(command))
    usage = _wait(child, command)
    wall = time.perf_counter() - start
    os.chdir(here)
    if command.after is not None:
        command.after()
    return Spent(wall, usage.ru_utime + usage.ru_stime)


def _group(command: Command) -> dict[str, int]:
    """A process group of its own for what may have to be ended with all that it started."""
    return {"setpgroup": 0} if command.limit else {}


def _wait(child: int, command: Command) -> resource.struct_rusage:
    if not command.limit:
        return os.wait4(child, 0)[2]
    old = signal.signal(signal.SIGALRM, lambda *_: os.killpg(child, signal.SIGKILL))
    signal.alarm(command.limit)
    try:
        _, status, usage = os.wait4(child, 0)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        raise Overran(f"{command.name} did not end within {command.limit} seconds")
    return usage


def _input_of(command: Command, number: int, scratch: str) -> str:
    """The file that the command reads as its standard input."""
    if command.stdin is None:
        return os.devnull
    source = os.path.join(scratch, "stdin")
    with open(source, "wb") as file:
        file.write(command.stdin(number))
    return source
