"""From a file's bytes to a note and everything that is wrong with it; never an exception.

A file whose frontmatter cannot be read, or that holds conflict markers, is no note: ``None`` and one
finding.  Anything else gives a note; what is wrong with a field is a finding with its line and key, and
the field is left out.  What a note must have where it stands (an ID, a subject, evidence) is not judged
here: a candidate may lack all of it.

The codes given here:

====  ========  ==============================================================================
M001  error     the frontmatter cannot be read (encoding, size, fence, YAML)
M002  error     conflict markers
M003  warning   the first line looks like a fence but is none (in the inbox; elsewhere M001)
M009  warning   a code fence is never closed and swallows the headings after it
M102  error     a field has the wrong type or form
M104  warning   unrecognised lifecycle, read as rule
M105  error     a rule carries a payment condition
M106  error     invalid condition or verify
M107  warning   unknown field (kept)
M108  error     a path leaves the repository, or could
M109  error     not a date, or not_before after expires
M110  error     not a note ID (id, supersedes, exception_to)
M111  error     evidence of an unknown kind or form
M112  error     a debt carries verify
M113  error     a command anchor's pattern is invalid
M701  error     a value has what looks like a secret, written with escapes
M702  error     a value has a hidden character, written as an escape
====  ========  ==============================================================================
"""

from __future__ import annotations

import re
from functools import lru_cache
from sys import intern

from memwarden.core.dates import is_date
from memwarden.core.fitness import PATH_EVIDENCE
from memwarden.core.glob import check_glob
from memwarden.core.note import DEBT, FIELDS, INBOX, RULE, Anchor, Evidence, Note, is_note_id
from memwarden.core.paths import check_path
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.tokens import estimate
from memwarden.edit.condition_reader import nearest, read_condition
from memwarden.edit.fence import UNREADABLE, Split, Unsound, split
from memwarden.edit.fields import Fields, read_fields
from memwarden.edit.markdown import first_heading, unclosed_fence
from memwarden.errors import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from memwarden.core.condition import Condition

EVIDENCE_KEYS = ("user", "file", "doc", "test", "issue", "pr", "commit", "agent", "conversation")

_KNOWN = frozenset(FIELDS)
_CHECKED = frozenset(("lifecycle", "condition", "verify"))
# A pattern of RE2 without a group, a class or a repetition: nothing in it can be wrong.
_PLAIN_COMMAND = re.compile(r"\^?(?:[A-Za-z0-9 _/:=,@%#-]|\\[b.*+?$^|()\[\]{}/-])+\$?")
LONGEST_PLAIN = 200
_COMMIT = re.compile(r"[0-9a-f]{4,64}")
_ISSUE = re.compile(r"#?[0-9]{1,18}|[\w.-]+/[\w.-]+[#!][0-9]{1,18}|https?://[^\s<>\"]+", re.ASCII)


def read_note(path: str, data: bytes) -> tuple[Note | None, tuple[Finding, ...]]:
    """The note at ``path`` and every finding about it; None where the file cannot be read as a note."""
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
    if parts.near and not path.startswith("memory/" + INBOX):
        return None, (_near_fence(path, UNREADABLE, ERROR),)
    reading = _Reading(path, fields)
    body = parts.text[parts.body :]
    note = _note(reading, parts, body)
    if parts.near:
        reading.findings.append(_near_fence(path, "M003", WARNING))
    swallowing = unclosed_fence(body)
    if swallowing:
        message = "this code fence is never closed and swallows the headings after it"
        fix = "close it with a fence of the same kind and length"
        line = parts.body_line + swallowing - 1
        reading.findings.append(Finding("M009", WARNING, message, path, line, 1, fix=fix))
    if "\\" in parts.block:
        from memwarden.edit.text_safety import value_findings  # late: few notes write an escape

        reading.findings += value_findings(path, parts.block, fields.values, fields.place)
    if not reading.findings:
        return note, ()
    reading.findings.sort(key=lambda found: (found.line, found.column))
    return note, tuple(found._replace(note=note.id) for found in reading.findings)


def body_of(data: bytes) -> str:
    """The body of a note's file, with its own line ends; "" where it cannot be read."""
    parts = split(data)
    return "" if parts.fault else parts.text[parts.body :]


def title_of(path: str, body: str) -> str:
    """The first H1 of the body, else the file's stem."""
    return first_heading(body) or path.rsplit("/", 1)[-1].removesuffix(".md")


def _near_fence(path: str, code: str, severity: str) -> Finding:
    return Finding(
        code,
        severity,
        "the first line looks like a frontmatter fence but is not exactly ---",
        path,
        1,
        1,
        fix="write exactly --- to open frontmatter, or start with a blank line",
    )


class _Reading:
    """One note being read: its fields, and the findings so far."""

    def __init__(self, path: str, fields: Fields) -> None:
        self.path = path
        self.fields = fields
        self.values = fields.values
        self.findings: list[Finding] = []

    def report(self, code: str, key: str, message: str, fix: str = "", severity: str = ERROR) -> None:
        line, column = self.fields.place(key)
        self.findings.append(Finding(code, severity, message, self.path, line, column, key, fix=fix))

    def text(self, key: str) -> str:
        """A field that is one text; a field without a value is as good as none."""
        value = self.values.get(key)
        if value is None:
            return ""
        if value.__class__ is str:
            return value.strip()
        self.report("M102", key, f"{key} must be one text, not {_kind_of(value)}")
        return ""

    def date(self, key: str) -> str:
        text = self.text(key)
        if text and not _is_date(text):
            self.report("M109", key, f"{text!r} is not a date", "write it as 2026-11-30")
            return ""
        return text

    def note_id(self, key: str, text: str) -> str:
        if text and not is_note_id(text):
            fix = "n- and 8 of 0-9 a-z without i, l, o, u; leave it out and mem mints one"
            self.report("M110", key, f"{text!r} is not a note ID", fix)
            return ""
        return text

    def items(self, key: str, single: bool = False) -> list[Any]:
        """A field that is a list; where ``single`` is allowed, one text stands for a list of one."""
        value = self.values.get(key, "")
        if value.__class__ is list:
            return value
        if value == "":
            return []
        if single and not (value.__class__ is dict and key != "anchors"):
            return [value]
        self.report(
            "M102", key, f"{key} must be a list, not {_kind_of(value)}", "write each item on a line after -"
        )
        return []

    def texts(self, key: str, single: bool = False) -> list[tuple[str, str]]:
        """The (key path, text) of a list of texts."""
        found = []
        for index, item in enumerate(self.items(key, single)):
            place = f"{key}[{index}]"
            if item.__class__ is str and item.strip():
                found.append((place, item.strip()))
            else:
                self.report("M102", place, f"{key} holds texts, not {_kind_of(item)}")
        return found

    def condition(self, key: str) -> Condition | None:
        if key not in self.values:
            return None
        condition, problems = read_condition(self.values[key], key)
        for problem in problems:
            self.report(problem.code, problem.key, problem.message, problem.fix)
        return condition


def _kind_of(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f"{value!r}" if value else "nothing"


def _note(reading: _Reading, parts: Split, body: str) -> Note:
    values = reading.values
    for key in () if _KNOWN.issuperset(values) else values:
        if key not in FIELDS:
            hint = nearest(key, FIELDS)
            fix = hint if hint.startswith("did") else ""
            reading.report("M107", key, f"unknown field {key!r} (kept, but it means nothing)", fix, WARNING)
    lifecycle, condition, verify = _lifecycle(reading)
    not_before = reading.date("not_before") if "not_before" in values else ""
    expires = reading.date("expires") if "expires" in values else ""
    if not_before and expires and not_before > expires:
        reading.report("M109", "expires", f"expires on {expires}, before not_before ({not_before})")
    title = title_of(reading.path, body)
    # What many notes say is kept once.
    return Note(
        reading.path,
        reading.note_id("id", reading.text("id")),
        title,
        _subject(reading),
        intern(reading.text("facet")),
        lifecycle,
        condition,
        verify,
        _anchors(reading) if "anchors" in values else (),
        _evidence(reading) if "evidence" in values else (),
        _supersedes(reading) if "supersedes" in values else (),
        reading.note_id("exception_to", reading.text("exception_to")) if "exception_to" in values else "",
        not_before,
        expires,
        intern(reading.date("created")),
        tuple(text for _, text in reading.texts("tags", single=True)) if "tags" in values else (),
        estimate(body.strip()),
        parts.body_line,
    )


def _supersedes(reading: _Reading) -> tuple[str, ...]:
    ids = [reading.note_id(place, text) for place, text in reading.texts("supersedes")]
    return tuple(text for text in ids if text)


def _lifecycle(reading: _Reading) -> tuple[str, Condition | None, Condition | None]:
    """The lifecycle, the payment condition of a debt, the ``verify`` of a rule."""
    if _CHECKED.isdisjoint(reading.values):
        return RULE, None, None
    written = reading.text("lifecycle")
    known = written in ("", RULE, DEBT)
    if not known:
        hint = nearest(written, (RULE, DEBT))
        message = f"unrecognised lifecycle {written!r}, read as rule"
        if "condition" in reading.values:
            message += ": its condition has no effect"
        reading.report("M104", "lifecycle", message, hint, WARNING)
    condition, verify = reading.condition("condition"), reading.condition("verify")
    if written == DEBT:
        if "verify" in reading.values:
            fix = "a debt ends by its condition; write the check there"
            reading.report("M112", "verify", "a debt cannot carry verify", fix)
        return DEBT, condition, None
    if known and "condition" in reading.values:
        reading.report(
            "M105",
            "condition",
            "a rule carries a payment condition, but a rule is never paid: its check means the opposite",
            "say lifecycle: debt, or rename the field to verify (passing means the rule still holds)",
        )
    return RULE, None, verify


def _subject(reading: _Reading) -> str:
    text = reading.text("subject")
    name, hash_sign, aspect = text.partition("#")
    if text and (not name.strip() or (hash_sign and not aspect.strip())):
        reading.report("M102", "subject", f"the subject {text!r} lacks its name or the aspect after #")
        return ""
    if name.startswith("path:"):
        reason = _why_refused(name[5:])
        if reason:
            reading.report(
                "M108", "subject", f"the path {name[5:]!r} {reason}", "name a path in the repository"
            )
            return ""
    return text


def _anchors(reading: _Reading) -> tuple[Anchor, ...]:
    found = []
    for index, item in enumerate(reading.items("anchors", single=True)):
        place = "anchors" if item is reading.values["anchors"] else f"anchors[{index}]"
        if item.__class__ is str and item.strip():
            anchor = _known_anchor(item)
            if anchor is not None:
                found.append(anchor)
            elif _fine_glob(reading, place, item.strip()):
                found.append(Anchor("path", item.strip()))
        elif item.__class__ is dict and list(item) == ["command"] and isinstance(item["command"], str):
            reason = _check_command_pattern(item["command"])
            if reason:
                reading.report("M113", f"{place}.command", f"the pattern {item['command']!r} {reason}")
            else:
                found.append(Anchor("command", item["command"]))
        else:
            fix = "write a path glob, or {command: <regex>}"
            reading.report("M102", place, f"an anchor is a path glob or a command, not {_kind_of(item)}", fix)
    return tuple(found)


@lru_cache(maxsize=4096)
def _known_anchor(text: str) -> Anchor | None:
    """A path anchor in which nothing is wrong: many notes share one, and it is looked at once."""
    glob = text.strip()
    if glob[0] in "/!#" or "[" in glob or _why_refused(glob):
        return None
    return Anchor("path", intern(glob))


def _fine_glob(reading: _Reading, place: str, glob: str) -> bool:
    """Whether the glob stays inside; one leading slash is gitignore's way to say "at the top"."""
    reason = _why_refused(glob[1:] if glob.startswith("/") and not glob.startswith("//") else glob)
    if reason:
        fix = "anchor to a path or a glob inside the repository"
        reading.report("M108", place, f"the anchor {glob!r} {reason}", fix)
        return False
    reason = check_glob(glob) if "[" in glob or glob[0] in "!#" else None
    if reason:
        reading.report("M102", place, f"the anchor {glob!r} is no path glob: {reason}")
    return reason is None


_is_date = lru_cache(maxsize=4096)(is_date)


@lru_cache(maxsize=4096)
def _why_refused(path: str) -> str | None:
    """:func:`check_path`, asked once for each of the paths that many notes name."""
    return check_path(path)


def _check_command_pattern(pattern: str) -> str | None:
    if len(pattern) < LONGEST_PLAIN and _PLAIN_COMMAND.fullmatch(pattern):
        return None
    from memwarden.edit.pattern import BadPattern, compiled  # re2: only notes with a pattern pay for it

    if not pattern.strip():
        return "is empty: it would match every command"
    try:
        compiled(pattern)
    except BadPattern as bad:
        return str(bad)
    return None


def _evidence(reading: _Reading) -> tuple[Evidence, ...]:
    found = []
    for index, item in enumerate(reading.items("evidence")):
        place = f"evidence[{index}]"
        if item.__class__ is not dict or len(item) != 1:
            fix = "write each as `- user: who and when` or `- file: path`"
            reading.report("M111", place, f"evidence is a mapping with one key, not {_kind_of(item)}", fix)
            continue
        ((key, value),) = item.items()
        known = _known_evidence(key, value) if value.__class__ is str else None
        if known is not None:
            found.append(known)
            continue
        if key not in EVIDENCE_KEYS:
            reading.report("M111", f"{place}.{key}", f"unknown evidence {key!r}", nearest(key, EVIDENCE_KEYS))
            continue
        if value.__class__ is not str or not value.strip():
            reading.report("M111", f"{place}.{key}", f"the evidence {key} says nothing")
            continue
        found += _special_evidence(reading, f"{place}.{key}", key, value.strip())
    return tuple(found)


@lru_cache(maxsize=4096)
def _known_evidence(key: str, value: str) -> Evidence | None:
    """A piece of evidence in which nothing can be wrong; None for one that is to be looked at."""
    found = Evidence(intern(key), intern(value.strip()))
    if key not in EVIDENCE_KEYS or not found.value or key in ("issue", "pr", "commit"):
        return None
    return None if key in PATH_EVIDENCE and _why_refused(found.path) else found


def _special_evidence(reading: _Reading, place: str, key: str, value: str) -> Iterator[Evidence]:
    reason = _why_refused(Evidence(key, value).path) if key in PATH_EVIDENCE else None
    if reason:
        fix = "name a file inside the repository"
        reading.report("M108", place, f"the evidence path {value!r} {reason}", fix)
    elif key in ("issue", "pr") and not _ISSUE.fullmatch(value):
        reading.report("M111", place, f"{value!r} is no number and no URL", "for example: 42")
    elif key == "commit" and not _COMMIT.fullmatch(value.lower()):
        reading.report("M111", place, f"{value!r} is no object ID", "give the commit's hex ID")
    else:
        yield Evidence(key, value)
