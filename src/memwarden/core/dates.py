"""Dates as text: ``2026-11-30`` compares as text, so all that is needed is whether it is one."""

from __future__ import annotations

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    """Whether ``text`` is an ISO date that the calendar has."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-" or not text.isascii():
        return False
    year, month, day = text[:4], text[5:7], text[8:]
    if not (year.isdigit() and month.isdigit() and day.isdigit()) or year == "0000":
        return False
    return 1 <= int(month) <= 12 and 1 <= int(day) <= _days_in(int(year), int(month))


def _days_in(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]


def days_between(first: str, second: str) -> int:
    """Days from one ISO date to another; 0 where either is none."""
    if not is_date(first[:10]) or not is_date(second[:10]):
        return 0
    return _ordinal(second[:10]) - _ordinal(first[:10])


def _ordinal(date: str) -> int:
    """The date's number in one unbroken count of days."""
    year, month, day = int(date[:4]) - 1, int(date[5:7]), int(date[8:10])
    months = sum(_days_in(year + 1, number) for number in range(1, month))
    return year * 365 + year // 4 - year // 100 + year // 400 + months + day
