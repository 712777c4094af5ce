"""What the tests of ``mem check`` stand on: debts, events, and the codes that a run prints."""

from __future__ import annotations

import json

from memwarden.core.canonical import canonical, condition_digest, hex_digest
from memwarden.edit.condition_reader import read_condition
from tests.conftest import Mem, Repo, note_text

A = "memory/decisions/a.md"


DEBT = "memory/debts/d.md"


ID = "n-4f7k2m9q"


CONTAINS = "{file_contains: {path: a.py, pattern: fixed}}"


def debt(condition: str = CONTAINS, **fields: str) -> str:
    return note_text("It is flaky", lifecycle="debt", condition=condition, anchors="[a.py]", **fields)


def event(repo: Repo, seq: int, kind: str, at: str = "2026-11-30T10:00:00Z", **facts: object) -> str:
    """Write one event's file and give its path."""
    whole = {
        "actor": {"kind": "human", "name": "Ada"},
        "at": at,
        "branch": "main",
        "commit": None,
        "dirty": False,
        "kind": kind,
        "note": ID,
        "schema": 1,
        "seq": seq,
        **facts,
    }
    path = f"memory/events/{ID}/{seq:04}-{kind}-{hex_digest(canonical(whole))[:8]}.json"
    repo.write(path, json.dumps(whole, indent=2, sort_keys=True) + "\n")
    return path


def digest() -> str:
    condition, _ = read_condition({"file_contains": {"path": "a.py", "pattern": "fixed"}}, "condition")
    return condition_digest(condition)


def paid(repo: Repo, seq: int = 1, **facts: object) -> str:
    return event(repo, seq, "paid", condition_digest=digest(), how="settle", **facts)


def codes(mem: Mem, *arguments: str, code: int | None = None) -> list[tuple[str, bool]]:
    """(code, already there) of every finding but the missing admissions."""
    ran = mem("check", *arguments, "--json", "--now", "2026-11-30")
    assert ran.err == ""
    if code is not None:
        assert ran.code == code
    return [(f["code"], f["already_there"]) for f in ran.json["findings"] if f["code"] != "M204"]
