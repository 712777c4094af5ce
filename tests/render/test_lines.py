"""Lines that fit a screen, cut no character apart, and break no path."""

from __future__ import annotations

import os

import pytest

from memwarden.edge.erase.outside import NONE, NOT_REACHED, Scope
from memwarden.render import screen
from memwarden.render.exposure import exposure_page
from memwarden.render.lines import Whole, fitted, fitted_end, folded, parted, wrapped
from memwarden.render.screen import cell_width
from tests.render.test_screen import WIDTHS


@pytest.mark.parametrize("text", [text * 3 for text in WIDTHS], ids=ascii)
def test_no_character_is_cut_apart(text: str) -> None:
    one = text[: len(text) // 3]
    for cells in range(1, cell_width(text)):
        for cut in (fitted(text, cells), fitted_end(text, cells)):
            assert cell_width(cut) <= cells
        if cell_width(one) <= 2:
            assert fitted(text, cells) == one * ((cells - 1) // cell_width(one)) + "…"
            assert fitted_end(text, cells) == "…" + one * ((cells - 1) // cell_width(one))
    assert "".join(folded(text, 4)) == text


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


def test_a_whole_part_runs_over_the_edge_on_a_line_of_its_own() -> None:
    path = Whole("memory/同步窗口 必须在提交之前关闭.md")
    assert folded(("see ", path, ":1 and 同步窗口"), 12, "  ", "    ") == [
        "  see",
        f"    {path}:1",
        "    and",
        "    同步窗口",
    ]
    assert folded(("see ", Whole("a b.md")), 12) == ["see a b.md"]


def test_a_path_among_the_words_of_a_line_is_not_broken(terminal: pytest.MonkeyPatch) -> None:
    path = "memory/decisions/" + "two words " * 6 + ".md"
    parts = ["it rests on ", Whole(path), " as ever"]
    assert wrapped(parts, "", "  ").split("\n") == ["it rests on", f"  {path}", "  as ever"]
    terminal.setattr(screen.sys.stdout, "isatty", lambda: False, raising=False)
    assert wrapped(parts) == f"it rests on {path} as ever"


def test_a_text_comes_apart_at_the_paths_that_it_names() -> None:
    assert parted("x y.md exists", ["x y.md"]) == ["x y.md", " exists"]
    assert isinstance(parted("x y.md exists", ["x y.md"])[0], Whole)
    assert parted("a.md exists", ["a.md", "b c.md"]) == ["a.md exists"]


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
