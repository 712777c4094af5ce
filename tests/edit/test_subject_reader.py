"""Subject files."""

from __future__ import annotations

import pytest

from memwarden.core.subject import Subject
from memwarden.edit.subject_reader import read_subject

PATH = "memory/subjects/requests.md"


def test_subject_reads_whole() -> None:
    fields = "id: requests\nname: Requests\nkind: dependency\nref: pypi:requests\naliases: [HTTP  lib]"
    data = f"---\n{fields}\n---\nWhat it is.\n".encode()
    subject = Subject(PATH, "requests", "Requests", "dependency", "pypi:requests", ("HTTP lib",))
    assert read_subject(PATH, data) == (subject, ())


@pytest.mark.parametrize(
    "ref",
    [
        "pypi:requests",
        "npm:@scope/x",
        "cargo:serde",
        "go:example.org/m",
        "path:src/x.py",
        "https://a.example/b",
    ],
)
def test_known_reference_is_kept(ref: str) -> None:
    subject, findings = read_subject(PATH, f"---\nid: requests\nref: '{ref}'\n---\n".encode())
    assert findings == ()
    assert subject is not None
    assert subject.ref == ref


@pytest.mark.parametrize(
    ("fields", "findings"),
    [
        ("id: other", [("M304", 2, "id")]),
        ("id: requests\nkind: thing", [("M304", 3, "kind")]),
        ("id: requests\nref: gem:x", [("M304", 3, "ref")]),
        ("id: requests\nref: path:../x", [("M108", 3, "ref")]),
        ("id: requests\nname: [a]", [("M304", 3, "name")]),
        ("id: requests\naliases: [a, {b: c}]", [("M304", 3, "aliases[1]")]),
        ("id: requests\nmerged_into: requests", [("M304", 3, "merged_into")]),
        ("id: requests\nalias: x", [("M305", 3, "alias")]),
    ],
)
def test_wrong_field_is_a_finding_and_the_subject_stays(
    fields: str, findings: list[tuple[str, int, str]]
) -> None:
    subject, found = read_subject(PATH, f"---\n{fields}\n---\n".encode())
    assert subject is not None
    assert [(finding.code, finding.line, finding.key) for finding in found] == findings


@pytest.mark.parametrize("identity", ["", "Requests", "project", "a b", "-a", "a/b", "[a]"])
def test_subject_without_a_usable_id_is_none(identity: str) -> None:
    subject, findings = read_subject(PATH, f"---\nid: {identity}\n---\n".encode())
    assert subject is None
    assert findings
    assert findings[-1].code == "M304"


@pytest.mark.parametrize("data", [b"---\n", b"\xff\xff", b"---\na: 1\na: 2\n---\n"])
def test_broken_file_is_one_finding(data: bytes) -> None:
    subject, findings = read_subject(PATH, data)
    assert subject is None
    assert [finding.code for finding in findings] == ["M001"]
