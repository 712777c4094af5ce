"""What ``mem doctor`` finds: who is wired, who has spoken, whose program runs, and what is damaged."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from memwarden.core.record import NamedTuple
from memwarden.edge.index_read import open_index
from memwarden.edge.place import Place, find_place, has_memory
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.tree.missing import missing_memory
from memwarden.edge.turn import hooklog
from memwarden.edge.turn.waiting import read_pending
from memwarden.edge.writing.recovery import warning
from memwarden.errors import MemError
from memwarden.hosts import git, json_text, settings_file, target
from memwarden.hosts.program import Program, on_path
from memwarden.hosts.whole_start import unrouted
from memwarden.hosts.wiring import WIRINGS, Wiring

MOST_LOG_LINES = 5


class HostState(NamedTuple):
    """One host: the files that wire it, the events that are missing there, when it last spoke, what to do
    about it, and what it can never do."""

    host: str
    title: str
    wired: tuple[str, ...]
    missing: tuple[str, ...]
    last_heard: str
    advice: str
    cannot: tuple[str, ...]

    def fields(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {
            "host": self.host,
            "wired": list(self.wired),
            "missing_events": list(self.missing),
            "last_heard": self.last_heard or None,
            "advice": self.advice,
            "cannot": list(self.cannot),
        }


class Checkup(NamedTuple):
    """The whole visit.  ``damage`` names private state that is unusable or a change that was cut short."""

    hosts: tuple[HostState, ...]
    programs: tuple[Program, ...]
    damage: tuple[str, ...]
    log: tuple[str, ...]


def check_up(place: Place, env: Mapping[str, str]) -> Checkup:
    """Look at everything once; nothing is written."""
    heard = hooklog.last_heard(place.private)
    hosts = [_agent_host(wiring, place, env, heard) for wiring in WIRINGS.values()]
    hosts.append(_git_host(place))
    log = tuple(hooklog.lines(place.private)[-MOST_LOG_LINES:])
    return Checkup(tuple(hosts), on_path(env), _damage(place), log)


def _agent_host(
    wiring: Wiring, place: Place, env: Mapping[str, str], heard: Mapping[str, float]
) -> HostState:
    module = import_module(f"memwarden.hosts.{wiring.host}")
    wired: list[str] = []
    events: set[str] = set()
    trouble = ""
    for where in (place, None):
        try:
            found = target.settings(wiring, where, env)
            with found.named():
                there = settings_file.wired_events(found.path, wiring)
        except MemError as error:
            trouble = error.message
            continue
        if there:
            wired.append(found.shown)
            events.update(there)
            trouble = trouble or _switched_off(wiring.host, found.path)
    if len(wired) > 1 and not trouble:
        trouble = f"wired twice, so each event calls twice: mem hook uninstall {wiring.host} in one place"
    missing = tuple(event for event, _ in wiring.events if event not in events) if wired else ()
    last = _moment(heard.get(wiring.host))
    advice = trouble or _advice(wiring, bool(wired), missing, last)
    return HostState(wiring.host, module.TITLE, tuple(wired), missing, last, advice, module.CANNOT)


def _advice(wiring: Wiring, wired: bool, missing: tuple[str, ...], last: str) -> str:
    if not wired:
        return unwired(wiring.host)
    if missing:
        return f"some events are not wired: mem hook install {wiring.host}"
    if not last:
        # A host's trust in a hook is its own affair; silence is all that can be seen of it from here.
        return f"never heard from: {wiring.advice}"
    return ""


def unwired(host: str) -> str:
    """What to do where nothing is amiss but that nobody has wired the host."""
    return f"not wired: mem hook install {host}"


def _switched_off(host: str, path: str) -> str:
    """A host's own switch that silences its hooks, or ours."""
    if host == "codex":
        config = _toml(os.path.join(os.path.dirname(path), "config.toml"))
        off = isinstance(config.get("features"), dict) and config["features"].get("hooks") is False
        return "features.hooks is false in the host's config.toml" if off else ""
    try:
        with open(path, encoding="utf-8-sig") as file:
            settings = json_text.parse(file.read())
    except (OSError, ValueError):
        return ""
    if host == "claude" and settings.get("disableAllHooks") is True:
        return "disableAllHooks is set in the host's settings"
    if host == "gemini":
        switches = [settings.get("hooksConfig"), settings.get("hooks")]
        for one in switches:
            if isinstance(one, dict) and (
                one.get("enabled") is False or "memwarden" in _list(one, "disabled")
            ):
                return "hooks, or ours among them, are switched off in the host's settings"
    return ""


def _list(mapping: dict[str, Any], key: str) -> list[Any]:
    found = mapping.get(key)
    return found if isinstance(found, list) else []


def _toml(path: str) -> dict[str, Any]:
    from tomllib import load  # only where Codex is wired

    try:
        with open(path, "rb") as file:
            return load(file)
    except (OSError, ValueError):
        return {}


def _git_host(place: Place) -> HostState:
    try:
        folder = target.hooks_folder(place, True)
    except MemError as error:
        return HostState(git.NAME, git.TITLE, (), (), "", error.next_step or error.message, git.CANNOT)
    try:
        with folder.named():
            wired = git.installed(folder.path)
    except MemError as error:
        return HostState(git.NAME, git.TITLE, (), (), "", error.message, git.CANNOT)
    shown = (f"{folder.shown}/{git.HOOK}",) if wired else ()
    advice = git.passed_by(folder.path, folder.shown) if wired else unwired(git.NAME)
    return HostState(git.NAME, git.TITLE, shown, (), "", advice, git.CANNOT)


def _damage(place: Place) -> tuple[str, ...]:
    found = [*_git_troubles(place), warning(place)]
    if os.path.exists(os.path.join(place.private, "index")) and open_index(place.private) is None:
        found.append("the index is of another release or damaged; it is rebuilt by the next reading")
    if os.path.isdir(place.private) and not os.access(place.private, os.W_OK):
        found.append("the private folder in the git directory cannot be written: hooks keep no ledger")
    if not has_memory(place):
        missing = missing_memory(place)
        found.append(f"{missing.why if missing else 'there is no memory/ here'}: hooks stay silent")
    else:
        try:
            found.append(unrouted(open_memory(place, cache=False)))
        except MemError as error:
            found.append(error.message)
    return tuple(one for one in found if one)


def _git_troubles(place: Place) -> list[str]:
    try:
        from memwarden.edge.git.gitrepo import too_old, worktrees

        return [too_old(place), *(_left_in(top) for top in worktrees(place))]
    except ImportError:
        return ["git is not on PATH"]
    except MemError as error:
        return [error.message]


def _left_in(top: str) -> str:
    """What waits in another worktree's private state, which goes when git removes the worktree."""
    try:
        other = find_place(top)
        waiting = read_pending(other)
    except (MemError, OSError):
        return ""
    if not waiting and not warning(other):
        return ""
    name = os.path.basename(top)
    if not waiting:
        return f"in the worktree {name} a change was cut short: mem recover there"
    return f"in the worktree {name} records wait to be written: mem settle there before it is removed"


def _moment(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
