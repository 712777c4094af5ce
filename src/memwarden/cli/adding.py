"""``mem add``: write down one claim; one step is enough for the common case."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from memwarden.cli.app import command
from memwarden.cli.frame import Ground, common, ground
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, run_mutation
from memwarden.cli.said import (
    anchors_said,
    condition_said,
    date_said,
    default_evidence,
    evidence_said,
    new_id,
    one_line,
    prose,
    read_text,
    reference,
)
from memwarden.core.memory import Memory
from memwarden.errors import UsageError

# How a person says at the question that a debt will be declared paid.
DECLARED = ("paid", "declared", "event")

Text = Annotated[
    str, typer.Argument(metavar="[TEXT]", help="The title, or with --title the body.", show_default=False)
]
Debt = Annotated[bool, typer.Option("--debt", help="It ends when one particular change lands.")]
Until = Annotated[
    str,
    typer.Option(
        metavar="EXPR", help="What makes the debt paid, e.g. contains:PATH:PATTERN.", show_default=False
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
    str, typer.Option(metavar="EXPR", help="What shows that the rule still holds.", show_default=False)
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
    here = ground(ctx)
    if not debt and not until and not apply and _may_ask(ctx):
        debt, until = _ask_what_ends_it()
    said = {
        **_wording(text, title, body),
        "command": "add",
        "date": here.today,
        "by": here.actor.kind,
        **claims(
            here,
            debt=debt,
            until=until,
            verify=verify,
            anchor=anchor,
            on_command=on_command,
            subject=subject,
            new_subject=new_subject,
            facet=facet,
            module=module,
            expires=expires,
            not_before=not_before,
            tag=tag,
        ),
        "evidence": evidence_said(evidence or ()) or default_evidence(here.actor, here.today),
        "candidate": candidate,
    }

    def make_intent(memory: Memory) -> dict[str, Any]:
        return {
            **said,
            "id": new_id(memory),
            "supersedes": [reference(memory, name) for name in supersedes or ()],
            "exception_to": reference(memory, exception_to) if exception_to else "",
        }

    run_mutation(ctx, "add", make_intent, apply=apply, lock_timeout=lock_timeout)


def claims(
    here: Ground,
    *,
    debt: bool,
    until: str,
    verify: str,
    anchor: list[str] | None,
    on_command: list[str] | None,
    subject: str,
    new_subject: bool,
    facet: str,
    module: str,
    expires: str,
    not_before: str,
    tag: list[str] | None,
) -> dict[str, Any]:
    """The part of an intent that ``add`` and ``admit`` have in common."""
    debt = debt or bool(until)
    if debt and verify:
        raise UsageError("--verify is for rules", "a debt has --until: what makes it paid")
    if new_subject and not subject:
        raise UsageError("--new-subject needs --subject", "name the subject that is to be created")
    return {
        "debt": debt,
        "until": condition_said(until, "--until"),
        "verify": condition_said(verify, "--verify"),
        "anchors": anchors_said(anchor or (), on_command or ()),
        "subject": one_line(subject, "--subject") if subject else "",
        "new_subject": new_subject,
        "facet": one_line(facet, "--facet") if facet else "",
        "module": module,
        "expires": date_said(expires, "--expires"),
        "not_before": date_said(not_before, "--not-before"),
        "tags": [one_line(word, "--tag") for word in tag or ()],
    }


def _wording(text: str, title: str, body: str) -> dict[str, str]:
    """The title and the body: TEXT is the title, or with ``--title`` the body."""
    if title and text and body:
        raise UsageError(
            "TEXT, --title and --body are one too many", "TEXT is the body when --title is given"
        )
    said_body = read_text(body, "--body") if body else ""
    if title:
        said_body = said_body or read_text(text, "TEXT")
    elif not text:
        raise UsageError(
            "nothing to add", 'say it: mem add "config/app.yaml is generated: edit the template"'
        )
    else:
        title, _, rest = read_text(text, "TEXT").strip().partition("\n")
        said_body = said_body or rest
    return {"title": one_line(title, "the title"), "body": prose(said_body, "the body").strip("\n")}


def _may_ask(ctx: typer.Context) -> bool:
    return not common(ctx).json and sys.stdin.isatty() and sys.stdout.isatty()


def _ask_what_ends_it() -> tuple[bool, str]:
    """The one question: what would make this note unnecessary?"""
    answer = typer.prompt(
        "What would make this note unnecessary? Enter: nothing, it is a rule; a condition such as"
        " contains:PATH:PATTERN; or: paid, when you will declare it paid",
        default="",
        show_default=False,
        err=True,
    ).strip()
    if not answer:
        return False, ""
    return (True, "") if answer.lower() in DECLARED else (True, answer)
