"""Notes: every field, every finding with its line and key, and never an exception."""

from __future__ import annotations

import pytest

from memwarden.core.condition import DateTest, TextTest
from memwarden.core.note import Anchor, Evidence, Note
from memwarden.edit.note_reader import body_of, read_note
from memwarden.errors import Finding

PATH = "memory/debts/x.md"
FULL = b"""---
id: n-4f7k2m9q
subject: path:tests/test_retry.py
facet: behavior
lifecycle: debt
condition:
  file_contains: {path: tests/test_retry.py, pattern: frozen_clock}
anchors:
  - tests/test_retry.py
  - command: git push
evidence:
  - test: tests/test_retry.py::test_backoff
  - user: Ada, 2026-11-30
supersedes: [n-00000000]
exception_to: n-11111111
not_before: 2026-01-01
expires: 2027-01-01
created: 2026-11-30
tags: [a, b]
---
# test_retry.py is flaky until it uses frozen_clock

The back-off test sleeps on the wall clock.
"""


def read(fields: str, path: str = PATH) -> tuple[Note | None, tuple[Finding, ...]]:
    return read_note(path, f"---\n{fields}\n---\n# Title\n".encode())


def found(fields: str) -> list[tuple[str, int, str]]:
    return [(finding.code, finding.line, finding.key) for finding in read(fields)[1]]


def test_note_of_the_documentation_reads_whole() -> None:
    note, findings = read_note(PATH, FULL)
    assert findings == ()
    assert note == Note(
        PATH,
        "n-4f7k2m9q",
        "test_retry.py is flaky until it uses frozen_clock",
        "path:tests/test_retry.py",
        "behavior",
        "debt",
        TextTest("file_contains", "tests/test_retry.py", "frozen_clock"),
        None,
        (Anchor("path", "tests/test_retry.py"), Anchor("command", "git push")),
        (Evidence("test", "tests/test_retry.py::test_backoff"), Evidence("user", "Ada, 2026-11-30")),
        ("n-00000000",),
        "n-11111111",
        "2026-01-01",
        "2027-01-01",
        "2026-11-30",
        ("a", "b"),
        24,
        21,
    )


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_bom_change_nothing(newline: bytes, bom: bytes) -> None:
    note, findings = read_note(PATH, bom + FULL.replace(b"\n", newline))
    assert findings == ()
    assert note is not None
    assert note._replace(tokens=24) == read_note(PATH, FULL)[0]


@pytest.mark.parametrize(
    "anchors", ["anchors: a.py", 'anchors: "a.py"', "anchors: [a.py]", "anchors:\n- a.py"]
)
def test_every_spelling_of_one_anchor_agrees(anchors: str) -> None:
    note, findings = read(anchors)
    assert note is not None
    assert (note.anchors, findings) == ((Anchor("path", "a.py"),), ())


def test_field_without_a_value_is_as_good_as_none() -> None:
    note, findings = read("subject:\nanchors:\nevidence:\ntags:\nsupersedes:\ncreated:\nlifecycle:")
    assert (note, findings) == (Note(PATH, title="Title", tokens=2, body_line=10), ())


@pytest.mark.parametrize(
    ("fields", "findings"),
    [
        ("tags: {a: 1}", [("M102", 2, "tags")]),
        ("subject: [a]", [("M102", 2, "subject")]),
        ("facet: {a: b}", [("M102", 2, "facet")]),
        ('subject: "#x"', [("M102", 2, "subject")]),
        ("subject: path:a#", [("M102", 2, "subject")]),
        ("tags: [a, {b: c}, '']", [("M102", 2, "tags[1]"), ("M102", 2, "tags[2]")]),
        ("supersedes: n-00000000", [("M102", 2, "supersedes")]),
        ("anchors:\n- [a]", [("M102", 3, "anchors[0]")]),
        ("anchors: [{cmd: x}]", [("M102", 2, "anchors[0]")]),
        ("anchors: ['!x']", [("M102", 2, "anchors[0]")]),
        ("lifecycle: dept", [("M104", 2, "lifecycle")]),
        ("lifecycle: Debt", [("M104", 2, "lifecycle")]),
        ("lifecycle: ritual\ncondition: {after: 2026-01-01}", [("M104", 2, "lifecycle")]),
        ("condition: {after: 2026-01-01}", [("M105", 2, "condition")]),
        ("lifecycle: rule\ncondition: {after: 2026-01-01}", [("M105", 3, "condition")]),
        ("lifecycle: debt\ncondition:", [("M106", 3, "condition")]),
        ("lifecycle: debt\ncondition:\n  all:\n  - after: x", [("M106", 5, "condition.all[0].after")]),
        ("verify: {file_exist: a}", [("M106", 2, "verify")]),
        ("lifecycle: debt\nverify: {after: 2026-01-01}", [("M112", 3, "verify")]),
        ("anchros: x", [("M107", 2, "anchros")]),
        ("subject: path:../x", [("M108", 2, "subject")]),
        ("anchors:\n- a\n- ../../../etc/passwd", [("M108", 4, "anchors[1]")]),
        ("anchors: [//x]", [("M108", 2, "anchors[0]")]),
        ("evidence:\n- file: /etc/passwd", [("M108", 3, "evidence[0].file")]),
        ("evidence:\n- doc: a/../../x#y", [("M108", 3, "evidence[0].doc")]),
        ("lifecycle: debt\ncondition: {file_exists: ../x}", [("M108", 3, "condition.file_exists")]),
        ("created: 2026-02-30", [("M109", 2, "created")]),
        ("expires: soon", [("M109", 2, "expires")]),
        ("expires: 2026-01-01\nnot_before: 2026-02-01", [("M109", 2, "expires")]),
        ("id: x", [("M110", 2, "id")]),
        ("id: N-4F7K2M9Q", [("M110", 2, "id")]),
        ("supersedes: [n-1]", [("M110", 2, "supersedes[0]")]),
        ("exception_to: n-iiiiiiii", [("M110", 2, "exception_to")]),
        ("evidence: {user: x}", [("M102", 2, "evidence")]),
        ("evidence:\n- usr: x", [("M111", 3, "evidence[0].usr")]),
        ("evidence:\n- user:", [("M111", 3, "evidence[0].user")]),
        ("evidence:\n- user: a\n  file: b", [("M111", 3, "evidence[0]")]),
        ("evidence:\n- x", [("M111", 3, "evidence[0]")]),
        ("evidence:\n- issue: soon", [("M111", 3, "evidence[0].issue")]),
        ("evidence:\n- commit: HEAD", [("M111", 3, "evidence[0].commit")]),
        ("anchors:\n- command: '['", [("M113", 3, "anchors[0].command")]),
        ("anchors:\n- command: ''", [("M113", 3, "anchors[0].command")]),
    ],
)
def test_wrong_field_is_a_finding_with_line_and_key(
    fields: str, findings: list[tuple[str, int, str]]
) -> None:
    assert found(fields) == findings
    assert read(fields)[0] is not None


@pytest.mark.parametrize(
    "evidence",
    [
        "issue: 42",
        "issue: '#42'",
        "pr: https://example.org/x/1",
        "pr: a/b#7",
        "commit: 0123456",
        "commit: DEADBEEF",
        "file: src/x.py#L3",
        "test: tests/t.py::test_a[x/../y]",
        "agent: me",
        "user: yes",
    ],
)
def test_evidence_of_a_known_form_is_kept_as_written(evidence: str) -> None:
    note, findings = read(f"evidence:\n- {evidence}")
    assert findings == ()
    assert note is not None
    key, _, value = evidence.partition(": ")
    assert note.evidence == (Evidence(key, value.strip("'")),)


def test_every_finding_of_a_note_is_told_in_order_with_its_id() -> None:
    note, findings = read("created: x\nid: n-4f7k2m9q\nzeta: 1\ntags: {a: b}")
    assert [(finding.code, finding.line) for finding in findings] == [("M109", 2), ("M107", 4), ("M102", 5)]
    assert {finding.note for finding in findings} == {"n-4f7k2m9q"}
    assert note is not None
    assert note.id == "n-4f7k2m9q"


def test_unknown_lifecycle_reads_as_rule() -> None:
    note, findings = read("lifecycle: dept\ncondition: {after: 2026-01-01}")
    assert note is not None
    assert (note.lifecycle, note.condition) == ("rule", None)
    assert findings[0].severity == "warning"
    assert findings[0].fix == "did you mean debt?"


def test_rule_keeps_its_verify() -> None:
    note, _ = read("verify: {after: 2026-01-01}")
    assert note is not None
    assert note.verify == DateTest("after", "2026-01-01")


def test_leading_slash_of_an_anchor_is_gitignores() -> None:
    note, findings = read("anchors: /x.py")
    assert note is not None
    assert (note.anchors, findings) == ((Anchor("path", "/x.py"),), ())


@pytest.mark.parametrize(
    "data", [b"---\na: [\n---\n", b"\xff\xfe", b"---\na: 1\na: 2\n---\n", b"<<<<<<< x\n", b"---\n"]
)
def test_broken_file_is_no_note_and_one_finding(data: bytes) -> None:
    note, findings = read_note(PATH, data)
    assert note is None
    assert [finding.code in ("M001", "M002") and finding.line > 0 for finding in findings] == [True]


def test_plain_file_in_the_inbox_is_a_candidate_with_title_and_body() -> None:
    note, findings = read_note("memory/inbox/an idea.md", b"Try another queue.\n")
    assert (note, findings) == (Note("memory/inbox/an idea.md", title="an idea", tokens=5), ())
    assert body_of(b"Try another queue.\n") == "Try another queue.\n"


def test_thematic_break_opening_is_a_warning_in_the_inbox_and_an_error_elsewhere() -> None:
    data = b"----\nhello\n----\nworld"
    note, findings = read_note("memory/inbox/x.md", data)
    assert note is not None
    assert [(finding.code, finding.severity) for finding in findings] == [("M003", "warning")]
    assert body_of(data) == data.decode()
    note, findings = read_note("memory/decisions/x.md", data)
    assert note is None
    assert [(finding.code, finding.line) for finding in findings] == [("M001", 1)]


def test_unclosed_code_fence_is_a_warning_at_its_opening_line() -> None:
    _, findings = read_note(PATH, b"---\ntags: x\n---\n# A\n\n```\nx\n\n## Gamma\n")
    assert [(finding.code, finding.severity, finding.line) for finding in findings] == [
        ("M009", "warning", 6)
    ]


def test_body_lines_that_look_like_frontmatter_stay_body() -> None:
    data = b"---\ntags: x\n---\n# A\n---\nid: n-4f7k2m9q\n---\n"
    note, findings = read_note(PATH, data)
    assert findings == ()
    assert note is not None
    assert (note.id, note.title) == ("", "A")
    assert body_of(data) == "# A\n---\nid: n-4f7k2m9q\n---\n"


def test_body_of_a_broken_file_is_empty() -> None:
    assert body_of(b"---\n") == ""
