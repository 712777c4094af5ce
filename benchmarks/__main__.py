"""``python -m benchmarks``: plant memories, install the program, print ratios next to the goals."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile

from benchmarks.cases import Case, cases, references
from benchmarks.ground import planted, works
from benchmarks.peers.running import compare
from benchmarks.program import Program, install
from benchmarks.timing import Spent, median, peak, ratio, run_rounds

SIZES = (100, 1_000, 10_000)
ROUNDS = {100: 40, 1_000: 30, 10_000: 20, 100_000: 6}


def main() -> int:
    options = _options()
    scratch = options.keep or tempfile.mkdtemp(prefix="memwarden-bench-")
    _seal(scratch)
    program = install(os.path.join(scratch, "venv"))
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {_version(program)}")
    if options.peers:
        sizes = options.sizes or (1_000, 10_000)
        compare(program, sizes, options.rounds or 10, scratch, options.only, dict(options.have))
        return 0
    for size in options.sizes or SIZES:
        rounds = options.rounds or ROUNDS.get(size, 10)
        _measure(program, size, rounds, options.only, scratch)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=_sizes, default=(), help="comma-separated counts of notes")
    parser.add_argument("--rounds", type=int, default=0, help="in place of 40, 30, 20 and 6 by size")
    parser.add_argument(
        "--only", default="", help="rows whose name contains this text; peers: several, by commas"
    )
    parser.add_argument(
        "--keep", default="", metavar="DIR", help="use and keep this folder for all that is made"
    )
    parser.add_argument("--peers", action="store_true", help="measure other programs beside this one")
    parser.add_argument(
        "--have",
        type=_pair,
        action="append",
        default=[],
        metavar="PEER=COMMAND",
        help="a peer that is installed",
    )
    return parser.parse_args()


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(","))


def _pair(text: str) -> tuple[str, str]:
    name, _, command = text.partition("=")
    return name, os.path.abspath(command)


def _seal(scratch: str) -> None:
    """A person at a terminal without settings of their own."""
    home = os.path.join(scratch, "home")
    os.makedirs(home, exist_ok=True)
    kept = {key: os.environ[key] for key in ("PATH", "TMPDIR") if key in os.environ}
    os.environ.clear()
    os.environ.update(kept, HOME=home, USER="ada", LANG="C.UTF-8", GIT_CONFIG_NOSYSTEM="1")


def _measure(program: Program, size: int, rounds: int, only: str, scratch: str) -> None:
    root, other = (planted(os.path.join(scratch, name), size) for name in (f"{size}-read", f"{size}-written"))
    wanted = [case for case in cases(program, root, other) if only in case.command.name]
    working = [case for case in wanted if works(case)]
    needed = {"pass", *(case.against for case in working)}
    yardsticks = [command for command in references(program, root) if command.name in needed]
    times = run_rounds([*yardsticks, *(case.command for case in working)], rounds, scratch)
    print(f"\n{size} notes, {rounds} rounds")
    print(f"{'':26}{'median ms':>10}{'ratio':>8}{'cpu':>8}{'MiB':>8}  {'against':8}{'goal':>6}")
    for command in yardsticks:
        held = peak(command, program.python, rounds + 1, scratch)
        print(f"{command.name:26}{median(times[command.name]):10.1f}{'':16}{held:8.1f}")
    for case in working:
        _print_row(case, times, size, peak(case.command, program.python, rounds + 1, scratch))


def _print_row(case: Case, times: dict[str, list[Spent]], size: int, held: float) -> None:
    ones, others = times[case.command.name], times[case.against]
    measured = ratio(ones, others)
    goal = case.goal(size)
    told = "" if goal is None else f"{goal:6g}" + ("" if measured <= goal else "  missed")
    print(
        f"{case.command.name:26}{median(ones):10.1f}{measured:8.2f}"
        f"{ratio(ones, others, 'cpu'):8.2f}{held:8.1f}  {case.against:8}{told}"
    )


def _version(program: Program) -> str:
    told = [program.python, "-c", "import platform; print(platform.python_version())"]
    return subprocess.run(told, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
