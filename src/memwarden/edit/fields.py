"""The fields of a note: read plainly where its YAML is plain, by the YAML parser where it is not.

Where a key stands is asked only for a finding, so places in a plain note are looked for when that comes.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edit.plain_yaml import plain_values

if TYPE_CHECKING:
    from typing import Any

    from memwarden.edit.fence import Split


class Fields(NamedTuple):
    """Parsed frontmatter: ``values`` are text, lists and mappings of them; ``node`` has the marks, or
    ``block`` is the text that they can be made from."""

    values: dict[str, Any] = {}
    node: Any = None
    first_line: int = 2
    block: str = ""

    def place(self, key: str) -> tuple[int, int]:
        """Line and column (from 1) of a key path such as ``condition.all[1].path``: the deepest part
        of it that is there."""
        if self.node is None and not self.block:
            return (0, 0)
        if self.node is None:
            from memwarden.edit.plain_places import plain_place  # only a finding asks

            found = plain_place(self.block, key)
            if found is not None:
                return (found[0] + self.first_line, found[1] + 1)
        from memwarden.edit.frontmatter import HANDLER, mark_of  # loads a YAML parser

        node = HANDLER.compose(self.block) if self.node is None else self.node
        mark = mark_of(node, key)
        return (mark.line + self.first_line, mark.column + 1)


def read_fields(parts: Split) -> Fields:
    """The fields between the fences; raises :class:`Unsound` with one fault.  ``node`` may be lacking."""
    block = parts.block if parts.fenced else ""
    values = plain_values(block) if block else None
    if values is not None:
        return Fields(values, block=block)
    return fields_of(parts)


def fields_of(parts: Split) -> Fields:
    """The same with the marks of every node, by the YAML parser."""
    from memwarden.edit.frontmatter import HANDLER, mapping_of  # loads a YAML parser

    node = HANDLER.compose(parts.block) if parts.fenced else None
    return Fields() if node is None else Fields(mapping_of(node, parts.block), node)
