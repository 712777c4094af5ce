"""The command line as typer knows it: which module holds which command, and how errors end.

Only the module of the command that was asked for is imported; help imports them all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typing import Any

import typer
from typer.core import TyperGroup

from memwarden.cli.frame import CommonCommand, failed, help_of
from memwarden.cli.guesses import VERBS, as_meant, leading, refuse_extra, refuse_other_words
from memwarden.cli.stage import say_no_more, tell
from memwarden.cli.verbs import GROUPS as GROUPS
from memwarden.cli.verbs import PANELS
from memwarden.core.nearest import is_near
from memwarden.core.secrets import redact
from memwarden.edge.answers.recall import OUTPUT
from memwarden.errors import EXIT_USAGE, MemError, UsageError

# click itself is a part of typer since 0.28 and a package of its own before: asked for by neither name.
ClickException: Any = typer.BadParameter.__mro__[2]


class Commands(TyperGroup):
    """Suggests the nearest command for an unknown one, and lists them in the contract's order."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def get_help(self, ctx: Any) -> str:
        return help_of(self, super().get_help, ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Where there are no boxes, a heading and a list for each of them."""
        margin = max(map(len, self.commands), default=0)
        for panel in dict.fromkeys(getattr(one, "rich_help_panel", None) for one in self.commands.values()):
            with formatter.section(panel if isinstance(panel, str) else "Commands"):
                formatter.write_dl(
                    [
                        (name.ljust(margin), (one.help or "").partition("\n\n")[0])
                        for name, one in self.commands.items()
                        if getattr(one, "rich_help_panel", None) == panel
                    ]
                )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Common options may stand before a command.  Where there is none, the help is a message about that
        and no result: it goes to standard error, and the command line is wrong."""
        first, rest = leading(args)
        if rest or ctx.resilient_parsing:
            return list(super().parse_args(ctx, [*rest[:1], *first, *rest[1:]]))
        if "--json" in first:
            raise UsageError("no command is given", f"{ctx.command_path} -h lists them")
        try:
            with redirect_stdout(sys.stderr):
                typer.echo(ctx.get_help())
        except OSError:
            say_no_more(sys.stderr)
        raise typer.Exit(EXIT_USAGE)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """What typer takes for near is not always near."""
        self.suggest_commands = False
        try:
            return super().resolve_command(ctx, args)
        except ClickException as error:
            near = [name for name in self.commands if args and is_near(args[0], name)]
            if near:
                error.message = f"{error.message.rstrip('.')}. Did you mean {' or '.join(near[:2])}?"
            raise


def build(verb: str = "") -> typer.Typer:
    """The whole program, or only what the command ``verb`` needs."""
    app = _empty()
    wanted = [group for group, verbs in GROUPS.items() if verb in verbs] or list(GROUPS)
    for group in wanted:
        import_module(f"memwarden.cli.{group}").register(app)
    return app


def listed() -> typer.Typer:
    """What the list of commands shows, without the commands."""
    app = _empty()
    summaries = {name: summary for verbs in GROUPS.values() for name, summary in verbs.items()}
    for panel, names in PANELS.items():
        for name in names:
            app.command(name, help=summaries[name], rich_help_panel=panel)(_stand_in)
    return app


def _empty() -> typer.Typer:
    app = typer.Typer(
        name="mem",
        cls=Commands,
        help="Repo-native Markdown memory for coding agents and the people who review their work.",
        no_args_is_help=True,
        add_completion=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )
    app.callback()(_program)
    return app


def _stand_in() -> None:
    """In the list of commands, in place of one that was not asked for."""


def _program(
    version: bool = typer.Option(False, "--version", "-V", help="Print the version.", is_eager=True),
) -> None:
    if version:
        from memwarden import __version__

        typer.echo(f"mem {__version__}")
        raise typer.Exit


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The decorator that every group uses: ``@command(app, "route")``."""
    return app.command(name, cls=CommonCommand)


def _is_completing() -> bool:
    """Whether a shell asks what a line may go on with."""
    return any(name.startswith("_MEM") for name in os.environ)


def _completed() -> str:
    """The command in the line that a shell completes; it has the line in variables of its own."""
    line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return next((word for word in line.split()[1:] if word in VERBS), "")


def _program_for(verb: str) -> Any:
    """The command ``verb``, or the list of all."""
    program = typer.main.get_command(build(verb) if verb in VERBS else listed())
    if verb and _is_completing():
        from memwarden.cli.completing import teach

        teach(program)
    return program


def run(arguments: list[str]) -> int:
    """Run one command line and give its exit code; every error ends here."""
    as_json, verb = "--json" in arguments, ""
    try:
        arguments = as_meant(arguments)
        verb = next((word for word in arguments if not word.startswith("-")), "")
        refuse_other_words(verb)
        program = _program_for(verb or (_completed() if _is_completing() else ""))
        result = program.main(args=arguments, prog_name="mem", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise  # a shell completes words
        return ended(end.__context__, verb, as_json)
    except (Exception, KeyboardInterrupt) as error:
        if _is_completing() and not isinstance(error, KeyboardInterrupt):
            return 0  # there is nothing to complete
        code = ended(_plainer(error, arguments), verb, as_json)
        return _as_host_reads(code, arguments) if verb == "hook" else code


def _as_host_reads(code: int, arguments: list[str]) -> int:
    from memwarden.cli.host_exit import as_host_reads

    return as_host_reads(code, arguments)


def _plainer(error: BaseException, arguments: list[str]) -> BaseException:
    """The parser's complaint about words that are too many, as one that says what was meant."""
    if isinstance(error, ClickException) and "unexpected extra argument" in error.format_message():
        try:
            refuse_extra(arguments)
        except UsageError as plainer:
            return plainer
    return error


def ended(error: BaseException, verb: str, as_json: bool) -> int:
    """The exit code of a command that an exception ended, by whichever door it came in; what is no
    answer to the person goes on up."""
    if isinstance(error, MemError):
        return failed(error, verb, as_json)
    if isinstance(error, typer.Exit):
        return error.exit_code
    if isinstance(error, typer.Abort | KeyboardInterrupt):
        return 130
    if isinstance(error, ClickException):
        if as_json:  # still exactly one object
            return failed(
                UsageError(error.format_message(), f"mem {verb} --help" if verb in VERBS else "mem --help"),
                verb,
                True,
            )
        error.message = redact(error.message)
        shown = StringIO()
        error.show(shown)
        tell(shown.getvalue())
        return EXIT_USAGE
    if isinstance(error, BrokenPipeError):
        say_no_more(sys.stdout)  # the reader went away (``mem list | head``)
        return 0
    if isinstance(error, OSError):
        return _refused_by_system(error, verb, as_json)
    raise error


def _refused_by_system(error: OSError, verb: str, as_json: bool) -> int:
    """Say in one line, without this machine's folders, what the system would not do."""
    what = error.strerror or type(error).__name__
    name = os.path.basename(error.filename) if isinstance(error.filename, str) else ""
    told = UsageError(f"{name}: {what}" if name else what)
    if not name and isinstance(error, FileNotFoundError):  # nothing is asked for its name but where we are
        told = UsageError("the current folder is gone", "go to a folder that is there")
    try:
        sys.stdout.flush()  # the help is written by the parser, which does not say what failed
    except OSError:
        told = UsageError(f"{OUTPUT}: {what}")
    code = failed(told, verb, as_json)
    try:
        sys.stdout.flush()
    except OSError:
        say_no_more(sys.stdout)
    return code
