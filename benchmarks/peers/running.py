"""The rounds in which peers and we run in turn, and the table that comes of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from benchmarks.cases import RUN, Case, cases, references
from benchmarks.ground import planted, works
from benchmarks.peers.facts import WORD, facts, plant_project
from benchmarks.peers.forms import Ground, prompted, started
from benchmarks.peers.programs import Unavailable, cut_network, install
from benchmarks.peers.table import LEFT_OUT, PEERS, Peer, Row
from benchmarks.program import Program
from benchmarks.timing import Command, Overran, Spent, median, ratio, run_rounds

# Seconds: what one run may take at most, what planting may, and from when on a row gets few rounds.
LIMIT = 180
PLANTING = 900
SLOW = 3.0
SLOW_ROUNDS = 3


class Entrant(NamedTuple):
    """One row of a peer that does its work, ready to be run."""

    peer: Peer
    row: Row
    command: Command
    took: float


def compare(
    program: Program, sizes: Sequence[int], rounds: int, scratch: str, only: str, given: Mapping[str, str]
) -> None:
    """Install what can be installed, then measure each size."""
    installed: dict[str, str] = {}
    for peer in PEERS:
        if only and not any(name in peer.name for name in only.split(",")):
            continue
        try:
            installed[peer.name] = install(peer, os.path.join(scratch, "peers", peer.name), dict(given))
        except Unavailable as why:
            print(f"{peer.name} {peer.version}: not measured: {why}")
    for name, reason in LEFT_OUT:
        print(f"{name}: not measured: {reason}")
    print(f"network while measuring: {'none' if cut_network() else 'cannot be cut off on this system'}")
    for size in sizes:
        _measure(program, size, rounds, scratch, installed)


def ours(program: Program, root: str, other: str, asked: str) -> dict[str, Case]:
    """Our commands by the names that the table uses.  ``root`` is only read; ``other`` and ``asked`` are
    copies of it, ``asked`` one that forgets each answer before the next question."""
    number = count(RUN * 1_000)

    def hook(name: str, event: Callable[[int], bytes], proof: bytes) -> Case:
        command = Command(name, root, lambda _: [program.mem, "hook", "claude"], stdin=event)
        return Case(command, "pass", (), lambda out: proof in out)

    def forget() -> None:
        shutil.rmtree(os.path.join(asked, ".git", "mem", "answers"), ignore_errors=True)

    search = Command(
        "search, not asked before", asked, lambda _: [program.mem, "search", WORD], before=forget
    )
    more = [
        Case(search, "pass", (), lambda out: WORD.encode() in out),
        hook("hook, a session starts", lambda _: started(root, number=next(number)), b"The project"),
        hook("hook, a prompt", lambda _: prompted(root, RUN * 1_000), b""),
    ]
    # One change is checked where nothing makes the private state cold in between.
    warm = [case for case in cases(program, root, asked) if case.command.name == "check --staged, one change"]
    return {case.command.name: case for case in (*cases(program, root, other), *warm, *more)}


def _measure(program: Program, size: int, rounds: int, scratch: str, installed: Mapping[str, str]) -> None:
    copies = [planted(os.path.join(scratch, f"{size}-{name}"), size) for name in ("read", "written", "asked")]
    entrants = [
        entrant
        for peer in PEERS
        if peer.name in installed
        for entrant in _entrants(peer, size, scratch, installed[peer.name])
    ]
    needed = {name for entrant in entrants for name in entrant.row.ours}
    mine = {name: case for name, case in ours(program, *copies).items() if name in needed and works(case)}
    print(f"\n{size} notes")
    print(f"{'':44}{'ms':>9}{'x pass':>8}{'cpu':>8}   {'ours':26}{'x pass':>8}{'to theirs':>11}{'cpu':>7}")
    bare = next(command for command in references(program, copies[0]) if command.name == "pass")
    for group, times in (
        ([entrant for entrant in entrants if entrant.took < SLOW], rounds),
        ([entrant for entrant in entrants if entrant.took >= SLOW], min(SLOW_ROUNDS, rounds)),
    ):
        _in_turn(group, mine, bare, times, scratch)


def _in_turn(
    group: Sequence[Entrant], mine: Mapping[str, Case], bare: Command, rounds: int, scratch: str
) -> None:
    """Rows of like length in rounds of their own, with ours and the bare interpreter in each round."""
    if not group:
        return
    pairs = [(entrant, name) for entrant in group for name in entrant.row.ours if name in mine]
    own = dict.fromkeys(name for _, name in pairs)
    commands = [bare, *(mine[name].command for name in own), *(entrant.command for entrant in group)]
    try:
        times = run_rounds(commands, rounds, scratch)
    except Overran as why:
        print(f"not measured: {why}")
        return
    for entrant, name in pairs:
        print(told(entrant.command.name, name, times))
    sys.stdout.flush()


def told(name: str, ours: str, times: Mapping[str, Sequence[Spent]]) -> str:
    """One line of the table."""
    theirs, own, bare = times[name], times[ours], times["pass"]
    return (
        f"{name:44}{median(theirs):9.1f}{ratio(theirs, bare):8.1f}{ratio(theirs, bare, 'cpu'):8.1f}"
        f"   {ours:26}{ratio(own, bare):8.1f}{ratio(own, theirs):11.3f}{ratio(own, theirs, 'cpu'):7.3f}"
    )


def _entrants(peer: Peer, size: int, scratch: str, script: str) -> list[Entrant]:
    if size > peer.most:
        print(f"{peer.name} {peer.version}: not measured at {size}: it is given {peer.most} notes at most")
        return []
    ground = _ground(peer, size, scratch, script)
    try:
        _plant(peer, ground, size)
    except (OSError, subprocess.SubprocessError) as why:
        print(f"{peer.name} {peer.version}: not measured at {size}: {why}")
        return []
    found = [_tried(peer, row, ground, script) for row in peer.rows]
    return [entrant for entrant in found if entrant is not None]


def _ground(peer: Peer, size: int, scratch: str, script: str) -> Ground:
    folder = os.path.join(scratch, "planted", f"{peer.name}-{size}")
    root, home = os.path.join(folder, "project"), os.path.join(folder, "home")

    def run(*words: str, stdin: bytes = b"") -> None:
        env = {**os.environ, "HOME": home, **dict(peer.env)}
        done = subprocess.run(
            [script, *words], cwd=root, env=env, input=stdin, capture_output=True, timeout=PLANTING
        )
        if done.returncode:
            said = (done.stderr or done.stdout).decode(errors="replace").strip().split("\n")[-1]
            raise subprocess.SubprocessError(f"{peer.script} {words[0]} ended with {done.returncode}: {said}")

    return Ground(root, home, run)


def _plant(peer: Peer, ground: Ground, size: int) -> None:
    done = os.path.join(os.path.dirname(ground.root), "planted")
    if os.path.exists(done):
        return
    # What an earlier run has left half done.
    shutil.rmtree(os.path.dirname(ground.root), ignore_errors=True)
    os.makedirs(ground.home)
    plant_project(ground.root, size)
    peer.plant(ground, facts(size))
    with open(done, "w", encoding="ascii"):
        pass


def _tried(peer: Peer, row: Row, ground: Ground, script: str) -> Entrant | None:
    """The row, when one run of it does its work."""
    name = f"{peer.name} {row.name}"
    stdin = row.stdin
    command = Command(
        name,
        ground.root,
        lambda _: [script, *row.words],
        stdin=None if stdin is None else lambda number: stdin(ground.root, number),
        env={"HOME": ground.home, **dict(peer.env)},
        limit=2 * LIMIT,
    )
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command.argv(0),
            input=command.stdin(0) if command.stdin else b"",
            cwd=ground.root,
            env={**os.environ, **(command.env or {})},
            capture_output=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        print(f"{name}: not measured, it did not end within {LIMIT} seconds")
        return None
    took = time.perf_counter() - start
    why = fault(row, done.returncode, done.stdout)
    if why:
        said = done.stderr.decode(errors="replace").strip().split("\n")[-1]
        print(f"{name}: not measured, {why} {said}")
        return None
    return Entrant(peer, row, command, took)


def fault(row: Row, code: int, out: bytes) -> str:
    """Why the row did not do its work, or nothing."""
    if code not in row.ends:
        return f"it ended with {code}"
    if row.proof is None:
        return f"it speaks: {out[:80]!r}" if out else ""
    return "" if row.proof in out else f"it does not say {row.proof!r}"
