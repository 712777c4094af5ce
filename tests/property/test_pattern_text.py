"""What is said of a pattern's text is true of what RE2 finds with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.core.pattern_text import needed_by, text_of
from memwarden.edit.pattern import BadPattern, compiled

pytestmark = pytest.mark.property

PIECES = st.text(alphabet=list("abé .\\*+?()[]{}|^$,1d_-\nQEnx"), max_size=14)


@given(PIECES, PIECES)
def test_plain_text_of_a_pattern_is_where_the_pattern_is(pattern: str, text: str) -> None:
    try:
        regex = compiled(pattern)
    except BadPattern:
        return
    whole, needed = text_of(pattern), needed_by(pattern)
    for sample in (text, text + needed, needed + text, pattern.replace("\\", "") + text):
        found = regex.search(sample)
        if found is not None:
            assert needed in found.group()
        if whole:
            assert sample.find(whole) == (-1 if found is None else found.start())


@pytest.mark.parametrize(
    ("pattern", "whole", "needed"),
    [
        ("frozen_clock", "frozen_clock", "frozen_clock"),
        ("time\\.sleep\\(", "time.sleep(", "time.sleep("),
        ("clock\\(\\d+\\)", None, "clock("),
        ("^def test_.*frozen$", None, "def test_"),
        ("colou?r", None, "colo"),
        ("ab{2}c", None, "a"),
        ("a|b", None, ""),
        ("(?i)abc", None, ""),
        ("\\Qa.b\\E", None, ""),
    ],
)
def test_a_pattern_tells_which_text_it_is_and_which_it_needs(
    pattern: str, whole: str | None, needed: str
) -> None:
    assert (text_of(pattern), needed_by(pattern)) == (whole, needed)
