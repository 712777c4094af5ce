"""One look at a file's text and name finds nothing only where the careful way finds nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.core.secrets import PATTERNS, find_secrets, may_hold_secret
from memwarden.edit.text_safety import is_plain, name_findings, text_findings

pytestmark = pytest.mark.property

PIECES = st.sampled_from([piece for _, piece, _ in PATTERNS])
ODD = st.sampled_from(
    ["\u202e", "\u200b", "\x00", "\r\n", "\ufeff", "\t", "\n", " ", "/", "xoxb-", "ghp_", "é"]
)
TOKENS = st.text("abcdefABCDEF0123456789_-.", min_size=10, max_size=70)
TEXTS = st.lists(st.one_of(PIECES, ODD, TOKENS, st.just("user:hunter22@"), st.text(max_size=4))).map("".join)


@settings(max_examples=1000, deadline=None)
@given(TEXTS)
def test_a_text_with_a_secret_is_worth_a_closer_look(text: str) -> None:
    assert may_hold_secret(text) or not find_secrets(text)


@settings(max_examples=1000, deadline=None)
@given(TEXTS, TEXTS)
def test_what_is_plain_at_a_look_has_nothing_unsafe(path: str, text: str) -> None:
    if is_plain(path, text):
        assert not [*name_findings(path), *text_findings(path, text)]
