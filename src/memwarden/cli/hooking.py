"""``mem hook`` and ``mem doctor``: speaking to agent hosts, wiring them, and looking after the wires."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.frame import Ground, common, ground, print_json, say, write
from memwarden.core.visible import plain
from memwarden.edge.clock import moment
from memwarden.edge.command.trust import trust_folder
from memwarden.edge.place import has_memory
from memwarden.errors import EXIT_REFUSED, UsageError
from memwarden.hook import answer
from memwarden.hosts import HOSTS, git, program, settings_file, settings_text, target
from memwarden.hosts.checkup import Checkup, HostState, check_up, unwired
from memwarden.hosts.wiring import WIRINGS, Caller


def register(app: typer.Typer) -> None:
    """Add ``hook`` and ``doctor``."""
    command(app, "hook")(hook)
    command(app, "doctor")(doctor)


def hook(
    ctx: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="HOST|install|uninstall", help="Who speaks, or what to do.", show_default=False
        ),
    ],
    host: Annotated[str, typer.Argument(metavar="[HOST]", help="The host to wire.", show_default=False)] = "",
    event: Annotated[str, typer.Option(help="The event, where the host's payload does not name it.")] = "",
    user: Annotated[bool, typer.Option("--user", help="Your own settings, for all projects.")] = False,
    settle: Annotated[bool, typer.Option("--settle", help="git: also record and stage payments.")] = False,
    print_only: Annotated[
        bool, typer.Option("--print", help="Show what would be added; write nothing.")
    ] = False,
) -> None:
    """Answer an agent host's event (JSON on standard input), or wire a host to do so.

    Hosts: claude, codex, gemini, cursor, copilot, git. The wiring goes into the project's settings file;
    --user puts it into your own.
    """
    if what in HOSTS and what != "git" and not host:
        raise typer.Exit(answer(what, event, moment(common(ctx).now)))
    if what in HOSTS and host in ("install", "uninstall"):
        raise UsageError(f"hook takes {host} before the host", f"mem hook {host} {what}")
    if what not in ("install", "uninstall"):
        raise UsageError(f"{what!r} is no host that speaks, nor install or uninstall", _usage())
    if host not in HOSTS:
        raise UsageError(f"{host!r} is no host" if host else f"hook {what} needs a host", _usage())
    if print_only:
        write(_shown(host, user, settle))
    elif host == "git":
        _wire_git(ctx, what, user, settle)
    else:
        _wire_agent(ctx, what, host, user)


ABSENT = (
    "no mem of ours is on PATH here, so these hooks do nothing yet: put it there (as pipx install . does)"
)
UNCHECKED = (
    "no memwarden is on PATH here, so commits go unchecked, and say so: put it there (as pipx install . does)"
)
EMPTY = "there is no memory/ here, so these hooks say nothing yet: mem init starts one"


def _usage() -> str:
    return "mem hook [install|uninstall] " + "|".join(HOSTS)


def _wire_agent(ctx: typer.Context, what: str, host: str, user: bool) -> None:
    wiring = WIRINGS[host]
    place = None if user else ground(ctx, memory=False).place  # one's own settings are in no repository
    file = target.settings(wiring, place, os.environ)
    memory = os.path.join(os.path.dirname(trust_folder(os.environ)), "installed")
    caller = _caller(file.personal)
    with file.named():
        if what == "install":
            done = settings_file.install(file.path, wiring, caller, memory)
        else:
            done = settings_file.uninstall(file.path, wiring, memory)
    advice = wiring.advice if what == "install" and done.action != "unchanged" else ""
    if what == "install" and not program.is_found(caller, os.environ):
        advice = f"{ABSENT}, or mem hook install {host} --user, which names the program by its place"
    if what == "install" and place is not None and not has_memory(place):
        advice = f"{advice}; {EMPTY}" if advice else EMPTY
    _report(ctx, host, file.shown, done.action, advice)


def _wire_git(ctx: typer.Context, what: str, user: bool, settle: bool) -> None:
    folder = target.hooks_folder(ground(ctx, memory=False).place, user)
    shown = f"{folder.shown}/{git.HOOK}"
    with folder.named():
        if what == "uninstall":
            _report(ctx, "git", shown, git.uninstall(folder.path).action, "")
            return
        caller = _caller(folder.personal)
        done = git.install(folder.path, caller.program, settle)
    absent = "" if program.is_found(Caller(git.name_in_block(caller.program)), os.environ) else UNCHECKED
    _report(ctx, "git", shown, done.action, git.passed_by(folder.path, folder.shown) or absent)
    if done.action == "by hand":
        say(ctx, "the hook there is not a shell script, so it was left alone; it has to run:")
        if not common(ctx).json:
            write(done.lines)
        raise typer.Exit(EXIT_REFUSED)


def _caller(personal: bool) -> Caller:
    """What is on this machine alone names the very program: a graphical client may have a bare PATH."""
    return program.local(os.environ) if personal else program.portable(os.environ)


def _shown(host: str, user: bool, settle: bool) -> str:
    if host == "git":
        return git.block(_caller(user).program, settle) + "\n"
    return settings_text.new_settings(WIRINGS[host], _caller(user))


def _report(ctx: typer.Context, host: str, path: str, action: str, advice: str) -> None:
    if common(ctx).json:
        print_json("hook", {"host": host, "path": path, "action": action, "advice": advice})
        return
    write(f"{path}: {action}\n")
    if advice:
        say(ctx, advice)


def doctor(ctx: typer.Context) -> None:
    """Show which hosts are wired, who has spoken last, whose mem runs, and what is damaged."""
    here = ground(ctx, memory=False)
    found = check_up(here.place, here.env)
    if common(ctx).json:
        print_json("doctor", _fields(found, here))
        return
    write(_page(found))


def _fields(found: Checkup, here: Ground) -> dict[str, object]:
    return {
        "hosts": [state.fields() for state in found.hosts],
        "programs": [
            {"name": one.name, "folder": _folder(one.path, here), "ours": one.ours} for one in found.programs
        ],
        "damage": list(found.damage),
        "log": list(found.log),
    }


def _folder(path: str, here: Ground) -> str:
    """Where a program is, without this machine's absolute path in it."""
    home = here.env.get("HOME", "")
    if path.startswith(here.place.root + os.sep):
        return os.path.dirname(os.path.relpath(path, here.place.root)) or "."
    if home and path.startswith(home + os.sep):
        return "~/" + os.path.dirname(os.path.relpath(path, home))
    return os.path.basename(os.path.dirname(path))


def _page(found: Checkup) -> str:
    lines = ["Hosts"]
    for state in found.hosts:
        lines += _host_lines(state)
    lines += ["", "Programs on PATH"]
    lines += [f"  {one.path}: {'memwarden' if one.ours else 'another program'}" for one in found.programs]
    if not any(one.ours for one in found.programs):
        lines.append(
            "  none of ours: hooks that name mem do nothing; put mem on PATH (as pipx install . does),"
        )
        lines.append("  or name the program by its place: mem hook install claude --user")
    if found.programs and not found.programs[0].ours:
        lines.append("  the first one is not this program: use memwarden, or change PATH")
    lines += ["", "State", *(f"  {one}" for one in found.damage or ("in order",))]
    if found.log:
        lines += ["", "Last lines of hook.log", *(f"  {plain(line)}" for line in found.log)]
    return "\n".join(lines) + "\n"


def _host_lines(state: HostState) -> list[str]:
    where = ", ".join(state.wired) or "not wired"
    lines = [f"  {state.title}: {where}"]
    if state.last_heard:
        lines.append(f"    last heard from {state.last_heard}")
    if state.advice and state.advice != unwired(state.host):
        lines.append(f"    {state.advice}")
    if state.wired:
        lines += [f"    cannot: {one}" for one in state.cannot]
    return lines
