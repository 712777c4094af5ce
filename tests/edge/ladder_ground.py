"""A real repository to play the ladder in, spoken to in a few words."""

from __future__ import annotations

from typing import Any

from memwarden.core.actor import Actor
from memwarden.edge.place import find_place
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.whole_memory import WholeMemory
from memwarden.edge.turn.closing import Close, Closed
from memwarden.edge.turn.closing import close as close_turn
from memwarden.edge.turn.settling import Settled
from memwarden.edge.turn.settling import settle as settle_all
from memwarden.edge.turn.touching import Touch, Touched
from memwarden.edge.turn.touching import touch as touch_tool
from memwarden.edge.turn.waiting import read_pending
from tests.conftest import MANIFEST, Repo, note_text

ADA = Actor("human", "Ada")
NOW = "2026-12-01T10:00:00Z"
DEBT = "n-00debt00"
RULE = "n-00rv1e00"
FLAKY = "tests/test_retry.py"
FROZEN = "{file_contains: {path: tests/test_retry.py, pattern: frozen_clock}}"


class Play:
    """One repository with a debt on ``tests/test_retry.py`` and whatever else a test adds."""

    def __init__(self, repo: Repo, settings: str = "") -> None:
        self.repo = repo
        self.place = find_place(str(repo.root))
        manifest = MANIFEST.replace("project: p-7q2m4x9k\n", f"project: p-7q2m4x9k\n{settings}")
        repo.write("memory/manifest.md", manifest)
        repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
        repo.write(FLAKY, "def test_backoff(): ...\n")

    def debt(
        self, note: str = DEBT, condition: str = FROZEN, anchors: str = f"[{FLAKY}]", **fields: str
    ) -> None:
        self.repo.write(
            f"memory/debts/{note}.md",
            note_text(
                fields.pop("title", "test_retry.py is flaky"),
                fields.pop("body", "The back-off test sleeps."),
                id=note,
                lifecycle="debt",
                facet="behavior",
                condition=condition,
                anchors=anchors,
                **fields,
            ),
        )

    def rule(self, note: str = RULE, anchors: str = f"[{FLAKY}]", **fields: str) -> None:
        title = fields.pop("title", "config is generated")
        self.repo.write(f"memory/constraints/{note}.md", note_text(title, id=note, anchors=anchors, **fields))

    def set(self, setting: str) -> None:
        """Add a setting to the manifest."""
        manifest = self.repo.read("memory/manifest.md")
        self.repo.write("memory/manifest.md", manifest.replace("protocol: 1\n", f"protocol: 1\n{setting}\n"))

    def start(self) -> None:
        self.repo.commit("start")

    def read(self, path: str = FLAKY, **request: Any) -> Touched:
        return self.touch(reads=(path,), **request)

    def write(self, path: str = FLAKY, **request: Any) -> Touched:
        return self.touch(writes=(path,), **request)

    def touch(self, now: str = NOW, **request: Any) -> Touched:
        return touch_tool(self.place, Touch(**request), now, ADA)

    def close(self, session: str = "", now: str = NOW, **request: Any) -> Closed:
        return close_turn(self.place, Close(session, **request), now, ADA)

    def settle(self, now: str = NOW, **more: Any) -> Settled:
        return settle_all(self.place, now, ADA, **more)

    def edit(self, text: str = "edited\n", path: str = FLAKY) -> None:
        before = self.repo.read(path) if (self.repo.root / path).exists() else ""
        self.repo.write(path, before + text)

    def fix(self) -> None:
        self.edit("def test_backoff(frozen_clock): ...\n")

    def unfix(self) -> None:
        self.repo.write(FLAKY, self.repo.read(FLAKY).replace("frozen_clock", ""))

    def miss(self, session: str) -> Closed:
        """A whole session that writes past the debt."""
        self.write(session=session)
        self.edit()
        return self.close(session)

    def misses(self, note: str = DEBT) -> int:
        """The misses, recorded and waiting."""
        found = WholeMemory(open_memory(self.place), NOW[:10]).named([note])
        return found[note].standing.misses + read_pending(self.place).misses.get(note, 0)

    def standing(self, note: str = DEBT, today: str = NOW[:10]) -> str:
        return WholeMemory(open_memory(self.place), today).named([note])[note].standing.name

    def events(self, note: str = DEBT) -> list[str]:
        """The kinds of the note's event files, in order."""
        folder = self.repo.root / "memory" / "events" / note
        return [file.name.split("-")[1] for file in sorted(folder.glob("*.json"))] if folder.exists() else []


def levels(touched: Touched) -> list[tuple[str, str]]:
    return [(delivery.id, delivery.level) for delivery in touched.deliveries]


def overdue(play: Play) -> None:
    """Let the debt reach ``ask_after`` misses, with the file as it was."""
    for number in range(3):
        play.miss(f"before-{number}")
    play.repo.git("checkout", "-q", "--", FLAKY)
