"""EXPR of the command line: a condition in one word (``contains:src/x.py:new_name``), or as YAML."""

from __future__ import annotations

from typing import Any

from memwarden.edit.condition_reader import nearest
from memwarden.errors import UsageError

FORMS = ("exists", "absent", "contains", "lacks", "after", "command")
HELP = (
    "exists:PATH, absent:PATH, contains:PATH:PATTERN, lacks:PATH:PATTERN, after:DATE, command:WORDS, "
    "or @FILE or - with YAML"
)


def parse_expr(text: str) -> dict[str, Any]:
    """The mapping that a condition would have in a note; ``read_condition`` judges what is in it.

    Raises :class:`UsageError` where ``text`` has no known form.
    """
    form, colon, rest = text.partition(":")
    if not colon or form not in FORMS:
        raise UsageError(f"{text!r} is no condition: {nearest(form, FORMS)}", f"write {HELP}")
    if form in ("exists", "absent"):
        return {f"file_{form}": rest}
    if form == "after":
        return {"after": rest}
    if form == "command":
        return {"command": {"run": rest}}
    path, colon, pattern = rest.partition(":")
    if not colon:
        raise UsageError(f"{text!r} has no pattern", f"write {form}:PATH:PATTERN")
    return {f"file_{form}": {"path": path, "pattern": pattern}}


def parse_yaml_condition(text: str) -> dict[str, Any]:
    """A condition written as YAML, alone or under a ``condition:`` key, read as strictly as a note."""
    from memwarden.edit.frontmatter import HANDLER, Unsound  # yaml: only this form pays for it

    try:
        values = HANDLER.load(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except Unsound as unsound:
        fault = unsound.fault
        line = max(1, fault.line - 1)  # counted from a frontmatter's second line; here there is no fence
        message = fault.message.replace("frontmatter", "condition")
        raise UsageError(
            f"line {line}: {message}", fault.fix or "write one predicate, as in a note"
        ) from None
    if list(values) == ["condition"]:
        values = values["condition"]
    if not isinstance(values, dict) or not values:
        raise UsageError("the condition is empty", "write one predicate, as in a note")
    return values
