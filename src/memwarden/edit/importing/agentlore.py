"""agentlore's files as a harvest: one claim a ``##`` heading, its fields in a comment below it.

``decisions.md``, ``dead-ends.md``, ``conventions.md`` and ``hazards.md`` say what they are by their name or
by a ``type`` field.  An entry says who wrote it, and not whether anyone agreed: all of it waits in the inbox.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memwarden.core.dates import is_date
from memwarden.core.glob import check_glob
from memwarden.core.note import ARCHIVED, CANDIDATE
from memwarden.core.paths import check_path
from memwarden.edit.importing.harvest import Claim, Harvest, Loss
from memwarden.edit.importing.page import COMMENT, NEVER_CLOSED, Section, read_page
from memwarden.errors import UsageError

FILES = {
    "decisions.md": "decision",
    "dead-ends.md": "dead-end",
    "conventions.md": "convention",
    "hazards.md": "hazard",
}
HOME = "/.memory/"
MOST_SHOWN = 60
# Fields that become words of the note, with how they are said.
SPOKEN = (
    ("author", "Author in the source: {}."),
    ("superseded_by", "Superseded in the source by: {}."),
    ("owner", "Owner: {}."),
    ("enforcement", "Enforced by: {}."),
    ("resolved_by", "Settled by: {}."),
    ("evidence", "Evidence in the source: {}."),
)
KNOWN = (
    "id",
    "type",
    "status",
    "anchors",
    "created",
    "supersedes",
    "key",
    "value",
)
# What agentlore keeps to see whether the code has drifted; an admission pins anew.
FINGERPRINTS = ("verified_at", "anchor_hash", "anchor_norm")

_COMMENT = re.compile(r"<!--\s*(?:agentlore|rmem)\b(?P<fields>(?:(?!<!--).)*?)-->", re.DOTALL)
_OPENS = re.compile(r"<!--\s*(?:agentlore|rmem)\b")
_ENDS = re.compile(r"-->|<!--")
_BLANK = re.compile(r"\n[ \t]*(?=\n)")
_HEADING = re.compile(r"^#{1,2} ", re.MULTILINE)
_PR = re.compile(r"\b(?:PR|pull request)\s*#?(\d+)|https?://\S{1,300}?/pull/\d+", re.IGNORECASE)
_ISSUE = re.compile(r"\bissue\s*#?(\d+)|https?://\S{1,300}?/issues/\d+", re.IGNORECASE)


def read(texts: Mapping[str, str], named: Mapping[str, str] | None = None) -> Harvest:
    """The harvest of some of its files, keyed by what they are called; ``named`` is how a person spelled
    that.  Raises :class:`UsageError` where a file has no entry of its form."""
    claims: list[Claim] = []
    lost: list[Loss] = []
    for path, text in sorted(texts.items()):
        text, unclosed = _closed(text.replace("\r\n", "\n"))
        page = read_page(text)
        sections = page.sections
        name = path.rpartition("/")[2]
        if name not in FILES and not any(_COMMENT.search(section.text) for section in sections):
            raise UsageError(
                f"{(named or {}).get(path, path)} is no agentlore file: no entry has its comment of fields",
                f"its files are {', '.join(FILES)}",
            )
        why = "the comment of fields is never closed: read as if it ended with its fields"
        lost += [Loss(path, line, why) for line in unclosed]
        if page.open:
            lost.append(Loss(path, page.open, NEVER_CLOSED))
        for block in page.blocks:
            if block.kind != COMMENT:
                lost.append(
                    Loss(path, block.line, f"what stands before the first entry: {_begun(block.text)!r}")
                )
        for section in sections:
            claims.append(_claim(path, section, FILES.get(name, ""), lost))
    return Harvest(tuple(claims), lost=tuple(lost))


def _claim(path: str, section: Section, kind: str, lost: list[Loss]) -> Claim:
    comment = _COMMENT.search(section.text)
    fields, unread = _fields(comment["fields"]) if comment else ({}, [])
    lost += [Loss(path, section.line, f"{line!r} is no field of its own") for line in unread]
    body = (_COMMENT.sub("", section.text, count=1) if comment else section.text).strip()
    kind = fields.get("type", "") or kind
    status = fields.get("status", "accepted").lower()
    over = status in ("superseded", "rejected", "deprecated") or bool(
        fields.get("superseded_by") or fields.get("resolved_by")
    )
    for field, form in SPOKEN:
        if fields.get(field):
            body = f"{body}\n\n{form.format(fields[field].rstrip('.'))}".strip()
    if fields.get("key"):
        body = f"{body}\n\n{fields['key']} = {fields.get('value', '')}".strip()
    prints = [field for field in FINGERPRINTS if field in fields]
    if prints:
        lost.append(
            Loss(path, section.line, "fingerprints of the anchored code: evidence is pinned anew here")
        )
    if fields.get("created") and not is_date(fields["created"]):
        lost.append(Loss(path, section.line, f"the field created is no date: {fields['created']!r}"))
    if fields.get("value") and not fields.get("key"):
        lost.append(Loss(path, section.line, f"a value without a key: {fields['value']!r}"))
    for field in fields:
        if field not in (*KNOWN, *FINGERPRINTS, *(name for name, _ in SPOKEN)):
            lost.append(
                Loss(path, section.line, f"the field {field!r} means nothing here: {fields[field]!r}")
            )
    if fields.get("supersedes"):
        why = f"that it supersedes {fields['supersedes']}: supersede the note when this one is admitted"
        lost.append(Loss(path, section.line, why))
    mark = fields.get("id", "")
    return Claim(
        path,
        section.line,
        re.sub(r"\s*\((?:superseded|settled)\)$", "", section.title) or section.title,
        body,
        ARCHIVED if over else CANDIDATE,
        why=f"a {kind or 'note'}, {'over' if over else status} in the source",
        anchors=_anchors(path, section, fields.get("anchors", ""), lost),
        evidence=_evidence(fields.get("evidence", "")),
        created=fields["created"] if is_date(fields.get("created", "")) else "",
        tags=tuple(word for word in (kind, mark) if word),
        mark=mark,
    )


def _closed(text: str) -> tuple[str, list[int]]:
    """The text with each comment of fields closed, and the lines where one was not: it ran into another
    comment, or over a blank line into the next entry.  It ends with its fields, on their last line."""
    kept, unclosed = [], []
    at, line, counted = 0, 1, 0
    for opening in _OPENS.finditer(text):
        begun = opening.end()
        end = _ENDS.search(text, begun)
        stop = end.start() if end else len(text)
        blank = _BLANK.search(text, begun, stop)
        is_closed = end is not None and end[0] == "-->"
        if is_closed and not (blank and _HEADING.search(text, blank.end() + 1, stop)):
            continue
        if not is_closed and text.find("\n", begun, stop) < 0:
            continue  # it says nothing
        heading = _HEADING.search(text, begun, stop)
        stop = min(one.start() for one in (blank, heading, end) if one) if blank or heading or end else stop
        said = text[at:stop].rstrip()
        kept += [said, " -->"]
        at += len(said)
        line += text.count("\n", counted, opening.start())
        counted = opening.start()
        unclosed.append(line)
    return "".join((*kept, text[at:])), unclosed


def _begun(text: str) -> str:
    """A text by its beginning."""
    words = " ".join(text.split())
    return words if len(words) <= MOST_SHOWN else words[: MOST_SHOWN - 1] + "\u2026"


def _fields(text: str) -> tuple[dict[str, str], list[str]]:
    """The fields, and the lines that are none or say another thing again."""
    found: dict[str, str] = {}
    unread = []
    for line in map(str.strip, text.strip().split("\n")):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if line.startswith("#") or (colon and not value):
            continue
        if not colon or found.setdefault(key, value) != value:
            unread += [_begun(line)] if line else []
    return found, unread


def _anchors(path: str, section: Section, text: str, lost: list[Loss]) -> tuple[tuple[str, str], ...]:
    """Its globs start at the folder that holds ``.memory/``, and a folder means all that is in it."""
    top, below, _ = path.rpartition(HOME)
    found = []
    for glob in re.split(r"[,\s]+", text.strip()):
        glob = glob.removeprefix("./")
        if not glob:
            continue
        if check_glob(glob) or check_path(glob.lstrip("/")) or not glob.strip("*/."):
            lost.append(Loss(path, section.line, f"the anchor {glob!r} names no part of this repository"))
            continue
        if below:
            glob = f"{top}/{glob.lstrip('/')}"
        found.append(("path", glob if "/" in glob.rstrip("/") else "/" + glob))
    return tuple(dict.fromkeys(found))


def _evidence(text: str) -> tuple[tuple[str, str], ...]:
    """A pull request or an issue that is named; the words are in the body."""
    found = []
    for key, pattern in (("pr", _PR), ("issue", _ISSUE)):
        for match in pattern.finditer(text):
            found.append((key, match[1] or match[0].rstrip(".,;)")))
    return tuple(dict.fromkeys(found))
