"""What is packed into the index comes out equal, of the same types, for every field of every record."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any

import pytest

from memwarden.core import condition as conditions
from memwarden.core.condition import (
    Combined,
    CommandTest,
    DataTest,
    DateTest,
    PathTest,
    TagTest,
    TextTest,
    VersionTest,
)
from memwarden.core.event import Event
from memwarden.core.manifest import Area, Manifest, Profile, Route, Settings, Task
from memwarden.core.note import Anchor, Evidence, Note
from memwarden.core.standing import Standing
from memwarden.core.subject import Subject
from memwarden.edge.reading import index_codec as codec
from memwarden.errors import Finding

if TYPE_CHECKING:
    from memwarden.core.condition import Condition

CONDITIONS: list[Condition] = [
    PathTest("file_exists", "a.py"),
    TextTest("file_lacks", "src/**", "x", True),
    DataTest("data_matches", "a.toml", "tool.x", "^1"),
    VersionTest("version", "python", ">=3.11"),
    TagTest("git_tag", "v1.*"),
    DateTest("after", "2027-01-01"),
    CommandTest("command", ("make", "test"), 5, 3, 1),
]
CONDITIONS.append(Combined("all", (*CONDITIONS, Combined("not", (CONDITIONS[0],)))))
EVENT = Event(
    "n-4f7k2m9q", 2, "paid", "2026-11-30T12:00:00Z", ("human", "Ada"), "c0ffee", "main", True,
    {"how": "touch", "evidence": {"items": [{"path": "a.py", "line": 1, "blob": None}]}},
    "memory/events/x.json",
)  # fmt: skip
NOTE = Note(
    "memory/debts/x.md", "n-4f7k2m9q", "題", "path:a.py", "behavior", "debt", CONDITIONS[-1], CONDITIONS[0],
    (Anchor("path", "a.py"), Anchor("command", "^make")), (Evidence("user", "Ada"),), ("n-00000000",),
    "n-11111111", "2026-01-01", "2027-01-01", "2026-02-02", ("t", "\udce9"), 12, 9,
)  # fmt: skip
MANIFEST = Manifest(
    1, "p-7q2m4x9k", Settings(facets=("odd",), ask_after=5), (Route("brief.md", 3),),
    (Task("plan", ("p",), (Route("decisions/", 4, True),), 5),), (Area("sync", "areas/sync/", ("a/**",), 6),),
    (Profile("release", "profiles/release/", "cut", 7),), (Route("inbox/", 8),), (("total", 10),),
)  # fmt: skip


def through(value: Any) -> Any:
    return marshal.loads(marshal.dumps(value))


def test_a_note_comes_back_equal() -> None:
    found = codec.unpack_note(through(codec.pack_note(NOTE)))
    assert found == NOTE
    assert shape(found) == shape(NOTE)


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda c: c.kind)
def test_a_condition_comes_back_equal_and_of_its_type(condition: Condition) -> None:
    found = codec.unpack_condition(through(codec.pack_condition(condition)))
    assert shape(found) == shape(condition)
    assert found == condition


def test_every_type_of_condition_is_known() -> None:
    records = {
        name for name, kind in vars(conditions).items() if isinstance(kind, type) and hasattr(kind, "_fields")
    }
    assert records == {*codec.CONDITION_TYPES, "Combined", "Verdict"}


def test_a_foreign_type_of_condition_is_refused() -> None:
    with pytest.raises(ValueError, match="no condition"):
        codec.unpack_condition(("Verdict", "holds"))


def test_the_other_records_come_back_equal() -> None:
    standing = Standing("paid", 3, EVENT, EVENT, "why", "n-22222222", True, EVENT)
    subject = Subject("memory/subjects/x.md", "x", "X", "service", "pypi:x", ("y",), "z")
    finding = Finding("M001", "error", "broken", "memory/x.md", 1, 2, "id", "n-4f7k2m9q", "mend it")
    for value, pack, unpack in (
        (EVENT, codec.pack_event, codec.unpack_event),
        (standing, codec.pack_standing, codec.unpack_standing),
        (Standing("active"), codec.pack_standing, codec.unpack_standing),
        (subject, codec.pack_subject, codec.unpack_subject),
        (finding, codec.pack_finding, codec.unpack_finding),
        (MANIFEST, codec.pack_manifest, codec.unpack_manifest),
        (None, codec.pack_manifest, codec.unpack_manifest),
    ):
        found = unpack(through(pack(value)))  # type: ignore[operator]
        assert found == value
        assert shape(found) == shape(value)


@pytest.mark.parametrize(
    "record", [NOTE, EVENT, MANIFEST, MANIFEST.tasks[0], *CONDITIONS], ids=lambda r: type(r).__name__
)
def test_the_samples_above_fill_every_field(record: Any) -> None:
    """So that a field that is new holds something here, and the tests above speak of it."""
    defaults = getattr(record, "_field_defaults", {})
    unset = [name for name in record._fields if name in defaults and getattr(record, name) == defaults[name]]
    assert [name for name in unset if name not in ("literal", "timeout", "runs", "expect", "protocol")] == []


def shape(value: Any) -> Any:
    """The value with the type of every record in it."""
    if isinstance(value, tuple):
        return type(value).__name__, [shape(item) for item in value]
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return value
