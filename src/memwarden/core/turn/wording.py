"""A condition in words, for a person or an agent who has to meet it."""

from __future__ import annotations

from memwarden.core.condition import (
    Combined,
    CommandTest,
    DataTest,
    DateTest,
    PathTest,
    TagTest,
    TextTest,
    VersionTest,
)
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from memwarden.core.condition import Condition


def in_words(condition: Condition) -> str:
    """The condition as the end of "paid when ..."."""
    if isinstance(condition, PathTest):
        return f"{condition.path} {'exists' if condition.kind == 'file_exists' else 'is gone'}"
    if isinstance(condition, TextTest):
        verb = "contains" if condition.kind == "file_contains" else "no longer contains"
        return f"{condition.path} {verb} {_sought(condition.pattern, condition.literal)}"
    if isinstance(condition, DataTest):
        what = _sought(condition.pattern, condition.literal)
        return f"{condition.key} in {condition.path} matches {what}"
    if isinstance(condition, VersionTest):
        return f"the version of {condition.of} is {condition.within}"
    if isinstance(condition, TagTest):
        return f"a git tag {condition.glob} exists"
    if isinstance(condition, DateTest):
        return f"{condition.date} has come"
    if isinstance(condition, CommandTest):
        runs = f", {condition.runs} times" if condition.runs != 1 else ""
        return f"`{' '.join(condition.run)}` exits with {condition.expect}{runs}"
    return _combined(condition)


def _combined(condition: Combined) -> str:
    parts = [in_words(part) for part in condition.parts]
    if condition.kind == "not":
        return f"it is not so that {parts[0]}"
    joint = " and " if condition.kind == "all" else " or "
    return joint.join(f"({part})" if " and " in part or " or " in part else part for part in parts)


def _sought(pattern: str, literal: bool) -> str:
    return f'"{pattern}"' if literal else f"/{pattern}/"
