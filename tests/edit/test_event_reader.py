"""An event's file is trusted only when name, folder and content agree."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memwarden.core.event import Event
from memwarden.edit.event_reader import name_hash, read_event

FACTS: dict[str, Any] = {
    "actor": {"kind": "agent", "name": "claude-code"},
    "at": "2026-11-30T16:40:12Z",
    "branch": "fix/retry",
    "commit": None,
    "dirty": True,
    "how": "touch",
    "kind": "paid",
    "note": "n-4f7k2m9q",
    "schema": 1,
    "seq": 3,
}


def path_of(facts: dict[str, Any], folder: str = "n-4f7k2m9q", prefix: str = "0003-paid") -> str:
    return f"memory/events/{folder}/{prefix}-{name_hash(facts)}.json"


def complaint(path: str, data: bytes) -> str:
    event, findings = read_event(path, data)
    assert event is None
    (finding,) = findings
    assert (finding.code, finding.severity, finding.path) == ("M601", "error", path)
    return finding.message


def of(**changes: Any) -> str:
    facts = {key: value for key, value in {**FACTS, **changes}.items() if value != "absent"}
    return complaint(path_of(facts), json.dumps(facts).encode())


def test_a_good_event_gives_its_fields_and_the_rest_as_facts() -> None:
    event, findings = read_event(path_of(FACTS), json.dumps(FACTS, indent=2).encode())
    assert findings == ()
    assert event == Event(
        "n-4f7k2m9q",
        3,
        "paid",
        "2026-11-30T16:40:12Z",
        ("agent", "claude-code"),
        branch="fix/retry",
        dirty=True,
        facts={"how": "touch"},
        path=path_of(FACTS),
    )


@pytest.mark.parametrize(
    "layout",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: json.dumps(json.loads(text), separators=(",", ":")),
        lambda text: json.dumps(dict(reversed(json.loads(text).items())), indent=8) + "\n\n",
        lambda text: "\ufeff" + text,
        lambda text: text.replace("fix", "\\u0066ix"),
    ],
)
def test_line_ends_and_layout_may_change(layout: Any) -> None:
    event, findings = read_event(path_of(FACTS), layout(json.dumps(FACTS, indent=2)).encode())
    assert event is not None
    assert findings == ()


def test_a_changed_fact_is_seen_through_the_name() -> None:
    edited = json.dumps({**FACTS, "how": "declared"}).encode()
    assert "it was edited" in complaint(path_of(FACTS), edited)


def test_an_event_in_another_notes_folder_is_refused() -> None:
    message = complaint(path_of(FACTS, folder="n-bbbbbbbb"), json.dumps(FACTS).encode())
    assert message == "the event is about n-4f7k2m9q but lies in the folder of n-bbbbbbbb"


def test_a_name_that_disagrees_with_the_content_is_refused() -> None:
    assert "its name 0004-paid" in complaint(path_of(FACTS, prefix="0004-paid"), json.dumps(FACTS).encode())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "settled"}, 'unknown event kind "settled"'),
        ({"schema": 2}, "unknown event schema 2"),
        ({"schema": "absent"}, "unknown event schema null"),
        ({"seq": 0}, "seq counts from 1"),
        ({"seq": True}, "seq must be a whole number"),
        ({"at": "yesterday"}, "at is not a UTC time"),
        ({"at": "absent"}, "at is missing"),
        ({"actor": {"kind": "human"}}, "actor is {kind, name}"),
        ({"note": 7}, "note must be text"),
        ({"dirty": "yes"}, "dirty must be true or false"),
        ({"actor": {"kind": "robot", "name": "x"}}, 'actor.kind is human, agent, ci, not "robot"'),
        ({"actor": {"kind": "", "name": "x"}}, "actor.kind is human, agent, ci"),
        ({"how": "magic"}, 'how is touch, close, settle, declared, not "magic"'),
        ({"how": ["touch"]}, 'how is touch, close, settle, declared, not ["touch"]'),
        ({"commit": "7c1f0e5"}, 'commit is a whole object ID in lower case, or null: "7c1f0e5"'),
        ({"commit": "HEAD"}, "commit is a whole object ID"),
        ({"commit": "A" * 40}, "commit is a whole object ID"),
        ({"kind": "missed"}, "count is missing"),
        ({"kind": "missed", "count": 0}, "count is at least 1"),
    ],
)
def test_a_wrong_field_is_named(changes: dict[str, Any], message: str) -> None:
    assert message in of(**changes)


def test_a_reinstatement_is_a_regression_or_by_hand() -> None:
    facts = {**FACTS, "kind": "reinstated", "why": "whim"}
    path = path_of(facts, prefix="0003-reinstated")
    assert complaint(path, json.dumps(facts).encode()) == 'why is regression, manual, not "whim"'


@pytest.mark.parametrize(
    "facts",
    [
        {"commit": "7c" * 20},
        {"commit": "7c" * 32},  # of a repository whose objects are named by SHA-256
        {"how": None},
        {"actor": {"kind": "ci", "name": ""}},
        {"since": "a later release", "": "x"},
    ],
)
def test_what_the_contract_allows_or_does_not_name_is_read(facts: dict[str, Any]) -> None:
    facts = {**FACTS, **facts}
    event, findings = read_event(path_of(facts), json.dumps(facts).encode())
    assert (event is not None, findings) == (True, ())


def test_an_event_of_a_later_schema_is_judged_by_nothing_but_its_schema() -> None:
    assert "unknown event schema 2" in of(schema=2, how="magic", commit="HEAD", actor=7)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "an event is a JSON object"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        (b'{"a": NaN}', "not a number"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": "\\ud800"}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"a": 90071992547409930}', "not an exact number"),
    ],
)
def test_bytes_that_are_no_event_are_one_finding(data: bytes, message: str) -> None:
    assert message in complaint(path_of(FACTS), data)


@pytest.mark.parametrize(
    "path",
    [
        "memory/events/0003-paid-00000000.json",
        "memory/events/n-4f7k2m9q/deep/0003-paid-00000000.json",
        "memory/events/n-4f7k2m9q/notes.txt",
        "memory/events/n-4f7k2m9q/3-paid-00000000.json",
        "memory/events/elsewhere/0003-paid-00000000.json",
    ],
)
def test_a_file_that_is_not_named_as_an_event_is_one_finding(path: str) -> None:
    complaint(path, b"{}")


@pytest.mark.parametrize("name", ["README.md", "n-4f7k2m9q/.gitkeep", ".gitattributes"])
def test_readmes_and_dot_files_are_nobodys_event(name: str) -> None:
    assert read_event("memory/events/" + name, b"hello") == (None, ())
