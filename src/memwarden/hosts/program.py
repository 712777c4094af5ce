"""Whose ``mem`` a hook would run: other packages install a program of that name too."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping

from memwarden.core.record import NamedTuple
from memwarden.hosts.wiring import Caller

NAMES = ("mem", "memwarden")


class Program(NamedTuple):
    """One file on PATH that answers to a name of ours; ``ours`` tells whether it is this program."""

    name: str
    path: str
    ours: bool


def on_path(env: Mapping[str, str]) -> tuple[Program, ...]:
    """Every ``mem`` and ``memwarden`` on PATH, in the order in which a shell finds them."""
    found: dict[str, Program] = {}
    for name in NAMES:
        for folder in env.get("PATH", "").split(os.pathsep):
            path = shutil.which(name, path=folder) if folder else None
            if path and path not in found:
                found[path] = Program(name, path, _is_ours(path))
    return tuple(found.values())


def portable(env: Mapping[str, str]) -> Caller:
    """The name to write into settings that a team shares: ``mem``, unless another program has it here."""
    first = next((program for program in on_path(env) if program.name == "mem"), None)
    return Caller("mem" if first is None or first.ours else "memwarden")


def is_found(caller: Caller, env: Mapping[str, str]) -> bool:
    """Whether what settings name is there: a program by its place, or by a name that PATH knows as ours."""
    if os.path.isabs(caller.program):
        return True
    return any(program.name == caller.program and program.ours for program in on_path(env))


def local(env: Mapping[str, str]) -> Caller:
    """The place of this very program, for settings that are one person's on one machine."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "mem")
    if os.access(beside, os.X_OK):
        return Caller(beside)
    own = next((program.path for program in on_path(env) if program.ours), "")
    return Caller(os.path.abspath(own)) if own else portable(env)


def _is_ours(path: str) -> bool:
    """Whether a script starts this package (every installer writes its name into it)."""
    try:
        with open(path, "rb") as file:
            return b"memwarden" in file.read(1 << 16)
    except OSError:
        return False
