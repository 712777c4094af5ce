"""What a session starts with is the same, out of the index and out of the files."""

from __future__ import annotations

import json
import random

import pytest

from memwarden.core.canonical import condition_digest
from memwarden.edge.index_read import open_index
from memwarden.edge.place import Place, find_place
from memwarden.edge.reading import index_build, opening
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.start_index import start_index
from memwarden.edit.event_reader import name_hash
from memwarden.edit.starter import BRIEF
from memwarden.hosts import MOST_CHARACTERS, briefing
from memwarden.hosts.whole_start import WholeStart
from tests.conftest import MANIFEST, Repo, note_text
from tests.edge.index_ground import TODAY, planted, settled
from tests.edge.index_ground import one_program as one_program
from tests.edge.index_ground import that_day as that_day

pytestmark = pytest.mark.usefixtures("that_day")

ALWAYS = ("- brief.md", "- brief.md\n- decisions/", "- brief.md\n- debts/\n- odd/ (if present)")
DAYS = ("2026-11-29", "2026-11-20", "2026-08-01", "2019-01-01", "2027-01-01")


def peopled(repo: Repo, seed: int) -> Place:
    """A memory with payments of any age, also declared ones, and a brief that may still be a form."""
    dice = random.Random(seed)
    place = planted(repo, seed)
    manifest = repo.read("memory/manifest.md").replace("- brief.md", dice.choice(ALWAYS), 1)
    repo.write("memory/manifest.md", manifest)
    repo.write("src/a.py", dice.choice(("a = 1\n", "frozen = 1\n")))
    for note in open_memory(place, cache=False).notes:
        if note.id and note.condition is not None and dice.random() < 0.7:
            write_payment(repo, note.id, condition_digest(note.condition), dice)
    kind = dice.choice(("form", "filled", "none"))
    if kind == "form":
        repo.write("memory/brief.md", BRIEF.format(id="n-br1ef000", date=TODAY, name="a"))
    elif kind == "filled":
        repo.write("memory/brief.md", note_text("A", id="n-br1ef000", subject="project", facet="overview"))
    if dice.random() < 0.5:
        rival = {"id": "n-r1va1000", "subject": "project", "facet": "overview"}
        repo.write("memory/decisions/rival.md", note_text("Rival", "It says more.", **rival))
    return settled(place)


def write_payment(repo: Repo, note: str, digest: str, dice: random.Random) -> None:
    how = dice.choice(("touch", "settle", "declared"))
    event = {
        "actor": {"kind": "human", "name": "Ada"},
        "at": f"{dice.choice(DAYS)}T00:00:00Z",
        "branch": "main",
        "commit": None,
        "condition_digest": digest,
        "dirty": False,
        "how": how,
        "kind": "paid",
        "note": note,
        "schema": 1,
        "seq": 1,
    }
    repo.write(f"memory/events/{note}/0001-paid-{name_hash(event)}.json", json.dumps(event))


def out_of_files(place: Place, today: str, room: int) -> tuple[str, list[str]]:
    return briefing._told(place, WholeStart(place, today), today, room)


@pytest.mark.parametrize("seed", range(24))
def test_a_start_out_of_the_index_is_the_start_out_of_the_files(
    seed: int, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_build, "TRAY", 1 + seed % 4)
    place = peopled(repo, seed)
    open_memory(place)
    for room in (MOST_CHARACTERS, 2000, 900):
        found = briefing._out_of_index(place, TODAY, room, None)
        assert found is not None
        assert found == out_of_files(place, TODAY, room)


def test_the_plantings_hold_debts_that_came_back_and_briefs_that_are_forms(repo: Repo) -> None:
    seen = set()
    for seed in range(8):
        place = peopled(repo, seed)
        open_memory(place)
        reader = open_index(place.private)
        assert reader is not None
        seen.add("form" if reader.file.get("start shelf") else "no form")
        _, returned = out_of_files(place, TODAY, MOST_CHARACTERS)
        seen.add("came back" if returned else "nothing came back")
    assert seen == {"form", "no form", "came back", "nothing came back"}


def test_a_memory_that_does_not_route_is_left_to_the_plain_way(repo: Repo) -> None:
    repo.write("memory/manifest.md", MANIFEST.replace("total: 4000", "total: many"))
    repo.write("memory/brief.md", note_text("A", facet="overview"))
    place = settled(find_place(str(repo.root)))
    text = briefing.briefing(place, TODAY)
    assert briefing._out_of_index(place, TODAY, MOST_CHARACTERS, None) is None
    assert "nothing is routed" in text


def test_an_edit_in_place_is_left_to_the_plain_way_and_told(repo: Repo) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("A", "Old words.", facet="overview"))
    place = settled(find_place(str(repo.root)))
    assert "Old words." in briefing.briefing(place, TODAY)
    repo.write("memory/brief.md", note_text("A", "New words.", facet="overview"))
    assert briefing._out_of_index(place, TODAY, MOST_CHARACTERS, None) is None
    assert "New words." in briefing.briefing(place, TODAY)


def test_another_day_than_the_standings_hold_for_is_left_to_the_plain_way(repo: Repo) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/decisions/a.md", note_text("A", expires="2999-01-01"))
    place = settled(find_place(str(repo.root)))
    open_memory(place)
    reader = open_index(place.private)
    assert reader is not None
    assert start_index(place, reader, TODAY) is not None
    assert start_index(place, reader, "2999-01-02") is None


def test_an_index_of_a_day_on_which_notes_stood_otherwise_is_made_anew(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/decisions/a.md", note_text("A", expires="2999-01-01"))
    place = settled(find_place(str(repo.root)))
    open_memory(place)
    monkeypatch.setattr(opening, "_today", lambda: "2999-01-02")
    open_memory(place)
    reader = open_index(place.private)
    assert reader is not None
    assert reader.is_of("2999-01-02")
