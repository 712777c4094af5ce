"""What reading a note is spared is not missed: a plain fence, a known anchor and known evidence are read as
by the careful way."""

from __future__ import annotations

from unicodedata import east_asian_width

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.core.tokens import estimate
from memwarden.edit import fence, note_reader
from memwarden.edit.fence import FENCE, split
from memwarden.edit.note_reader import EVIDENCE_KEYS, read_note

pytestmark = pytest.mark.property

PIECES = st.sampled_from(
    ["---", "---\n", "\n", "\n---", "--- \n", "---\r\n", "----\n", "--", "a: b\n", " ", "é", "x"]
)
PAGES = st.lists(PIECES, max_size=12).map("".join)
PATHS = st.sampled_from(
    [
        "a.py",
        "src/**",
        "/x",
        "!x",
        "#x",
        "[",
        "[a]",
        "../x",
        ".git/x",
        "a.py::t",
        "docs/x#y",
        "C:/x",
        "//x",
        " a ",
    ]
)
VALUES = st.one_of(PATHS, st.sampled_from(["12", "#7", "7c1f0e5", "zz", "https://x.org/1", "Ada", "", " "]))
KEYS = st.sampled_from([*EVIDENCE_KEYS, "url"])


@settings(max_examples=1000, deadline=None)
@given(st.booleans(), PAGES)
def test_a_plain_fence_closes_where_the_law_says(opened: bool, page: str) -> None:
    text = ("---\n" if opened else "") + page
    parts = split(text.encode())
    opening = fence._OPENING.match(text)
    closing = FENCE.search(text, opening.end()) if opening else None
    assert parts.fenced is (closing is not None)
    if opening and closing:
        assert (parts.start, parts.end) == (opening.end(), closing.start())
        assert parts.body == min(closing.end() + 1, len(text))


@settings(max_examples=500, deadline=None)
@given(st.lists(PATHS, max_size=3), st.lists(st.tuples(KEYS, VALUES), max_size=3))
def test_what_is_known_of_anchors_and_evidence_is_what_is_found_anew(
    anchors: list[str], evidence: list[tuple[str, str]]
) -> None:
    lines = ["---", "anchors:", *(f'  - "{one}"' for one in anchors)]
    lines += ["evidence:", *(f'  - {key}: "{value}"' for key, value in evidence), "---", "# T", ""]
    data = "\n".join(lines).encode()
    quick = read_note("memory/decisions/a.md", data), read_note("memory/decisions/a.md", data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(note_reader, "_known_anchor", lambda text: None)
        patch.setattr(note_reader, "_known_evidence", lambda key, value: None)
        careful = read_note("memory/decisions/a.md", data)
    assert quick == (careful, careful)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=30))
def test_a_character_seen_before_is_worth_what_it_was(text: str) -> None:
    quarters = [1 if char < "\x80" else 4 if east_asian_width(char) in "WF" else 2 for char in text]
    assert estimate(text) == estimate(text) == max(1, -(-sum(quarters) // 4))
