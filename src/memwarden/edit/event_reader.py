"""An event's file, read strictly: a fact that cannot be trusted is a finding and has no effect.

The name holds the hash of the canonical form, so line ends and layout may change (a checkout with
``core.autocrlf``, a formatter of JSON) while a changed fact is seen.
"""

from __future__ import annotations

import json
import re

from memwarden.core.actor import AGENT, CI, HUMAN
from memwarden.core.canonical import canonical, hex_digest
from memwarden.core.event import FOLDER, KINDS, MISSED, PAID, REINSTATED, SCHEMA, Event
from memwarden.core.note import is_note_id
from memwarden.core.record import TYPE_CHECKING
from memwarden.errors import ERROR, Finding

if TYPE_CHECKING:
    from typing import Any

CODE = "M601"
COMMON = ("note", "seq", "kind", "at", "actor", "commit", "branch", "dirty", "schema")
MOST_BYTES = 1024 * 1024
ACTORS = (HUMAN, AGENT, CI)
# What says how an event of a kind came about, and the words for it.
WAYS: dict[str, dict[str, tuple[str, ...]]] = {
    PAID: {"how": ("touch", "close", "settle", "declared")},
    REINSTATED: {"why": ("regression", "manual")},
}

_NAME = re.compile(r"(\d{4,9})-([a-z]+)-([0-9a-f]{8})\.json")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class _Wrong(Exception):
    """One reason why a file is not an event."""


def read_event(path: str, data: bytes) -> tuple[Event | None, tuple[Finding, ...]]:
    """The event that a file below ``memory/events/`` holds, or the finding that says why it is none.

    ``README.md`` and names with a leading dot are nobody's event and nobody's fault.
    """
    name = path.rpartition("/")[2]
    if name == "README.md" or name.startswith("."):
        return None, ()
    try:
        event = _read(path, name, data)
        return event, _unsafe_values(path, data, event) if b"\\" in data else ()
    except _Wrong as wrong:
        fix = "restore it from git (events are appended, never edited), or remove it"
        return None, (Finding(CODE, ERROR, str(wrong), path, line=1, fix=fix),)


def _unsafe_values(path: str, data: bytes, event: Event) -> tuple[Finding, ...]:
    """What hides behind JSON's escapes.  The name of a file is given as git holds it, whatever it is."""
    from memwarden.edit.text_safety import value_findings  # late: few events write an escape

    said = {"actor": event.actor[1], "branch": event.branch, **event.facts}
    found = value_findings(path, data.decode("utf-8", "replace"), said, lambda key: (1, 1))
    return tuple(one for one in found if not one.key.endswith(".path") and not one.key.startswith("paths["))


def _read(path: str, name: str, data: bytes) -> Event:
    folder, _, rest = path.removeprefix(FOLDER).partition("/")
    matched = _NAME.fullmatch(name)
    if rest != name or not is_note_id(folder):
        raise _Wrong("an event lies in memory/events/<note-id>/")
    if matched is None:
        raise _Wrong("an event's name is <seq, 4 digits>-<kind>-<8 hex>.json")
    facts, exact = _object(data)
    if facts.get("schema") != SCHEMA:
        raise _Wrong(f"unknown event schema {_shown(facts.get('schema'))}; this program knows {SCHEMA}")
    event = _event(facts, path)
    if event.note != folder:
        raise _Wrong(f"the event is about {event.note} but lies in the folder of {folder}")
    if (event.seq, event.kind) != (int(matched[1]), matched[2]):
        raise _Wrong(f"the event says {event.seq:04d}-{event.kind}, its name {matched[1]}-{matched[2]}")
    found = hex_digest(exact)[:8]
    if found != matched[3]:
        raise _Wrong(f"the content's hash is {found}, its name says {matched[3]}: it was edited")
    return event


def name_hash(facts: dict[str, Any]) -> str:
    """The eight hexadecimal digits that an event's name ends with."""
    return hex_digest(canonical(facts))[:8]


def _object(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The object that an event's file holds, and its canonical bytes."""
    if len(data) > MOST_BYTES:
        raise _Wrong(f"an event is at most {MOST_BYTES} bytes")
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()
        value = json.loads(text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
        exact = canonical(value)
    except UnicodeDecodeError:
        raise _Wrong("the event is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise _Wrong(f"the event is not JSON: {error.msg} at line {error.lineno}") from None
    except (ValueError, RecursionError) as error:
        raise _Wrong(f"the event is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _Wrong("an event is a JSON object")
    return value, exact


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Wrong(f"the key {twice!r} stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _event(facts: dict[str, Any], path: str) -> Event:
    kind = _field(facts, "kind", str)
    if kind not in KINDS:
        raise _Wrong(f"unknown event kind {_shown(kind)}; known are {', '.join(KINDS)}")
    seq = _field(facts, "seq", int)
    at = _field(facts, "at", str)
    actor = _field(facts, "actor", dict)
    if seq < 1:
        raise _Wrong("seq counts from 1")
    if not _TIME.fullmatch(at):
        raise _Wrong(f"at is not a UTC time such as 2026-11-30T16:40:12Z: {_shown(at)}")
    if set(actor) != {"kind", "name"} or not all(isinstance(part, str) for part in actor.values()):
        raise _Wrong("actor is {kind, name}, both text")
    if actor["kind"] not in ACTORS:
        raise _Wrong(f"actor.kind is {', '.join(ACTORS)}, not {_shown(actor['kind'])}")
    for key, ways in WAYS.get(kind, {}).items():
        if facts.get(key) is not None and facts[key] not in ways:
            raise _Wrong(f"{key} is {', '.join(ways)}, not {_shown(facts[key])}")
    commit = _optional(facts, "commit", str, "")
    if commit and not _COMMIT.fullmatch(commit):
        raise _Wrong(f"commit is a whole object ID in lower case, or null: {_shown(commit)}")
    if kind == MISSED and _field(facts, "count", int) < 1:
        raise _Wrong("count is at least 1")
    return Event(
        note=_field(facts, "note", str),
        seq=seq,
        kind=kind,
        at=at,
        actor=(actor["kind"], actor["name"]),
        commit=commit,
        branch=_optional(facts, "branch", str, ""),
        dirty=_optional(facts, "dirty", bool, False),
        facts={key: value for key, value in facts.items() if key not in COMMON},
        path=path,
    )


def _field(facts: dict[str, Any], key: str, kind: type[Any]) -> Any:
    if key not in facts:
        raise _Wrong(f"{key} is missing")
    value = facts[key]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _Wrong(f"{key} must be {_SPOKEN[kind]}, not {_shown(value)}")
    return value


def _optional(facts: dict[str, Any], key: str, kind: type[Any], absent: Any) -> Any:
    return absent if facts.get(key) is None else _field(facts, key, kind)


_SPOKEN = {str: "text", int: "a whole number", dict: "an object", bool: "true or false"}


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else text[:57] + "..."
