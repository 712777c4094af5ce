"""A foreign page as entries."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.page import read_page, title_of


def test_heading_in_a_fence_a_quote_or_a_comment_opens_no_section() -> None:
    page = read_page("# T\n\n```\n## a\n```\n\n> ## b\n\n<!--\n## c\n-->\n\n## d\nwords\n")
    assert [section.title for section in page.sections] == ["d"]
    assert [block.kind for block in page.blocks] == ["code", "prose", "comment"]


def test_underlined_heading_opens_a_section() -> None:
    (section,) = read_page("# T\n\nOne\n---\nwords\n").sections
    assert (section.title, section.line, section.first, section.text) == ("One", 3, 5, "words\n")


def test_list_entry_keeps_what_stands_below_it() -> None:
    (first, second) = read_page("# T\n\n- a\n  more\n  - inner\n\n    deep\n- b").blocks
    assert (first.text, first.line) == ("a\nmore\n- inner\n\n  deep", 3)
    assert (second.text, second.line) == ("b", 8)


def test_list_below_a_label_belongs_to_it() -> None:
    blocks = read_page("# T\n\nWhen writing:\n- a\n- b\n").blocks
    assert [block.kind for block in blocks] == ["prose", "prose"]


def test_line_ends_of_windows_make_no_difference() -> None:
    text = "# T\n\n- a\n\n## b\nwords\n"
    assert read_page(text.replace("\n", "\r\n")) == read_page(text)


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("Short.", "Short.", ""),
        (
            "First sentence here. And\na second.",
            "First sentence here.",
            "First sentence here. And\na second.",
        ),
        ("two\nlines", "two lines", "two\nlines"),
        ("word " * 30, "word " * 18 + "word\u2026", ("word " * 30).strip()),
        ("x" * 300, "x" * 99 + "\u2026", "x" * 300),
    ],
)
def test_title_is_short_and_loses_nothing(text: str, title: str, body: str) -> None:
    assert title_of(text) == (title, body)


def test_page_of_many_lists_costs_no_more_than_its_length() -> None:
    found = read_page("# P\n\n" + "- item\n\nwords\n\n" * 5_000)
    assert len(found.blocks) == 10_000
