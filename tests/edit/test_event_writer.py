"""New events: named by their content, read back as they were meant, free of secrets."""

from __future__ import annotations

import json

import pytest

from memwarden.core.actor import Actor
from memwarden.core.condition import FAILS, TextTest, Verdict
from memwarden.core.event import Event
from memwarden.edit.event_reader import read_event
from memwarden.edit.event_writer import Stamp, condition_facts, draft, event_file, verdict_facts

ADA = Actor("human", "Ada")
NOW = Stamp("2026-11-30T16:40:12Z", ADA, "c" * 40, "main", frozenset({"src/a.py"}))


def written(kind: str = "paid", stamp: Stamp = NOW, reads: tuple[str, ...] = (), **facts: object) -> Event:
    event, findings = read_event(*event_file(draft("n-4f7k2m9q", kind, (), facts, reads), stamp))
    assert findings == ()
    assert event is not None
    return event


def test_a_new_event_reads_back() -> None:
    event = written(how="touch")
    assert event[:9] == (
        "n-4f7k2m9q",
        1,
        "paid",
        "2026-11-30T16:40:12Z",
        ("human", "Ada"),
        "c" * 40,
        "main",
        False,
        {"how": "touch"},
    )


def test_its_seq_follows_the_highest_seen() -> None:
    assert draft("n-4f7k2m9q", "paid", [Event("n-4f7k2m9q", 7, "missed")], {}).seq == 8


def test_it_is_dirty_where_a_file_of_its_verdict_differs_from_head() -> None:
    assert written(reads=("src/a.py",)).dirty is True
    assert written(reads=("src/b.py",)).dirty is False


def test_before_the_first_commit_and_on_a_detached_head_there_is_null() -> None:
    _, data = event_file(draft("n-4f7k2m9q", "paid", (), {}), NOW._replace(commit="", branch=""))
    facts = json.loads(data)
    assert (facts["commit"], facts["branch"]) == (None, None)


@pytest.mark.parametrize("kind", ["forgotten", "purged"])
def test_an_erasure_carries_no_branch(kind: str) -> None:
    _, data = event_file(draft("n-4f7k2m9q", kind, (), {}), NOW)
    assert "branch" not in json.loads(data)


def test_its_bytes_are_indented_sorted_json() -> None:
    _, data = event_file(draft("n-4f7k2m9q", "revoked", (), {"reason": "naïve"}), NOW)
    text = data.decode()
    assert text.startswith('{\n  "actor": {\n    "kind": "human",')
    assert '"reason": "naïve"' in text
    assert text.endswith("}\n")
    assert list(json.loads(text)) == sorted(json.loads(text))


def test_secrets_and_odd_bytes_never_reach_the_file() -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    event = written("revoked", reason=f"leaked {token}", paths=["a\udcff.py", "\x1b[31m"])
    assert token not in json.dumps(event.facts)
    assert event.facts["paths"] == ["a\\udcff.py", "\\x1b[31m"]


def test_a_verdict_and_its_condition_are_recorded() -> None:
    condition = TextTest("file_contains", "a.py", "x")
    verdict = Verdict(FAILS, "no match", ({"path": "a.py"},))
    event = written("failed", **condition_facts(condition), verdict=verdict_facts(verdict))
    assert event.facts["condition"] == {"file_contains": {"path": "a.py", "pattern": "x"}}
    assert event.facts["verdict"] == {"state": FAILS, "why": "no match", "items": [{"path": "a.py"}]}
