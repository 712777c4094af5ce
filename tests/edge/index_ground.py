"""Memories for the tests of the index: past the tick in which they were written, and full of every case."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from memwarden.edge import source_mark
from memwarden.edge.place import Place, find_place
from memwarden.edge.reading import opening
from tests.conftest import MANIFEST, Repo, note_text

TODAY = "2026-11-30"
MODULES = ("decisions", "constraints", "debts", "preferences", "areas/sync", "inbox", "archive", "odd")
SUBJECTS = (
    "project",
    "path:src/a.py",
    "path:./src/a.py",
    "path:src/sync/b.py#retry",
    "service-x",
    "Service X",
)
FACETS = ("architecture", "behavior", "workflow", "nonsense")
ANCHORS = ("[src/a.py]", "['src/**']", "['*.py', {command: '^make'}]", "[src/sync/]", "")
BUDGETS = ("- total: 4000", "- total: 300\n- decisions/: 120", "- total: 90\n- brief.md: 10")


@pytest.fixture(autouse=True)
def one_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's own sources may be edited while these tests run."""
    monkeypatch.setattr(source_mark, "source_mark", lambda folder: "")


@pytest.fixture
def that_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """An index is made for the day that the tests ask about."""
    monkeypatch.setattr(opening, "_today", lambda: TODAY)


def settled(place: Place) -> Place:
    """Past the tick of the file system's clock in which the files were written."""
    probe = Path(place.git_dir, "probe")
    probe.write_text("")
    start = probe.stat().st_mtime_ns
    while probe.stat().st_mtime_ns == start:
        time.sleep(0.002)
        probe.write_text("")
    probe.unlink()
    return place


def planted(repo: Repo, seed: int) -> Place:
    """A memory with notes of every standing, contested keys, faults and tight budgets."""
    dice = random.Random(seed)
    repo.write("memory/manifest.md", MANIFEST.replace("- total: 4000", dice.choice(BUDGETS)))
    repo.write("memory/subjects/service-x.md", "---\nid: service-x\nname: Service X\nkind: service\n---\n")
    repo.write("src/a.py", "a = 1\n")
    for number in range(dice.randint(1, 30)):
        module = dice.choice(MODULES)
        debt = dice.random() < 0.3
        fields = {
            "id": f"n-{number:08d}" if dice.random() < 0.95 else "",
            "subject": f"'{dice.choice(SUBJECTS)}'",
            "facet": dice.choice(FACETS),
            "lifecycle": "debt" if debt else "",
            "condition": "{file_contains: {path: src/a.py, pattern: frozen}}" if debt else "",
            "anchors": dice.choice(ANCHORS),
            "created": f"2026-0{dice.randint(1, 9)}-11",
            "supersedes": f"[n-{dice.randint(0, 20):08d}]" if dice.random() < 0.15 else "",
            "expires": dice.choice(("2026-01-01", "2026-11-30", "2999-01-01")) if dice.random() < 0.2 else "",
            "not_before": "2999-01-01" if dice.random() < 0.05 else "",
            "evidence": "[{agent: x}]" if dice.random() < 0.1 else "[{user: Ada}]",
        }
        body = "# Not the title\n\n" * dice.randint(0, 2) + "words " * dice.randint(1, 90)
        text = note_text(f"Note {number} 題", body, **fields)
        repo.write(f"memory/{module}/{number}.md", text if dice.random() < 0.95 else "---\nid: [\n---\n")
        if dice.random() < 0.1:
            write_revocation(repo, f"n-{number:08d}")
    repo.commit("planted")
    return settled(find_place(str(repo.root)))


def write_revocation(repo: Repo, note: str) -> None:
    event = f'{{"kind": "revoked", "note": "{note}", "seq": 1, "schema": 1, "at": "2026-01-01T00:00:00Z"}}'
    repo.write(f"memory/events/{note}/0001-revoked-00000000.json", event)
