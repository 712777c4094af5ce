"""From a subject's file to the subject and everything that is wrong with it; never an exception.

====  ========  ==============================================================================
M304  error     a subject file without a usable ID, or with a field of the wrong type or kind
M305  warning   unknown field in a subject file (kept)
====  ========  ==============================================================================

M001, M002, M108, M701 and M702 are as for notes.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from memwarden.core.paths import check_path
from memwarden.core.registry import folded
from memwarden.core.subject import KINDS, PROJECT, Subject
from memwarden.edit.condition_reader import nearest
from memwarden.edit.fence import Unsound, split
from memwarden.edit.fields import Fields, read_fields
from memwarden.edit.text_safety import value_findings
from memwarden.errors import ERROR, WARNING, Finding

INVALID = "M304"
UNKNOWN_FIELD = "M305"
FIELDS = ("id", "name", "kind", "ref", "aliases", "merged_into")

MOST_LETTERS = 100
MOST_BYTES = 200

_ID = re.compile(r"[^\W_]+(?:[-._][^\W_]+)*")
_REF = re.compile(r"(?:pypi|npm|cargo|go|path):\S+|https?://\S+")


def is_subject_id(text: str) -> bool:
    """Whether ``text`` is a lower-case slug of any script, in the one form of its letters, that a file name
    has room for; and not the built-in subject."""
    if len(text) > MOST_LETTERS or len(text.encode()) > MOST_BYTES or text == PROJECT:
        return False
    return folded(text) == text and _ID.fullmatch(text) is not None


def read_subject(path: str, data: bytes) -> tuple[Subject | None, tuple[Finding, ...]]:
    """The subject whose file is ``path``; None where the file cannot be read or has no usable ID."""
    parts = split(data)
    try:
        if parts.fault:
            raise Unsound(parts.fault)
        fields = read_fields(parts)
    except Unsound as unsound:
        fault = unsound.fault
        return None, (
            Finding(fault.code, ERROR, fault.message, path, fault.line, fault.column, fix=fault.fix),
        )
    reading = _Reading(path, fields)
    subject = _subject(reading)
    reading.findings += value_findings(path, parts.block, fields.values, fields.place)
    return subject, tuple(sorted(reading.findings, key=lambda found: (found.line, found.column)))


class _Reading:
    """One subject file being read."""

    def __init__(self, path: str, fields: Fields) -> None:
        self.path = path
        self.fields = fields
        self.findings: list[Finding] = []

    def report(
        self, key: str, message: str, fix: str = "", code: str = INVALID, severity: str = ERROR
    ) -> None:
        line, column = self.fields.place(key)
        self.findings.append(Finding(code, severity, message, self.path, line, column, key, fix=fix))

    def text(self, key: str) -> str:
        value = self.fields.values.get(key, "")
        if isinstance(value, str):
            return " ".join(value.split())
        self.report(key, f"{key} must be one text")
        return ""

    def aliases(self) -> tuple[str, ...]:
        value = self.fields.values.get("aliases", "")
        items = value if isinstance(value, list) else [value] if value != "" else []
        found = []
        for index, item in enumerate(items):
            if isinstance(item, str) and item.strip():
                found.append(" ".join(item.split()))
            else:
                self.report(f"aliases[{index}]", "an alias is a text", "write each name on a line after -")
        return tuple(found)


def _subject(reading: _Reading) -> Subject | None:
    for key in reading.fields.values:
        if key not in FIELDS:
            hint = nearest(key, FIELDS)
            fix = hint if hint.startswith("did") else ""
            reading.report(
                key, f"unknown field {key!r} (kept, but it means nothing)", fix, UNKNOWN_FIELD, WARNING
            )
    stem = normalize("NFC", reading.path.rsplit("/", 1)[-1].removesuffix(".md"))
    identity = reading.text("id")
    if not is_subject_id(identity):
        said = f"{identity!r} is no subject ID" if identity else "the subject has no id"
        reading.report("id", said, "a lower-case slug: letters, digits, dashes (project is built in)")
        return None
    if identity != stem:
        reading.report(
            "id", f"the subject {identity!r} lies in {stem}.md", f"rename the file to {identity}.md"
        )
    kind = reading.text("kind")
    if kind and kind not in KINDS:
        reading.report("kind", f"unknown kind {kind!r}", nearest(kind, KINDS))
        kind = ""
    merged_into = reading.text("merged_into")
    if merged_into == identity:
        reading.report("merged_into", "a subject cannot be merged into itself")
        merged_into = ""
    return Subject(
        reading.path, identity, reading.text("name"), kind, _ref(reading), reading.aliases(), merged_into
    )


def _ref(reading: _Reading) -> str:
    ref = reading.text("ref")
    if not ref:
        return ""
    if not _REF.fullmatch(ref):
        fix = "for example pypi:requests, npm:@scope/x, cargo:serde, go:example.org/m, path:src/x.py, https://..."
        reading.report("ref", f"{ref!r} is no reference", fix)
        return ""
    if ref.startswith("path:"):
        reason = check_path(ref[5:])
        if reason:
            reading.report("ref", f"the path {ref[5:]!r} {reason}", "name a path in the repository", "M108")
            return ""
    return ref
