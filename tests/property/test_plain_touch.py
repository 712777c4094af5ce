"""A touch that is answered the short way says and notes what the full way does, whatever happened before."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from memwarden.core.event import Event
from memwarden.core.manifest import Settings
from memwarden.core.note import Note
from memwarden.core.standing import Standing
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.turn import plain_touch
from memwarden.edge.turn.ledger import note_compaction
from memwarden.hook import _Call, look
from memwarden.hosts import claude, codex
from memwarden.hosts.speaking import speak
from tests.conftest import MANIFEST, Repo
from tests.edge.index_ground import settled
from tests.edge.ladder_ground import DEBT, FLAKY, NOW, RULE, Play

pytestmark = pytest.mark.property

OTHER = "tests/test_other.py"
LINK = "tests/link.py"
KEPT = ("sessions", "counts", "pending")

CONDITIONS = (
    f"{{file_contains: {{path: {FLAKY}, pattern: frozen_clock}}}}",
    f"{{file_contains: {{path: {FLAKY}, pattern: 'clock\\(\\d+\\)'}}}}",
    f"{{file_contains: {{path: {OTHER}, pattern: '^y+$'}}}}",
    f"{{file_lacks: {{path: {FLAKY}, pattern: 'time\\.sleep'}}}}",
    f"{{file_lacks: {{path: {OTHER}, text: x}}}}",
    "{file_contains: {path: 'tests/*.py', pattern: y}}",
    f"{{all: [{{file_exists: {OTHER}}}, {{file_contains: {{path: {FLAKY}, text: y}}}}]}}",
    f"{{any: [{{file_absent: {OTHER}}}, {{not: {{file_exists: {FLAKY}}}}}]}}",
    "{any: [{file_exists: made/by/now.txt}, {after: 2027-01-01}]}",
    "{file_exists: tests/deep/er}",
    "{file_absent: tests/link.py}",
    "{command: [make, check]}",
    "",
)
ANCHORS = (
    f"[{FLAKY}]",
    f"[{FLAKY}, 'tests/**']",
    "['*.py']",
    "[tests/]",
    f"[{OTHER}, tests, {FLAKY}]",
    "['t*/*y.py']",
)
TEXTS = (
    *(b"x\n", b"y\n", b"frozen_clock\n", b"time.sleep(1)\r\nclock(12)\r\n", b"clock(no)\n", b"", b"\0\1"),
    *(b"\xff\xfe", "\ufeffy\n".encode(), b"<<<<<<< ours\ny\n", "é\nyy\n".encode()),
)
PATHS = st.sampled_from([FLAKY, OTHER])


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
        self.plain = 0

    def payload(
        self, event: str, session: str, agent: str, call: str, write: bool, path: str
    ) -> dict[str, object]:
        root = self.play.place.root
        return {
            "session_id": session, "agent_id": agent, "cwd": root, "hook_event_name": event,
            "tool_name": "Edit" if write else "Read", "tool_use_id": call,
            "tool_input": {"file_path": path if path.startswith("/") else f"{root}/{path}"},
        }  # fmt: skip

    def touch(
        self,
        now: str = NOW,
        event: str = "PreToolUse",
        session: str = "s1",
        agent: str = "",
        call: str = "",
        write: bool = False,
        path: str = FLAKY,
    ) -> str:
        """What a hook says to Claude Code."""
        return self.answer(claude, self.payload(event, session, agent, call, write, path), now)

    def answer(self, host: ModuleType, payload: dict[str, object], now: str = NOW) -> str:
        """What a hook says; the short way and the full way agree on it wherever the short way answers."""
        place = self.play.place
        settled(place)
        hook = _Call(host.NAME, "", now)
        hook.module = host
        request = host.read(payload)
        glance = look(request, place.root, place.git_dir)
        if glance is None:
            assert speak(host, request, place.root, now) == host.least(request.event)
            return ""
        before = self.state(whole=True)
        short = hook._plainly(request, glance, place.root, place.git_dir)
        if short is None:
            assert {path: data for path, data in self.state(whole=True).items() if data} == before
            return speak(host, request, place.root, now)
        self.plain += 1
        noted = self.state()
        self.restore(before)
        assert speak(host, request, place.root, now) == short
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


def test_the_short_way_finds_fields_where_records_have_them() -> None:
    for record, places in (
        (Note, ("ID", "TITLE", "LIFECYCLE", "CONDITION", "ANCHORS", "CREATED", "BODY_LINE")),
        (Standing, ("NAME", "MISSES", "PAID", "AWAITS_RED")),
        (Event, ("FACTS",)),
        (Settings, ("ASK_AFTER", "DELIVER_TOKENS")),
    ):
        for place in places:
            assert record._fields[getattr(plain_touch, place)] == place.lower()


def test_the_first_touch_is_told_by_the_short_way_and_so_is_the_next_of_an_edited_file(twin: Twin) -> None:
    first = twin.touch(session="s1", call="t1")
    assert (twin.plain, first.count("Debt n-"), first.count("Rule n-")) == (1, 2, 1)
    assert twin.touch(session="s2", call="t1") == first
    assert twin.touch(session="s2", call="t1") == ""
    twin.play.edit("more\n")
    assert twin.touch(session="s2", call="t2", write=True) == ""
    assert twin.touch(session="s2", call="t2", write=True, event="PostToolUse") == ""
    assert twin.touch(session="s3", call="t2") == first
    assert twin.plain == 6


def test_patch_of_several_files_is_told_after_it_ran(twin: Twin) -> None:
    patch = f"*** Begin Patch\n*** Update File: {FLAKY}\n*** Update File: {OTHER}\n*** End Patch"
    payload = twin.payload("PostToolUse", "s1", "", "t1", True, FLAKY)
    payload |= {"tool_name": "apply_patch", "tool_input": {"command": patch}}
    assert twin.answer(codex, payload).count("Debt n-") == 2
    assert twin.plain == 1


def test_pipe_in_place_of_a_file_is_the_full_ways(twin: Twin) -> None:
    os.unlink(Path(twin.play.place.root, FLAKY))
    os.mkfifo(Path(twin.play.place.root, FLAKY))
    assert f"no match in {FLAKY}" not in twin.touch(path=FLAKY)
    assert twin.plain == 0


def test_payment_is_the_full_ways(twin: Twin) -> None:
    twin.play.fix()
    twin.touch()
    assert twin.plain == 0
    assert "paid" in Path(twin.play.place.private, "pending").read_text()


def test_pattern_that_is_no_text_is_found_once_and_then_known(twin: Twin) -> None:
    twin.play.debt(condition=CONDITIONS[1])
    twin.play.edit("clock(no)\n")
    open_memory(settled(twin.play.place))
    for session in ("a", "b"):
        assert "no match" in twin.touch(session=session)
    assert twin.plain == 2
    assert len(Path(twin.play.place.private, "answers/found").read_text().splitlines()) == 1


@pytest.mark.parametrize("length", [4_200, 4_450, 4_600, 5_200])
def test_what_a_host_would_cut_is_left_out_the_same_way(twin: Twin, length: int) -> None:
    twin.play.set("deliver_tokens: 90000")
    for note in (DEBT, "n-00debt02"):
        twin.play.debt(note, CONDITIONS[0], f"[{FLAKY}]", body="x" * length)
    open_memory(settled(twin.play.place))
    twin.touch(session="a")
    twin.touch(session="b")
    assert twin.plain == (2 if length == 4_200 else 0)


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
    assert twin.plain == 0


class Touching(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="plain-"))
        repo = Repo(Path(self.folder))
        repo.git("init", "-q", "-b", "main")
        self.twin = Twin(repo)
        self.play = self.twin.play
        self.root = Path(self.folder)

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @rule(
        session=st.sampled_from(["s1", "s2"]),
        agent=st.sampled_from(["", "a1"]),
        call=st.sampled_from(["", "t1", "t2", "t3"]),
        event=st.sampled_from(["PreToolUse", "PostToolUse"]),
        write=st.booleans(),
        path=st.sampled_from([FLAKY, FLAKY, OTHER, LINK, "tests/../tests/test_retry.py", "tests/new.py"]),
        now=st.sampled_from([NOW, NOW, NOW, "2026-12-03T10:00:00Z"]),
    )
    def touch(self, **more: Any) -> None:
        for _ in range(2):
            self.twin.touch(**more)

    @rule(
        event=st.sampled_from(["PreToolUse", "PostToolUse"]),
        session=st.sampled_from(["s1", "s2"]),
        call=st.sampled_from(["", "t1", "t4"]),
        paths=st.lists(PATHS, min_size=1, max_size=2),
    )
    def patch(self, event: str, session: str, call: str, paths: list[str]) -> None:
        text = "\n".join(
            ["*** Begin Patch", *(f"*** Update File: {path}" for path in paths), "*** End Patch"]
        )
        payload = self.twin.payload(event, session, "", call, True, FLAKY)
        self.twin.answer(codex, payload | {"tool_name": "apply_patch", "tool_input": {"command": text}})

    @rule(session=st.sampled_from(["s1", "s2"]))
    def close(self, session: str) -> None:
        self.play.close(session)

    @rule()
    def settle(self) -> None:
        self.play.settle()

    @rule(session=st.sampled_from(["s1", "s2"]), agent=st.sampled_from(["", "a1"]))
    def compact(self, session: str, agent: str) -> None:
        note_compaction(self.play.place, session, agent)

    @rule(path=PATHS, data=st.sampled_from(TEXTS))
    def write(self, path: str, data: bytes) -> None:
        (self.root / path).write_bytes(data)

    @rule(path=PATHS)
    def remove(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule()
    def link(self) -> None:
        if not os.path.lexists(self.root / LINK):
            (self.root / LINK).symlink_to("test_other.py")

    @rule(path=st.sampled_from(["tests/deep/er", "made/by/now.txt/x", "tests/deep/.git"]))
    def make(self, path: str) -> None:
        (self.root / path).mkdir(parents=True, exist_ok=True)

    @rule(
        note=st.sampled_from([DEBT, "n-00debt02", "n-00debt03"]),
        condition=st.sampled_from(CONDITIONS),
        anchors=st.sampled_from(ANCHORS),
        body=st.sampled_from(
            ["Short.", "Long. " * 60, "Longer. " * 590, "日本語の説明。" * 40, "A\u202eB\x1b"]
        ),
        created=st.sampled_from(["", "2026-11-30"]),
    )
    def owe(self, note: str, condition: str, anchors: str, body: str, created: str) -> None:
        self.play.debt(note, condition, anchors, body=body, title="It waits", created=created)

    @rule(
        anchors=st.sampled_from(ANCHORS),
        title=st.sampled_from(["one", "two"]),
        facet=st.sampled_from(["workflow", "odd"]),
    )
    def govern(self, anchors: str, title: str, facet: str) -> None:
        self.play.rule(RULE, anchors, title=title, facet=facet)

    @rule()
    def commit(self) -> None:
        self.play.repo.git("add", "-A", "--", "memory", "tests/test_retry.py", check=False)
        self.play.repo.git("commit", "-q", "--allow-empty", "-m", "on")

    @rule(on=st.booleans())
    def bisect(self, on: bool) -> None:
        mark = self.root / ".git/BISECT_LOG"
        if on:
            mark.write_text("x")
        else:
            mark.unlink(missing_ok=True)

    @rule(
        setting=st.sampled_from(
            ["", "ask_after: 1\n", "deliver_tokens: 90\n", "deliver_tokens: 9000\n", "miss_per: turn\n"]
        )
    )
    def set(self, setting: str) -> None:
        text = MANIFEST.replace("protocol: 1\n", f"protocol: 1\n{setting}")
        self.play.repo.write("memory/manifest.md", text)


TestTouching = Touching.TestCase
TestTouching.settings = settings(
    max_examples=12, stateful_step_count=14, suppress_health_check=list(HealthCheck)
)
