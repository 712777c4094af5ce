"""Debts and counts on a screen: a table as every other, and paths that can be copied."""

from __future__ import annotations

import os

import pytest

from memwarden.core.condition import FAILS, PathTest, Verdict
from memwarden.core.note import DEBT, Note
from memwarden.core.standing import OWED, Standing
from memwarden.render.laddering import Debt, Fired, debt_lines, fired_table
from memwarden.render.screen import cell_width

RULE = Note("memory/decisions/a.md", "n-0000000a", "同步窗口必须在提交之前关闭，否则下一次读取会看到旧的数据")
OWES = Note("memory/debts/b.md", "n-0000000b", "Plain", lifecycle=DEBT)
ROWS = [
    Fired(RULE, 1200, 11, 0, 3, "its anchor keeps being written: it may want to become a check"),
    Fired(OWES, 2, 1, 4, 0),
]


def test_the_counts_are_a_table_with_what_they_suggest_below_it() -> None:
    assert fired_table(ROWS, 12, color=False) == (
        "12 sessions seen in this worktree\n"
        "ID          TOLD  SESSIONS  WRITTEN  MISSED  TITLE\n"
        f"n-0000000a  1200        11        3       -  {RULE.title}\n"
        "n-0000000b     2         1        0       4  Plain\n"
        "n-0000000a: its anchor keeps being written: it may want to become a check\n"
    )
    assert fired_table([], 1, color=False) == "1 session seen in this worktree\n"


def test_the_counts_fit_their_screen(terminal: pytest.MonkeyPatch) -> None:
    for columns in (80, 60, 40):
        terminal.setattr("shutil.get_terminal_size", lambda _, wide=columns: os.terminal_size((wide, 24)))
        lines = fired_table(ROWS, 12, color=False).splitlines()
        assert max(map(cell_width, lines)) <= columns
        assert lines[1].split()[:2] == ["ID", "TOLD"]


@pytest.mark.parametrize("name", ["two words " * 9 + "x", "同步窗口关闭" * 9, "long-" * 20 + "x"])
def test_no_path_of_a_debt_is_broken(name: str, terminal: pytest.MonkeyPatch) -> None:
    condition = PathTest("file_exists", f"docs/{name}.md")
    note = OWES._replace(path=f"memory/debts/{name}.md", condition=condition)
    seen = Verdict(FAILS, f"docs/{name}.md is not there")
    told = debt_lines([Debt(note, Standing(OWED), 0, 0, seen)], "2026-12-01", 3).splitlines()
    assert told.count(f"    memory/debts/{name}.md") == 1
    assert told.count(f"      docs/{name}.md") == 2
