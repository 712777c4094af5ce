"""Canonical bytes are JSON, keep the value, and do not depend on the order of keys."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.core.canonical import MOST_EXACT, canonical

pytestmark = pytest.mark.property

TEXT = st.text(st.characters(exclude_categories=("Cs",)))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MOST_EXACT, MOST_EXACT)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def as_others_read(digits: str) -> float:
    return int(digits) if abs(int(digits)) <= MOST_EXACT else float(digits)


@given(VALUES)
def test_canonical_bytes_read_back_as_the_same_value(value: Any) -> None:
    assert json.loads(canonical(value), parse_int=as_others_read) == value


@given(VALUES)
def test_canonical_bytes_are_a_fixed_point(value: Any) -> None:
    first = canonical(value)
    assert canonical(json.loads(first)) == first


@given(st.data(), st.dictionaries(TEXT, VALUES, max_size=6))
def test_the_order_of_keys_does_not_matter(data: st.DataObject, value: dict[str, Any]) -> None:
    shuffled = dict(data.draw(st.permutations(list(value.items()))))
    assert canonical(shuffled) == canonical(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_keeps_its_value_to_the_last_bit(number: float) -> None:
    assert float(canonical(number)) == number
