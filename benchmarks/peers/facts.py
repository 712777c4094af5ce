"""What every peer is given to remember: as many facts as a memory of ours has notes, in the same words."""

from __future__ import annotations

import os
import random
import subprocess
from typing import NamedTuple

from benchmarks.corpus import commit, source_files, source_paths, told, write_all

# What is asked of those that search: words that the corpus is made of.
QUESTION = "retry queue lease timeout"
WORD = "quorum"
KINDS = ("decision", "constraint", "dead-end", "convention")


class Fact(NamedTuple):
    """One thing to remember; ``source`` is the file that it speaks of."""

    number: int
    kind: str
    title: str
    body: str
    source: str


def facts(notes: int, seed: int = 20261130) -> list[Fact]:
    """The same size and seed give the same facts."""
    dice = random.Random(f"{seed}/{notes}/peers")
    sources = source_paths(notes)
    return [
        Fact(number, KINDS[number % len(KINDS)], *told(dice, number), sources[number % len(sources)])
        for number in range(notes)
    ]


def plant_project(root: str, notes: int) -> None:
    """The repository that the facts speak of, committed, with nothing remembered in it yet."""
    os.makedirs(root)
    write_all(root, source_files(source_paths(notes)))
    commit(root)


def stage(root: str, path: str) -> None:
    """The next commit holds what the file says now."""
    subprocess.run(["git", "add", "--", path], cwd=root, check=True)


def record(root: str) -> None:
    """Commit all that was planted."""
    for arguments in (("add", "-A"), ("commit", "-q", "--allow-empty", "-m", "remember")):
        subprocess.run(["git", *arguments], cwd=root, check=True, stdout=subprocess.DEVNULL)
