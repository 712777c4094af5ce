"""What ``mem apply`` does with the words it was given, whoever took them apart."""

from __future__ import annotations

from memwarden.cli.carrying import carry_saved, desk_of
from memwarden.cli.stage import Running, ground
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT
from memwarden.edge.writing.plans import forgets


def apply_plan(ctx: Running, plan: str, lock_timeout: float = DEFAULT_TIMEOUT) -> int:
    """Write a previewed plan, whatever it does; the result is the exit code."""
    desk = desk_of(ground(ctx))
    plan_id = plan.strip()
    if forgets(desk.place, plan_id):
        from memwarden.cli.erase_request import finish_erasing  # only what forgets searches everything

        return finish_erasing(ctx, desk, plan_id, lock_timeout)
    return carry_saved(ctx, "apply", desk, plan_id, lock_timeout)
