"""Reading plain frontmatter without a parser gives what the parser gives, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.edit import note_reader
from memwarden.edit.fence import Unsound, split
from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import HANDLER, mark_of
from memwarden.edit.pattern import compiled
from memwarden.edit.plain_places import plain_place
from memwarden.edit.plain_yaml import plain_values

ROOT = Path(__file__).parents[2]

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
    "  - [a, b]¦  -¦  k:¦  more¦more¦- {a: b}¦  - k: {a: b}¦¦ ¦- - a¦    k: v¦    l:¦      m: n¦- k:¦"
    "    - a: b¦      c: d¦  - k:¦      - a¦ - a¦ k: v¦f: [a b, 'c, d', \"e: \\\\f\"]¦"
    "f: {a: \"b, c\", d: 'e''s'}¦"
    "g: \"a\\\\b\"¦g: \"a\\nb\"¦g: 'it''s'¦g: \"a\" b¦g: ['a'b]¦g: {a: b c, d: e #f}"
    '¦all:¦  - all:¦        deep: x¦         deeper: x¦  "k": v'
)
BLOCKS = st.lists(st.sampled_from(_PIECES.split("¦")), max_size=14).map("".join)
PLAIN = st.lists(st.sampled_from(_LINES.split("¦")), max_size=8).map("\n".join)
SAMPLES = (
    'id: n-aaaaaaaa\nsubject: "path:src/a.py#x"\nfacet: behavior\nlifecycle: debt\ncondition:\n  all:\n'
    '    - file_contains: {path: src/a.py, pattern: "def run\\\\("}\n    - not:\n        file_exists: b.py\n'
    'anchors:\n  - "src/**"\n  - command: "^make deploy-7\\\\b"\ncreated: 2026-11-30\ntags: [a, b c]\n',
    "evidence:\n- user: Ada\n- file: docs/why.md\nverify:\n  file_lacks:\n    path: a.py\n"
    "    text: 'it''s'\nfacet:\n",
)
CHANGES = st.tuples(
    st.integers(0, 400),
    st.integers(0, 3),
    st.sampled_from(
        [*" \n:#-'\"[]{},&*!|>%@`?~\\\tab", "  ", ": ", " #", "\n  ", "- ", "<<: ", "\u00e9", "..."]
    ),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Frontmatter as people write it, with a few signs put in or taken out."""
    text = draw(st.sampled_from(SAMPLES))
    for at, gone, new in draw(st.lists(CHANGES, min_size=1, max_size=3)):
        at %= len(text) + 1
        text = text[:at] + new + text[at + gone :]
    return text


@settings(max_examples=2000, deadline=None)
@given(st.one_of(BLOCKS, PLAIN, mutated()), st.sampled_from(["", "\n"]))
def test_plain_values_are_those_of_the_parser(block: str, end: str) -> None:
    values = plain_values(block + end) if block else None
    if values is not None:
        assert values == HANDLER.load(block + end)


@settings(max_examples=1000, deadline=None)
@given(st.one_of(BLOCKS, PLAIN, mutated()))
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


@settings(max_examples=1000, deadline=None)
@given(st.one_of(PLAIN, mutated(), st.sampled_from(SAMPLES)))
def test_places_are_the_marks_of_the_parser(block: str) -> None:
    values = plain_values(block) if block else None
    if values is None:
        return
    node = HANDLER.compose(block)
    for key in [*_paths(values, ""), "gone", "tags[9]", "anchors[0].gone", "evidence.x"]:
        mark = mark_of(node, key)
        assert plain_place(block, key) == (mark.line, mark.column), key


def _paths(value: object, key: str) -> list[str]:
    """Every key path in the value."""
    if isinstance(value, dict):
        inner = [(f"{key}.{name}" if key else name, one) for name, one in value.items()]
    elif isinstance(value, list):
        inner = [(f"{key}[{at}]", one) for at, one in enumerate(value)]
    else:
        return []
    return [path for name, one in inner for path in [name, *_paths(one, name)]]


@pytest.mark.parametrize(
    "block",
    [
        'id: n-aaaaaaaa\nsubject: "path:src/a.py#x"\nanchors:\n  - "src/**"\n  - tests/x.py\n',
        "evidence:\n  - user: Ada\n  - file: docs/why.md\n",
        "lifecycle: debt\ncondition:\n  file_contains: {path: a.py, pattern: b}\ntags: [a, b]\n",
        "tags:\n- a\n- b: c\nfacet:\n",
        "title: 'x: y'\nanchors:\nexpires: 2026-01-01\n",
        *SAMPLES,
    ],
)
def test_notes_as_they_are_written_are_plain(block: str) -> None:
    assert plain_values(block) == HANDLER.load(block)


def test_frontmatter_of_files_is_what_the_parser_reads() -> None:
    files = [path for folder in ("memory", "tests", "docs") for path in (ROOT / folder).rglob("*.md")]
    blocks = [parts.block for parts in (split(path.read_bytes()) for path in files) if parts.fenced]
    plain = [block for block in blocks if plain_values(block) is not None]
    assert [plain_values(block) for block in plain] == [HANDLER.load(block) for block in plain]
    assert len(plain) > len(blocks) // 2 > 0


COMMANDS = st.text(alphabet="^$aZ0 _/:=,@%#-\\b.*+?|()[]{}dwB\u00e9", max_size=12)


@settings(max_examples=500)
@given(COMMANDS)
def test_a_command_pattern_that_needs_no_engine_is_one_that_it_takes(pattern: str) -> None:
    if note_reader._PLAIN_COMMAND.fullmatch(pattern):
        compiled(pattern)
