"""The manifest's frontmatter: the protocol, the project's identity, and the settings of the contract."""

from __future__ import annotations

from memwarden.core.manifest import PROTOCOL, Settings
from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

ENUMS = {
    "miss_per": ("session", "turn"),
    "on_no_ask": ("deny-once", "warn", "deny"),
    "overdue": ("warn", "error"),
}
# The least and the most that each number may be.
NUMBERS = {
    "ask_after": (1, 1_000_000),
    "recheck_days": (0, 36_500),
    "command_timeout": (1, 86_400),
    "deliver_tokens": (1, 10_000_000),
}
SWITCHES = ("agents_may_admit", "require_plan")
IDENTITY = ("protocol", "project")
KNOWN = (*IDENTITY, *NUMBERS, *ENUMS, *SWITCHES, "facets")


class Trouble(NamedTuple):
    """What is wrong with one key.  ``unknown``: nothing here reads it; ``mild``: it works all the
    same, by a default or as it is."""

    key: str
    message: str
    fix: str = ""
    unknown: bool = False
    mild: bool = False


def read_settings(values: dict[str, Any]) -> tuple[Settings, list[Trouble]]:
    """The settings, with the default in place of every bad value, and what was bad."""
    found: dict[str, Any] = {}
    troubles = []
    for key, value in values.items():
        if key in IDENTITY:
            continue
        if key not in KNOWN:
            troubles.append(_unknown(key))
            continue
        read = _read(key, value)
        if isinstance(read, Trouble):
            troubles.append(read)
        else:
            found[key] = read
    return Settings(**found), troubles


def read_identity(values: dict[str, Any]) -> tuple[int, str, list[Trouble]]:
    """The protocol and the project's identity, and what is wrong with them."""
    troubles = []
    protocol = values.get("protocol", "")
    if isinstance(protocol, str) and protocol.isascii() and protocol.isdigit():
        protocol = protocol.lstrip("0")[:9] or "0"  # a number of many digits is newer, not none
    if not _is_number(protocol) or int(protocol) < 1:
        what = (
            f"protocol {_shown(protocol)} is not a number" if protocol else "the manifest names no protocol"
        )
        troubles.append(Trouble("protocol", what, f"write protocol: {PROTOCOL}", mild=not protocol))
        protocol = PROTOCOL
    project = values.get("project", "")
    if not isinstance(project, str) or not project.strip():
        fix = "write project: p- and eight letters or digits (mem init mints one)"
        troubles.append(Trouble("project", "the manifest names no project", fix, mild=True))
        project = ""
    elif not _is_identity(project.strip()):
        fix = "mem init mints one; let each project have its own, and keep it"
        what = f"project {_shown(project)} is not p- and eight letters or digits"
        troubles.append(Trouble("project", what, fix, mild=True))
    return int(protocol), project, troubles


def _is_identity(text: str) -> bool:
    rest = text.removeprefix("p-")
    return text.startswith("p-") and len(rest) == 8 and is_slug(rest) and "-" not in rest


def _read(key: str, value: Any) -> Any:
    if key in NUMBERS:
        least, most = NUMBERS[key]
        if _is_number(value) and least <= int(value) <= most:
            return int(value)
        return Trouble(key, f"{key}: {_shown(value)} is not a whole number from {least} to {most}")
    if key in ENUMS:
        if value in ENUMS[key]:
            return value
        return Trouble(key, f"{key}: {_shown(value)} is none of {', '.join(ENUMS[key])}")
    if key in SWITCHES:
        if value in ("true", "false"):
            return value == "true"
        return Trouble(key, f"{key}: {_shown(value)} is neither true nor false")
    return _facets(value)


def _facets(value: Any) -> Any:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list):
        return Trouble("facets", "facets is a list of names")
    for at, item in enumerate(items):
        if not isinstance(item, str) or not is_slug(item):
            return Trouble(f"facets[{at}]", f"facet {_shown(item)} is not a lower-case slug")
    return tuple(dict.fromkeys(items))


def is_slug(text: str) -> bool:
    """Lower-case ASCII letters and digits in words joined by single hyphens."""
    words = text.split("-")
    return all(word and all(c in "abcdefghijklmnopqrstuvwxyz0123456789" for c in word) for word in words)


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10


def _unknown(key: str) -> Trouble:
    from memwarden.core.nearest import Nearest  # only a mistake comes here

    near = Nearest(KNOWN).to(key, 1)
    fix = f"did you mean {near[0]}?" if near else "take it out"
    return Trouble(key, f"unknown setting {key}: nothing reads it", fix, unknown=True)


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else f"a {'list' if isinstance(value, list) else 'mapping'}"
