"""Only the living supersede."""

from __future__ import annotations

from memwarden.core.supersession import circles, revived, superseded


def test_a_live_successor_retires_its_predecessor() -> None:
    assert superseded({"b": ("a",)}, ["a", "b"]) == {"a": "b"}


def test_a_successor_that_no_longer_counts_leaves_its_predecessor_live_and_is_named() -> None:
    links = {"b": ("a",)}
    by = superseded(links, ["a"])
    assert by == {}
    assert revived(links, ["a"], by) == {"a": ("b",)}


def test_a_chain_leads_to_the_note_that_is_live() -> None:
    by = superseded({"b": ("a",), "c": ("b",)}, ["a", "b", "c"])
    assert by == {"a": "b", "b": "c"}


def test_a_broken_middle_revives_only_what_it_alone_superseded() -> None:
    links = {"b": ("a",), "c": ("b",)}
    by = superseded(links, ["a", "c"])
    assert by == {"b": "c"}
    assert revived(links, ["a", "c"], by) == {"a": ("b",)}


def test_a_circle_retires_nobody_in_it() -> None:
    links = {"a": ("b",), "b": ("a", "x"), "c": ("c",)}
    assert superseded(links, ["a", "b", "c", "x"]) == {"x": "b"}
    assert circles(links) == {"a": ("a", "b", "a"), "b": ("b", "a", "b"), "c": ("c", "c")}


def test_a_long_chain_and_a_long_circle_end() -> None:
    line = {f"n{n}": (f"n{n + 1}",) for n in range(20_000)}
    assert circles(line) == {}
    assert len(superseded(line, [*line, "n20000"])) == 20_000
