"""What every command shares: the common options, the ground it stands on, and how it ends.

A command is a typer function in one of the group modules.  It takes ``ctx: typer.Context`` first, asks
:func:`ground` where it is, decides with one call into the layers below, shows, and returns (exit 0) or
raises ``typer.Exit(code)``.  A :class:`MemError` that it lets through is shown by ``cli.app.run``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand

from memwarden.cli.stage import Common as Common
from memwarden.cli.stage import Ground as Ground
from memwarden.cli.stage import common as common
from memwarden.cli.stage import error_fields as error_fields
from memwarden.cli.stage import failed as failed
from memwarden.cli.stage import ground as ground
from memwarden.cli.stage import json_text as json_text
from memwarden.cli.stage import print_json as print_json
from memwarden.cli.stage import say as say
from memwarden.cli.stage import show_error as show_error
from memwarden.cli.stage import warn_unfinished as warn_unfinished
from memwarden.cli.stage import write as write


class CommonCommand(TyperCommand):
    """A command that also takes the common options, wherever they stand among its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.help = _flowing(self.help or "")
        self.params.extend(_common_options())

    def get_help(self, ctx: Any) -> str:
        return help_of(self, super().get_help, ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        given = {name: ctx.params.pop(f"common_{name}") for name in Common._fields if name != "color"}
        no_color = ctx.params.pop("common_no_color")
        ctx.obj = Common(color=not no_color, **{k: v or type(v)() for k, v in given.items()})
        return rest


def help_of(program: Any, get_help: Callable[[Any], str], ctx: Any) -> str:
    """What is left to print of the help of ``program``: boxes are for a terminal, and elsewhere it is written
    as every other answer is, so that what cannot be written is told as it always is."""
    if sys.stdout.isatty():
        return get_help(ctx)
    program.rich_markup_mode = None
    write(get_help(ctx).rstrip("\n"))
    return ""


def _flowing(text: str) -> str:
    """Each paragraph as one line, for the terminal to fold: the source's own folds are not its width."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _common_options() -> list[typer.core.TyperOption]:
    return [
        typer.core.TyperOption(
            param_decls=["--root", "common_root"],
            default="",
            metavar="DIR",
            help="The repository, in place of the one around the current folder.",
            show_default=False,
        ),
        typer.core.TyperOption(
            param_decls=["--now", "common_now"],
            default="",
            metavar="DATE",
            help="Pin the UTC date, for the same answer again later.",
            show_default=False,
        ),
        typer.core.TyperOption(
            param_decls=["--json", "common_json"],
            default=False,
            is_flag=True,
            help="Print one JSON object.",
            show_default=False,
        ),
        typer.core.TyperOption(
            param_decls=["--quiet", "-q", "common_quiet"],
            default=False,
            is_flag=True,
            help="Print results and errors only.",
            show_default=False,
        ),
        typer.core.TyperOption(
            param_decls=["--no-color", "common_no_color"],
            default=False,
            is_flag=True,
            help="No colour; NO_COLOR in the environment does the same.",
            show_default=False,
        ),
    ]
