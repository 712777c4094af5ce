"""Frontmatter as YAML read so strictly that nothing is guessed.

python-frontmatter finds and loads frontmatter through a handler; :class:`StrictHandler` is ours.  The
library's own default turns ``sha: 0123456`` into a number, misses metadata behind a BOM and takes a
thematic break for a fence.  Ours keeps every scalar as the text that was typed, refuses duplicate keys,
anchors, aliases, tags and merges, and keeps the parser's marks, so that a finding has its line and an
edit can splice.  (``frontmatter.parse`` itself is not called: it strips and rewrites line ends before it
asks the handler, and the marks would no longer fit the file.)
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from frontmatter.default_handlers import BaseHandler

from memwarden.edit.fence import CONFLICT, FENCE, UNREADABLE, Fault, Split, Unsound, split

# Whoever reads a file needs both halves of the law.
__all__ = [
    "CONFLICT",
    "HANDLER",
    "UNREADABLE",
    "Fault",
    "Split",
    "StrictHandler",
    "Unsound",
    "split",
]

DEEPEST = 20

# What YAML does not allow raw, and the line breaks that YAML knows but that are none here.
_ODD = re.compile(
    "\r(?!\n)|[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_SECOND_DOCUMENT = re.compile(r"^(?:---|\.\.\.)(?=[ \t])|^\.\.\.\r?$|^%", re.MULTILINE)
_UNCLOSED = ("a flow sequence", "a flow mapping", "a quoted scalar", "a simple key")
_NESTS = re.compile(r"[-?:][ \t]+[-?][ \t]")


class StrictHandler(BaseHandler):
    """Reads frontmatter by the fence law, for python-frontmatter (``frontmatter.loads(text,
    handler=HANDLER)``) and for us."""

    FM_BOUNDARY = FENCE
    START_DELIMITER = END_DELIMITER = "---"

    def detect(self, text: str) -> bool:
        return split(text.encode()).fenced

    def split(self, text: str) -> tuple[str, str]:
        parts = split(text.encode())
        if parts.fault:
            raise Unsound(parts.fault)
        if not parts.fenced:
            raise ValueError("no frontmatter")
        return parts.block, parts.text[parts.body :]

    def load(self, fm: str) -> dict[str, Any]:
        node = self.compose(fm)
        return {} if node is None else mapping_of(node, fm)

    def compose(self, block: str) -> Any:
        """The mapping's node with its marks, or None for an empty block."""
        odd = None if block.replace("\n", "").isprintable() else _ODD.search(block)
        if odd:
            raise Unsound(
                _at(block, odd.start(), f"the frontmatter has the character U+{ord(odd[0]):04X}", "remove it")
            )
        second = _SECOND_DOCUMENT.search(block) if _may_have_second(block) else None
        if second:
            raise Unsound(
                _at(block, second.start(), "the frontmatter has a second YAML document or a directive", "")
            )
        loader = _CountingLoader if _may_be_deep(block) else _TextLoader
        try:
            node = loader(block).get_single_node()
        except yaml.MarkedYAMLError as error:
            raise Unsound(_yaml_fault(error)) from None
        except (yaml.YAMLError, RecursionError) as error:
            raise Unsound(Fault(UNREADABLE, f"the frontmatter is not YAML: {error}", 1)) from None
        if node is not None and node.__class__ is not yaml.MappingNode:
            raise Unsound(
                Fault(
                    UNREADABLE,
                    "this looks like frontmatter but is not: no `key: value` lines between the --- lines",
                    1,
                    1,
                    "write the fields as `key: value`, or open prose with a blank line instead of ---",
                )
            )
        return node


HANDLER = StrictHandler()

# PyYAML without its C part reads the same, eight times slower.
_Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _TextLoader(_Parser):
    """The C parser without resolvers: every untagged node has the tag "", every scalar is text."""

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        return ""


class _CountingLoader(_TextLoader):
    """Stops before deep nesting can exhaust the C stack; only suspicious blocks pay for counting."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unsound(_too_deep(current_node))

    def ascend_resolver(self) -> None:
        self._depth -= 1


def _may_have_second(block: str) -> bool:
    return block[:1] in ("-", ".", "%") or "\n-" in block or "\n." in block or "\n%" in block


def _may_be_deep(block: str) -> bool:
    return block.count("[") + block.count("{") > DEEPEST or _NESTS.search(block) is not None


def _too_deep(node: Any) -> Fault:
    mark = node.start_mark
    return Fault(UNREADABLE, f"the frontmatter nests deeper than {DEEPEST}", mark.line + 2, mark.column + 1)


def _yaml_fault(error: yaml.MarkedYAMLError) -> Fault:
    mark = error.problem_mark or error.context_mark
    if error.context_mark and str(error.context or "").endswith(_UNCLOSED):
        mark = error.context_mark  # where it was opened; the parser notices lines later that it is not closed
    line, column = (mark.line + 2, mark.column + 1) if mark else (1, 1)
    problem = str(error.problem or error.context or "it does not parse")
    fix = ""
    if "mapping values are not allowed" in problem:
        fix = 'put a value that has ": " in it in quotes'
    elif "undefined alias" in problem or "alias" in problem:
        fix = "aliases are not allowed; put a value that starts with * in quotes"
    elif "cannot start any token" in problem:
        fix = "put the value in quotes (and indent with blanks, not tabs)"
    return Fault(UNREADABLE, f"the frontmatter is not valid YAML: {problem}", line, column, fix)


def _at(block: str, offset: int, message: str, fix: str) -> Fault:
    line = block.count("\n", 0, offset) + 2
    return Fault(UNREADABLE, message, line, offset - (block.rfind("\n", 0, offset) + 1) + 1, fix)


def mapping_of(node: Any, block: str) -> dict[str, Any]:
    """The node as text, lists and mappings; raises :class:`Unsound` for YAML that is no frontmatter."""
    if "&" in block or "!" in block:
        _refuse_properties(node, block)
    return _plain_mapping(node, 1)


def _plain_mapping(node: Any, depth: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key_node, value_node in node.value:
        if key_node.__class__ is not yaml.ScalarNode:
            raise Unsound(_of(key_node, "a key must be plain text"))
        key = key_node.value
        if key in values:
            first = next(other for other, _ in node.value if other.value == key).start_mark.line + 2
            line = key_node.start_mark.line + 2
            raise Unsound(
                _of(
                    key_node,
                    f"the key {key!r} stands twice: on line {first} and on line {line}",
                    "keep one of them",
                )
            )
        if key == "<<" and not key_node.style:
            raise Unsound(_of(key_node, "merge keys (<<) are not allowed", "write the fields out"))
        if value_node.__class__ is yaml.ScalarNode:
            values[key] = value_node.value
        else:
            values[key] = _plain(value_node, depth + 1)
    return values


def _plain(node: Any, depth: int) -> Any:
    if node.__class__ is yaml.ScalarNode:
        return node.value
    if depth > DEEPEST:
        raise Unsound(_too_deep(node))
    if node.__class__ is yaml.MappingNode:
        return _plain_mapping(node, depth)
    return [_plain(item, depth + 1) for item in node.value]


def _refuse_properties(node: Any, block: str) -> None:
    """Anchors and tags stand where their node starts; an alias cannot be without its anchor."""
    nodes = [node]
    while nodes:
        current = nodes.pop()
        sign = block[current.start_mark.index : current.start_mark.index + 1]
        if sign == "&":
            raise Unsound(
                _of(current, "YAML anchors and aliases are not allowed", "write the value out, or quote it")
            )
        if sign == "!":
            raise Unsound(
                _of(current, "YAML tags are not allowed", "put a value that starts with ! in quotes")
            )
        if current.__class__ is yaml.MappingNode:
            nodes += [part for pair in reversed(current.value) for part in reversed(pair)]
        elif current.__class__ is yaml.SequenceNode:
            nodes += reversed(current.value)


def _of(node: Any, message: str, fix: str = "") -> Fault:
    return Fault(UNREADABLE, message, node.start_mark.line + 2, node.start_mark.column + 1, fix)


def mark_of(node: Any, key: str) -> Any:
    """Where the deepest part of a key path that is there starts."""
    mark = node.start_mark
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key):
        if name and node.__class__ is yaml.MappingNode:
            found = next((pair for pair in node.value if pair[0].value == name), None)
            if found is None:
                return mark
            mark, node = found[0].start_mark, found[1]
        elif index and node.__class__ is yaml.SequenceNode and int(index) < len(node.value):
            node = node.value[int(index)]
            mark = node.start_mark
        else:
            return mark
    return mark
