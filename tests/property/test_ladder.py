"""Any order of touches, edits, closes and settlements: the ladder's laws hold."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memwarden.edge.turn.ledger import note_compaction
from tests.conftest import Repo
from tests.edge.ladder_ground import DEBT, FLAKY, RULE, Play

pytestmark = pytest.mark.property

SESSIONS = st.sampled_from(["", "s1", "s2"])
AGENTS = st.sampled_from(["", "a1"])
CALLS = st.sampled_from(["", "t1", "t2", "t3"])


class Ladder(RuleBasedStateMachine):
    """One debt and one rule on one file, played in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp(prefix="ladder-")
        repo = Repo(Path(self.folder))
        repo.git("init", "-q", "-b", "main")
        self.play = Play(repo)
        self.play.debt()
        self.play.rule()
        self.play.start()
        self.missed = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @property
    def holds(self) -> bool:
        return "frozen_clock" in self.play.repo.read(FLAKY)

    @rule(
        session=SESSIONS, agent=AGENTS, call=CALLS, write=st.booleans(), ran=st.booleans(), once=st.booleans()
    )
    def touch(self, session: str, agent: str, call: str, write: bool, ran: bool, once: bool) -> None:
        paths = {"writes" if write else "reads": (FLAKY,)}
        touched = self.play.touch(session=session, agent=agent, call=call, ran=ran, at_once=once, **paths)
        for delivery in touched.deliveries:
            if delivery.id == RULE:
                assert delivery.level == "warn"
            else:
                assert not self.holds
                assert delivery.level == "warn" or (write and self.play.misses() >= 3)

    @rule(session=SESSIONS, agent=AGENTS, reported=st.booleans(), once=st.booleans())
    def close(self, session: str, agent: str, reported: bool, once: bool) -> None:
        before, owed = self.play.misses(), not self.holds
        closed = self.play.close(session, agent=agent, wrote=(FLAKY,) if reported else (), at_once=once)
        assert RULE not in closed.missed
        assert not closed.missed or (session and owed and not agent)
        assert self.play.misses() == before + len(closed.missed)
        assert self.play.close(session, agent=agent, at_once=once).missed == ()

    @rule()
    def edit(self) -> None:
        self.play.edit()

    @precondition(lambda self: not self.holds)
    @rule()
    def fix(self) -> None:
        self.play.fix()

    @precondition(lambda self: self.holds)
    @rule()
    def unfix(self) -> None:
        self.play.unfix()

    @rule()
    def commit(self) -> None:
        self.play.repo.commit()

    @rule()
    def settle(self) -> None:
        self.play.settle()

    @rule(session=SESSIONS)
    def compact(self, session: str) -> None:
        note_compaction(self.play.place, session)

    @invariant()
    def misses_never_shrink(self) -> None:
        misses = self.play.misses()
        assert misses >= self.missed
        self.missed = misses

    @invariant()
    def rules_have_no_events(self) -> None:
        assert self.play.events(RULE) == []

    @invariant()
    def payments_and_returns_alternate(self) -> None:
        turns = [kind for kind in self.play.events(DEBT) if kind in ("paid", "reinstated")]
        assert all(kind == ("reinstated" if at % 2 else "paid") for at, kind in enumerate(turns))


TestLadder = Ladder.TestCase
TestLadder.settings = settings(max_examples=12, stateful_step_count=15, deadline=None, derandomize=True)
