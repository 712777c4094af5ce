"""A settling that is stopped at any point has recorded each miss once, or not yet."""

from __future__ import annotations

from typing import Any

import pytest

from memwarden.edge.turn import receipts
from memwarden.edge.turn.appending import LockedLines
from memwarden.edge.turn.waiting import read_pending
from tests.conftest import Repo
from tests.edge.ladder_ground import DEBT, Play


class Killed(BaseException):
    """The process is gone: nothing after this runs."""


@pytest.fixture
def play(repo: Repo) -> Play:
    """A debt that was missed twice, and neither miss is recorded."""
    play = Play(repo)
    play.debt()
    play.start()
    for session in ("one", "two"):
        play.miss(session)
    assert misses(play) == (0, 2)
    return play


def misses(play: Play) -> tuple[int, int]:
    """Those that are recorded, and those that wait."""
    waiting = read_pending(play.place).misses.get(DEBT, 0)
    return play.misses() - waiting, waiting


def stopped(play: Play, monkeypatch: pytest.MonkeyPatch, owner: object, at: str) -> None:
    """Settle, and be killed where this is called."""

    def killed(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(owner, at, killed)
        with pytest.raises(Killed):
            play.settle()


def test_stopped_after_the_events_were_written(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(play, monkeypatch, LockedLines, "replace")
    assert misses(play) == (2, 0)
    play.settle()
    assert misses(play) == (2, 0)


def test_stopped_before_the_events_were_written(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(play, monkeypatch, receipts, "apply_changes")
    assert misses(play) == (0, 2)
    play.settle()
    assert misses(play) == (2, 0)


def test_a_miss_after_one_that_was_stopped_is_one_more(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(play, monkeypatch, LockedLines, "replace")
    play.miss("three")
    assert sum(misses(play)) == 3
    play.settle()
    assert misses(play) == (3, 0)
