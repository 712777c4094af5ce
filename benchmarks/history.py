"""``python -m benchmarks.history``: what forgetting costs, over a long past and over many notes.

``plant_history`` puts commits on top of a planted memory through ``git fast-import``: each changes two
sources, a few folders deep, so that a commit brings about nine objects; one in fifty tells of the word
that is purged, in a file, a name or its message.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from benchmarks.corpus import WORDS, plant
from benchmarks.program import Program, install
from benchmarks.references import READ
from benchmarks.timing import Command, Spent, run_rounds

COMMITS = 10_000
WORD = "quetzalcoatl"
# What one note is about, in a planted memory whose history is one commit.
TITLE = "hot spot, part 0"
NOTE = "memory/decisions/quetzalcoatl-is-the-vendor-aaaaaaaa.md"
# What reads every object that any name reaches, and does nothing with it.
PIPELINE = "git rev-list --objects --no-object-names --all | git cat-file --batch"

_FILES = 300
_NOTE = """---
id: n-aaaaaaaa
subject: "path:app/hot/spot.py#vendor"
facet: adoption-policy
evidence:
  - user: Ada, 2026-11-30
created: 2026-11-30
---
# Quetzalcoatl is the vendor

It was chosen.
"""


def plant_history(root: str, commits: int, lines: int, seed: int = 20261130) -> None:
    """A memory of a hundred notes with a past of ``commits`` commits, in files of about ``lines`` lines."""
    plant(root, 100)
    dice = random.Random(f"{seed}/{commits}/{lines}")
    importing = ["git", "fast-import", "--quiet", "--date-format=raw"]
    with subprocess.Popen(importing, cwd=root, stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        for piece in _stream(dice, commits, lines):
            child.stdin.write(piece)
    assert child.returncode == 0
    for arguments in (("repack", "-adfq"), ("reset", "-q", "--hard")):
        subprocess.run(["git", *arguments], cwd=root, check=True)


def _stream(dice: random.Random, commits: int, lines: int) -> Iterator[bytes]:
    """What ``git fast-import`` reads."""
    contents = {number: _content(dice, lines) for number in range(_FILES)}
    yield from _commit(0, "the vendor", [(NOTE, _NOTE)], "refs/heads/main^0")
    for number in range(1, commits):
        files = []
        for chosen in dice.sample(range(_FILES), 2):
            text = contents[chosen]
            text[dice.randrange(len(text))] = _line(dice)
            files.append((_path(chosen), "\n".join(text) + "\n"))
        message = f"Change {number}: {_line(dice)}"
        if number % 50 == 7:
            files.append((f"src/notes/{number // 50 % 9}.txt", f"{WORD.title()} said {number}\n"))
        if number % 50 == 8:
            files.append((f"src/{WORD}/{number}.txt", "named\n"))
        if number % 50 == 9:
            message += f"\n\nas {WORD.upper()} wished"
        yield from _commit(number, message, files, "")


def _commit(number: int, message: str, files: list[tuple[str, str]], start: str) -> Iterator[bytes]:
    said = message.encode()
    yield b"commit refs/heads/main\n"
    yield b"committer Ada <ada@example.org> %d +0000\n" % (1_700_000_000 + number * 600)
    yield b"data %d\n%s\n" % (len(said), said)
    if start:
        yield b"from %s\n" % start.encode()
    for path, text in files:
        data = text.encode()
        yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)


def _path(number: int) -> str:
    return f"src/part_{number % 6}/unit_{number % 25:02d}/module_{number:03d}.py"


def _content(dice: random.Random, lines: int) -> list[str]:
    return [_line(dice) for _ in range(dice.randint(lines // 2, lines + lines // 2))]


def _line(dice: random.Random) -> str:
    line = " ".join(dice.choices(WORDS, k=8))
    return line + (
        " – naïve" if dice.random() < 0.01 else " && \\d+ &amp; 100%" if dice.random() < 0.02 else ""
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.history", description=__doc__)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--keep", default="", metavar="DIR", help="use and keep this folder")
    options = parser.parse_args()
    scratch = options.keep or tempfile.mkdtemp(prefix="memwarden-bench-")
    os.makedirs(scratch, exist_ok=True)
    kept = {key: os.environ[key] for key in ("PATH", "TMPDIR") if key in os.environ}
    os.environ.clear()
    os.environ.update(kept, HOME=scratch, USER="ada", LANG="C.UTF-8", GIT_CONFIG_NOSYSTEM="1")
    program = install(os.path.join(scratch, "venv"))
    print(f"{'':44}{'median ms':>10}{'ratio':>8}{'cpu':>8}  goal")
    for lines in (12, 120):
        root = os.path.join(scratch, f"{options.commits}-commits-{lines}")
        if not os.path.exists(root):
            plant_history(root, options.commits, lines)
        yardstick = Command("OBJECTS", root, lambda _: ["sh", "-c", PIPELINE])
        _row(
            f"exposure, {options.commits} commits, {lines} lines",
            root,
            program,
            WORD,
            {yardstick: 1},
            options.rounds,
        )
    for notes in (1_000, 10_000):
        root = os.path.join(scratch, f"{notes}-notes")
        if not os.path.exists(root):
            plant(root, notes)
        yardsticks = {_python(program, root, READ): 2, _python(program, root, "pass"): 7}
        _row(f"purge preview, {notes} notes", root, program, TITLE, yardsticks, options.rounds)
        applied = _applied(f"purge applied, {notes} notes", root, program)
        _measured(applied, yardsticks, options.rounds)
    return 0


def _applied(name: str, root: str, program: Program) -> Command:
    """``mem apply`` of a purge; each time the note is put back and a new plan made of it beforehand."""

    def put_back() -> None:
        for arguments in (("clean", "-fdq", "memory"), ("checkout", "-q", "HEAD", "--", "memory")):
            subprocess.run(["git", *arguments], cwd=root, check=True)

    def argv(_: int) -> list[str]:
        for _ in range(2):  # the index trusts no file that is as young as itself
            time.sleep(0.05)
            subprocess.run([program.mem, "status"], cwd=root, check=True, capture_output=True)
        purge = [program.mem, "purge", "--match", "-", "--json"]
        told = subprocess.run(purge, cwd=root, input=TITLE.encode(), check=True, capture_output=True)
        return [program.mem, "apply", json.loads(told.stdout)["plan"]["id"]]

    return Command(name, root, argv, after=put_back)


def _python(program: Program, root: str, script: str) -> Command:
    return Command("READ" if script == READ else script, root, lambda _: [program.python, "-c", script])


def _row(
    name: str, root: str, program: Program, text: str, yardsticks: dict[Command, int], rounds: int
) -> None:
    """A preview by text against a sum of yardsticks, each so many times."""
    ours = Command(name, root, lambda _: [program.mem, "purge", "--match", "-"], lambda _: text.encode())
    _measured(ours, yardsticks, rounds)


def _measured(ours: Command, yardsticks: dict[Command, int], rounds: int) -> None:
    name = ours.name
    times = run_rounds([ours, *yardsticks], rounds, os.path.dirname(ours.root))

    def ratio(key: str) -> float:
        def cost(spent: Spent) -> float:
            return float(getattr(spent, key))

        sums = [
            sum(many * cost(times[one.name][at]) for one, many in yardsticks.items()) for at in range(rounds)
        ]
        return statistics.median(cost(times[name][at]) / sums[at] for at in range(rounds))

    against = " + ".join(f"{many} {one.name}" if many > 1 else one.name for one, many in yardsticks.items())
    goal = f"2 x {against}" if len(yardsticks) == 1 else f"1 x ({against})"
    wall = statistics.median(spent.wall for spent in times[name]) * 1e3
    print(f"{name:44}{wall:10.0f}{ratio('wall'):8.2f}{ratio('cpu'):8.2f}  {goal}")


if __name__ == "__main__":
    sys.exit(main())
