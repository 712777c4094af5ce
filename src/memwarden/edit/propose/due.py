"""Whether what an imported debt waits for has come already.

A condition that holds on the day it is written would pay for nothing that was done, so it is not kept;
that it holds is what the person who decides wants to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memwarden.core.condition import HOLDS
from memwarden.core.note import DEBT
from memwarden.edit.condition_reader import read_condition
from memwarden.judge.judge import judge_closely

if TYPE_CHECKING:
    from memwarden.edit.importing.harvest import Claim
    from memwarden.edit.propose.bench import Bench


def with_verdict(bench: Bench, claim: Claim) -> tuple[Claim, frozenset[str]]:
    """The claim as it may be kept, and the paths that its condition looked at."""
    if claim.lifecycle != DEBT or not claim.until:
        return claim._replace(until=None), frozenset()
    condition, _ = read_condition(dict(claim.until), "condition")
    if condition is None:
        return claim._replace(until=None), frozenset()
    judged = judge_closely(condition, bench.memory.workspace, bench.around.judging)
    if judged.verdict.state != HOLDS:
        return claim, frozenset(judged.reads)
    come = (
        f"What it waits for has come ({judged.verdict.why}), so it carries no condition: do it, or reject it."
    )
    return claim._replace(until=None, body=f"{claim.body}\n\n{come}".strip()), frozenset(judged.reads)
