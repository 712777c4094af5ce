"""What every command shares: the common options, the ground it stands on, and how it ends.

A command is a typer function in one of the group modules.  It takes ``ctx: typer.Context`` first, asks
:func:`ground` where it is, decides with one call into the layers below, shows, and returns (exit 0) or
raises ``typer.Exit(code)``.  A :class:`MemError` that it lets through is shown by :func:`run`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand

from memwarden.core.actor import Actor
from memwarden.core.visible import plain
from memwarden.edge.actor import actor_from
from memwarden.edge.clock import moment
from memwarden.edge.place import Place, find_place, require_memory
from memwarden.errors import MemError


class Common(NamedTuple):
    """The options that every command takes."""

    root: str = ""
    now: str = ""
    json: bool = False
    quiet: bool = False
    color: bool = True


class Ground(NamedTuple):
    """Where a command stands: the repository, the moment, the date, who acts, and how to answer."""

    place: Place
    now: str
    today: str
    env: Mapping[str, str]
    common: Common

    @property
    def actor(self) -> Actor:
        """Asked for by commands that write: for a person it takes a git process."""
        return actor_from(self.env, _git_user(self.place))


class CommonCommand(TyperCommand):
    """A command that also takes the common options, wherever they stand among its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(_common_options())

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        given = {name: ctx.params.pop(f"common_{name}") for name in Common._fields if name != "color"}
        no_color = ctx.params.pop("common_no_color")
        ctx.obj = Common(color=not no_color, **{k: v or type(v)() for k, v in given.items()})
        return rest


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


def common(ctx: typer.Context) -> Common:
    """The common options of the running command."""
    found = ctx.obj
    return found if isinstance(found, Common) else Common()


def ground(ctx: typer.Context, *, memory: bool = True) -> Ground:
    """Where the command stands; with ``memory`` a repository without one is :class:`NoMemory`."""
    options = common(ctx)
    start = options.root or os.getcwd()
    place = find_place(start)
    if options.root:
        place = place._replace(root=os.path.realpath(start)) if _is_top(place, start) else place
    if memory:
        require_memory(place)
        _warn_unfinished(ctx, place)
    now = moment(options.now)
    return Ground(place, now, now[:10], os.environ, options)


def _warn_unfinished(ctx: typer.Context, place: Place) -> None:
    """Say that a change was cut short, unless the command itself is about that."""
    if ctx.info_name in ("apply", "recover", "check") or not os.path.lexists(
        os.path.join(place.private, "journal")
    ):
        return
    from memwarden.edge.recovery import warning  # only after a crash

    say(ctx, f"mem: warning: {warning(place)}")


def _is_top(place: Place, start: str) -> bool:
    return os.path.realpath(start) == place.root


def _git_user(place: Place) -> str:
    """The person's name as git knows it, read by git itself so that every config file counts."""
    from memwarden.edge.plumbing import config_value

    return config_value(place, "user.name")


def print_json(command: str, fields: Mapping[str, Any]) -> None:
    """One object on standard output, with its schema first; UTF-8 whatever the locale says."""
    write(json.dumps({"schema": f"mem.{command}/1", **fields}, ensure_ascii=False, indent=2) + "\n")


def write(text: str) -> None:
    """Results, to standard output, as UTF-8; a terminal that cannot show a character gets an escape."""
    _write(sys.stdout, text)


def say(ctx: typer.Context, text: str) -> None:
    """A message, to standard error, unless ``--quiet``."""
    if not common(ctx).quiet:
        _write(sys.stderr, text.rstrip("\n") + "\n")


def _write(stream: Any, text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    if stream.isatty() and (stream.encoding or "").lower().replace("-", "") != "utf8":
        data = text.encode(stream.encoding or "ascii", "backslashreplace")
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.flush()
    except AttributeError:  # a stream without bytes below it, as tests use
        stream.write(text)


def show_error(error: MemError) -> None:
    """``mem: what is wrong`` and, on a line of its own, the next step."""
    lines = [f"mem: {plain(error.message)}"]
    lines += [f"  {f.path}:{f.line}: {f.code} {plain(f.message)}" for f in error.findings]
    if error.next_step:
        lines.append(f"  next: {plain(error.next_step)}")
    _write(sys.stderr, "\n".join(lines) + "\n")
