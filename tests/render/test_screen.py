"""Widths as a screen has them, by what one sees as one character."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memwarden.render import screen
from memwarden.render.screen import cell_width, many

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
WIDTHS = {
    "plain": 5,
    "naïve": 5,
    "o\u030b": 1,  # an accent that stands over the letter before it
    "สวัสดีครับ": 7,
    "同步": 4,
    "한국": 4,
    "\u1112\u1161\u11ab": 2,  # the same in its letters
    FAMILY: 2,
    "👍🏽": 2,
    "🇩🇪": 2,
    "❤\ufe0f": 2,
    "—½…": 3,
}


@pytest.mark.parametrize("text", WIDTHS, ids=ascii)
def test_a_character_is_as_wide_as_it_is_seen(text: str) -> None:
    assert cell_width(text) == WIDTHS[text]


def test_plain_text_is_measured_without_asking_anybody() -> None:
    code = (
        "import sys; from memwarden.render.lines import *;"
        "cell_width('a b'); fitted('abc', 2); fitted_end('abc', 2); folded('a b c', 2);"
        "print([name for name in sys.modules if name.startswith('rich')])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


@pytest.mark.parametrize("columns", ["abc", "-3", "0", "", "1e3", "²"])
def test_a_width_that_is_none_is_that_of_a_pipe(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert screen.width() == screen.PLAIN_WIDTH


def test_one_is_not_many() -> None:
    assert (many(0, "error"), many(1, "error"), many(2, "error")) == ("0 errors", "1 error", "2 errors")
