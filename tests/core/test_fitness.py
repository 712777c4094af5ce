"""Who may not be delivered, and why."""

from __future__ import annotations

import pytest

from memwarden.core.fitness import unfit
from memwarden.core.manifest import Manifest, Settings
from memwarden.core.memory import Memory
from memwarden.core.note import Evidence, Note
from memwarden.errors import ERROR, WARNING, Finding

FIT = Note(
    "memory/decisions/a.md",
    "n-4f7k2m9q",
    subject="project",
    facet="workflow",
    evidence=(Evidence("user", "Ada"),),
)


def codes(note: Note, *findings: Finding, manifest: Manifest | None = None) -> list[str]:
    memory = Memory(None, manifest, notes=(note,), findings=findings)  # type: ignore[arg-type]
    return [finding.code for finding in unfit(memory).get(note.path, ())]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"id": ""}, ["M005"]),
        ({"subject": ""}, ["M101"]),
        ({"facet": ""}, ["M101"]),
        ({"facet": "mood"}, ["M103"]),
        ({"evidence": ()}, ["M201"]),
        ({"evidence": (Evidence("agent", "codex"), Evidence("conversation", "x"))}, ["M201"]),
        ({"evidence": (Evidence("agent", "codex"), Evidence("pr", "12"))}, []),
        ({"subject": "nobody-knows"}, []),
    ],
)
def test_an_active_note_is_unfit_for_what_it_lacks(change: dict[str, object], found: list[str]) -> None:
    assert codes(FIT._replace(**change)) == found


@pytest.mark.parametrize("folder", ["inbox", "archive"])
def test_a_candidate_or_archived_note_may_lack_everything(folder: str) -> None:
    assert codes(Note(f"memory/{folder}/a.md")) == []


def test_a_facet_of_the_manifest_is_known() -> None:
    manifest = Manifest(settings=Settings(facets=("mood",)))
    assert codes(FIT._replace(facet="mood"), manifest=manifest) == []


def test_an_error_of_reading_makes_a_note_unfit_and_a_warning_does_not() -> None:
    assert codes(FIT, Finding("M106", ERROR, "no", FIT.path)) == ["M106"]
    assert codes(FIT, Finding("M104", WARNING, "hm", FIT.path)) == []
    assert codes(FIT, Finding("M701", ERROR, "a secret", FIT.path)) == []


def test_a_broken_file_is_unfit_with_its_errors() -> None:
    finding = Finding("M001", ERROR, "no", "memory/decisions/b.md")
    memory = Memory(None, broken=(finding.path,), findings=(finding,))  # type: ignore[arg-type]
    assert unfit(memory) == {finding.path: (finding,)}


def test_a_malformed_field_is_told_once_and_what_is_lacking_beside_it_too() -> None:
    note = FIT._replace(id="", subject="", evidence=())
    bad = Finding("M110", ERROR, "no ID", FIT.path, key="id")
    assert codes(note, bad) == ["M110", "M101", "M201"]
    worse = Finding("M111", ERROR, "no evidence", FIT.path, key="evidence[0].rumour")
    assert codes(note, bad, worse) == ["M110", "M111", "M101"]
    mild = Finding("M107", WARNING, "hm", FIT.path, key="id")
    assert "M005" in codes(note, mild)
