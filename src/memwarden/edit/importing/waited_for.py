"""What the words of a comment wait for: a date, a version, a file or a tag, and nothing that is guessed.

A date is an ISO date, in full: 01/02/2027 is two dates, and 2027-03 is thirty-one.  That the comment is
gone is nothing to wait for, so a condition that its own file satisfies by being removed is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memwarden.core.dates import is_date
from memwarden.core.paths import check_path
from memwarden.edit.condition_reader import read_condition

if TYPE_CHECKING:
    from collections.abc import Iterator

_DATE = r"(?<![\w/.-])([0-9]{4}-[0-9]{2}-[0-9]{2})(?![\w/-]|\.[0-9])"
_ANY_DATE = re.compile(r"(?<![\w-])([0-9]{4}-[0-9]{2}-[0-9]{2})(?![\w-])")
# Behind these words a date may stand some words on; behind the others it stands at once.
_WAITED_DATE = re.compile(
    r"\b(?:until|till|after|before|once|when)\b[^.;]{0,40}?" + _DATE
    + r"|\b(?:due|deadline|expir(?:es?|y)|eol)\b[ :=]{0,3}(?:(?:date|on|by|at|is)[ :=]{1,3})?" + _DATE
    + r"|\bby[ ]+" + _DATE
    + r"|[(\[<]" + _DATE + r"[)\]>]",
    re.IGNORECASE,
)  # fmt: skip
_NEXT_DATE = re.compile(r"\b(?:on|from|in|starting|effective|as of)[ ]+" + _DATE, re.IGNORECASE)
# What was done on a day waits for none; what is to be done then does.
_DONE = re.compile(
    r"(?:(?<!\bbe )(?<!\bget )\b(?:[a-z]{2,20}ed|written|taken|made|seen|found|took|broke|saw|wrote|met)"
    r"|\bwas|\bwere|\bas)(?: [\w'-]{1,20}){0,3} ?$",
    re.IGNORECASE,
)
_FIRST_DATE = re.compile(r"@?[(\[<{]?[ ]?" + _DATE + r"[ ]?[)\]>}]?(?=$|[ :,;)\u2013\u2014-])")
_VERSION = re.compile(
    r"\b(?:until|till|once|when|after|if|with|drop(?:ping)?|support(?:s|ing)?|requires?|need(?:s)?|on)\b[^.;]{0,60}?"
    r"\b([A-Za-z][A-Za-z0-9_.-]{1,60}?)\s*(>=|==|=>|≥)\s*v?([0-9]+(?:\.[0-9]+){0,3})\b",
    re.IGNORECASE,
)
_DROPPED_PYTHON = re.compile(
    r"\b(?:until|till|once|when|after|if)\b[^.;]{0,60}?\b(?:drop(?:s|ped|ping)?|no longer supports?)\b"
    r"(?: support)?(?: for| of)? python\s?([0-9])\.([0-9]{1,2})\b",
    re.IGNORECASE,
)
_PYTHON = re.compile(
    r"\b(?:until|once|when|after|if|with)\b[^.;]{0,60}?\bpython\s*([0-9]\.[0-9]{1,2})\b"
    r"[^.;]{0,20}?(?:only|\+|minimum|is required|or later|and up)",
    re.IGNORECASE,
)
_FILE = (
    r"\b(?:until|till|once|when|after|as soon as|if)\b\s+(?:the\s+)?(?:file\s+)?"
    r"[`'\"]?([\w./-]*[\w-]\.[A-Za-z]\w{0,7}|[\w.-]+(?:/[\w.-]+)+)[`'\"]?\s+"
)
_APPEARS = re.compile(
    _FILE + r"(?:exists?|lands?|landed|has landed|arrives?"
    r"|is (?:there|in|here|added|merged|written|available))\b",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    _FILE + r"(?:is|has been|gets)\s+(?:gone|removed|deleted|dropped)\b",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"\b(?:until|till|once|when|after|in|for)\b[^.;]{0,40}?\b(v[0-9]+(?:\.[0-9]+){0,2})\b", re.IGNORECASE
)


def waited_for(words: str, named: str = "", path: str = "") -> tuple[dict[str, Any] | None, str]:
    """The condition that the words of a comment in ``path`` name, or who is ``named`` in it, and how it was
    read; None where they name none."""
    text = " ".join(words.split())
    for raw, how in _found(text, named, path):
        if path and _is_paid_by_leaving(raw, path):
            continue
        if read_condition(raw, "condition")[0] is not None:
            return raw, how
    return None, ""


def _found(text: str, named: str, path: str) -> Iterator[tuple[dict[str, Any], str]]:
    for found, how in (_by_version(text), _by_file(text, path), _by_date(text, named), _by_tag(text)):
        if found is not None:
            yield found, how


def _is_paid_by_leaving(raw: dict[str, Any], path: str) -> bool:
    """Whether taking the comment's own file away would pay."""
    gone = [one.get("file_absent", "").rstrip("/") for one in (raw, *raw.get("all", ()))]
    return any(name and (path == name or path.startswith(name + "/")) for name in gone)


def _by_version(text: str) -> tuple[dict[str, Any] | None, str]:
    found = _VERSION.search(text)
    if found:
        sign = ">=" if found[2] in (">=", "=>", "≥") else found[2]
        return {
            "version": {"of": found[1].lower(), "is": f"{sign}{found[3]}"}
        }, f"{found[1]} {sign} {found[3]}"
    python = _PYTHON.search(text)
    if python:
        return {"version": {"of": "python", "is": f">={python[1]}"}}, f"python >= {python[1]}"
    dropped = _DROPPED_PYTHON.search(text)
    if dropped:
        least = f"{dropped[1]}.{int(dropped[2]) + 1}"
        return {"version": {"of": "python", "is": f">={least}"}}, f"python >= {least}"
    return None, ""


def _by_file(text: str, source: str) -> tuple[dict[str, Any] | None, str]:
    """A bare name in a folder's file may mean the one beside it or one at the top."""
    for pattern, kind, said in ((_LEAVES, "file_absent", "is gone"), (_APPEARS, "file_exists", "is there")):
        found = pattern.search(text)
        path = found[1].removeprefix("./") if found else ""
        if not path or check_path(path):
            continue
        beside = source.rpartition("/")[0]
        if "/" in path or not beside:
            return {kind: path}, f"{path} {said}"
        if kind == "file_absent":
            return {"all": [{kind: f"{beside}/{path}"}, {kind: path}]}, f"{beside}/{path} and {path} are gone"
        return {"any": [{kind: f"{beside}/{path}"}, {kind: path}]}, f"{beside}/{path} or {path} {said}"
    return None, ""


def _by_date(text: str, named: str) -> tuple[dict[str, Any] | None, str]:
    """The last of the days that are waited for: a debt that ends too early is the worse one."""
    first = _FIRST_DATE.match(text)
    days = [first[1]] if first else []
    days += [next(filter(None, match.groups())) for match in _WAITED_DATE.finditer(text)]
    days += [
        match[1]
        for match in _NEXT_DATE.finditer(text)
        if not _DONE.search(text[max(0, match.start() - 60) : match.start()])
    ]
    days += _ANY_DATE.findall(named)
    day = max(filter(is_date, days), default="")
    return ({"after": day}, f"{day} has come") if day else (None, "")


def _by_tag(text: str) -> tuple[dict[str, Any] | None, str]:
    found = _TAG.search(text)
    if not found:
        return None, ""
    tag = found[1].lower()
    if tag.count(".") == 2:
        return {"git_tag": tag}, f"the tag {tag} is there"
    return {"any": [{"git_tag": tag}, {"git_tag": f"{tag}.*"}]}, f"the tag {tag} or {tag}.* is there"
