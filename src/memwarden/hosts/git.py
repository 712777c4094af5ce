"""git's own hooks: a marked block in the shell scripts that git runs, and nothing else of them touched.

A hook that is not a POSIX shell script is left alone, and the line to add to it is printed.  The block
runs ``mem check --staged`` before a commit, and, where asked for, ``mem settle --stage``.
"""

from __future__ import annotations

import os

from memwarden.core.record import NamedTuple
from memwarden.errors import Refused
from memwarden.hosts import foreign_file

NAME = "git"
TITLE = "git"

HOOK = "pre-commit"
BEGIN = "# >>> memwarden >>>"
# What the block says of itself where the whole file is ours: uninstalling then removes the file.
PART, WHOLE = "wrote this block", "wrote this file"
END = "# <<< memwarden <<<"
LONG_NAME = "memwarden"
ABSENT = (
    "mem: not found by git, so the memory in this commit was not checked; the commit goes on",
    "  next: put memwarden on the PATH that git has, then mem check --at HEAD",
)
SHELLS = ("sh", "bash", "dash", "ksh", "zsh", "ash")

CANNOT = (
    "git commit --no-verify runs no hook: mem check --range in CI gives the same verdict",
    "a hook is each clone's own: everyone installs theirs",
)


class Hooked(NamedTuple):
    """What was done: ``action`` as for settings files, or ``by hand`` with the ``lines`` to add."""

    path: str
    action: str
    lines: str = ""


def block(program: str, settle: bool, wrote: str = PART) -> str:
    """The lines that run us; ``program`` is a word on PATH or an absolute place, PATH being the rest.

    Where it cannot be run the commit goes on, and is told so.  On PATH it goes by the name that is nobody
    else's: what another package calls ``mem`` would end the commit.
    """
    on_path = "/" not in program
    quoted = "'" + name_in_block(program).replace("'", "'\\''") + "'"
    return "\n".join(
        [
            BEGIN,
            f"# mem hook install git {wrote}; mem hook uninstall git takes it out again.",
            f"mem_program={quoted}",
            *([] if on_path else [f'[ -x "$mem_program" ] || mem_program={LONG_NAME}']),
            "mem_code=127",
            'if command -v "$mem_program" >/dev/null 2>&1; then',
            "    mem_code=0",
            '    "$mem_program" check --staged || mem_code=$?',
            *(['    [ $mem_code -ne 0 ] || "$mem_program" settle --stage || mem_code=$?'] if settle else []),
            "fi",
            "case $mem_code in",
            "0) ;;",
            "126 | 127)",
            "    if [ -d memory ]; then",
            *(f"        echo '{line}' >&2" for line in ABSENT),
            "    fi",
            "    ;;",
            "*) exit $mem_code ;;",
            "esac",
            END,
        ]
    )


def name_in_block(program: str) -> str:
    """By what the block calls a program."""
    return program if "/" in program else LONG_NAME


def install(folder: str, program: str, settle: bool = False) -> Hooked:
    """Put our block into the pre-commit hook of a hooks folder, making both where they are missing.

    It stands right below the first line, because many hooks end in ``exec`` or ``exit``.
    """
    path = os.path.join(folder, HOOK)
    data = foreign_file.read(path)
    if data is None:
        new = f"#!/bin/sh\n{block(program, settle, WHOLE)}\n".encode()
        foreign_file.replace(path, new, executable=True)
        return Hooked(path, "created")
    ours = block(program, settle, WHOLE if WHOLE.encode() in data else PART)
    if not _is_shell(data):
        return Hooked(path, "by hand", ours + "\n")
    first, newline, rest = _without_block(data).partition(b"\n")
    new = first + b"\n" + ours.encode() + newline + rest
    if new == data:
        return Hooked(path, "unchanged")
    foreign_file.replace(path, new)
    return Hooked(path, "changed")


def uninstall(folder: str) -> Hooked:
    """Take our block out; a hook that we made, and that nobody filled, is removed."""
    path = os.path.join(folder, HOOK)
    data = foreign_file.read(path)
    if data is None or BEGIN.encode() not in data:
        return Hooked(path, "unchanged")
    plain = _without_block(data)
    if plain == b"#!/bin/sh\n" and WHOLE.encode() in data:
        foreign_file.remove(path)
        return Hooked(path, "removed")
    foreign_file.replace(path, plain)
    return Hooked(path, "changed")


def installed(folder: str) -> bool:
    """Whether our block is in the pre-commit hook; :func:`passed_by` says whether git runs it."""
    data = foreign_file.read(os.path.join(folder, HOOK))
    return data is not None and BEGIN.encode() in data


def passed_by(folder: str, shown: str) -> str:
    """Why git does not run the pre-commit hook that is there, and what to do; "" where it does."""
    path = os.path.join(folder, HOOK)
    if not os.path.exists(path) or os.access(path, os.X_OK):
        return ""
    return f"git passes by a hook that is not executable: chmod +x {shown}/{HOOK}"


def _is_shell(data: bytes) -> bool:
    """Whether a script names a shell of the POSIX family on its first line."""
    first = data.split(b"\n", 1)[0].strip().decode("utf-8", "replace")
    if not first.startswith("#!"):
        return False
    words = first[2:].split()
    if words and os.path.basename(words[0]) == "env":
        words = [word for word in words[1:] if not word.startswith("-")]
    return bool(words) and os.path.basename(words[0]) in SHELLS


def _without_block(data: bytes) -> bytes:
    """The script without our block; a first line that had no newline of its own loses ours."""
    start = data.find(BEGIN.encode())
    if start < 0:
        return data
    end = data.find(END.encode(), start)
    if end < 0:
        raise Refused("the marked block of the pre-commit hook has no end", "repair the hook by hand")
    after = data[end + len(END) :]
    if not after and data[:start].endswith(b"\n"):
        start -= 1
    return data[:start] + after.removeprefix(b"\n")
