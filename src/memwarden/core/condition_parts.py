"""The parts of a condition: its simple tests, the files it names, the commands it runs."""

from __future__ import annotations

from memwarden.core.condition import Combined, CommandTest, DataTest, PathTest, TextTest
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.core.condition import Condition


def simple_parts(condition: Condition) -> Iterator[Condition]:
    """The tests that the condition combines, or the one that it is."""
    if isinstance(condition, Combined):
        for part in condition.parts:
            yield from simple_parts(part)
    else:
        yield condition


def looked_at(condition: Condition, key: str) -> Iterator[tuple[str, str]]:
    """Every path that the condition reads the content of, with its key path.  ``file_exists`` and
    ``file_absent`` ask whether a path is there; they may name what is not."""
    for place, path, content in _paths(condition, key):
        if content:
            yield place, path


def named(condition: Condition, key: str) -> Iterator[tuple[str, str]]:
    """Every path that the condition names, with its key path."""
    for place, path, _ in _paths(condition, key):
        yield place, path


def commands_in(condition: Condition) -> Iterator[CommandTest]:
    """Every command that the condition may run."""
    for part in simple_parts(condition):
        if isinstance(part, CommandTest):
            yield part


def without_paths(condition: Condition) -> Condition:
    """The condition as it is worded apart from the files that it names."""
    if isinstance(condition, Combined):
        return condition._replace(parts=tuple(map(without_paths, condition.parts)))
    if isinstance(condition, TextTest | DataTest | PathTest):
        return condition._replace(path="")
    return condition


def _paths(condition: Condition, key: str) -> Iterator[tuple[str, str, bool]]:
    """Key path, path, and whether the content is read."""
    if isinstance(condition, TextTest | DataTest):
        yield f"{key}.{condition.kind}.path", condition.path, True
    elif isinstance(condition, PathTest):
        yield f"{key}.{condition.kind}", condition.path, False
    elif isinstance(condition, Combined):
        for at, part in enumerate(condition.parts):
            step = f"{key}.not" if condition.kind == "not" else f"{key}.{condition.kind}[{at}]"
            yield from _paths(part, step)
