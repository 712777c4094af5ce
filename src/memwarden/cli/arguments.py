"""The arguments and options that more than one verb has, with one text of help each."""

from __future__ import annotations

from typing import Annotated

import typer

from memwarden.cli.from_here import note_said

NoteArgument = Annotated[
    str, typer.Argument(metavar="NOTE", callback=note_said, help="Its ID, its path, or a part of either.")
]
Reason = Annotated[str, typer.Option(help="Why; it is kept with the event.", show_default=False)]

# What a note claims, where one is written or admitted.
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
