"""``mem add``: write down one claim; one step is enough for the common case."""

from __future__ import annotations

from typing import Annotated

import typer

from memwarden.cli.add_request import Claims, Wording, add_note
from memwarden.cli.app import command
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, finished

Text = Annotated[
    str, typer.Argument(metavar="[TEXT]", help="The title, or with --title the body.", show_default=False)
]
Debt = Annotated[bool, typer.Option("--debt", help="It ends when one particular change lands.")]
Until = Annotated[
    str,
    typer.Option(
        metavar="EXPR",
        help="What makes the debt paid: contains:PATH:PATTERN, lacks:PATH:PATTERN, exists:PATH, absent:PATH, "
        "after:DATE, command:WORDS, or YAML with @FILE or -.",
        show_default=False,
    ),
]
Anchor = Annotated[
    list[str] | None,
    typer.Option(metavar="GLOB", help="Touching these paths brings it up.", show_default=False),
]
OnCommand = Annotated[
    list[str] | None,
    typer.Option(metavar="REGEX", help="Running such a command brings it up.", show_default=False),
]
SubjectOption = Annotated[
    str,
    typer.Option(
        help="What it is about: a subject, path:PATH or project, with or without #ASPECT.", show_default=False
    ),
]
NewSubject = Annotated[bool, typer.Option("--new-subject", help="Create the subject in the same plan.")]
Facet = Annotated[str, typer.Option(help="The dimension of the subject that it governs.", show_default=False)]
Module = Annotated[str, typer.Option(help="The module of the memory that takes it.", show_default=False)]
EvidenceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence",
        metavar="KEY:VALUE",
        help="Why it is believed: user, file, doc, test, issue, pr, commit.",
        show_default=False,
    ),
]
Supersedes = Annotated[
    list[str] | None, typer.Option(metavar="NOTE", help="The note that it stands in for.", show_default=False)
]
ExceptionTo = Annotated[
    str,
    typer.Option(metavar="NOTE", help="The project note that an area note departs from.", show_default=False),
]
Verify = Annotated[
    str,
    typer.Option(
        metavar="EXPR",
        help="What shows that the rule still holds; written as for --until.",
        show_default=False,
    ),
]
Expires = Annotated[
    str, typer.Option(metavar="DATE", help="The last day on which it counts.", show_default=False)
]
NotBefore = Annotated[
    str, typer.Option(metavar="DATE", help="The first day on which it counts.", show_default=False)
]
Tag = Annotated[list[str] | None, typer.Option(help="A free label.", show_default=False)]


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
