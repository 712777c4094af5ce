"""Trigger tables."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.trigger_table import read
from memwarden.errors import UsageError


def _rows(text: str) -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
    return [(claim.place, claim.title, claim.anchors) for claim in read({"t.md": text}).claims]


def test_column_names_tell_what_a_pattern_is() -> None:
    text = "| No. | Command | Files | Lesson |\n|--|--|--|--|\n| 1 | make deploy | `Makefile` | Ask first |\n"
    assert _rows(text) == [("candidate", "Ask first", (("path", "Makefile"), ("command", "make deploy")))]


@pytest.mark.parametrize(
    ("pattern", "anchor"),
    [
        ("`src/**`", ("path", "src/**")),
        ("*.py", ("path", "*.py")),
        ("`npm publish`", ("command", "npm publish")),
        ("`pytest`", ("command", "pytest")),
        ("`rm -rf .`", ("command", r"rm -rf \.")),
        (r"`\bterraform\b`", ("command", r"\bterraform\b")),
    ],
)
def test_pattern_of_an_open_column_is_a_path_or_a_command(pattern: str, anchor: tuple[str, str]) -> None:
    assert _rows(f"| Trigger | Note |\n|--|--|\n| {pattern} | Mind it |\n")[0][2] == (anchor,)


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("| ~~D-1~~ | a.py | Words |", "paid"),
        ("| ~~`D-1`~~ | a.py | Words |", "paid"),
        ("| D-1 | a.py | ~~Words~~ |", "candidate"),
        ("| D-1 ~~old~~ | a.py | Words |", "candidate"),
        ("|  | a.py | ~~Words~~ |", "paid"),
    ],
)
def test_row_whose_id_is_struck_through_is_paid(row: str, place: str) -> None:
    assert _rows(f"| ID | Path | Note |\n|--|--|--|\n{row}\n")[0][0] == place


def test_table_with_paid_rows_holds_debts_and_another_one_rules() -> None:
    head = "| ID | Path | Note |\n|--|--|--|\n| 1 | a.py | One |\n"
    assert [claim.lifecycle for claim in read({"t.md": head + "| ~~2~~ | b.py | Two |\n"}).claims] == [
        "debt",
        "debt",
    ]
    assert [claim.lifecycle for claim in read({"t.md": head}).claims] == ["rule"]


@pytest.mark.parametrize("heading", ["Trigger", "When touching", "Path"])
def test_prose_is_no_anchor_and_is_told(heading: str) -> None:
    text = f"| {heading} | Note |\n|--|--|\n| when touching the API, a.py | Mind it |\n"
    harvest = read({"t.md": text})
    assert harvest.claims[0].anchors == (("path", "a.py"),)
    assert [(loss.line, loss.why) for loss in harvest.lost] == [
        (3, "'when touching the API' is prose: put the path or the command into backticks")
    ]


@pytest.mark.parametrize("word", ["always", "whenever"])
def test_one_word_beside_paths_and_commands_is_prose_unless_it_is_marked(word: str) -> None:
    head = "| Trigger | Note |\n|--|--|\n"
    harvest = read({"t.md": head + f"| {word} | Mind it |\n"})
    assert (harvest.claims[0].anchors, len(harvest.lost)) == ((), 1)
    assert read({"t.md": head + f"| `{word}` | Mind it |\n"}).claims[0].anchors == (("command", word),)


def test_column_that_is_not_read_is_told() -> None:
    text = "| Path | Note | Owner | Why | Empty |\n|--|--|--|--|--|\n| a.py | Mind it | Ada | It broke | |\n"
    assert [(loss.line, loss.why) for loss in read({"t.md": text}).lost] == [
        (1, "the column 'Owner' is not read"),
        (1, "the column 'Why' is not read"),
    ]


def test_pattern_that_matches_everything_or_leads_out_is_lost() -> None:
    text = "| Command | Path | Note |\n|--|--|--|\n| `.*` | `/etc/passwd/../x` | Words |\n"
    harvest = read({"t.md": text})
    assert harvest.claims[0].anchors == ()
    assert len(harvest.lost) == 2


def test_table_in_a_fence_is_none() -> None:
    with pytest.raises(UsageError, match="no trigger table"):
        read({"t.md": "```\n| Path | Note |\n|--|--|\n| a | b |\n```\n"})
