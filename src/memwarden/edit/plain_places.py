"""Where the parts of plain frontmatter stand, without a YAML parser, for findings that name a key.

Every line of plain frontmatter begins one key or one item, in the order in which the values are met when one
walks down into them; so the walk takes line by line.  A property test holds the places equal to the marks of
the parser.
"""

from __future__ import annotations

import re

from memwarden.core.record import TYPE_CHECKING
from memwarden.edit.plain_yaml import ITEMS, LINE, plain_values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    # A line from 0 and what stands in it; the steps to a part; a line and a column from 0.
    Row: TypeAlias = tuple[int, re.Match[str]]
    Steps: TypeAlias = tuple[str | int, ...]
    Place: TypeAlias = tuple[int, int]

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_KEY, _PLAIN, _REST = 3, 4, 5


def plain_place(block: str, key: str) -> tuple[int, int] | None:
    """Line and column (from 0) of the deepest part of a key path that is there; None for a block that is
    not plain."""
    values = plain_values(block)
    if values is None:
        return None
    rows = list(enumerate(LINE.finditer(block if block[-1:] == "\n" else block + "\n")))
    places = dict(_keys(values, (), iter(rows)))
    steps: Steps = ()
    for name, index in _STEP.findall(key):
        longer = (*steps, name or int(index))
        if longer not in places:
            break
        steps = longer
    return places.get(steps, (0, 0))


def _keys(values: dict[str, Any], steps: Steps, rows: Iterator[Row]) -> Iterator[tuple[Steps, Place]]:
    """The places in a mapping whose keys stand one below the other."""
    for key, value in values.items():
        row = next(rows)
        yield from _key(row, (*steps, key), value, rows)


def _key(row: Row, steps: Steps, value: Any, rows: Iterator[Row]) -> Iterator[tuple[Steps, Place]]:
    number, line = row
    yield steps, (number, line.start(_KEY) - line.start())
    if line[_REST]:
        yield from _flow(row, steps, value)
    elif value.__class__ is dict:
        yield from _keys(value, steps, rows)
    elif value.__class__ is list:
        for index, item in enumerate(value):
            yield from _item(next(rows), (*steps, index), item, rows)


def _item(row: Row, steps: Steps, item: Any, rows: Iterator[Row]) -> Iterator[tuple[Steps, Place]]:
    number, line = row
    if not line[_KEY]:
        group = _REST if line[_REST] else _PLAIN
        yield steps, (number, line.start(group) - line.start())
        yield from _flow(row, steps, item)
        return
    yield steps, (number, line.start(_KEY) - line.start())
    first, *others = item.items()
    yield from _key(row, (*steps, first[0]), first[1], rows)
    yield from _keys(dict(others), steps, rows)


def _flow(row: Row, steps: Steps, value: Any) -> Iterator[tuple[Steps, Place]]:
    """The places in a list or mapping that stands in one line."""
    number, line = row
    if value.__class__ not in (list, dict):
        return
    found = ITEMS.finditer(line[_REST], 1, len(line[_REST]) - 1)
    before = line.start(_REST) - line.start()
    for index, item in enumerate(found):
        yield (*steps, item[1] or index), (number, before + item.start())
