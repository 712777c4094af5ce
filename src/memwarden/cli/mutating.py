"""What every mutating command takes, and how its typer function ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from memwarden.cli.carrying import carry
from memwarden.cli.carrying import desk_of as desk_of
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT
from memwarden.edge.writing.mutation import Built

if TYPE_CHECKING:
    from memwarden.cli.carrying import MoreFields
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


def finished(code: int) -> None:
    """End a typer function with this exit code."""
    if code:
        raise typer.Exit(code)
