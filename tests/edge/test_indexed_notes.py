"""The index answers a touch as the whole memory does, or steps aside."""

from __future__ import annotations

import time

import pytest

from memwarden.edge.reading.indexed_notes import IndexedNotes, indexed_notes
from memwarden.edge.reading.note_source import note_source
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.whole_memory import WholeMemory
from memwarden.edge.tree.touched_paths import Touches
from memwarden.edge.turn.touching import match_of
from memwarden.edit.event_writer import Stamp, draft, event_file
from tests.conftest import Repo
from tests.edge.ladder_ground import ADA, DEBT, FLAKY, NOW, RULE, Play, levels

TODAY = NOW[:10]


@pytest.fixture
def play(repo: Repo) -> Play:
    found = Play(repo)
    found.debt()
    found.rule(anchors="['tests/**', {command: '^npm'}]")
    found.rule("n-00bad000", anchors=f"[{FLAKY}]", evidence="")
    found.rule("n-00facet0", anchors=f"[{FLAKY}]", facet="unheard-of")
    found.start()
    return found


def settled_index(play: Play) -> IndexedNotes:
    """The index, once every file is older than a tick of the file system's clock."""
    for _ in range(200):
        open_memory(play.place)
        found = indexed_notes(play.place, TODAY)
        if found is not None and ids(found, (FLAKY,)) and found._whole is None:
            return found
        time.sleep(0.01)
    raise AssertionError("the index is never trusted")


def ids(source: object, paths: tuple[str, ...], commands: tuple[str, ...] = ()) -> list[str]:
    found = source.matching(paths, commands)  # type: ignore[attr-defined]
    touches = Touches(writes=paths, commands=commands)
    return [one.note.id for one in found if match_of(one.note, one.standing, touches)]


def test_index_and_whole_memory_agree(play: Play) -> None:
    index = settled_index(play)
    whole = WholeMemory(open_memory(play.place), TODAY)
    for paths, commands in (((FLAKY,), ()), (("src/x.py",), ()), ((), ("npm publish",)), ((FLAKY,), ("ls",))):
        assert ids(index, paths, commands) == ids(whole, paths, commands)
    assert index.settings == whole.settings
    assert index.named([DEBT]) == whole.named([DEBT])
    assert index.body(index.named([DEBT])[DEBT].note) == whole.body(whole.named([DEBT])[DEBT].note)


def test_note_that_was_edited_in_place_is_read_again(play: Play) -> None:
    settled_index(play)
    assert levels(play.read())
    text = play.repo.read(f"memory/debts/{DEBT}.md")
    (play.repo.root / f"memory/debts/{DEBT}.md").write_text(text.replace("is flaky", "is slow"))
    assert "is slow" in play.read().context


def test_without_an_index_the_memory_is_read(play: Play) -> None:
    assert isinstance(note_source(play.place, TODAY), WholeMemory | IndexedNotes)
    play.repo.write(".git/mem/index", b"damaged")
    assert isinstance(note_source(play.place, TODAY), WholeMemory)
    assert levels(play.read())


@pytest.mark.parametrize("revoked", ["n-00next00", "n-00end000"])
def test_what_revokes_a_successor_is_seen_though_nothing_near_by_has_changed(
    play: Play, revoked: str
) -> None:
    play.rule("n-00next00", anchors="[elsewhere/**]", supersedes=f"[{RULE}]")
    play.rule("n-00end000", anchors="[elsewhere/**]", supersedes="[n-00next00]")
    path, data = event_file(draft(revoked, "revoked", (), {"reason": "wrong"}), Stamp(NOW, ADA))
    play.repo.write(path.replace(path.rpartition("/")[2], "README.md"), "")
    assert standing_in(settled_index(play)) == "superseded"
    play.repo.write(path, data)
    fresh, whole = indexed_notes(play.place, TODAY), WholeMemory(open_memory(play.place), TODAY)
    assert fresh is not None  # no folder that it watches has changed
    expected = "active" if revoked == "n-00next00" else "superseded"
    assert (standing_in(fresh), standing_in(whole)) == (expected, expected)


def standing_in(source: IndexedNotes | WholeMemory) -> str:
    return next(found.standing.name for found in source.matching((FLAKY,), ()) if found.note.id == RULE)
