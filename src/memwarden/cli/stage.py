"""Where a command stands and how it speaks, without the parser of the command line.

Apart from :mod:`memwarden.cli.frame`, so that a command whose words are few need not load a parser that
costs six times a start of Python.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from memwarden.core.actor import HUMAN, Actor
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.secrets import redact
from memwarden.core.visible import plain
from memwarden.edge.actor import actor_from
from memwarden.edge.answers.recall import OUTPUT, wait_to_write
from memwarden.edge.clock import moment
from memwarden.edge.place import Place, find_place, require_memory, require_protocol
from memwarden.errors import MemError, NoMemory
from memwarden.render.json_text import json_text as json_text

if TYPE_CHECKING:
    from typing import Any, Protocol
else:
    Protocol = object


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
        """Asked for by commands that write: for a person it takes a git process, once."""
        found = actor_from(self.env)
        if found.kind != HUMAN or self.env.get("MEM_ACTOR"):
            return found
        return actor_from(self.env, _git_user(self.place))


class Running(Protocol):
    """The running command: its name, and the common options as its ``obj``."""

    obj: Any
    info_name: str | None


def common(ctx: Running) -> Common:
    """The common options of the running command."""
    found = ctx.obj
    return found if isinstance(found, Common) else Common()


def ground(ctx: Running, *, memory: bool = True) -> Ground:
    """Where the command stands; with ``memory`` a repository without one is :class:`NoMemory`."""
    options = common(ctx)
    start = options.root or os.getcwd()
    place = find_place(start)
    if options.root:
        place = place._replace(root=os.path.realpath(start)) if _is_top(place, start) else place
    if memory:
        _require_memory(place)
        require_protocol(place)
        warn_unfinished(ctx, place)
    now = moment(options.now)
    return Ground(place, now, now[:10], os.environ, options)


def _require_memory(place: Place) -> None:
    try:
        require_memory(place)
    except NoMemory:
        from memwarden.edge.tree.missing import missing_memory  # asks git, once nothing is left to lose

        found = missing_memory(place)
        if found is None:
            raise
        raise NoMemory(found.why, found.next_step) from None


def warn_unfinished(ctx: Running, place: Place) -> None:
    """Say that a change was cut short, once, unless the command itself is about that."""
    global _warned
    if (
        _warned is ctx
        or ctx.info_name in ("apply", "recover", "check")
        or not os.path.lexists(os.path.join(place.private, "journal"))
    ):
        return
    from memwarden.edge.writing.recovery import warning  # only after a crash

    _warned = ctx
    say(ctx, f"mem: warning: {warning(place)}")


def _is_top(place: Place, start: str) -> bool:
    return os.path.realpath(start) == place.root


def _git_user(place: Place) -> str:
    """The person's name as git knows it, read by git itself so that every config file counts."""
    if place not in _names:
        from memwarden.edge.git.plumbing import config_value

        _names[place] = config_value(place, "user.name")
    return _names[place]


_names: dict[Place, str] = {}
_warned: Running | None = None


def print_json(command: str, fields: Mapping[str, Any]) -> None:
    """One object on standard output, with its schema first; UTF-8 whatever the locale says."""
    _write(sys.stdout, json_text({"schema": f"mem.{command}/1", **fields}, indent=2))


def write(text: str) -> None:
    """Results, to standard output, as UTF-8, without any secret; a terminal that cannot show a character
    gets an escape."""
    _write(sys.stdout, redact(text))


def say(ctx: Running, text: str) -> None:
    """A message, to standard error, unless ``--quiet``."""
    if not common(ctx).quiet:
        tell(redact(text).rstrip("\n") + "\n")


def tell(text: str) -> None:
    """What is said to whoever reads standard error; that nobody can changes nothing of how a command ends."""
    try:
        _write(sys.stderr, text)
    except OSError:
        say_no_more(sys.stderr)


def say_no_more(stream: Any) -> None:
    """What could not be written is not tried again, and not complained about, when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _write(stream: Any, text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    if stream.isatty() and (stream.encoding or "").lower().replace("-", "") != "utf8":
        data = text.encode(stream.encoding or "ascii", "backslashreplace")
    try:
        below = stream.buffer
    except AttributeError:  # a stream without bytes below it, as tests use
        stream.write(text)
        return
    try:
        _send(stream, below, data)
    except OSError as refused:
        refused.filename = OUTPUT if stream is sys.stdout else None
        raise


def _send(stream: Any, below: Any, data: bytes) -> None:
    _flush(stream)
    view = memoryview(data)
    while view:
        try:
            taken = below.write(view)  # not always all of it where Python was told not to buffer
        except BlockingIOError as full:  # somebody made the stream non-blocking
            taken = full.characters_written
        if not taken:
            wait_to_write(stream.fileno())
        view = view[taken or 0 :]
    _flush(stream)


def _flush(stream: Any) -> None:
    while True:
        try:
            stream.flush()
            return
        except BlockingIOError:
            wait_to_write(stream.fileno())


def show_error(error: MemError) -> None:
    """``mem: what is wrong`` and, on a line of its own, the next step.  A message quotes what was said,
    and a token said in the wrong place is still a token."""
    lines = [f"mem: {plain(redact(error.message))}"]
    for found in error.findings:
        lines.append(f"  {plain(found.path)}:{found.line or 1}: {found.code} {plain(redact(found.message))}")
        if found.fix and found.fix != error.next_step:
            lines.append(f"    fix: {plain(redact(found.fix))}")
    if error.next_step:
        lines.append(f"  next: {plain(redact(error.next_step))}")
    tell("\n".join(lines) + "\n")


def error_fields(error: MemError) -> dict[str, object]:
    """What a failed command prints under ``--json``: still exactly one object."""
    return {
        "error": {
            "message": redact(error.message),
            "next_step": redact(error.next_step),
            "exit": error.exit_code,
        },
        "findings": [f._replace(message=redact(f.message))._asdict() for f in error.findings],
    }


def _nothing_written(verb: str) -> dict[str, object]:
    """The fields that every mutating command has, also where it came to no plan."""
    from memwarden.cli.verbs import MUTATING

    return {"plan": None, "applied": False, "notes": []} if verb in MUTATING else {}


def failed(error: MemError, verb: str, as_json: bool) -> int:
    """Show an error and give its exit code, also where nobody can be shown."""
    if as_json:
        try:
            print_json(verb or "error", {**_nothing_written(verb), **error_fields(error)})
        except OSError:
            say_no_more(sys.stdout)
    show_error(error)
    return error.exit_code
