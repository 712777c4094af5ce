"""Reading any bytes: never an exception, never a byte lost, one clear finding or a note."""

from __future__ import annotations

from itertools import pairwise

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import Unsound, split
from memwarden.edit.markdown import first_heading
from memwarden.edit.note_reader import body_of, read_note
from memwarden.edit.subject_reader import read_subject

pytestmark = pytest.mark.property

CODES = {f"M{number:03}" for number in (1, 2, 3, 9, 102, *range(104, 114))}
pieces = st.sampled_from(
    [
        *(
            "---",
            "--- ",
            "----",
            "\n",
            "\r\n",
            "\r",
            "a: b",
            "id: n-4f7k2m9q",
            "condition:",
            "  file_contains:",
            "- x",
        ),
        *(
            "{",
            "[",
            "]",
            "}",
            "&a",
            "*a",
            "!!str",
            "<<: ",
            "'",
            '"',
            "|",
            ">",
            "#",
            "# T",
            "===",
            "```",
            "~~~",
            "<!--",
        ),
        *(
            "-->",
            "<<<<<<< x",
            "=======",
            ">>>>>>> y",
            ": ",
            "\t",
            "  ",
            "\u2028",
            "\x85",
            "\x00",
            "\ufeff",
            "caf\u00e9",
        ),
        *(
            "anchors: ",
            "evidence: ",
            "lifecycle: debt",
            "verify: ",
            "{path: a, pattern: '.*'}",
            "after: 2026-02-30",
        ),
    ]
)
texts = st.lists(pieces, max_size=30).map("".join)
files = st.one_of(
    st.binary(max_size=200),
    texts.map(str.encode),
    texts.map(lambda text: f"---\n{text}\n---\n{text}".encode()),
    texts.map(lambda text: b"\xef\xbb\xbf---\r\n" + text.encode() + b"\r\n---\r\n# T"),
)


@given(files)
def test_any_bytes_are_a_note_or_findings_with_their_place(data: bytes) -> None:
    for path in ("memory/decisions/x.md", "memory/inbox/x.md"):
        note, findings = read_note(path, data)
        assert note is not None or len(findings) == 1
        lines = data.count(b"\n") + 1
        for finding in findings:
            assert finding.code in CODES
            assert finding.path == path
            assert 1 <= finding.line <= lines
            assert finding.message
    subject, findings = read_subject("memory/subjects/x.md", data)
    assert subject is not None or findings


@given(files)
def test_no_byte_is_lost_between_frontmatter_and_body(data: bytes) -> None:
    parts = split(data)
    if parts.fault:
        return
    assert (b"\xef\xbb\xbf" if parts.bom else b"") + parts.text.encode() == data
    assert parts.text[: parts.start].startswith("---") or not parts.fenced
    assert parts.text[: parts.body] + body_of(data) == parts.text
    assert 0 <= parts.start <= parts.end <= parts.body <= len(parts.text)


@given(texts)
@example("a: {b: [c, {d: e}]}")
def test_values_are_what_plain_yaml_reads_as_text(block: str) -> None:
    parts = split(f"---\n{block}\n---\n".encode())
    if parts.fault or not parts.fenced or parts.block != block + "\n":
        return
    try:
        values = fields_of(parts).values
    except Unsound:
        return
    plain = yaml.load(block + "\n", Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    assert values == ({} if plain in (None, "") else plain)


markdown_lines = st.sampled_from(
    [
        *(
            "# A",
            "#B",
            "#\tC ##",
            "## D",
            "#",
            "# ",
            "    # E",
            "   # F",
            "text",
            "===",
            "=",
            "---",
            "```",
            "````",
            "~~~",
        ),
        *(
            "```py",
            "> # G",
            "- # H",
            "- x",
            "  ===",
            "<!--",
            "-->",
            "<div>",
            "",
            "",
            "  ",
            "\t# I",
            "`<!--`",
            "# J \\#",
        ),
        *("1. y", "# *K* `l`", "<pre>", "</pre>", "[a]: /b", "# L # M", "#  N  #  ", "+++", "***"),
    ]
)


@given(st.lists(markdown_lines, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_title_is_the_one_that_commonmark_sees(lines: list[str], newline: str) -> None:
    tokens = MarkdownIt("commonmark").parse("\n".join(lines))
    title = next(
        (
            " ".join(inline.content.split())
            for opening, inline in pairwise(tokens)
            if opening.type == "heading_open" and opening.tag == "h1" and opening.level == 0
        ),
        "",
    )
    assert " ".join(first_heading(newline.join(lines)).split()) == title
