"""One host's settings file on disk: wired and unwired, with the author's bytes given back.

What an installation inserted is remembered outside the repository, by position and by the digest of the
whole, never the file's content, which may hold secrets.  Where nothing else has changed since,
uninstalling takes out exactly those spans; else our hooks are found by what they call.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from memwarden.core.record import NamedTuple
from memwarden.errors import Refused
from memwarden.hosts import foreign_file, json_text, settings_text
from memwarden.hosts.wiring import Caller, Wiring

BOM = "\ufeff"


class Change(NamedTuple):
    """What was done to a file: ``action`` is ``created``, ``changed``, ``removed`` or ``unchanged``."""

    path: str
    action: str


def install(path: str, wiring: Wiring, caller: Caller, memory: str) -> Change:
    """Wire a host; ``memory`` is the folder that remembers what was inserted.

    Raises :class:`Refused`, with nothing changed, where the file is not JSON as the host documents it.
    """
    data = foreign_file.read(path)
    if data is None:
        new = settings_text.new_settings(wiring, caller).encode()
        folders = foreign_file.missing_folders(path)
        foreign_file.replace(path, new)
        record = {"created": True, "folders": folders, "after": _digest(new), "spans": []}
        _remember(memory, path, record)
        return Change(path, "created")
    text, bom = _decoded(path, data)
    try:
        if settings_text.wired(text, wiring, caller):
            return Change(path, "unchanged")
        plain = _without_ours(text, bom, path, wiring, memory)
        insertions = settings_text.add(plain, wiring, caller)
    except json_text.NotEditable as error:
        raise _refused(path, error) from None
    new_text, spans = json_text.insert(plain, insertions)
    new = (bom + new_text).encode()
    if new == data:
        return Change(path, "unchanged")
    made = {key: value for key, value in _recall(memory, path).items() if key in ("created", "folders")}
    foreign_file.replace(path, new)
    _remember(memory, path, {**made, "after": _digest(new), "spans": spans})
    return Change(path, "changed")


def uninstall(path: str, wiring: Wiring, memory: str) -> Change:
    """Take our hooks out; a file that our installation created and nobody filled is removed."""
    data = foreign_file.read(path)
    if data is None:
        _forget(memory, path)
        return Change(path, "unchanged")
    text, bom = _decoded(path, data)
    try:
        if not settings_text.present(text, wiring):
            return Change(path, "unchanged")
        plain = _without_ours(text, bom, path, wiring, memory)
        empty = settings_text.holds_nothing_else(plain, wiring)
    except json_text.NotEditable as error:
        raise _refused(path, error) from None
    record = _recall(memory, path)
    _forget(memory, path)
    if record.get("created") and empty:
        folders = record.get("folders")
        foreign_file.remove(path, folders if isinstance(folders, int) else 0)
        return Change(path, "removed")
    foreign_file.replace(path, (bom + plain).encode())
    return Change(path, "changed")


def wired_events(path: str, wiring: Wiring) -> tuple[str, ...]:
    """The events that call us in a settings file; raises :class:`Refused` where it cannot be read."""
    data = foreign_file.read(path)
    if data is None:
        return ()
    text, _ = _decoded(path, data)
    try:
        return settings_text.present(text, wiring)
    except json_text.NotEditable as error:
        raise Refused(f"{path} cannot be read: {error}", "repair it") from None


def _without_ours(text: str, bom: str, path: str, wiring: Wiring, memory: str) -> str:
    """The text before our installation: by the remembered spans where they still fit, else by search."""
    record = _recall(memory, path)
    if record.get("after") == _digest((bom + text).encode()) and record.get("spans"):
        return json_text.take_out(text, [(start, length) for start, length in record["spans"]])
    return settings_text.remove(text, wiring)


def _decoded(path: str, data: bytes) -> tuple[str, str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise _refused(path, json_text.NotEditable("it is not UTF-8")) from None
    return (text[1:], BOM) if text.startswith(BOM) else (text, "")


def _refused(path: str, error: Exception) -> Refused:
    return Refused(
        f"{path} cannot be edited safely: {error}; nothing was changed",
        "repair it, or add the hooks by hand (mem hook install HOST --print shows them)",
    )


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _note_of(memory: str, path: str) -> str:
    return os.path.join(memory, _digest(os.fsencode(os.path.realpath(path)))[:24] + ".json")


def _recall(memory: str, path: str) -> Mapping[str, Any]:
    try:
        with open(_note_of(memory, path), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(memory: str, path: str, record: dict[str, Any]) -> None:
    """Best effort: without it, uninstalling finds our hooks by what they call."""
    try:
        os.makedirs(memory, mode=0o700, exist_ok=True)
        with open(_note_of(memory, path), "w", encoding="utf-8") as file:
            json.dump(record, file)
    except OSError:
        return


def _forget(memory: str, path: str) -> None:
    try:
        os.unlink(_note_of(memory, path))
    except OSError:
        return
