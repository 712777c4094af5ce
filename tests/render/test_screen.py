"""Tables and lines: aligned in cells, narrow where the screen is, plain where there is none."""

from __future__ import annotations

import os

import pytest

from memwarden.edge.erase.outside import NONE, NOT_REACHED, Scope
from memwarden.render import screen
from memwarden.render.exposure import exposure_page
from memwarden.render.screen import Column, cell_width, fitted, fitted_end, folded, many, table, wrapped

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


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Standard output is a terminal of 60 columns."""
    monkeypatch.setattr(screen.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("shutil.get_terminal_size", lambda _: os.terminal_size((60, 24)))
    monkeypatch.setenv("TERM", "xterm-256color")
    return monkeypatch


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


def test_text_is_cut_in_cells() -> None:
    assert fitted("同步窗口", 5) == "同步…"
    assert fitted_end("memory/a.md", 5) == "…a.md"
    assert fitted_end("a.md", 5) == "a.md"


def test_lines_are_wrapped_on_a_terminal_only(terminal: pytest.MonkeyPatch) -> None:
    text = "word " * 20
    lines = wrapped(text, "  ", "      ").split("\n")
    assert len(lines) == 2
    assert all(len(line) <= 60 for line in lines)
    assert (lines[0][:3], lines[1][:7]) == ("  w", "      w")
    terminal.setattr(screen.sys.stdout, "isatty", lambda: False, raising=False)
    assert wrapped(text, "  ", "      ") == "  " + text


def test_one_is_not_many() -> None:
    assert (many(0, "error"), many(1, "error"), many(2, "error")) == ("0 errors", "1 error", "2 errors")


@pytest.mark.parametrize("columns", ["abc", "-3", "0", "", "1e3", "²"])
def test_a_width_that_is_none_is_that_of_a_pipe(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert screen.width() == screen.PLAIN_WIDTH


def test_lines_are_folded_by_their_cells_and_lose_nothing() -> None:
    text = "+ n-00000001 同步窗口必须在提交之前关闭，否则下一次读取会看到旧的数据 and a/very/long/path.md"
    lines = folded(text, 30, "    ", "      ")
    assert max(map(cell_width, lines)) <= 30
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert lines[0].startswith("    + n-00000001 同")
    assert any("a/very/long/path.md" in line for line in lines)


def test_a_word_is_cut_only_where_its_script_has_no_spaces() -> None:
    assert folded("see a/very/long/path.md", 10) == ["see", "a/very/long/path.md"]
    assert folded("同步窗口", 2, "  ", "  ") == ["  同", "  步", "  窗", "  口"]
    assert folded("is  x", 80, "  ") == ["  is  x"]
    assert folded("", 80, "  ") == []


def test_the_report_of_a_purge_fits_its_screen_and_is_whole_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = "HEAD: 5 commits (1191480d677e..700108aeb6c3), 1 commit message with the text, its own name has it"
    scopes = [Scope("reflogs", NOT_REACHED, (long,)), Scope("tags", NONE, ())]
    assert long in exposure_page(scopes, risks=["long " * 30])
    monkeypatch.setattr(screen.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("shutil.get_terminal_size", lambda _: os.terminal_size((80, 24)))
    page = exposure_page(scopes, risks=["long " * 30])
    assert max(map(len, page.splitlines())) <= 80
    assert "".join(long.split()) in "".join(page.split())
