"""What erasing writes itself: words of a form, which tell no topic though somebody erases such a word."""

from __future__ import annotations

import json
import os
import re

from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.event import FORGOTTEN, PURGED
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.writing.apply import APPLIED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.edge.erase.private_traces import Kept
    from memwarden.edge.place import Place
    from memwarden.edit.topic import Topic

_RECORD = re.compile(rf"\d{{4,}}-(?:{FORGOTTEN}|{PURGED})-[0-9a-f]{{8}}\.json")
_KEYS = {"actor", "at", "commit", "kind", "mode", "note", "schema", "seq"}
_DIGEST = r'"(?:absent|sha256:[0-9a-f]{64})"'
_STEP = rf'\["[^"/?]+(?:/\?[0-9a-f]{{64}})+", {_DIGEST}, {_DIGEST}\]'
_APPLIED = re.compile(rf"\[(?:{_STEP}(?:, (?=\[)|(?=\])))+\]")
_HOLDER = {"command", "host", "pid", "since"}


def clean_records(place: Place, topic: Topic, notes: Iterable[str]) -> Iterator[str]:
    """The paths of the events that say of some notes that they were erased, and in which nothing that
    anybody chose tells the topic: only who did it is chosen."""
    for note in notes:
        folder = os.path.join(place.root, EVENTS, note)
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            if _RECORD.fullmatch(name):
                facts = _object(os.path.join(folder, name))
                actor = facts.get("actor")
                if facts.keys() == _KEYS and isinstance(actor, dict) and not _tells(actor, topic):
                    yield f"{EVENTS}{note}/{name}"


def is_form_alone(kept: Kept) -> bool:
    """Whether a file of private state has digests and fixed words only, or names who holds the lock now."""
    folder, name = os.path.split(kept.full)
    if os.path.basename(folder) == APPLIED:
        return _APPLIED.fullmatch(_text(kept.full)) is not None
    return name == "lock" and _object(kept.full).keys() == _HOLDER


def _tells(actor: dict[str, object], topic: Topic) -> bool:
    return topic.in_text(str(actor.get("name", "")))


def _object(path: str) -> dict[str, object]:
    try:
        found = json.loads(_text(path))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""
