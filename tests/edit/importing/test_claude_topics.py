"""Claude Code's index, as it is read."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.claude_topics import read
from memwarden.edit.importing.harvest import Harvest


@pytest.mark.parametrize("words", ["[" * 30_000, "[a](" * 15_000, "[a](b.md#" * 15_000])
def test_line_of_brackets_costs_no_more_than_its_length(words: str) -> None:
    harvest = read({"MEMORY.md": f"# Index\n\n{words}\n"})
    assert [claim.source for claim in harvest.claims] == ["MEMORY.md"]


def _read(
    index: str, topic: str = "---\nname: x\ndescription: Restart at noon\n---\nStaging only.\n"
) -> Harvest:
    return read({"MEMORY.md": index, "x.md": topic})


def _whys(harvest: Harvest) -> list[tuple[int, str]]:
    return [(loss.line, loss.why) for loss in harvest.lost]


@pytest.mark.parametrize(
    "index",
    [
        "# I\n\n- [X](x.md)\n",
        "# I\n\n- [X](x.md) \u2014 restart at noon.\n",
        "# I\n\n## Topics\n\n- [X](x.md): **staging** only\n",
    ],
)
def test_words_beside_a_link_that_the_topic_says_are_not_lost(index: str) -> None:
    harvest = _read(index)
    assert ([claim.source for claim in harvest.claims], harvest.lost) == (["x.md"], ())


@pytest.mark.parametrize(
    ("index", "line"),
    [
        ("# I\n\n- [X](x.md) \u2014 never on Friday\n", 3),
        ("# I\n\nSee [X](x.md), restart at noon, and\nnever on Friday.\n", 3),
        ("# I\n\n## Topics\n\n- [X](x.md) - never on Friday\n", 5),
    ],
)
def test_words_beside_a_link_that_nobody_else_says_are_lost_and_told(index: str, line: int) -> None:
    told = [why for number, why in _whys(_read(index)) if number == line]
    assert any("'never on Friday'" in why for why in told)


def test_line_that_links_elsewhere_is_a_line_of_the_index() -> None:
    harvest = _read("# I\n\n- Read [the guide](https://example.org/guide.md) first\n")
    assert "the guide" in harvest.claims[0].title
    assert harvest.lost == ()


def test_field_of_a_topic_that_is_of_no_use_is_told() -> None:
    topic = (
        "---\nname: [a, b]\ntype: how to\ncreated: last week\nmodified: 2026-01-02\npaths:\n  - src/**\n"
        "  - {a: b}\nmetadata: none\n---\nWords.\n"
    )
    harvest = _read("# I\n", topic)
    assert harvest.claims[0].created == "2026-01-02"
    assert {why for _, why in _whys(harvest)} == {
        "the field 'metadata' holds no fields: 'none'",
        "the field 'name' is no word: ['a', 'b']",
        "the field 'created' is no date: 'last week'",
        "the type 'how to' is no tag",
        "the glob \"{'a': 'b'}\" is none of this repository's",
    }


def test_comment_that_is_never_closed_is_told() -> None:
    harvest = _read("# I\n\n- [X](x.md)\n\n<!-- old\n\n- Restart.\n")
    assert [line for line, why in _whys(harvest) if "never closed" in why] == [5]
