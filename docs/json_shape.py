"""The shape of JSON answers: which keys there are and what each holds, merged over many answers."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

WIDTH = 96
# A condition is written as in a note, whatever its kind.
AS_WRITTEN = ("condition",)
# What maps names of the repository's own to values.
BY_NAME = {"blobs": "PATH", "standings": "STANDING"}


class Shape(NamedTuple):
    """What stands in one place: names of plain values, and the keys or the items where it is a container."""

    plain: frozenset[str] = frozenset()
    keys: dict[str, Shape] | None = None
    optional: frozenset[str] = frozenset()
    items: Shape | None = None
    is_list: bool = False


def shape_of(answers: list[Any]) -> Shape:
    """The shape that all the answers fit."""
    shape = _shape(answers[0])
    for answer in answers[1:]:
        shape = _merged(shape, _shape(answer))
    return shape


def _shape(value: Any, key: str = "") -> Shape:
    if isinstance(value, dict):
        if key in AS_WRITTEN:
            return Shape(frozenset({"a condition"}))
        if key in BY_NAME:
            return Shape(keys={BY_NAME[key]: shape_of(list(value.values()))} if value else {})
        return Shape(keys={name: _shape(held, name) for name, held in value.items()})
    if isinstance(value, list):
        return Shape(items=shape_of(value) if value else None, is_list=True)
    if key == "schema":
        return Shape(frozenset({json.dumps(value)}))
    return Shape(frozenset({_name(value)}))


def _name(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    return "number" if isinstance(value, int | float) else "text"


def _merged(one: Shape, two: Shape) -> Shape:
    keys, optional = one.keys, one.optional | two.optional
    if two.keys is not None:
        if keys is None:
            keys = two.keys
        else:
            optional |= keys.keys() ^ two.keys.keys()
            both = {name: _merged(keys[name], two.keys[name]) for name in keys if name in two.keys}
            rest = {**keys, **two.keys}
            # What is not always there comes last, by name: the answers come in no order.
            keys = {name: both[name] for name in keys if name in both and name not in optional}
            keys |= {name: both.get(name, rest[name]) for name in sorted(optional)}
    items = one.items
    if two.items is not None:
        items = two.items if items is None else _merged(items, two.items)
    return Shape(one.plain | two.plain, keys, optional, items, one.is_list or two.is_list)


def written(shape: Shape, indent: str = "") -> str:
    """The shape as a reader of JSON would sketch it."""
    ways = []
    if shape.keys is not None:
        ways.append(_object(shape, indent))
    if shape.is_list:
        ways.append(f"[{written(shape.items, indent)}]" if shape.items else "[]")
    ways += sorted(name for name in shape.plain if name != "null")
    ways += ["null"] if "null" in shape.plain else []
    return " or ".join(ways)


def _object(shape: Shape, indent: str) -> str:
    assert shape.keys is not None
    inner = indent + "  "
    held = [
        f"{name}{'?' if name in shape.optional else ''}: {written(held, inner)}"
        for name, held in shape.keys.items()
    ]
    short = "{" + ", ".join(held) + "}"
    if "\n" not in short and len(indent + short) < WIDTH:
        return short
    return "{\n" + "".join(f"{inner}{one},\n" for one in held) + indent + "}"
