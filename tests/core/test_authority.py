"""What an agent may do on its own authority, and what only a person decides."""

from __future__ import annotations

import pytest

from memwarden.core.authority import DECISIONS, FORGET, PAY, decided_by, may
from memwarden.core.manifest import Settings


@pytest.mark.parametrize("act", sorted(DECISIONS))
def test_an_agent_decides_nothing_unless_the_manifest_lets_it(act: str) -> None:
    assert not may("agent", act, Settings())
    assert may("agent", act, Settings(agents_may_admit=True))
    assert may("human", act, Settings())
    assert may("ci", act, Settings())


def test_what_is_no_decision_is_anybodys() -> None:
    assert may("agent", "", Settings())


def test_a_payment_that_its_condition_proves_is_no_decision() -> None:
    assert decided_by("paid", {"how": "touch"}) == ""
    assert decided_by("paid", {"how": "declared", "verdict": {"state": "holds"}}) == ""
    assert decided_by("paid", {"how": "declared", "verdict": {"state": "fails"}}) == PAY
    assert decided_by("paid", {"how": "declared", "verdict": {"state": "cannot-tell"}}) == PAY
    assert decided_by("paid", {"how": "declared"}) == PAY


def test_forgetting_is_a_decision_and_opening_again_is_none() -> None:
    kinds = ("forgotten", "purged", "rejected", "reinstated", "admitted", "missed")
    assert [decided_by(kind, {}) for kind in kinds] == [FORGET, FORGET, "", "", "", ""]
