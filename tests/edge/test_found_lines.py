"""Where a pattern was found is kept by the file's content, and never believed of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwarden.edge.turn import found_lines
from memwarden.edge.turn.found_lines import line_of
from memwarden.edit import pattern

CLOCK = r"clock\(\d+\)"


def test_line_is_found_once_and_then_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private = str(tmp_path)
    assert line_of(private, CLOCK, "d1", "a\nclock(1)\n") == 2
    assert line_of(private, CLOCK, "d2", "clock(x)\n") == 0
    monkeypatch.setattr(pattern, "compiled", None)
    assert line_of(private, CLOCK, "d1", "not looked at") == 2
    assert line_of(private, CLOCK, "d2", "not looked at") == 0


def test_other_content_or_pattern_is_searched_anew(tmp_path: Path) -> None:
    private = str(tmp_path)
    assert line_of(private, CLOCK, "d1", "clock(1)\n") == 1
    assert line_of(private, CLOCK, "d2", "\nclock(1)\n") == 2
    assert line_of(private, r"clock\(\D+\)", "d1", "clock(1)\n") == 0


def test_pattern_that_is_none_or_too_much_is_not_for_a_touch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert line_of(str(tmp_path), "a(", "d1", "a(") is None
    monkeypatch.setattr(found_lines, "MOST_WORK", 3)
    assert line_of(str(tmp_path), CLOCK, "d1", "clock(1)\n" * 9) is None
    assert not (tmp_path / found_lines.FILE).exists()


def test_file_of_lines_stays_short_and_damage_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_lines, "MOST_BYTES", 400)
    for number in range(30):
        assert line_of(str(tmp_path), CLOCK, f"d{number}", "clock(1)") == 1
    file = tmp_path / found_lines.FILE
    assert file.stat().st_size < 500
    file.write_bytes(b"\xff\tx\nno\n" + file.read_bytes() + b"torn")
    assert line_of(str(tmp_path), CLOCK, "d29", "not looked at") == 1
