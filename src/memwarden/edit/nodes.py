"""Finding a value's node by its key path, and where it ends in the text."""

from __future__ import annotations

import re

from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


class Found(NamedTuple):
    """A value's node, its key's node (None in a list), and whether it stands inside ``[]`` or ``{}``."""

    key: Any
    value: Any
    in_flow: bool


def node_at(root: Any, key_path: str) -> Found | None:
    """The node at a key path such as ``condition.all[1].path``; None where there is none."""
    key, node, in_flow = None, root, False
    for name, index in _STEP.findall(key_path):
        if node is None or node.id == "scalar":
            return None
        in_flow = in_flow or bool(node.flow_style)
        if name and node.id == "mapping":
            pair = next((pair for pair in node.value if pair[0].value == name), None)
            if pair is None:
                return None
            key, node = pair
        elif index and node.id == "sequence" and int(index) < len(node.value):
            key, node = None, node.value[int(index)]
        else:
            return None
    return Found(key, node, in_flow)


def is_scalar(node: Any) -> bool:
    return bool(node.id == "scalar")


def is_block(node: Any) -> bool:
    """Whether the node is a list or mapping written over lines, not in ``[]`` or ``{}``."""
    return node.id != "scalar" and not node.flow_style


def value_of(node: Any) -> Any:
    """The node as text, lists and mappings."""
    if node.id == "scalar":
        return node.value
    if node.id == "mapping":
        return {key.value: value_of(value) for key, value in node.value}
    return [value_of(item) for item in node.value]


def end_of(node: Any, block: str) -> int:
    """Where the node's own text ends: the parser's mark of a block collection lies after the comments
    and blank lines that follow it."""
    if is_block(node) and node.value:
        last = node.value[-1]
        return end_of(last[1] if isinstance(last, tuple) else last, block)
    end: int = node.end_mark.index
    if is_scalar(node) and node.style in ("|", ">"):
        return len(block[:end].rstrip(" \t\r\n"))
    return end
