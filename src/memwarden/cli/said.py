"""From the words on a command line to the values of an intent, each refused by the option's own name."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from memwarden.cli.from_here import FromHere
from memwarden.cli.given_text import MOST_INPUT as MOST_INPUT
from memwarden.cli.given_text import standard_input as standard_input
from memwarden.core.actor import HUMAN, Actor
from memwarden.core.condition import as_mapping
from memwarden.core.dates import is_date
from memwarden.core.fitness import PATH_EVIDENCE
from memwarden.core.identity import mint_id
from memwarden.core.lookup import find_note
from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.core.paths import check_path
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import is_hidden, plain
from memwarden.edit.note_reader import EVIDENCE_KEYS
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from typing import Any


def new_id(memory: Memory) -> str:
    """A note ID that no note and no event has."""
    taken = {note.id for note in memory.notes} | set(memory.events)
    return mint_id(os.urandom, taken)


def reference(memory: Memory, text: str) -> str:
    """The ID, or else the path, of the note that a person named."""
    note = find_note(memory, text)
    return note.name


def named(memory: Memory, reference: str) -> Note:
    """The note of a :func:`reference`."""
    return find_note(memory, reference)


def one_line(text: str, what: str) -> str:
    """A text of one line without anything hidden."""
    line = " ".join(text.split())
    if any(is_hidden(char) for char in text if char not in "\r\n\t") or not line:
        raise UsageError(
            f"{what} {plain(text[:60])!r} is empty or has a control character", "give one line of text"
        )
    return line


def prose(text: str, what: str) -> str:
    """A text that may have lines, without anything hidden but them."""
    text = text.replace("\r\n", "\n")
    if any(is_hidden(char) for char in text):
        raise UsageError(f"{what} has a control or invisible character", "take it out")
    return text


def read_text(word: str, what: str) -> str:
    """A text given on the command line, or with ``-`` on standard input."""
    return standard_input(what) if word == "-" else word


def condition_said(word: str, option: str, seen: FromHere) -> dict[str, Any] | None:
    """The canonical mapping of a condition given as EXPR, ``@FILE`` or ``-``; None where none is given."""
    if not word:
        return None
    from memwarden.edit.condition_reader import read_condition  # many notes have no condition
    from memwarden.edit.expression import parse_expr, parse_yaml_condition

    if word == "-":
        raw = parse_yaml_condition(standard_input(option))
    elif word.startswith("@"):
        raw = parse_yaml_condition(_file(word[1:], option))
    else:
        raw = seen.condition(parse_expr(word), option)
    condition, problems = read_condition(raw, option.lstrip("-"))
    if condition is None:
        told = "; ".join(f"{problem.key}: {problem.message}" for problem in problems)
        raise UsageError(f"{option}: {told}", problems[0].fix if problems else "")
    return as_mapping(condition)


def evidence_said(words: Iterable[str], seen: FromHere) -> list[list[str]]:
    """``KEY:VALUE`` pairs; a path that would leave the repository is refused without being read."""
    return [list(_evidence(seen.evidence(word))) for word in words]


def default_evidence(actor: Actor, today: str) -> list[list[str]]:
    """What speaks for a note when nothing is given: the person's own word, or that an agent said so."""
    name = one_line(actor.name, "the actor's name")
    return [["user", f"{name}, {today}"]] if actor.kind == HUMAN else [["agent", name]]


def date_said(text: str, option: str) -> str:
    """A date (``2026-11-30``), or "" where none was given."""
    if text and not is_date(text):
        raise UsageError(f"{option} {text!r} is not a date", "write it as 2026-11-30")
    return text


def anchors_said(globs: Iterable[str], commands: Iterable[str], seen: FromHere) -> list[list[str]]:
    """Anchors as pairs of kind and text."""
    found = []
    for glob in globs:
        text = seen.path(one_line(glob, "--anchor"), "--anchor")
        why = check_path(text)
        if why:
            raise UsageError(f"--anchor {glob!r} {why}", "name a path from the top of the repository")
        found.append(["path", text])
    return found + [["command", one_line(command, "--on-command")] for command in commands]


def _evidence(word: str) -> tuple[str, str]:
    key, colon, value = word.partition(":")
    if not colon or key not in EVIDENCE_KEYS:
        raise UsageError(f"--evidence {word!r} is not KEY:VALUE", f"keys are {', '.join(EVIDENCE_KEYS)}")
    value = one_line(value, f"--evidence {key}")
    if key in PATH_EVIDENCE:
        why = check_path(value.partition("::")[0].partition("#")[0])
        if why:
            raise UsageError(f"--evidence {key}: the path {why}", "cite a file of this repository")
    return key, value


def _file(path: str, option: str) -> str:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return file.read(MOST_INPUT)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{option} @{os.path.basename(path)}: {why}", "name a readable file") from None


def read_note_text(word: str) -> str:
    """A note's whole text from a file or, with ``-``, from standard input; its line ends and BOM are kept."""
    if word == "-":
        data = sys.stdin.buffer.read(MOST_INPUT + 1)
    else:
        try:
            with open(word, "rb") as file:
                data = file.read(MOST_INPUT + 1)
        except OSError as error:
            raise UsageError(
                f"--file {os.path.basename(word)}: {error.strerror}", "name a readable file"
            ) from None
    if len(data) > MOST_INPUT:
        raise UsageError("the text is larger than 1 MiB", "one note is one claim")
    if not data.strip():
        raise UsageError("the text is empty; nothing is changed", "mem revoke or mem forget retires a note")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UsageError("the text is not UTF-8", "save it as UTF-8") from None
