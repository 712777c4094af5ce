"""Appending keeps every line whole, without reading those that are there."""

from __future__ import annotations

from pathlib import Path

from memwarden.edge.turn.appending import append_lines, read_lines


def test_line_after_one_that_was_cut_short_stands_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"whole\t1\ncut sho")
    append_lines(str(file), [("next", "2")])
    append_lines(str(file), [("last", "3")])
    assert file.read_bytes() == b"whole\t1\ncut sho\nnext\t2\nlast\t3\n"
    assert read_lines(str(file))[-2:] == [("next", "2"), ("last", "3")]
