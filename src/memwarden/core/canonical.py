"""One spelling for every JSON value (RFC 8785), so that a digest names content and not layout.

A formatter may re-indent an event, git may turn its line ends, another program may sort its keys: the
canonical bytes, and with them the digest in its name, stay the same.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from memwarden.core.condition import Condition

# Up to this an integer is the same number to every reader of JSON (I-JSON, RFC 7493).
MOST_EXACT = 2**53 - 1

_ESCAPES = {code: f"\\u{code:04x}" for code in range(0x20)} | {
    0x08: "\\b",
    0x09: "\\t",
    0x0A: "\\n",
    0x0C: "\\f",
    0x0D: "\\r",
    0x22: '\\"',
    0x5C: "\\\\",
}


def canonical(value: Any) -> bytes:
    """The RFC 8785 bytes of a JSON value.

    Raises :class:`ValueError` for what has no canonical form: other types, infinities, integers that
    are not exact everywhere, keys that are not text, and text that is not Unicode (lone surrogates).
    """
    return _text(value).encode("utf-8")


def digest(value: Any) -> str:
    """``sha256:`` and the hexadecimal SHA-256 of the canonical bytes."""
    return "sha256:" + hex_digest(canonical(value))


def hex_digest(data: bytes) -> str:
    """The hexadecimal SHA-256 of bytes."""
    from memwarden.core.sha256 import sha256  # most commands need no digest

    return sha256(data).hexdigest()


def condition_digest(condition: Condition | None) -> str:
    """The digest that a payment names, or "" where the debt has no condition."""
    if condition is None:
        return ""
    from memwarden.core.condition import as_mapping

    return digest(as_mapping(condition))


def _text(value: Any) -> str:
    if isinstance(value, str):
        if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
            return f'"{value}"'
        return '"' + value.translate(_ESCAPES) + '"'
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value)) if -MOST_EXACT <= value <= MOST_EXACT else _large(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_text(key)}:{_text(value[key])}" for key in _sorted_keys(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_text(part) for part in value) + "]"
    raise ValueError(f"{type(value).__name__} is not a JSON value")


def _sorted_keys(mapping: dict[str, Any]) -> list[str]:
    """RFC 8785 sorts keys by UTF-16 code units, which is not the order of code points."""
    for key in mapping:
        if not isinstance(key, str):
            raise ValueError(f"{type(key).__name__} is not a key of a JSON object")
    if "".join(mapping).isascii():
        return sorted(mapping)
    return sorted(mapping, key=lambda key: key.encode("utf-16-be"))


def _large(value: int) -> str:
    """An integer that other readers hold as a double: only one that survives that is the same number."""
    if abs(value) >= 10**21 or _number(float(value)) != str(value):
        raise ValueError(f"{value} is not an exact number in every JSON reader")
    return str(value)


def _number(value: float) -> str:
    """A number as ECMAScript writes it: Python's digits are the same shortest ones, the layout is not."""
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError("JSON has no infinity and no not-a-number")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, power = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    # The value is 0.DIGITS times ten to the power of ``point``.
    point = int(power or 0) + len(whole) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = "." + digits[1:] if count > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if point > 0 else '-'}{abs(point - 1)}"
