"""Marked comments, and what their words seem to wait for."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.todo_comments import read, remarks

MARK = "TO" + "DO"
OTHER = "FIX" + "ME"


def test_string_of_python_is_no_comment() -> None:
    text = f"x = '# {MARK}: no'\n'''\n# {MARK}: no\n'''\ny = 1  # {MARK}(ada): yes\n"
    assert [(one.line, one.who, one.text) for one in remarks("a.py", text)] == [(5, "ada", "yes")]


def test_comment_goes_on_over_the_lines_below_it() -> None:
    text = f"# {MARK}: one\n#   two\n# {OTHER}: three\n\n# four\n"
    assert [one.text for one in remarks("a.py", text)] == ["one\ntwo", "three"]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.js", f"// {MARK}: yes"),
        ("a.c", f"/* {MARK}: yes */"),
        ("a.c", f" * {MARK}: yes"),
        ("a.sql", f"-- {MARK} yes"),
        ("a.lisp", f";; {MARK}: yes"),
        ("a.html", f"<!-- {MARK}: yes -->"),
        ("a.sh", f"run # {MARK}: yes"),
        ("a.md", f"{MARK}: yes"),
        ("a.ml", f"let x = 1 (* {MARK}: yes *)"),
        ("a.hs", f"{{- {MARK}: yes -}}"),
        ("a.cshtml", f"@* {MARK}: yes *@"),
        ("a.jsp", f"<%-- {MARK}: yes --%>"),
        ("a.bat", f":: {MARK}: yes"),
        ("a.vim", f'let x = 1 " {MARK}: yes'),
        ("broken.py", f"def (:\n# {MARK}: yes"),
    ],
)
def test_comment_of_any_language_is_found(path: str, line: str) -> None:
    assert [one.text for one in remarks(path, line + "\n")] == ["yes"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"/* {MARK}: block one\n * and more\n */\nint x;\n", ["block one\nand more"]),
        (f"/* {MARK}: block one\n   and more */\n// apart\n", ["block one\nand more"]),
        (f"/**\n * {MARK}: one\n * two\n **/\n * no more\n", ["one\ntwo"]),
        (f"/* {MARK}: one */ int x; /* two */\n", ["one"]),
        (f"/* {MARK}: one */\nint x;\n", ["one"]),
        (f"/* {MARK}: one\n\n   apart */\n", ["one"]),
        (f"/* {MARK}: one\n   {OTHER}: two */\n", ["one", "two"]),
        (f"(* {MARK}: one\n   two *)\n", ["one\ntwo"]),
        (f"<!-- {MARK}: one\n  two\n-->\n", ["one\ntwo"]),
        (f"{{- {MARK}: one\n - two\n-}}\n", ["one\ntwo"]),
        (f"{{# {MARK}: one\n #}}\n", ["one"]),
        (f"rm /*\nx {MARK}: no\n", []),
    ],
)
def test_comment_ends_where_it_is_closed(text: str, told: list[str]) -> None:
    assert [one.text for one in remarks("a.c", text)] == told


def test_comment_that_is_never_closed_takes_no_more_lines_than_any() -> None:
    text = f"/* {MARK}: one\n" + "code();\n" * 20 + f"x {MARK}: no\n"
    (one,) = remarks("a.c", text)
    assert one.text.count("\n") == 7


@pytest.mark.parametrize(
    "line",
    [f'const s = "{MARK}: no";', f"a {MARK} list", "// todo: no", f"// the {MARK} tool", f"MY_{MARK}S = 1"],
)
def test_word_that_is_no_marked_comment_is_left_alone(line: str) -> None:
    assert not list(remarks("a.js", line + "\n"))


def test_claim_is_a_debt_that_a_person_decides_and_knows_its_file() -> None:
    (claim,) = read({"src/[a].js": f"// {MARK}: see org/repo#7\n"}).claims
    assert (claim.lifecycle, claim.place, claim.until) == ("debt", "candidate", None)
    assert claim.anchors == (("path", "src/?a?.js"),)
    assert claim.evidence == (("file", "src/[a].js#L1"), ("issue", "org/repo#7"))


def test_same_comment_on_another_line_is_the_same_claim() -> None:
    first, second = (read({"a.js": f"{pad}// {MARK}: x\n"}).claims[0] for pad in ("", "\n\n"))
    assert first.digest == second.digest
    assert first.digest != read({"b.js": f"// {MARK}: x\n"}).claims[0].digest


def test_name_that_may_not_be_named_is_lost() -> None:
    harvest = read({"a:b.js": f"// {MARK}: x\n"})
    assert not harvest.claims
    assert harvest.lost[0].source == "a:b.js"


@pytest.mark.parametrize(
    ("comment", "day"),
    [
        (f"{OTHER}(2027-01-01): drop this", "2027-01-01"),
        (f"{OTHER} 2027-02-01: z", "2027-02-01"),
        (f"{MARK}(alice, 2027-03-01): z", "2027-03-01"),
        (f"{MARK}(2027-03-01/alice) z", "2027-03-01"),
        (f"{MARK}(by: 2027-03-01): z", "2027-03-01"),
        (f"{MARK} [2027-03-01]: z", "2027-03-01"),
        (f"{MARK}: (2027-03-01) z", "2027-03-01"),
        (f"{MARK} @2027-03-01 z", "2027-03-01"),
        (f"{MARK}: 2027-03-01 - z", "2027-03-01"),
        (f"{MARK}: drop the shim (2027-03-01)", "2027-03-01"),
        (f"{MARK}(alice, 2027-03): z", None),
        (f"{MARK}(2027-02-30): z", None),
        (f"{MARK}(01/02/2027): z", None),
        (f"{MARK}(20270101): z", None),
        (f"{MARK}(alice) z", None),
    ],
)
def test_day_beside_the_marker_is_waited_for(comment: str, day: str | None) -> None:
    (claim,) = read({"a.js": f"// {comment}\n"}).claims
    assert claim.until == ({"after": day} if day else None)


def test_condition_is_never_that_the_comment_is_gone() -> None:
    for path, words in (
        ("src/old.py", "keep until old.py is gone"),
        ("src/old.py", "keep until src/old.py is removed"),
        ("src/deep/old.py", "keep until src/deep is gone"),
    ):
        (claim,) = read({path: f"# {MARK}: {words}\n"}).claims
        assert claim.until is None


@pytest.mark.parametrize(
    "word", ["a.", "http://a/b", "a/b", "x/pull/", "until 2027-01-01 ", "on 2027-", "was a "]
)
def test_line_of_many_words_costs_no_more_than_its_length(word: str) -> None:
    (claim,) = read({"a.py": f"# {MARK}: {word * 30_000}\n"}).claims
    assert claim.line == 1


def test_line_of_many_markers_is_one_claim() -> None:
    (claim,) = read({"a.py": f"# {f'{MARK}: x ' * 10_000}\n"}).claims
    assert claim.line == 1


def test_line_that_is_too_long_to_be_read_is_lost_where_it_has_a_marker() -> None:
    long = "x" * 2000
    harvest = read({"a.js": f"{long}\n// {MARK}: a\n{long} // {MARK}: b\n", "b.py": f"# {MARK}: {long}\n"})
    assert [(claim.source, claim.line) for claim in harvest.claims] == [("a.js", 2), ("b.py", 1)]
    assert [(loss.source, loss.line, loss.why) for loss in harvest.lost] == [
        ("a.js", 3, "a line longer than 2000")
    ]
