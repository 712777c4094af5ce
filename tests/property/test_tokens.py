"""Budgets rest on the estimate, so its laws are checked on any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.core.tokens import estimate


@pytest.mark.property
@given(st.text(), st.text())
def test_estimate_is_monotone_and_at_least_one(text: str, more: str) -> None:
    assert 1 <= estimate(text) <= estimate(text + more)
    assert estimate(text + more) <= estimate(text) + estimate(more)
