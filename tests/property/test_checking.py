"""Laws that hold for any text: masks hide, blocks come out as they went in, spellings settle."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.core.registry import Registry
from memwarden.core.secrets import PATTERNS, find_secrets, redact
from memwarden.core.subject import Subject
from memwarden.core.supersession import circles, superseded
from memwarden.edit.agent_block import BEGIN, find_block, put_block
from memwarden.edit.text_safety import text_findings
from memwarden.errors import Refused

pytestmark = pytest.mark.property

PIECES = st.lists(
    st.one_of(
        st.sampled_from([piece for _, piece, _ in PATTERNS]),
        st.text(alphabet="abcXYZ019_-.:/@ \n=", max_size=40),
        st.text(max_size=10),
    ),
    max_size=12,
).map("".join)

LINES = st.lists(st.sampled_from(["a", "", "# x", "```", "~~~", "    code", "x " + BEGIN]), max_size=8)
IDS = st.sampled_from("abcdefgh")


@given(PIECES)
def test_nothing_is_left_to_find_after_masking(text: str) -> None:
    masked = redact(text)
    assert find_secrets(masked) == ()
    assert redact(masked) == masked


@given(PIECES)
def test_secrets_are_apart_and_in_order(text: str) -> None:
    spans = [(secret.start, secret.end) for secret in find_secrets(text)]
    assert spans == sorted(spans)
    assert all(start < end <= len(text) for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@given(st.text(max_size=200))
def test_every_finding_about_a_text_has_a_place_in_it(text: str) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    for finding in text_findings("a.md", text):
        assert 1 <= finding.line <= len(lines)
        assert finding.column >= 1


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["one\n", "one\ntwo\n", "## x\n\ny\n"]))
def test_a_block_that_is_put_keeps_the_file_and_is_found_again(
    lines: list[str], newline: str, body: str
) -> None:
    data = "".join(line + newline for line in lines).encode()
    try:
        written = put_block(data, body)
    except Refused:
        return  # a code fence is open at the end
    assert written.startswith(data)
    assert find_block(written).body == body
    assert put_block(written, body) == written


@given(st.dictionaries(IDS, st.lists(IDS, max_size=3).map(tuple), max_size=8), st.sets(IDS))
def test_nobody_in_a_circle_is_retired_by_it_and_every_chain_ends(
    links: dict[str, tuple[str, ...]], live: set[str]
) -> None:
    by = superseded(links, live)
    assert set(by.values()) <= live
    assert all(note != successor for note, successor in by.items())
    for note_id in by:
        seen = {note_id}
        while note_id in by:
            note_id = by[note_id]
            assert note_id not in seen
            seen.add(note_id)
    for note_id, ring in circles(links).items():
        assert ring[0] == ring[-1] == note_id
        assert all(after in links[before] for before, after in pairwise(ring))


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_canonical_spelling_is_its_own(name: str, asked: str) -> None:
    registry = Registry([Subject("memory/subjects/s.md", "s", name=name, ref="path:src/a.py")])
    found = registry.canonical(asked)
    assert registry.canonical(found) == found
    found = registry.canonical("path:" + asked)
    assert registry.canonical(found) == found
