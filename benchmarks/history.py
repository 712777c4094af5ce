"""A history of any length from a seed, and what the report on it is measured against.

``plant_history`` puts commits on top of a planted memory through ``git fast-import``: each changes two
sources, a few folders deep, so that a commit brings about seven objects; one in fifty tells of the word
that is purged, in a file, a name or its message.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator

from benchmarks.corpus import WORDS, plant
from benchmarks.timing import Command

COMMITS = 10_000
WORD = "quetzalcoatl"
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


def pipeline(root: str) -> Command:
    """The yardstick."""
    return Command("OBJECTS", root, lambda _: ["sh", "-c", PIPELINE])


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


def built(folder: str, commits: int, lines: int) -> str:
    """The repository, made where it is not there yet."""
    root = os.path.join(folder, f"{commits}-commits-{lines}")
    if not os.path.exists(root):
        plant_history(root, commits, lines)
    return root
