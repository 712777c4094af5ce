"""Tables: aligned in cells, narrow where the screen is, plain where there is none."""

from __future__ import annotations

import os

import pytest

from memwarden.render.screen import cell_width
from memwarden.render.table import Column, table

COLUMNS = (
    Column("id", "bold"),
    Column("standing", styles={"owed": "yellow"}),
    Column("title", flexible=True),
    Column("path", "dim", flexible=True, tail=True),
)
ROWS = [
    (
        "n-00000001",
        "owed",
        "同步窗口必须在提交之前关闭，否则下一次读取会看到旧的数据",
        "memory/decisions/one.md",
    ),
    (
        "n-00000002",
        "superseded",
        "Plain and rather long, so that it has to give way",
        "memory/areas/sync/two.md",
    ),
]


def test_a_table_fits_its_screen_and_keeps_the_end_of_a_path(terminal: pytest.MonkeyPatch) -> None:
    lines = table(COLUMNS, ROWS, color=False).splitlines()
    assert max(map(cell_width, lines)) <= 60
    assert lines[1].endswith("ecisions/one.md")
    assert lines[2].endswith("as/sync/two.md")


def test_columns_of_wide_characters_stay_aligned() -> None:
    lines = table(COLUMNS, ROWS, color=False).splitlines()
    assert {cell_width(line[: line.index("memory/")]) for line in lines[1:]} == {
        cell_width(lines[0][: lines[0].index("PATH")])
    }


def test_a_cell_has_the_style_of_what_it_says(terminal: pytest.MonkeyPatch) -> None:
    told = table(COLUMNS, ROWS, color=True)
    assert "\x1b[33mowed\x1b[0m" in told
    assert "\x1b[33msuperseded" not in told
    terminal.setenv("NO_COLOR", "1")
    assert "\x1b" not in table(COLUMNS, ROWS, color=True)


@pytest.mark.parametrize("columns", [59, 50, 44, 38, 30])
def test_a_table_leaves_out_what_is_spare_where_the_screen_is_too_narrow(
    terminal: pytest.MonkeyPatch, columns: int
) -> None:
    terminal.setattr("shutil.get_terminal_size", lambda _: os.terminal_size((columns, 24)))
    parts = (*COLUMNS[:1], COLUMNS[1]._replace(spare=True), COLUMNS[2], COLUMNS[3]._replace(spare=True))
    lines = table(parts, ROWS, color=False).splitlines()
    assert max(map(cell_width, lines)) <= columns
    assert ("PATH" in lines[0], "STANDING" in lines[0]) == (columns >= 50, columns >= 36)
    assert all(line.startswith("n-0000000") for line in lines[1:])
