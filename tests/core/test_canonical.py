"""RFC 8785: its own examples, and what has no canonical form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memwarden.core.canonical import canonical, condition_digest, digest
from memwarden.core.condition import CommandTest, PathTest


def test_the_example_of_the_rfc_keeps_its_bytes() -> None:
    value = json.loads(
        '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],'
        ' "string":'
        ' "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}'
    )
    assert canonical(value).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_keys_sort_by_utf16_code_units() -> None:
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\x80", "\u00f6"]
    ordered = ["\r", "1", "\x80", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical(dict.fromkeys(keys, 0)))) == ordered


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (5e-324, "5e-324"),
        (-1.7976931348623157e308, "-1.7976931348623157e+308"),
        (9007199254740992.0, "9007199254740992"),
        (295147905179352830000.0, "295147905179352830000"),
        (9.999999999999997e22, "9.999999999999997e+22"),
        (1e21, "1e+21"),
        (999999999999999700000.0, "999999999999999700000"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (0.25, "0.25"),
        (123.456, "123.456"),
        (-42, "-42"),
    ],
)
def test_numbers_are_written_as_ecmascript_does(number: float, text: str) -> None:
    assert canonical(number).decode() == text


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 2**53 + 1, 10**22, {1: "x"}, {"a": {1, 2}}, b"bytes", "\udcff", object()],
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        canonical(value)


def test_writing_a_default_out_does_not_change_a_conditions_digest() -> None:
    plain = CommandTest("command", ("pytest",))
    assert condition_digest(plain) == condition_digest(plain._replace(runs=1, expect=0))
    assert condition_digest(plain) == digest({"command": {"run": ["pytest"]}})
    assert condition_digest(PathTest("file_exists", "a")) != condition_digest(PathTest("file_absent", "a"))
    assert condition_digest(None) == ""
