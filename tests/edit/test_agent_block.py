"""Our block in someone else's file: found, put, taken away, and every other byte left alone."""

from __future__ import annotations

import pytest

from memwarden.edit.agent_block import BEGIN, END, find_block, put_block
from memwarden.errors import Refused

BODY = "## Project memory\n\nRun `mem route`.\n"
BLOCK = f"{BEGIN}\n{BODY}{END}\n"
FILES = [
    b"",
    b"# Ours\n",
    b"# Ours\n\nno final newline",
    b"# Ours\r\n\r\nwith returns\r\n",
    b"\xef\xbb\xbf# Ours\n",
    b"one\n\n\n\n",
    b"```\n" + BLOCK.encode() + b"```\n",
    b"    " + BEGIN.encode() + b"\n",
    b"about `" + BEGIN.encode() + b"`, in a sentence\n",
]


@pytest.mark.parametrize("data", FILES)
def test_a_block_that_is_put_is_found_and_every_byte_outside_stays(data: bytes) -> None:
    written = put_block(data, BODY)
    found = find_block(written)
    assert found.body == BODY
    assert written.startswith(data)
    assert put_block(written, BODY) == written


def test_a_stale_block_is_replaced_where_it_stands() -> None:
    before = f"# Ours\n\n{BEGIN}\nold\n{END}\nafter\n".encode()
    after = put_block(before, BODY)
    assert after == f"# Ours\n\n{BLOCK}after\n".encode()


def test_the_line_ends_of_the_file_are_used() -> None:
    assert b"\n" not in put_block(b"# Ours\r\n", BODY).replace(b"\r\n", b"")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (BEGIN + "\n", "never closed"),
        (END + "\n", "no begin marker"),
        (END + "\n" + BEGIN + "\n", "before its begin"),
        (BLOCK + BLOCK, "twice"),
        (f"{BEGIN}\n{BEGIN}\n{END}\n", "twice"),
    ],
)
def test_broken_markers_are_refused_with_their_line(text: str, fault: str) -> None:
    data = ("# Ours\n" + text).encode()
    found = find_block(data)
    assert fault in found.fault
    assert found.line == 2
    with pytest.raises(Refused, match=fault):
        put_block(data, BODY, "CLAUDE.md")


def test_a_body_that_holds_a_marker_is_refused() -> None:
    with pytest.raises(Refused, match="its own marker"):
        put_block(b"", f"x\n{END}\n")


def test_a_file_whose_last_code_fence_is_open_is_refused() -> None:
    with pytest.raises(Refused, match=r"CLAUDE\.md: what is appended here would be read as code"):
        put_block(b"# Ours\n\n```\nmake\n", BODY, "CLAUDE.md")


def test_a_file_that_is_not_text_is_refused_only_where_it_has_a_marker() -> None:
    assert find_block(b"\xff\xfe").fault == ""
    assert find_block(b"\xff\n" + BEGIN.encode()).fault == "the file is not UTF-8"
