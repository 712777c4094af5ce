"""Marked comments, and what their words seem to wait for."""

from __future__ import annotations

from typing import Any

import pytest

from memwarden.edit.importing.todo_comments import read, remarks, suggestion

MARK = "TO" + "DO"
OTHER = "FIX" + "ME"


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("drop this when python >= 3.12", {"version": {"of": "python", "is": ">=3.12"}}),
        ("simplify once Python 3.13 is required", {"version": {"of": "python", "is": ">=3.13"}}),
        ("use the pool when requests>=2.32", {"version": {"of": "requests", "is": ">=2.32"}}),
        ("remove after 2026-12-01", {"after": "2026-12-01"}),
        ("keep until 2027-01-31, then go", {"after": "2027-01-31"}),
        ("move once foo.py exists", {"file_exists": "foo.py"}),
        ("use it when src/new/pool.py lands", {"file_exists": "src/new/pool.py"}),
        ("keep until `old.py` is gone", {"file_absent": "old.py"}),
        ("remove in v2.0", {"git_tag": "v2.0.*"}),
        ("after v1.2.3 is out, rename", {"git_tag": "v1.2.3"}),
        ("ask Bob", None),
        ("until #123 is closed", None),
        ("written on 2026-13-40", None),
        ("see 2026-12-01 minutes", None),
        ("once ../../etc/passwd.txt exists", None),
        ("when memory > 3 we swap", None),
    ],
)
def test_condition_is_what_the_words_name(words: str, condition: dict[str, Any] | None) -> None:
    assert suggestion(words)[0] == condition


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
