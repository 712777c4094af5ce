"""Records as the plain tuples that ``marshal`` can write, and back: what was packed is unpacked equal.

A record becomes a tuple of its fields; where its type cannot be told from its place, its type's name comes
first.  ``tests/edge/test_index_codec.py`` holds this module against every field of every record, so that
a new field cannot be forgotten.
"""

from __future__ import annotations

from memwarden.core import condition as conditions
from memwarden.core.condition import Combined
from memwarden.core.event import FOLDER as EVENTS
from memwarden.core.event import Event
from memwarden.core.manifest import Area, Manifest, Profile, Route, Settings, Task
from memwarden.core.note import Anchor, Evidence, Note
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import Standing
from memwarden.core.subject import Subject
from memwarden.edge.index_read import checksum
from memwarden.errors import Finding

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from memwarden.core.condition import Condition
    from memwarden.edit.memory_reader import Reading

    Packed: TypeAlias = tuple[Any, ...]

# How a note stands on the shelf; 0 where it does not.
SPEAKS, BY_NAME = 1, 2
# How the keys of the shelf begin from which a session starts, where it is not the one that all take from.
START_SHELF = "start "
# Of so many notes the heads lie together.
HEADS = 1024
CONDITION_TYPES = ("PathTest", "TextTest", "DataTest", "VersionTest", "TagTest", "DateTest", "CommandTest")

_CONDITION = Note._fields.index("condition")
_ANCHORS = Note._fields.index("anchors")
_EVIDENCE = Note._fields.index("evidence")


_anchors: dict[Packed, tuple[Anchor, ...]] = {}
_evidence: dict[Packed, tuple[Evidence, ...]] = {}
MOST_SHARED = 4096

# What was packed has all its fields, so a record is made of it without counting them: there are many.
_new = tuple.__new__


def crate_of(name: str, count: int) -> int:
    """In which of ``count`` crates something of this name lies."""
    return int.from_bytes(checksum(name.encode("utf-8", "surrogatepass")), "little") % count


def pack_note(note: Note) -> Packed:
    fields: list[Any] = list(note)
    fields[_CONDITION] = pack_condition(note.condition)
    fields[_CONDITION + 1] = pack_condition(note.verify)
    fields[_ANCHORS] = tuple(map(tuple, note.anchors))
    fields[_EVIDENCE] = tuple(map(tuple, note.evidence))
    return tuple(fields)


def unpack_note(row: Packed) -> Note:
    condition, verify, anchors, evidence = row[_CONDITION : _EVIDENCE + 1]
    return _new(
        Note,
        (
            *row[:_CONDITION],
            None if condition is None else unpack_condition(condition),
            None if verify is None else unpack_condition(verify),
            _shared(_anchors, Anchor, anchors) if anchors else anchors,
            _shared(_evidence, Evidence, evidence) if evidence else evidence,
            *row[_EVIDENCE + 1 :],
        ),
    )


def _shared(known: dict[Packed, Any], kind: type[Any], rows: Packed) -> Any:
    """The records of these rows, made once: many notes have the same anchor, and most the same evidence."""
    found = known.get(rows)
    if found is None:
        if len(known) == MOST_SHARED:
            known.clear()
        found = known[rows] = tuple([_new(kind, row) for row in rows])
    return found


def pack_condition(condition: Condition | None) -> Packed | None:
    if condition is None:
        return None
    if isinstance(condition, Combined):
        return "Combined", condition.kind, tuple([pack_condition(part) for part in condition.parts])
    return type(condition).__name__, *condition


def unpack_condition(row: Packed) -> Condition:
    name, *fields = row
    if name == "Combined":
        return Combined(fields[0], tuple([unpack_condition(part) for part in fields[1]]))
    if name not in CONDITION_TYPES:
        raise ValueError(f"no condition of type {name!r}")
    condition: Condition = getattr(conditions, name)._make(fields)
    return condition


def pack_event(event: Event) -> Packed:
    return tuple(event)


def unpack_event(row: Packed) -> Event:
    return Event._make(row)


def pack_standing(standing: Standing) -> Packed:
    return tuple([tuple(field) if isinstance(field, Event) else field for field in standing])


def unpack_standing(row: Packed) -> Standing:
    return Standing._make([Event._make(field) if isinstance(field, tuple) else field for field in row])


def pack_subject(subject: Subject) -> Packed:
    return tuple(subject)


def unpack_subject(row: Packed) -> Subject:
    return Subject._make(row)


def pack_finding(finding: Finding) -> Packed:
    return tuple(finding)


def unpack_finding(row: Packed) -> Finding:
    return Finding._make(row)


def pack_manifest(manifest: Manifest | None) -> dict[str, Any] | None:
    if manifest is None:
        return None
    fields = manifest._asdict()
    fields["settings"] = tuple(manifest.settings)
    fields["tasks"] = [tuple(task._replace(routes=_plain(task.routes))) for task in manifest.tasks]
    for name in ("always", "areas", "profiles", "explicit_only"):
        fields[name] = _plain(fields[name])
    return fields


def unpack_manifest(fields: dict[str, Any] | None) -> Manifest | None:
    if fields is None:
        return None
    return Manifest(
        **{
            **fields,
            "settings": Settings._make(fields["settings"]),
            "always": _routes(fields["always"]),
            "tasks": tuple([_task(row) for row in fields["tasks"]]),
            "areas": tuple(map(Area._make, fields["areas"])),
            "profiles": tuple(map(Profile._make, fields["profiles"])),
            "explicit_only": _routes(fields["explicit_only"]),
        }
    )


def _task(row: Packed) -> Task:
    task = Task._make(row)
    return task._replace(routes=_routes(task.routes))


def _plain(records: Any) -> Packed:
    return tuple(map(tuple, records))


def _routes(rows: Any) -> tuple[Route, ...]:
    return tuple(map(Route._make, rows))


def pack_reading(path: str, record: Any, findings: tuple[Finding, ...]) -> tuple[Any, tuple[Any, ...]]:
    """What reading the note or event at ``path`` gave."""
    pack = pack_event if path.startswith(EVENTS) else pack_note
    return None if record is None else pack(record), tuple(map(pack_finding, findings))


def unpack_reading(path: str, row: tuple[Any, Any]) -> Reading:
    """The same, as it was read."""
    record, findings = row
    unpack = unpack_event if path.startswith(EVENTS) else unpack_note
    return None if record is None else unpack(record), tuple(map(unpack_finding, findings))
