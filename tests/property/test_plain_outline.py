"""A page taken apart line by line is what the Markdown parser makes of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.edit.outline import parsed_pieces
from memwarden.edit.plain_outline import plain_pieces

pytestmark = pytest.mark.property

_LINES = (
    "# Memory manifest¦## Tasks¦### plan¦####### seven¦#none¦## ¦# a #¦Also: planning, architecture¦words¦"
    "more words here¦- decisions/¦- preferences/ (if present)¦- areas/sync/: `app/sync/**`, `tests/**`¦"
    "- total: 4000¦-¦- ¦- - x¦- 1. x¦  - nested¦  more¦1. one¦---¦===¦- a`b`¦`a``b`¦`a` `b`¦` a`¦`a `¦`a¦b`¦"
    "a  b¦a ¦- x: `y`z¦* star¦a *b* c¦a_b_c¦<!-- x -->¦[a]: b¦&amp;¦a\\b¦```¦    code¦\tx¦¦¦¦"
    "a: `x y` (if present)"
)
LINES = st.lists(st.sampled_from(_LINES.split("¦")), max_size=9).map("\n".join)
PLAIN = st.text("ab#-` \n:1.'*", max_size=24)


@settings(max_examples=3000, deadline=None)
@given(st.one_of(LINES, PLAIN), st.sampled_from(["", "\n"]))
def test_plain_pieces_are_those_of_the_parser(text: str, end: str) -> None:
    found = plain_pieces(text + end)
    assert found is None or found == parsed_pieces(text + end)


def test_a_manifest_as_it_is_written_is_plain() -> None:
    page = "# Memory manifest\n\n## Tasks\n\n### plan\nAlso: a, b-c\n"
    page += "- decisions/\n- x/ (if present)\n\n## Areas\n"
    page += "- areas/sync/: `app/sync/**`, `tests/sync/**`\n\n## Budgets\n- total: 4000\n"
    assert plain_pieces(page) == parsed_pieces(page)
