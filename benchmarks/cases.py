"""What is measured, against what, and the goal that it should reach."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.corpus import COLD_PATH, HOT_PATH, Corpus
from benchmarks.program import Program
from benchmarks.references import CSAFE, READ
from benchmarks.timing import Command

ANY = 1 << 30


class Case(NamedTuple):
    """One row of the table.  ``goals`` are (from notes, up to notes, ratio): the first that fits counts.

    ``proof`` looks at what one run printed: a fast command that does not do its work is no result."""

    command: Command
    against: str
    goals: tuple[tuple[int, int, float], ...]
    proof: Callable[[bytes], bool]

    def goal(self, notes: int) -> float | None:
        return next((ratio for low, high, ratio in self.goals if low <= notes <= high), None)


def references(program: Program) -> list[Command]:
    """The yardsticks."""

    def script(name: str, *argv: str) -> Command:
        return Command(name, lambda _: list(argv))

    return [
        script("pass", program.python, "-c", "pass"),
        script("-S", program.python, "-S", "-c", "pass"),
        script("READ", program.python, "-c", READ),
        script("CSAFE", program.python, "-c", CSAFE),
        script("GST", "git", "status", "--porcelain", "--", "memory"),
    ]


def cases(program: Program, corpus: Corpus) -> list[Case]:
    """Every row for one corpus."""
    mem = program.mem
    private = os.path.join(corpus.root, ".git", "mem")
    undo = _Undo(corpus.root)

    def forget() -> None:
        shutil.rmtree(private, ignore_errors=True)

    def plain(name: str, *argv: str, before: Callable[[], None] | None = None) -> Command:
        return Command(name, lambda _: [mem, *argv], before=before)

    def hook(name: str, payload: Callable[[int], bytes]) -> Command:
        return Command(name, lambda _: [mem, "hook", "claude"], stdin=payload)

    def new_question(number: int) -> list[str]:
        return [mem, "route", "--task", "plan", "--path", f"app/api/p000/never_asked_{number}.py"]

    add = Command(
        "add --apply",
        lambda n: [mem, "add", f"Thing number {n} keeps its order", "--evidence", "user:Ada", "--apply"],
        after=undo,
    )
    return [
        Case(plain("mem --version", "--version"), "pass", ((0, ANY, 8),), lambda out: b"mem" in out),
        Case(plain("mem --help", "--help"), "pass", ((0, ANY, 14),), lambda out: b"route" in out),
        Case(
            plain("route", "route", "--task", "plan"), "pass", ((0, 10_000, 2.5),), lambda out: b"###" in out
        ),
        Case(
            Command("route, a new question", new_question),
            "pass",
            ((0, 10_000, 2.5),),
            lambda out: b"###" in out,
        ),
        Case(plain("list", "list", "--json"), "pass", (), lambda out: b"n-br1ef000" in out),
        Case(plain("status", "status"), "pass", (), lambda out: bool(out)),
        Case(plain("check cold", "check", before=forget), "CSAFE", ((1_000, ANY, 1.0),), lambda out: True),
        Case(plain("check warm", "check"), "READ", ((10_000, 10_000, 2.0),), lambda out: True),
        Case(
            plain("check --staged cold", "check", "--staged", before=forget),
            "CSAFE",
            ((0, ANY, 1.6),),
            lambda out: True,
        ),
        Case(plain("check --staged", "check", "--staged"), "GST", ((10_000, 10_000, 3.0),), lambda out: True),
        Case(
            hook("hook, nothing to say", lambda n: touch(corpus.root, COLD_PATH, n)),
            "pass",
            ((0, 10_000, 1.25), (0, ANY, 1.5)),
            lambda out: out == b"",
        ),
        Case(
            hook("hook, 4 notes match", lambda n: touch(corpus.root, HOT_PATH, n)),
            "pass",
            ((0, 10_000, 1.5),),
            lambda out: out.count(b"hot spot") >= 4,
        ),
        Case(
            hook("hook, 1 MB of input", lambda n: touch(corpus.root, COLD_PATH, n, 1_000_000)),
            "-S",
            ((0, ANY, 2.0),),
            lambda out: out == b"",
        ),
        Case(add, "pass", ((0, ANY, 7),), lambda out: True),
    ]


def touch(root: str, path: str, number: int, size: int = 0) -> bytes:
    """One tool call as Claude Code announces it, in a session of its own."""
    payload = {
        "session_id": f"00000000-0000-4000-8000-{number:012d}",
        "transcript_path": "/nowhere.jsonl",
        "cwd": root,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Edit",
        "tool_input": {
            "file_path": os.path.join(root, path),
            "old_string": "x" * (size // 2),
            "new_string": "y" * (size // 2),
        },
        "tool_use_id": f"toolu_{number:08d}",
    }
    return json.dumps(payload).encode()


class _Undo:
    """Puts ``memory/`` back as it was committed, and the index with it."""

    def __init__(self, root: str) -> None:
        self._root = root

    def __call__(self) -> None:
        for arguments in (("clean", "-qfd", "memory"), ("checkout", "-q", "--", "memory")):
            subprocess.run(["git", *arguments], cwd=self._root, check=True)
