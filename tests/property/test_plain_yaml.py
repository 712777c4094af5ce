"""Reading plain frontmatter without a parser gives what the parser gives, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.edit.fence import Unsound, split
from memwarden.edit.frontmatter import HANDLER, fields_of
from memwarden.edit.plain_yaml import plain_values

pytestmark = pytest.mark.property

_PIECES = (
    "id¦a¦b¦tags¦path¦x y¦- ¦-¦  ¦    ¦ ¦:¦: ¦ #¦#¦\n¦\n¦\n  - ¦\n- ¦\n  ¦\"¦'¦\"\"¦''¦[¦]¦{¦}¦"
    ", ¦,¦[a, b]¦{a: b}¦{a: b, c: d}¦{a: b, a: c}¦\\¦|¦>¦&x¦*x¦!t¦%¦@¦`¦?¦? ¦<<¦~¦null¦1.0¦é¦"
    "\xa0¦\t¦\r¦...¦---¦--- ¦/¦.¦src/**¦user: Ada¦key: value¦\nkey: value¦\nkey:¦a:b¦http://x¦"
    "\nkey: 'it''s'¦\nq: \"x: y #z\"¦\n  - user: Ada, 2026¦\n  path: x¦\n  - {file: a}¦\n-- x"
)
_LINES = (
    "id: n-aaaaaaaa¦facet: x¦tags: [a, b]¦tags:¦- a¦- b¦  - a¦  - b: c¦    - d¦  k: v¦  k: w¦"
    "  l: {a: b}¦   k: v¦lifecycle: debt¦condition:¦verify:¦a: 'b'¦- 'x y'¦  - \"x: y\"¦"
    "  - [a, b]¦  -¦  k:¦  more¦more¦- {a: b}¦  - k: {a: b}¦¦ ¦- - a"
)
BLOCKS = st.lists(st.sampled_from(_PIECES.split("¦")), max_size=14).map("".join)
PLAIN = st.lists(st.sampled_from(_LINES.split("¦")), max_size=8).map("\n".join)


@settings(max_examples=3000, deadline=None)
@given(st.one_of(BLOCKS, PLAIN), st.sampled_from(["", "\n"]))
def test_plain_values_are_those_of_the_parser(block: str, end: str) -> None:
    values = plain_values(block + end) if block else None
    if values is not None:
        assert values == HANDLER.load(block + end)


@settings(max_examples=1000, deadline=None)
@given(st.one_of(BLOCKS, PLAIN))
def test_what_is_refused_in_a_file_is_never_plain(block: str) -> None:
    parts = split(f"---\n{block}\n---\n# T\n".encode())
    if parts.fault or not parts.fenced or not parts.block:
        return
    try:
        wanted = fields_of(parts).values
    except Unsound:
        assert plain_values(parts.block) is None
    else:
        assert plain_values(parts.block) in (None, wanted)


@pytest.mark.parametrize(
    "block",
    [
        'id: n-aaaaaaaa\nsubject: "path:src/a.py#x"\nanchors:\n  - "src/**"\n  - tests/x.py\n',
        "evidence:\n  - user: Ada\n  - file: docs/why.md\n",
        "lifecycle: debt\ncondition:\n  file_contains: {path: a.py, pattern: b}\ntags: [a, b]\n",
        "tags:\n- a\n- b: c\nfacet:\n",
        "title: 'x: y'\nanchors:\nexpires: 2026-01-01\n",
    ],
)
def test_notes_as_they_are_written_are_plain(block: str) -> None:
    assert plain_values(block) == HANDLER.load(block)
