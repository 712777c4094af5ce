"""What an agent may do on its own authority, and what only a person decides."""

from __future__ import annotations

import pytest

from memwarden.core.authority import DECISIONS, FORGET, PAY, REINSTATE, REJECT, decided_by, may
from memwarden.core.manifest import Settings


@pytest.mark.parametrize("act", sorted(DECISIONS))
@pytest.mark.parametrize("kind", ["agent", "ci"])
def test_an_agent_or_a_build_decides_nothing_unless_the_manifest_lets_it(kind: str, act: str) -> None:
    assert not may(kind, act, Settings())
    assert may(kind, act, Settings(agents_may_admit=True))
    assert may("human", act, Settings())


def test_what_is_no_decision_is_anybodys() -> None:
    assert may("agent", "", Settings())


def test_a_payment_that_its_condition_proves_is_no_decision() -> None:
    assert decided_by("paid", {"how": "touch"}) == ""
    assert decided_by("paid", {"how": "declared", "verdict": {"state": "holds"}}) == ""
    assert decided_by("paid", {"how": "declared", "verdict": {"state": "fails"}}) == PAY
    assert decided_by("paid", {"how": "declared", "verdict": {"state": "cannot-tell"}}) == PAY
    assert decided_by("paid", {"how": "declared"}) == PAY


def test_retiring_and_bringing_back_are_decisions() -> None:
    kinds = ("rejected", "reinstated", "forgotten", "purged", "admitted", "missed")
    assert [decided_by(kind, {}) for kind in kinds] == [REJECT, REINSTATE, FORGET, FORGET, "", ""]
