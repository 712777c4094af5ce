"""What is measured, against what, and the goal that it should reach."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from benchmarks.corpus import COLD_PATH, HOT_NOTES, HOT_PATH, HOT_WORDS
from benchmarks.program import Program
from benchmarks.references import CSAFE, READ
from benchmarks.timing import Command

ANY = 1 << 30
# Sessions are this run's own: what was said in another run's would not be said again.
RUN = os.getpid() % 1_000_000

# (from notes, up to notes, ratio): the first that fits counts.
Goals = tuple[tuple[int, int, float], ...]


class Case(NamedTuple):
    """One row of the table.  ``proof`` looks at what one run printed: a fast command that does not do
    its work is no result."""

    command: Command
    against: str
    goals: Goals
    proof: Callable[[bytes], bool]

    def goal(self, notes: int) -> float | None:
        return next((ratio for low, high, ratio in self.goals if low <= notes <= high), None)


def references(program: Program, root: str) -> list[Command]:
    """The yardsticks."""

    def script(name: str, *argv: str) -> Command:
        return Command(name, root, lambda _: list(argv))

    return [
        script("pass", program.python, "-c", "pass"),
        script("-S", program.python, "-S", "-c", "pass"),
        script("READ", program.python, "-c", READ),
        script("CSAFE", program.python, "-c", CSAFE),
        script("GST", "git", "status", "--porcelain", "--", "memory"),
    ]


def cases(program: Program, root: str, other: str) -> list[Case]:
    """Every row for one memory.  ``root`` is only read; what writes or forgets is done in ``other``, a
    copy of it."""
    return [
        *_starting(program, root),
        *_reading(program, root),
        *_checking(program, root, other),
        *_hooks(program, root, other),
        _adding(program, other),
    ]


def _starting(program: Program, root: str) -> list[Case]:
    def case(words: str, goal: float, proof: bytes) -> Case:
        command = Command(f"mem {words}", root, lambda _: [program.mem, *words.split()])
        return Case(command, "pass", ((0, ANY, goal),), lambda out: proof in out)

    return [case("--version", 8, b"mem"), case("--help", 14, b"route"), case("explain M301", 8, b"M301")]


def _reading(program: Program, root: str) -> list[Case]:
    goal = ((0, 10_000, 2.5),)

    def case(name: str, *words: str, goals: Goals = (), proof: bytes = b"") -> Case:
        command = Command(name, root, lambda _: [program.mem, *words])
        return Case(command, "pass", goals, lambda out: proof in out and bool(out))

    # Never asked before, not by another run on a memory that was kept either.
    asked = count()

    def new_question(_: int) -> list[str]:
        path = f"app/api/p000/never_asked_{RUN}_{next(asked)}.py"
        return [program.mem, "route", "--task", "plan", "--path", path]

    def new_text(_: int) -> list[str]:
        return [program.mem, "search", spelled(HOT_WORDS, RUN * 64 + next(asked))]

    def finds(out: bytes) -> bool:
        return out.count(b"The hot spot, part") == HOT_NOTES

    return [
        case("route", "route", "--task", "plan", goals=goal, proof=b"###"),
        Case(Command("route, a new question", root, new_question), "pass", goal, lambda out: b"###" in out),
        case("list", "list", "--json", proof=b"n-br1ef000"),
        case("status", "status"),
        Case(Command("search, a new text", root, new_text), "READ", ((10_000, 10_000, 2.5),), finds),
    ]


def spelled(text: str, number: int) -> str:
    """The text in the capitals that ``number`` says: a search finds the same, and never was asked before."""
    letters = [char.upper() if number >> at & 1 else char for at, char in enumerate(text)]
    return "".join(letters)


def _checking(program: Program, root: str, other: str) -> list[Case]:
    def forget() -> None:
        shutil.rmtree(os.path.join(other, ".git", "mem"), ignore_errors=True)

    def cold(name: str, goals: Goals, *words: str) -> Case:
        command = Command(name, other, lambda _: [program.mem, *words], before=forget)
        return Case(command, "CSAFE", goals, lambda out: True)

    def warm(name: str, against: str, goals: Goals, *words: str) -> Case:
        return Case(Command(name, root, lambda _: [program.mem, *words]), against, goals, lambda out: True)

    def edit(number: int) -> list[str]:
        _append(other, number)
        return [program.mem, "check"]

    def stage(number: int) -> list[str]:
        _append(other, number)
        subprocess.run(["git", "add", "memory/brief.md"], cwd=other, check=True)
        return [program.mem, "check", "--staged"]

    edited = Command("check, one change", other, edit)
    staged = Command("check --staged, one change", other, stage)
    return [
        cold("check, cold", ((1_000, ANY, 1.0),), "check"),
        warm("check, warm", "READ", ((10_000, 10_000, 2.0),), "check"),
        Case(edited, "GST", (), lambda out: True),
        cold("check --staged, cold", ((0, ANY, 1.6),), "check", "--staged"),
        warm("check --staged, warm", "GST", ((10_000, 10_000, 3.0),), "check", "--staged"),
        Case(staged, "GST", ((10_000, 10_000, 3.0),), lambda out: True),
    ]


def _append(root: str, number: int) -> None:
    """Edit one note."""
    path = os.path.join(root, "memory", "brief.md")
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"\nChange {number}.\n")


def _hooks(program: Program, root: str, other: str) -> list[Case]:
    idle = ((0, 10_000, 1.25), (0, ANY, 1.5))
    four = ((0, 10_000, 1.5),)
    argv = [program.mem, "hook", "claude"]

    def case(
        name: str, path: str, size: int, against: str, goals: Goals, proof: Callable[[bytes], bool]
    ) -> Case:
        command = Command(name, root, lambda _: argv, stdin=lambda n: touch(root, path, n, size))
        return Case(command, against, goals, proof)

    def speaks(out: bytes) -> bool:
        return out.count(b"hot spot") >= 4

    def edit() -> None:
        with open(os.path.join(other, HOT_PATH), "a", encoding="utf-8") as file:
            file.write("# One line more.\n")
        asked = {"hook_event_name": "UserPromptSubmit", "session_id": "edits", "cwd": other}
        subprocess.run(argv, input=json.dumps(asked).encode(), cwd=other, check=True)

    just_edited = Command(
        "hook, 4 notes match, the file just edited",
        other,
        lambda _: argv,
        stdin=lambda n: touch(other, HOT_PATH, n),
        before=edit,
    )

    def begins(kind: str, **fields: str) -> Callable[[int], bytes]:
        return lambda n: json.dumps(_event(root, kind, n) | fields).encode()

    start = Command("hook, a session's start", root, lambda _: argv, begins("SessionStart", source="startup"))
    prompt = Command("hook, a prompt", root, lambda _: argv, begins("UserPromptSubmit", prompt="Go on."))
    looks = ((0, 1_000, 2.5), (10_000, 10_000, 6.0))
    return [
        Case(start, "pass", looks, lambda out: b"A small program." in out),
        Case(prompt, "pass", looks, lambda out: out == b""),
        case("hook, nothing to say", COLD_PATH, 0, "pass", idle, lambda out: out == b""),
        case("hook, 4 notes match, nothing changed", HOT_PATH, 0, "pass", four, speaks),
        Case(just_edited, "pass", four, speaks),
        case("hook, 1 MB of input", COLD_PATH, 1_000_000, "-S", ((0, ANY, 2.0),), lambda out: out == b""),
    ]


def _adding(program: Program, other: str) -> Case:
    def put_back() -> None:
        for arguments in (("clean", "-qfd", "memory"), ("checkout", "-q", "--", "memory")):
            subprocess.run(["git", *arguments], cwd=other, check=True)
        subprocess.run([program.mem, "status"], cwd=other, check=True, stdout=subprocess.DEVNULL)

    def add(number: int) -> list[str]:
        return [program.mem, "add", f"Thing {number} keeps its order", "--evidence", "user:Ada", "--apply"]

    return Case(Command("add --apply", other, add, before=put_back), "pass", ((0, ANY, 7),), lambda out: True)


def touch(root: str, path: str, number: int, size: int = 0) -> bytes:
    """One tool call as Claude Code announces it, in a session of its own."""
    payload = _event(root, "PreToolUse", number) | {
        "permission_mode": "default",
        "tool_name": "Edit",
        "tool_input": {
            "file_path": os.path.join(root, path),
            "old_string": "x" * (size // 2),
            "new_string": "y" * (size // 2),
        },
        "tool_use_id": f"toolu_{number:08d}",
    }
    return json.dumps(payload).encode()


def _event(root: str, kind: str, number: int) -> dict[str, object]:
    """What every event of Claude Code tells, in a session of its own."""
    return {
        "session_id": f"00000000-0000-4000-8000-{RUN:06d}{number:06d}",
        "transcript_path": "/nowhere.jsonl",
        "cwd": root,
        "hook_event_name": kind,
    }
