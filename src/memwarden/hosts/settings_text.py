"""A host's settings with our hooks in them, or without: text in, text out.

Only what is ours is put in or taken out.  A text that cannot be parsed, or whose ``hooks`` have another
shape than the host documents, is refused as a whole.
"""

from __future__ import annotations

import json
from typing import Any

from memwarden.hosts import json_text
from memwarden.hosts.json_text import Insertion, NotEditable
from memwarden.hosts.wiring import Caller, Wiring, is_ours


def new_settings(wiring: Wiring, caller: Caller) -> str:
    """A settings file that holds nothing but our hooks."""
    hooks = {event: [_entry(wiring, caller, event, matcher)] for event, matcher in wiring.events}
    return json.dumps({**wiring.start, "hooks": hooks}, ensure_ascii=False, indent=2) + "\n"


def wired(text: str, wiring: Wiring, caller: Caller) -> bool:
    """Whether exactly our hooks of today are in the text already, each once."""
    found = _ours(json_text.parse(text), wiring)
    wanted = [(event, matcher, _line(wiring.handler(caller, event))) for event, matcher in wiring.events]
    return sorted(found) == sorted(wanted)


def present(text: str, wiring: Wiring) -> tuple[str, ...]:
    """The events for which a hook of ours is in the text."""
    return tuple(dict.fromkeys(event for event, _, _ in _ours(json_text.parse(text), wiring)))


def add(text: str, wiring: Wiring, caller: Caller) -> list[Insertion]:
    """The insertions that put our hooks into a text that has none of them."""
    value = json_text.parse(text)
    top = json_text.root(text)
    entries = [(event, _entry(wiring, caller, event, matcher)) for event, matcher in wiring.events]
    missing: list[tuple[str, Any]] = [(k, v) for k, v in wiring.start.items() if k not in value]
    hooks = json_text.child(text, top, "hooks")
    if hooks is None:
        missing.append(("hooks", {event: [entry] for event, entry in entries}))
        return [json_text.adding(text, top, missing)]
    insertions = [json_text.adding(text, top, missing)] if missing else []
    _check_shape(value["hooks"], wiring)
    there = {found.key: found for found in json_text.children(text, hooks.value)}
    absent: list[tuple[str, Any]] = [(event, [entry]) for event, entry in entries if event not in there]
    for event, entry in entries:
        if event in there:
            insertions.append(json_text.adding(text, there[event].value, [("", entry)]))
    if absent:
        insertions.append(json_text.adding(text, hooks.value, absent))
    return insertions


def remove(text: str, wiring: Wiring) -> str:
    """The text without our hooks, and without the events and groups that only held them."""
    value = json_text.parse(text)
    if "hooks" not in value:
        return text
    emptied = []
    for event, entries in _check_shape(value["hooks"], wiring).items():
        kept, text = _remove_from_event(text, event, entries, wiring)
        if entries and not kept:
            emptied.append(event)
    for event in emptied:
        text = _remove_key(text, ("hooks",), event)
    hooks = json_text.child(text, json_text.root(text), "hooks")
    if emptied and hooks is not None and not json_text.children(text, hooks.value):
        text = _remove_key(text, (), "hooks")
    return text


def holds_nothing_else(text: str, wiring: Wiring) -> bool:
    """Whether the text holds nothing but what a new file of ours starts with."""
    return json_text.parse(text) in ({}, wiring.start)


def _remove_from_event(text: str, event: str, entries: list[Any], wiring: Wiring) -> tuple[bool, str]:
    """Take our handlers out of one event's list; whether anything else stays in it."""
    unwanted = []
    for number, entry in enumerate(entries):
        handlers = entry.get("hooks") if wiring.grouped and isinstance(entry, dict) else [entry]
        if not isinstance(handlers, list):
            continue
        ours = [n for n, handler in enumerate(handlers) if is_ours(handler, wiring.host)]
        if ours and len(ours) == len(handlers):
            unwanted.append(number)
        elif ours:
            group = json_text.children(text, _at(text, ("hooks", event)))[number]
            inner = json_text.child(text, group.value, "hooks")
            if inner is not None:
                text = json_text.without(text, inner.value, ours)
    if unwanted:
        text = json_text.without(text, _at(text, ("hooks", event)), unwanted)
    return len(unwanted) < len(entries), text


def _remove_key(text: str, path: tuple[str, ...], key: str) -> str:
    at = _at(text, path)
    keys = [found.key for found in json_text.children(text, at)]
    return json_text.without(text, at, [keys.index(key)])


def _at(text: str, path: tuple[str, ...]) -> int:
    at = json_text.root(text)
    for key in path:
        found = json_text.child(text, at, key)
        if found is None:
            raise NotEditable(f"{key} is not there")
        at = found.value
    return at


def _entry(wiring: Wiring, caller: Caller, event: str, matcher: str) -> dict[str, Any]:
    handler = wiring.handler(caller, event)
    if not wiring.grouped:
        return {**handler, "matcher": matcher} if matcher else handler
    return {"matcher": matcher, "hooks": [handler]} if matcher else {"hooks": [handler]}


def _ours(value: dict[str, Any], wiring: Wiring) -> list[tuple[str, str, str]]:
    """(event, matcher, line) of each hook of ours."""
    found = []
    for event, entries in _check_shape(value.get("hooks", {}), wiring).items():
        for entry in entries:
            matcher = entry.get("matcher", "") if isinstance(entry, dict) else ""
            handlers = entry.get("hooks") if wiring.grouped and isinstance(entry, dict) else [entry]
            for handler in handlers if isinstance(handlers, list) else ():
                if is_ours(handler, wiring.host):
                    found.append((event, str(matcher), _line(handler)))
    return found


def _line(handler: dict[str, Any]) -> str:
    return str(handler.get("command") or handler.get("bash") or handler.get("powershell"))


def _check_shape(hooks: object, wiring: Wiring) -> dict[str, list[Any]]:
    """The events of a settings file; a host may keep switches beside them, which are not lists."""
    if not isinstance(hooks, dict):
        raise NotEditable("hooks is not an object")
    for event, _ in wiring.events:
        if event in hooks and not isinstance(hooks[event], list):
            raise NotEditable(f"hooks.{event} is not a list")
    return {event: entries for event, entries in hooks.items() if isinstance(entries, list)}
