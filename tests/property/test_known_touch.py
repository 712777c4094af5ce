"""A touch whose answer is known says and notes what the full way does, whatever happened between."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from memwarden.edge.reading.opening import open_memory
from memwarden.edge.turn import touching
from memwarden.edge.turn.ledger import note_compaction
from memwarden.hook import _Call, _concerns_us
from memwarden.hosts import Request, claude
from memwarden.hosts.speaking import speak
from tests.conftest import Repo
from tests.edge.ladder_ground import DEBT, FLAKY, NOW, Play
from tests.edge.test_index import settled

pytestmark = pytest.mark.property

SESSIONS = st.sampled_from(["s1", "s2"])
AGENTS = st.sampled_from(["", "a1"])
CALLS = st.sampled_from(["", "t1", "t2", "t3"])
OTHER = "tests/test_other.py"
KEPT = ("sessions", "counts", "pending")


class Twin:
    """One repository whose touches are answered both ways."""

    def __init__(self, repo: Repo) -> None:
        repo.write(OTHER, "x\n")
        self.play = Play(repo)
        self.play.debt()
        self.play.debt("n-00debt02", f"{{file_contains: {{path: {OTHER}, pattern: y}}}}", "[tests/**]")
        self.play.rule(anchors=f"[{FLAKY}, 'tests/**']")
        self.play.start()
        open_memory(settled(self.play.place))
        self.known = 0

    def request(
        self, session: str = "s1", agent: str = "", call: str = "", write: bool = False, path: str = FLAKY
    ) -> Request:
        root = self.play.place.root
        payload: dict[str, object] = {
            "session_id": session,
            "agent_id": agent,
            "cwd": root,
            "hook_event_name": "PreToolUse",
            "tool_name": "Edit" if write else "Read",
            "tool_use_id": call,
            "tool_input": {"file_path": f"{root}/{path}"},
        }
        found = claude.read(payload)
        assert found is not None
        return found

    def touch(self, now: str = NOW, **more: object) -> str:
        """What a hook says; the short way and the full way agree on it wherever the short way answers."""
        place = self.play.place
        settled(place)
        hook = _Call("claude", "", now)
        hook.module = claude
        before = self.state(whole=True)
        request = self.request(**more)  # type: ignore[arg-type]
        short = hook._known(request, place.root, place.git_dir)
        if short is None:
            assert self.state(whole=True) == before
            return speak(claude, request, place.root, now)
        self.known += 1
        noted = self.state()
        self.restore(before)
        assert _concerns_us(request, place.root, place.git_dir)
        assert speak(claude, request, place.root, now) == short
        assert self.state() == noted
        return short

    def state(self, whole: bool = False) -> dict[str, bytes]:
        """Private state that tells what was said; without the moment of each delivery unless ``whole``."""
        found = {}
        for name in KEPT:
            top = Path(self.play.place.private, name)
            for file in [top] if top.is_file() else sorted(top.glob("*")):
                lines = [line.split(b"\t") for line in file.read_bytes().split(b"\n")]
                if not whole:
                    lines = [[*line[:7], *line[8:]] if line[0] == b"told" else line for line in lines]
                found[str(file)] = b"\n".join(b"\t".join(line) for line in lines)
        return {path: data for path, data in found.items() if data}

    def restore(self, before: dict[str, bytes]) -> None:
        for path, data in self.state(whole=True).items():
            if path not in before:
                os.unlink(path)
            elif data != before[path]:
                Path(path).write_bytes(before[path])


@pytest.fixture
def twin(repo: Repo) -> Twin:
    return Twin(repo)


def test_second_session_is_told_by_the_short_way(twin: Twin) -> None:
    first = twin.touch(session="s1", call="t1")
    assert (twin.known, first.count("Debt n-"), first.count("Rule n-")) == (0, 2, 1)
    assert twin.touch(session="s2", call="t1") == first
    assert twin.touch(session="s2", call="t1") == ""
    assert twin.touch(session="s2", call="t2") == ""
    assert twin.known == 3


def test_changed_file_note_branch_and_day_are_seen(twin: Twin) -> None:
    def changed() -> bool:
        before = twin.known
        twin.touch(session=f"s{before}")
        seen = twin.known == before
        for again in ("t", "u"):  # where a note has changed, the index is written anew first
            twin.touch(session=f"{again}{before}")
        assert twin.known > before
        return seen

    repo = twin.play.repo
    assert changed()
    assert not changed()
    twin.play.edit()
    assert changed()
    repo.write(OTHER, "z\n")
    assert changed()
    repo.write(f"memory/debts/{DEBT}.md", repo.read(f"memory/debts/{DEBT}.md") + "\nMore.\n")
    assert changed()
    repo.git("commit", "-q", "--allow-empty", "-m", "on")
    assert changed()
    twin.play.set("ask_after: 5")
    assert changed()


def test_debt_that_reaches_its_ask_is_asked(twin: Twin) -> None:
    twin.touch(session="s0", write=True)
    for number in range(3):
        twin.play.miss(f"before-{number}")
    assert '"permissionDecision":"ask"' in twin.touch(session="s1", call="t1", write=True)
    assert '"permissionDecision":"ask"' in twin.touch(session="s1", call="t2", write=True)


def test_file_behind_a_link_is_left_to_the_full_way(twin: Twin) -> None:
    root = twin.play.repo.root
    os.rename(root / FLAKY, root / "real.py")
    os.symlink(root / "real.py", root / FLAKY)
    twin.touch(session="s1")
    twin.touch(session="s2")
    assert twin.known == 0


class Touching(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        touching.IN_WORK = -(
            10**9
        )  # what is written here is as young as can be, and is to be known all the same
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="known-"))
        repo = Repo(Path(self.folder))
        repo.git("init", "-q", "-b", "main")
        self.twin = Twin(repo)
        self.play = self.twin.play

    def teardown(self) -> None:
        touching.IN_WORK = 20
        shutil.rmtree(self.folder)

    @rule(
        session=SESSIONS,
        agent=AGENTS,
        call=CALLS,
        write=st.booleans(),
        path=st.sampled_from([FLAKY, FLAKY, OTHER]),
        now=st.sampled_from([NOW, NOW, NOW, "2026-12-03T10:00:00Z"]),
    )
    def touch(self, session: str, agent: str, call: str, write: bool, path: str, now: str) -> None:
        for _ in range(2):
            self.twin.touch(now, session=session, agent=agent, call=call, write=write, path=path)

    @rule(session=SESSIONS)
    def close(self, session: str) -> None:
        self.play.close(session)

    @rule(session=SESSIONS, agent=AGENTS)
    def compact(self, session: str, agent: str) -> None:
        note_compaction(self.play.place, session, agent)

    @rule(path=st.sampled_from([FLAKY, OTHER]), text=st.sampled_from(["x\n", "y\n", "frozen_clock\n"]))
    def write(self, path: str, text: str) -> None:
        self.play.repo.write(path, text)

    @rule(path=st.sampled_from([FLAKY, OTHER]))
    def remove(self, path: str) -> None:
        (self.play.repo.root / path).unlink(missing_ok=True)

    @rule(title=st.sampled_from(["one", "two"]))
    def renote(self, title: str) -> None:
        self.play.rule(title=title, anchors=f"[{FLAKY}, 'tests/**']")

    @rule()
    def commit(self) -> None:
        self.play.repo.git("add", "-A")
        self.play.repo.git("commit", "-q", "--allow-empty", "-m", "on")

    @rule(number=st.sampled_from(["1", "3"]))
    def setting(self, number: str) -> None:
        manifest = (
            self.play.repo.read("memory/manifest.md")
            .replace("ask_after: 1\n", "")
            .replace("ask_after: 3\n", "")
        )
        self.play.repo.write(
            "memory/manifest.md", manifest.replace("protocol: 1\n", f"protocol: 1\nask_after: {number}\n")
        )


TestTouching = Touching.TestCase
TestTouching.settings = settings(max_examples=15, stateful_step_count=14)
