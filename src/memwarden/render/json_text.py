"""A value as JSON, every secret in its texts masked; for every door, so that it imports next to nothing."""

from __future__ import annotations

import json

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.secret_signs import may_hold_secret
from memwarden.core.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# What JSON writes for characters that a word does not contain, and after which a token may begin.
_ESCAPES = ("\\\\", "\\n", "\\t", "\\r", '\\"', "\\f", "\\b")


def json_text(value: Mapping[str, Any], indent: int | None = None) -> str:
    """The JSON of a value, and a newline."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if _is_suspect(text):  # the texts one by one: a mask must not span two
        text = json.dumps(_masked(value), ensure_ascii=False, indent=indent)
    return text + "\n"


def _is_suspect(text: str) -> bool:
    if "\\" not in text:
        return may_hold_secret(text)
    if "\\u" in text:
        return True
    for escape in _ESCAPES:
        text = text.replace(escape, " ")
    return may_hold_secret(text)


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _masked(inner) for key, inner in value.items()}
    return [_masked(inner) for inner in value] if isinstance(value, list | tuple) else value
