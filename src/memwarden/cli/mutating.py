"""What every mutating command takes, and how its typer function ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.carrying import carry
from memwarden.cli.carrying import desk_of as desk_of
from memwarden.cli.said import prose, reference
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT
from memwarden.edge.writing.mutation import Built

if TYPE_CHECKING:
    from typing import Any

    from memwarden.cli.carrying import MoreFields
    from memwarden.core.memory import Memory
    from memwarden.edge.writing.mutation import MakeIntent

Apply = Annotated[bool, typer.Option("--apply", help="Write at once: preview and apply under one lock.")]
LockTimeout = Annotated[
    float, typer.Option("--lock-timeout", metavar="SECONDS", help="How long to wait for the lock.")
]
TIMEOUT = DEFAULT_TIMEOUT


def run_mutation(
    ctx: typer.Context,
    command: str,
    make_intent: MakeIntent,
    *,
    apply: bool = False,
    lock_timeout: float = DEFAULT_TIMEOUT,
    more: MoreFields | None = None,
    page: Callable[[Built], str] | None = None,
    short: bool = False,
) -> None:
    """:func:`carry`, for a typer function."""
    finished(
        carry(
            ctx,
            command,
            make_intent,
            apply=apply,
            lock_timeout=lock_timeout,
            more=more,
            page=page,
            short=short,
        )
    )


def run_with_reason(
    ctx: typer.Context, command: str, note: str, reason: str, apply: bool, lock_timeout: float
) -> None:
    """A change to one note for which the person may give a reason."""

    def make_intent(memory: Memory) -> dict[str, Any]:
        said = prose(reason, "--reason").strip()
        return {"command": command, "note": reference(memory, note), "reason": said}

    run_mutation(ctx, command, make_intent, apply=apply, lock_timeout=lock_timeout)


def finished(code: int) -> None:
    """End a typer function with this exit code."""
    if code:
        raise typer.Exit(code)
