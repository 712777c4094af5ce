"""Blame against ``git log -S`` and ``git bisect run`` on real histories.

    python benchmarks/blame_real.py REPOSITORY... [--todos 50]

Every repository is cloned into a temporary folder and nothing of it is kept.  TODO lines that were taken
out are found in its history; for each, "the file lacks the line" is blamed, and the commit must be among
those that ``git log -S`` names.  Both are timed in turn.  One removal is also found by ``git bisect run``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from memwarden.core.condition import TextTest
from memwarden.edge.place import find_place
from memwarden.edge.review.blame import blame

TODO = re.compile(r"\b(TODO|FIXME|XXX)\b")
LOG = ("log", "--first-parent", "-m", "--no-renames", "--no-color", "--no-ext-diff")


class Removal(NamedTuple):
    """A commit that took a TODO line out of a file."""

    commit: str
    path: str
    line: str


class Timing(NamedTuple):
    """One question asked both ways, in seconds."""

    ours: float
    pickaxe: float


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def removals(root: Path) -> list[Removal]:
    """Every removed TODO line that is long enough to be found again, the latest first."""
    patch = git(root, *LOG, "--diff-filter=M", "-G", "TODO|FIXME|XXX", "--format=%x01%H", "-p", "-U0")
    found, commit, path = [], "", ""
    for line in patch.split("\n"):
        if line.startswith("\x01"):
            commit = line[1:]
        elif line.startswith("--- a/"):
            path = line[6:]
        elif line.startswith("-") and TODO.search(line) and len(line.strip()) > 25 and line.isascii():
            found.append(Removal(commit, path, line[1:].strip()))
    return list(dict.fromkeys(found))


def is_gone(root: Path, removal: Removal) -> bool:
    """Whether the line stood in the file once only, so that the commit took it out for good."""
    shown = ["git", "show", f"{removal.commit}:{removal.path}"]
    after = subprocess.run(shown, cwd=root, capture_output=True, check=False)
    return removal.line.encode() not in after.stdout


def timed(work: Callable[[], list[str]]) -> tuple[float, list[str]]:
    start = time.perf_counter()
    answer = work()
    return time.perf_counter() - start, answer


def ask(root: Path, removal: Removal) -> tuple[Timing, str]:
    """Both answers timed; the complaint is "" where they agree."""
    place = find_place(str(root))
    condition = TextTest("file_lacks", removal.path, removal.line, literal=True)
    theirs, named = timed(
        lambda: git(root, *LOG, "--format=%H", "-S", removal.line, "--", removal.path).split()
    )
    ours, paid = timed(lambda: [flip.commit for flip in blame(place, condition).flips if flip.holds])
    agree = removal.commit in named and removal.commit in paid
    return Timing(ours, theirs), "" if agree else f"{removal}: blame {paid}, git log -S {named}"


def bisected(root: Path, removal: Removal) -> float:
    """Seconds that ``git bisect run`` takes, from the commit that brought the line to HEAD."""
    named = git(root, *LOG, "--format=%H", "-S", removal.line, "--", removal.path).split()
    test = f"! grep -qF -e {_shell(removal.line)} {_shell(removal.path)}"
    git(root, "checkout", "-q", "--force", "HEAD")
    start = time.perf_counter()
    for step in (
        ["start", "--first-parent", "--term-old=owed", "--term-new=paid"],
        ["paid", removal.commit],
        ["owed", named[-1]],
        ["run", "sh", "-c", f"if {test}; then exit 1; else exit 0; fi"],
    ):
        subprocess.run(["git", "bisect", *step], cwd=root, capture_output=True, check=False)
    spent = time.perf_counter() - start
    subprocess.run(["git", "bisect", "reset", "-q"], cwd=root, capture_output=True, check=False)
    return spent


def _shell(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def compare(root: Path, wanted: int) -> tuple[int, list[str]]:
    """How many removals agreed, and what was odd."""
    timings, odd, first = [], [], None
    for removal in removals(root):
        if len(timings) == wanted:
            break
        if not is_gone(root, removal):
            continue
        timing, complaint = ask(root, removal)
        if complaint:
            odd.append(complaint)
        else:
            timings.append(timing)
            first = first or removal
    if timings and first:
        ours = median(t.ours for t in timings)
        ratio = median(t.ours / t.pickaxe for t in timings)
        print(f"  blame {ours * 1000:.0f} ms, {ratio:.2f}x git log -S (median of {len(timings)})")
        print(f"  git bisect run {bisected(root, first):.2f} s")
    return len(timings), odd


def main() -> int:
    parser = argparse.ArgumentParser(description="Blame against git log -S on real histories.")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--todos", type=int, default=50)
    given = parser.parse_args()
    total, odd = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for number, repository in enumerate(given.repositories):
            root = Path(folder) / str(number)
            git(Path(folder), "clone", "-q", "--shared", repository, str(root))
            print(f"{repository}: {git(root, 'rev-list', '--count', 'HEAD').strip()} commits")
            agreed, complaints = compare(root, given.todos)
            total, odd = total + agreed, odd + complaints
    print("".join(f"  {line}\n" for line in odd), end="")
    print(f"{total} removals agree with git log -S, {len(odd)} do not")
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
