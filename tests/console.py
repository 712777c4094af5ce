"""Plays the ``console`` blocks of a Markdown page, so that no page shows what the program does not print.

A line that starts with ``$ `` is typed into a shell (so are the lines of a here-document, after ``> ``); what
follows, up to the next such line, is what the
terminal must show.  IDs, object names, digests and dates differ from run to run: each one on the page
stands for one of the run, the same one every time, also in later commands.  A line ``...`` stands for any
number of lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

# Name and form of what differs from run to run; None: a form alone, which stands for anything of that form.
FORMS = (
    ("id", r"(?<=\bn-)[0-9a-hjkmnp-tv-z]{8}\b|(?<=-)[0-9a-hjkmnp-tv-z]{8}(?=\.md\b)", "[0-9a-z]{8}"),
    ("project", r"(?<=\bp-)[0-9a-hjkmnp-tv-z]{8}\b", "[0-9a-z]{8}"),
    ("sha256", r"(?<=sha256:)[0-9a-f]{64}\b", "[0-9a-f]{64}"),
    ("tail", r"(?<=-)[0-9a-f]{8}(?=\.json\b)", "[0-9a-f]{8}"),
    ("object", r"\b(?=[a-f]*[0-9])[0-9a-f]{40}\b|\b(?=[a-f]*[0-9])[0-9a-f]{7,12}\b", "[0-9a-f]{7,40}"),
    ("time", r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", r"[-0-9]{10}T[0-9:]{8}Z"),
    ("date", r"\b20\d\d-\d\d-\d\d\b", "[-0-9]{10}"),
)
LASTING = ("id", "object")
TOKEN = re.compile("|".join(f"(?P<{name}>{form})" for name, form, _ in FORMS))
ANY = {name: anything for name, _, anything in FORMS}


class Step(NamedTuple):
    """One command of a page, with what the page says it shows."""

    command: str
    shown: tuple[str, ...]
    line: int


def steps(page: str) -> list[Step]:
    """Every command of a page's console blocks, in order."""
    found: list[Step] = []
    for token in MarkdownIt().parse(page):
        if token.type == "fence" and token.info.split()[:1] == ["console"]:
            assert token.map is not None
            found += _block(token.content, token.map[0] + 2)
    return found


def _block(content: str, first: int) -> list[Step]:
    found: list[tuple[list[str], list[str], int]] = []
    for number, line in enumerate(content.rstrip("\n").split("\n"), first):
        if line.startswith("$ "):
            found.append(([line[2:]], [], number))
        elif found and found[-1][0][-1].endswith("\\") and not found[-1][1]:
            found[-1][0].append(line.strip())
        elif found and "<<" in found[-1][0][0] and line.startswith("> ") and not found[-1][1]:
            found[-1][0].append(line[2:])
        else:
            assert found, f"line {number}: a console block starts with a command"
            found[-1][1].append(line.rstrip())
    return [Step("\n".join(typed), tuple(_trimmed(shown)), number) for typed, shown, number in found]


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines.pop()
    return lines


class Console:
    """A shell in a repository that holds what the page's reader is told to have."""

    def __init__(self, root: Path, tools: Path) -> None:
        self.root = root
        self.known: dict[str, str] = {}
        tools.mkdir(exist_ok=True)
        program = tools / "mem"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memwarden "$@"\n')
        program.chmod(0o755)
        self.env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}

    def play(self, step: Step) -> str:
        """Run one command; the result says how the page is wrong, "" where it is right."""
        lines, code = self.run(step)
        if code and not step.shown:
            return f"exit {code}:\n" + "\n".join(lines)
        if self._agrees(step.shown, lines):
            return ""
        return "\n".join([f"line {step.line}: $ {step.command}", "the program says:", *lines])

    def run(self, step: Step) -> tuple[list[str], int]:
        """What the command shows, and its exit code."""
        command = TOKEN.sub(lambda found: self.known.get(found.group(), found.group()), step.command)
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.env,
            check=False,
        )
        return _trimmed([line.rstrip() for line in done.stdout.decode().split("\n")]), done.returncode

    def agrees(self, step: Step, lines: list[str]) -> bool:
        """Whether these lines are what the page shows; learns what the page's IDs stand for."""
        return self._agrees(step.shown, lines)

    def _agrees(self, shown: tuple[str, ...], lines: list[str]) -> bool:
        if not shown:
            return not lines
        if shown[0] == "...":
            return any(self._agrees(shown[1:], lines[skipped:]) for skipped in range(len(lines) + 1))
        return bool(lines) and self._same(shown[0], lines[0]) and self._agrees(shown[1:], lines[1:])

    def _same(self, shown: str, line: str) -> bool:
        """Whether a line is what the page shows; learns what the page's IDs stand for."""
        form, names, at = "", [], 0
        for found in TOKEN.finditer(shown):
            kind = found.lastgroup or ""
            form += re.escape(shown[at : found.start()]) + f"({ANY[kind]})"
            names.append((kind, found.group()))
            at = found.end()
        match = re.fullmatch(form + re.escape(shown[at:]), line)
        if match is None:
            return False
        learned = {}
        for (kind, name), value in zip(names, match.groups(), strict=True):
            if kind in LASTING and self.known.get(name, learned.get(name, value)) != value:
                return False
            if kind in LASTING:
                learned[name] = value
        self.known.update(learned)
        return True
