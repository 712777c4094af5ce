"""``mem add``: write down one claim; one step is enough for the common case."""

from __future__ import annotations

from typing import Annotated

import typer

from memwarden.cli.add_request import Claims, Wording, add_note
from memwarden.cli.app import command
from memwarden.cli.arguments import (
    Anchor,
    Debt,
    EvidenceOption,
    ExceptionTo,
    Expires,
    Facet,
    Module,
    NewSubject,
    NotBefore,
    OnCommand,
    SubjectOption,
    Supersedes,
    Tag,
    Until,
    Verify,
)
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, finished

Text = Annotated[
    str, typer.Argument(metavar="[TEXT]", help="The title, or with --title the body.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add ``add``."""
    command(app, "add")(add)


def add(
    ctx: typer.Context,
    text: Text = "",
    title: Annotated[str, typer.Option(help="The title; TEXT is then the body.", show_default=False)] = "",
    body: Annotated[str, typer.Option(help="The body; - reads standard input.", show_default=False)] = "",
    debt: Debt = False,
    until: Until = "",
    anchor: Anchor = None,
    on_command: OnCommand = None,
    subject: SubjectOption = "",
    new_subject: NewSubject = False,
    facet: Facet = "",
    module: Module = "",
    evidence: EvidenceOption = None,
    supersedes: Supersedes = None,
    exception_to: ExceptionTo = "",
    verify: Verify = "",
    expires: Expires = "",
    not_before: NotBefore = "",
    tag: Tag = None,
    candidate: Annotated[
        bool, typer.Option("--candidate", help="Keep it in the inbox, whatever speaks for it.")
    ] = False,
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Write down one claim: a rule, or with --debt something that ends.

    Without a condition, mem add "TEXT" --anchor FILE is enough: the rest is filled in and shown.
    """
    claims = Claims(
        debt,
        until,
        anchor,
        on_command,
        subject,
        new_subject,
        facet,
        module,
        evidence,
        supersedes,
        exception_to,
        verify,
        expires,
        not_before,
        tag,
    )
    finished(add_note(ctx, Wording(text, title, body, candidate, apply, lock_timeout), claims))
