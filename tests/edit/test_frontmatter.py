"""The fence law and strict YAML: a table of files, and what each one is."""

from __future__ import annotations

import frontmatter
import pytest

from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import HANDLER, Unsound, split


def values(data: bytes) -> dict[str, object]:
    parts = split(data)
    assert parts.fault is None
    return fields_of(parts).values


def fault(data: bytes) -> tuple[str, int, str]:
    """Code, line and message of the one fault."""
    parts = split(data)
    found = parts.fault
    if found is None:
        with pytest.raises(Unsound) as caught:
            fields_of(parts)
        found = caught.value.fault
    return found.code, found.line, found.message


@pytest.mark.parametrize(
    ("data", "body"),
    [
        (b"---\na: x\n---\nbody\n", "body\n"),
        (b"---\r\na: x\r\n---\r\nbody\r\n", "body\r\n"),
        (b"\xef\xbb\xbf---\na: x\n---\nbody", "body"),
        (b"--- \t\na: x\n---  \nbody", "body"),
        (b"---\na: x\n---", ""),
        (b"---\na: x\n---\n---\nbody", "---\nbody"),
        (b"---\na: x\n ---\n---\nbody", "body"),
    ],
)
def test_fence_opens_and_closes(data: bytes, body: str) -> None:
    parts = split(data)
    assert parts.fenced
    assert parts.fault is None
    assert parts.text[parts.body :] == body
    assert parts.text.startswith("---")


def test_only_three_dashes_at_column_0_close() -> None:
    data = b"---\ntitle: a --- b\ntext: |\n  ---\n  ----\nz: 1\n---\nbody"
    assert values(data) == {"title": "a --- b", "text": "---\n----\n", "z": "1"}


@pytest.mark.parametrize(
    "data", [b"---\n---\nbody", b"---\n# only a comment\n---\nbody", b"---\n\n---\nbody"]
)
def test_empty_frontmatter_is_valid(data: bytes) -> None:
    assert values(data) == {}
    assert split(data).fenced


@pytest.mark.parametrize(
    "data",
    [b"", b"body", b"# Title\n\n---\n", b"Title\n---\na: b\n---\n", b"<!-- c -->\nbody", b"Title\n=======\n"],
)
def test_file_without_frontmatter_is_all_body(data: bytes) -> None:
    parts = split(data)
    assert (parts.fault, parts.fenced, parts.near, parts.text[parts.body :]) == (
        None,
        False,
        False,
        data.decode(),
    )


@pytest.mark.parametrize("first", ["----", "***", "- - -", " ---", "___", "--- ---"])
def test_thematic_break_is_told_from_a_fence(first: str) -> None:
    parts = split(f"{first}\nhello\n{first}\nworld".encode())
    assert (parts.fenced, parts.near, parts.body) == (False, True, 0)


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b"---\n\nProse\n\n---\nmore", 1, "looks like frontmatter but is not"),
        (b"---\n- a\n---\n", 1, "looks like frontmatter but is not"),
        (b"---\na: b\nbody\n", 1, "never closed"),
        (b"---", 1, "never closed"),
        (b"---\na: b\n" + b"x" * 200_000 + b"\n---\n", 1, "64 KiB"),
        (b"---\na: " + b"x" * 70_000 + b"\n---\n", 1, "64 KiB"),
        (b"---\na: b\n" + b"x" * 2_000_000, 1, "1 MiB"),
        (b"<!-- note -->\n---\na: b\n---\n", 1, "before the opening ---"),
        (b"<!--\nlong\n-->\n\n---\na: b\n---\n", 1, "before the opening ---"),
        (b"\n---\na: b\n---\n", 1, "before the opening ---"),
        ("---\na: b\n---\n".encode("utf-16"), 1, "UTF-16"),
        (b"---\na: \xff\n---\n", 2, "not UTF-8"),
        (b"---\na: b\n---\nx\0y", 4, "NUL"),
        (b"---\na: b\rc: d\n---\n", 2, "U+000D"),
        ("---\na: b\u2028c: d\n---\n".encode(), 2, "U+2028"),
        ("---\na: b\x85c: d\n---\n".encode(), 2, "U+0085"),
        (b"---\na: \x1b[31m\n---\n", 2, "U+001B"),
        (b"---\nstate: owed\nx: y\nstate: paid\n---\n", 4, "line 2 and on line 4"),
        (b"---\na:\n  b: 1\n  b: 2\n---\n", 4, "line 3 and on line 4"),
        (b"---\na: &x 1\nb: *x\n---\n", 2, "anchors"),
        (b"---\nb: *x\n---\n", 2, "alias"),
        (b"---\na: [1, &x 2]\n---\n", 2, "anchors"),
        (b"---\na: !!str 1\n---\n", 2, "tags"),
        (b"---\na: ! 1\n---\n", 2, "tags"),
        (b"---\na: !python/object:os.system x\n---\n", 2, "tags"),
        (b"---\n<<: {a: b}\n---\n", 2, "merge"),
        (b"---\n? [a]\n: b\n---\n", 2, "key must be plain text"),
        (b"---\nsubject: Split: core\n---\n", 2, "mapping values are not allowed"),
        (b"---\na: [1\n---\n", 2, "not valid YAML"),
        (b"---\na: b\n\tc: d\n---\n", 3, "not valid YAML"),
        (b"---\na: @x\n---\n", 2, "cannot start any token"),
        (b"---\na: b\n--- c\n---\n", 3, "second YAML document"),
        (b"---\na: b\n...\n---\n", 3, "second YAML document"),
        (b"---\n%YAML 1.1\na: b\n---\n", 2, "directive"),
        (b"---\na: " + b"[" * 60 + b"\n---\n", 2, "deeper"),
        (b"---\na:\n  " + b"- " * 20_000 + b"x\n---\n", 3, "deeper"),
    ],
)
def test_what_cannot_be_read_is_one_fault_at_its_line(data: bytes, line: int, said: str) -> None:
    code, found_line, message = fault(data)
    assert (code, found_line) == ("M001", line)
    assert said in message


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"# a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n", 2),
        (b"---\na: b\n<<<<<<< HEAD\n---\n", 3),
        (b"x\n>>>>>>> b\n", 2),
        (b"x\r\n<<<<<<<\r\n", 2),
        (b"x\n```\n<<<<<<< x\n```\n", 3),
    ],
)
def test_conflict_markers_are_their_own_fault(data: bytes, line: int) -> None:
    assert fault(data)[:2] == ("M002", line)


@pytest.mark.parametrize(
    "data", [b"Title\n=======\n", b"    <<<<<<< shown\n", b"a <<<<<<< b\n", b"<<<<<<<<<\n"]
)
def test_what_only_resembles_a_marker_is_none(data: bytes) -> None:
    assert split(data).fault is None


@pytest.mark.parametrize(
    "text",
    [
        "0123456",
        "1234567",
        "12e4567",
        "0x1f",
        "1_000",
        "12:30:45",
        "no",
        "~",
        "null",
        "true",
        "2026-10-24",
        "1.10",
    ],
)
def test_scalar_is_the_text_that_was_typed(text: str) -> None:
    assert values(f"---\nno: {text}\n---\n".encode()) == {"no": text}


def test_values_are_texts_lists_and_mappings() -> None:
    data = b"---\na: 'x: y'\nb: [1, two]\nc:\n- d: 1\n  e: >\n    f\n    g\nh:\n---\n"
    assert values(data) == {"a": "x: y", "b": ["1", "two"], "c": [{"d": "1", "e": "f g\n"}], "h": ""}


def test_six_levels_of_aliases_are_refused_at_the_first_anchor() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 7)]
    assert fault(("---\n" + "\n".join(lines) + "\n---\n").encode())[1] == 2


def test_place_of_a_key_path_is_its_line_and_column() -> None:
    data = b"---\na: b\nc:\n  all:\n  - x: 1\n  - {y: 2,  z: 3}\n---\n"
    fields = fields_of(split(data))
    assert fields.place("a") == (2, 1)
    assert fields.place("c.all[0].x") == (5, 5)
    assert fields.place("c.all[1].z") == (6, 13)
    assert fields.place("c.all[9].z") == (4, 3)
    assert fields.place("nothing") == (2, 1)


def test_library_reads_through_our_handler() -> None:
    post = frontmatter.loads("---\nsha: 0123456\nno: yes\n---\nbody", handler=HANDLER)
    assert (post.metadata, post.content) == ({"sha": "0123456", "no": "yes"}, "body")
    with pytest.raises(Unsound):
        frontmatter.loads("---\na: 1\na: 2\n---\n", handler=HANDLER)
    assert frontmatter.loads("plain", handler=HANDLER).metadata == {}


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("a: b\nc: [1\nd: 3\n", 3),
        ("a: b\nc: {x: 1\nd: 3\n", 3),
        ('a: b\nc: "open\nd: 3\n', 3),
        ("a: b\nc\nd: 3\n", 3),
    ],
)
def test_what_is_never_closed_is_named_where_it_opens(block: str, line: int) -> None:
    with pytest.raises(Unsound) as caught:
        fields_of(split(f"---\n{block}---\n# t\n".encode()))
    assert caught.value.fault.line == line
