"""Dates as text."""

from __future__ import annotations

import pytest

from memwarden.core.dates import is_date


@pytest.mark.parametrize("text", ["2026-11-30", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
def test_day_of_the_calendar_is_a_date(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-02-30",
        "2026-13-01",
        "2026-00-10",
        "2026-01-00",
        "1900-02-29",
        "2026-1-1",
        "26-01-01",
        "2026-01-01T00:00",
        "0000-01-01",
        "2026.01.01",
        "٢026-01-01",
        "2026-01-1 ",
        "tomorrow",
    ],
)
def test_anything_else_is_no_date(text: str) -> None:
    assert not is_date(text)
