"""One look at a file's text and name finds nothing only where the careful way finds nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.core.secrets import PATTERNS, find_secrets, may_hold_secret
from memwarden.edit.record_reader import event_of, reading_of, readings_of
from memwarden.edit.text_safety import are_plain, is_plain, name_findings, text_findings

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


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS.map(str.encode) | st.binary(max_size=8)), max_size=4))
def test_what_is_plain_at_a_look_at_all_has_nothing_unsafe_in_any(files: list[tuple[str, bytes]]) -> None:
    if are_plain([path for path, _ in files], [data for _, data in files]):
        for path, data in files:
            assert not [*name_findings(path), *text_findings(path, data.decode())]


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(["memory/a.md", "memory/events/n-a/b.json", "memory/sk-x.md"]), TEXTS))
def test_files_read_together_are_as_read_one_by_one(texts: dict[str, str]) -> None:
    files = {path: text.encode() for path, text in texts.items()}
    alone = {
        path: (event_of if "/events/" in path else reading_of)(path, data) for path, data in files.items()
    }
    assert readings_of(files) == alone


@settings(max_examples=500, deadline=None)
@given(TEXTS, TEXTS)
def test_a_sign_of_a_secret_is_seen_among_many_files(before: str, text: str) -> None:
    if may_hold_secret(text):
        assert not are_plain(["memory/a.md", "memory/b.md"], [before.encode(), text.encode()])


@pytest.mark.parametrize(
    "text", ["One fact.\n", "Zwei Sätze.\r\nMehr.\r\n", "同步窗口\tx\n", "task-force ago\n"]
)
def test_ordinary_texts_are_plain_at_one_look(text: str) -> None:
    assert are_plain(["memory/decisions/a.md"], [text.encode()])
