"""A new note's text, in the field order of the documentation's example."""

from __future__ import annotations

import re

from memwarden.core.note import FIELDS
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.visible import is_hidden, plain
from memwarden.edit.fence import Unsound, split
from memwarden.edit.fields import read_fields
from memwarden.edit.markdown import first_heading
from memwarden.edit.yaml_text import field_lines
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def new_note(fields: Mapping[str, Any], title: str, body: str = "") -> bytes:
    """The bytes of a new note; fields that are empty are left out.

    Raises :class:`UsageError` where the file would not read back as what was asked for.
    """
    given = {name: value for name, value in fields.items() if value not in ("", None, (), [], {})}
    wanted = {name: _plain(given[name]) for name in (*FIELDS, *given) if name in given}
    lines = ["---"]
    for name, value in wanted.items():
        lines += field_lines(name, value)
    heading = heading_text(title)
    prose = body.replace("\r\n", "\n").strip("\n")
    if prose.split("\n", 1)[0].strip() == f"# {heading}":
        prose = prose.partition("\n")[2].strip("\n")
    lines += ["---", f"# {heading}", ""]
    if prose.strip():
        lines += [prose, ""]
    data = "\n".join(lines).encode()
    _read_back(data, wanted, heading)
    return data


def heading_text(title: str) -> str:
    """A title as the text of a heading: one line, nothing hidden."""
    text = " ".join(title.split())
    if not text or any(is_hidden(char) for char in text):
        raise UsageError(
            f"the title {plain(title[:60])!r} is empty or has a control character", "give one line"
        )
    return re.sub(r"((?:^|[ \t])#*)#$", r"\1\\#", text)


def _read_back(data: bytes, wanted: dict[str, Any], heading: str) -> None:
    parts = split(data)
    try:
        if parts.fault:
            raise Unsound(parts.fault)
        values = read_fields(parts).values
    except Unsound as unsound:
        raise UsageError(
            f"the note could not be read back: {unsound.fault.message}", unsound.fault.fix
        ) from None
    if values != wanted or first_heading(parts.text[parts.body :]) != heading:
        raise UsageError("the note would not read back as it was given", "take odd characters out")


def _plain(value: Any) -> Any:
    """Tuples as lists, numbers as text: what YAML of ours gives back."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return str(value)
