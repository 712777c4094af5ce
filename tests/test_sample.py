"""A small real project's memory: what a planning task must and must not be told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import Mem, Repo

SAMPLE = Path(__file__).parent / "data" / "nightnotes" / "memory"


@pytest.fixture
def nightnotes(repo: Repo) -> Repo:
    shutil.copytree(SAMPLE, repo.root / "memory")
    repo.commit("the sample's memory")
    return repo


@pytest.mark.usefixtures("nightnotes")
def test_planning_is_told_what_governs_and_never_the_candidate(mem: Mem) -> None:
    pack = mem("route", "--task", "planning").out
    for told in ("human-readable local JSON", "no network", "standard library", "stay readable", "SQLite"):
        assert told in pack
    assert "Do not introduce SQLite" in pack
    assert "encrypt" not in pack.lower()
    assert "passphrase" not in pack


@pytest.mark.usefixtures("nightnotes")
def test_every_note_of_the_sample_is_accounted_for_once(mem: Mem) -> None:
    routed = mem("route", "--task", "plan", "--json").json
    paths = [note["path"] for note in routed["loaded"] + routed["omitted"]]
    assert sorted(paths) == sorted(
        path.relative_to(SAMPLE.parent).as_posix()
        for path in SAMPLE.rglob("*.md")
        if path.name != "manifest.md" and path.parent.name != "subjects"
    )
    waiting = [note for note in routed["omitted"] if note["path"].startswith("memory/inbox/")]
    assert [note["reason"] for note in waiting] == ["candidate"]


@pytest.mark.usefixtures("nightnotes")
def test_the_sample_checks_clean(mem: Mem) -> None:
    checked = mem("check", "--strict")
    assert checked.code == 0, checked.out
