"""A condition: what makes a debt paid, or a rule's ``verify`` hold.

Every variant is a small record that carries its ``kind``; :func:`as_mapping` gives back the one-key
mapping that a note writes.  Reading one from a mapping, with every refusal, is ``edit.condition_reader``;
judging one against a workspace is the ``judge`` package.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any, TypeAlias

HOLDS = "holds"
FAILS = "does not hold"
CANNOT_TELL = "cannot tell"

MOST_DEEP = 4


class PathTest(NamedTuple):
    """``file_exists`` or ``file_absent``: is a regular file or folder at ``path``?"""

    kind: str
    path: str


class TextTest(NamedTuple):
    """``file_contains`` or ``file_lacks``.  ``path`` may be a glob; ``pattern`` is RE2, multi-line,
    unless ``literal``, where it is a plain substring (written as ``text:``)."""

    kind: str
    path: str
    pattern: str
    literal: bool = False


class DataTest(NamedTuple):
    """``data_matches``: text matching ``pattern`` at a dotted ``key`` of a TOML, JSON or YAML file."""

    kind: str
    path: str
    key: str
    pattern: str
    literal: bool = False


class VersionTest(NamedTuple):
    """``version``: the project's version of ``of`` lies in the PEP 440 specifier ``within``."""

    kind: str
    of: str
    within: str


class TagTest(NamedTuple):
    """``git_tag``: a tag that matches the glob exists."""

    kind: str
    glob: str


class DateTest(NamedTuple):
    """``after``: the date has come (UTC)."""

    kind: str
    date: str


class CommandTest(NamedTuple):
    """``command``: every one of ``runs`` executions exits with ``expect`` within ``timeout`` seconds
    (0: the manifest's ``command_timeout``).  ``run`` is the argument list; there is no shell."""

    kind: str
    run: tuple[str, ...]
    timeout: int = 0
    runs: int = 1
    expect: int = 0


class Combined(NamedTuple):
    """``all``, ``any`` or ``not`` (one part) in Kleene's three-valued logic."""

    kind: str
    parts: tuple[Condition, ...]


if TYPE_CHECKING:
    Condition: TypeAlias = (
        PathTest | TextTest | DataTest | VersionTest | TagTest | DateTest | CommandTest | Combined
    )

KINDS = (
    "file_exists",
    "file_absent",
    "file_contains",
    "file_lacks",
    "data_matches",
    "version",
    "git_tag",
    "after",
    "command",
    "all",
    "any",
    "not",
)


def has_command(condition: Condition) -> bool:
    """Whether some part of the condition runs a command."""
    if isinstance(condition, Combined):
        return any(has_command(part) for part in condition.parts)
    return isinstance(condition, CommandTest)


def as_mapping(condition: Condition) -> dict[str, Any]:
    """The canonical mapping of a condition: what its digest covers and what an event records."""
    if isinstance(condition, PathTest):
        return {condition.kind: condition.path}
    if isinstance(condition, TextTest):
        how = "text" if condition.literal else "pattern"
        return {condition.kind: {"path": condition.path, how: condition.pattern}}
    if isinstance(condition, DataTest):
        how = "text" if condition.literal else "pattern"
        return {"data_matches": {"path": condition.path, "key": condition.key, how: condition.pattern}}
    if isinstance(condition, VersionTest):
        return {"version": {"of": condition.of, "is": condition.within}}
    if isinstance(condition, TagTest):
        return {"git_tag": condition.glob}
    if isinstance(condition, DateTest):
        return {"after": condition.date}
    if isinstance(condition, CommandTest):
        return {"command": _command_mapping(condition)}
    if condition.kind == "not":
        return {"not": as_mapping(condition.parts[0])}
    return {condition.kind: [as_mapping(part) for part in condition.parts]}


def _command_mapping(test: CommandTest) -> dict[str, Any]:
    """Only what departs from the defaults, so that writing a default out does not change the digest."""
    mapping: dict[str, Any] = {"run": list(test.run)}
    if test.timeout:
        mapping["timeout"] = test.timeout
    if test.runs != 1:
        mapping["runs"] = test.runs
    if test.expect != 0:
        mapping["expect"] = test.expect
    return mapping


class Verdict(NamedTuple):
    """What judging a condition gave: ``state`` is one of the three values; ``items`` is the evidence,
    each a JSON-ready mapping (``path``, ``line``, ``blob``, ``excerpt``; or ``exit``, ``seconds``,
    ``tail``; always at least ``path`` or ``note``); ``why`` says in one line what was seen.  ``ran``:
    it took a command to tell; what the rest of the condition tells alone is not from one."""

    state: str
    why: str = ""
    items: tuple[dict[str, Any], ...] = ()
    ran: bool = False

    @property
    def holds(self) -> bool:
        return self.state == HOLDS
