"""A check that goes on from the last one finds what a whole check finds, to the byte."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memwarden.core.actor import Actor
from memwarden.edge.command.judging import Running
from memwarden.edge.command.trust import OwnWord
from memwarden.edge.place import find_place
from memwarden.edge.review import checking
from memwarden.edge.review.reporting import Asker
from memwarden.edit.event_writer import Stamp, draft, event_file
from memwarden.edit.fresh import new_note
from memwarden.render.findings import fields, page
from memwarden.rules.report import Report
from tests.conftest import MANIFEST

pytestmark = pytest.mark.property

IDS = [f"n-aaaaaaa{n}" for n in range(6)]
FOLDERS = ("decisions", "constraints", "areas/sync", "archive", "inbox", "debts", "ideas")
SUBJECTS = ("project", "path:src/a.py", "path:./src/a.py", "lib", "the library", "unknown")
FILES = ("src/a.py", "src/b.py", "src/deep/c.py", "docs/x.md", "pyproject.toml", "Makefile", "src")
PATHS = (
    *FILES,
    "docs/link.md",
    "lib/b.py",
    "lib/**",
    "docs/*.md",
    "src/**",
    "*.py",
    "src/",
    "**/c.py",
    "docs",
    "srk/a.py",
    "memory/decisions/*.md",
    "[ab].py",
)
LIB = "---\nid: lib\nname: Library\nkind: concept\naliases: [the library]\n---\n# Library\n"
TEXTS = ("", "fixed\n", "broken\n", 'one = "1"\n', '[project]\ndependencies = ["rich>=13"]\n')
CONDITIONS = (
    {"file_exists": "src/b.py"},
    {"file_absent": "docs"},
    {"file_contains": {"path": "src/*.py", "pattern": "fix.d"}},
    {"file_lacks": {"path": "src/a.py", "text": "broken"}},
    {"version": {"of": "rich", "is": ">=13"}},
    {"git_tag": "v*"},
    {"after": "2026-11-30"},
    {"file_contains": {"path": "docs/*.md", "text": "fixed"}},
    {"file_exists": "lib/b.py"},
    {"command": {"run": ["true"]}},
)
WHERE = tuple(f"memory/{folder}/{name}" for folder in FOLDERS[:3] for name in ("x0.md", "y1.md", "z.txt"))
Step = tuple[str, str, str]


@st.composite
def notes(draw: st.DrawFn) -> Step:
    note_id = draw(st.sampled_from(IDS))
    name = draw(st.sampled_from(("x", "y", "X")))
    path = f"memory/{draw(st.sampled_from(FOLDERS))}/{name}{note_id[-1]}.md"
    debt = draw(st.booleans())
    condition = draw(st.sampled_from((None, *CONDITIONS)))
    found: dict[str, object] = {
        "id": "" if draw(st.integers(0, 9)) == 0 else note_id,
        "subject": draw(st.sampled_from(SUBJECTS)),
        "facet": draw(st.sampled_from(("workflow", "workflow", "security", "vibes"))),
        "lifecycle": "debt" if debt else "",
        "condition" if debt else "verify": condition,
        "anchors": draw(st.lists(st.sampled_from(PATHS), max_size=2, unique=True)),
        "evidence": draw(
            st.lists(
                st.sampled_from(
                    (
                        {"user": "Ada"},
                        {"agent": "me"},
                        {"file": "src/a.py"},
                        {"doc": "docs/x.md#a"},
                        {"file": "docs/link.md"},
                    )
                ),
                max_size=2,
                unique_by=str,
            )
        ),
        "supersedes": draw(st.lists(st.sampled_from(IDS), max_size=1)),
        "exception_to": draw(st.sampled_from(("", "", "", *IDS))),
        "expires": draw(st.sampled_from(("", "", "2026-01-01"))),
    }
    return "write", path, new_note({key: one for key, one in found.items() if one}, "A claim").decode()


@st.composite
def events(draw: st.DrawFn) -> Step:
    kind = draw(st.sampled_from(("admitted", "missed", "paid", "revoked", "reinstated", "purged")))
    facts: dict[str, object] = {}
    if kind == "missed":
        facts = {"count": 3}
    if kind == "paid":
        facts = {"how": "declared", "reason": "done"}
    event = draft(draw(st.sampled_from(IDS)), kind, (), facts)._replace(seq=draw(st.integers(1, 3)))
    path, data = event_file(event, Stamp("2026-11-30T10:00:00Z", Actor("human", "Ada")))
    return "write", path, data.decode()


WRITES = st.one_of(
    notes(),
    notes(),
    notes(),
    events(),
    st.tuples(st.just("write"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("write"), st.sampled_from(WHERE), st.sampled_from(("plain\n", "---\nid: [\n---\n"))),
)
RARE = st.sampled_from(
    (
        ("write", "memory/manifest.md", MANIFEST.replace("total: 4000", "total: 3000")),
        ("write", "memory/manifest.md", MANIFEST.replace("- decisions/\n", "")),
        ("write", "memory/subjects/lib.md", LIB.replace("the library", "a library")),
        ("write", "CLAUDE.md", "<!-- memwarden:begin -->\n"),
        ("link", "memory/decisions/y1.md", "../../src/a.py"),
        ("tag", "v1", ""),
        ("day", "2027-02-01", ""),
    )
)
LINKS = st.sampled_from(
    (
        ("link", "docs/link.md", "../src/a.py"),
        ("link", "lib", "src"),
        ("link", "CLAUDE.md", "docs/x.md"),
        ("link", "src/self", "../src"),
    )
)
STEPS = st.one_of(
    WRITES,
    WRITES,
    WRITES,
    st.tuples(st.just("delete"), st.integers(0, 9).map(str), st.just("")),
    st.tuples(st.just("move"), st.integers(0, 9).map(str), st.sampled_from(("src/moved.py", *WHERE))),
    st.tuples(st.just("commit"), st.just(""), st.just("")),
    st.tuples(st.just("file"), st.just(""), st.just("")),
    RARE,
    LINKS,
)


class Ground:
    """A repository that steps change, and both ways of checking what is staged in it."""

    def __init__(self, root: Path) -> None:
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        self.root = root
        self.today = "2026-11-30"
        self.git("init", "-q", "-b", "main")
        for path, text in {"memory/manifest.md": MANIFEST, "memory/subjects/lib.md": LIB}.items():
            self.write(path, text)

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        for parent in (*target.relative_to(self.root).parents,)[-2::-1]:
            if (self.root / parent).is_file():
                (self.root / parent).unlink()
        if target.is_symlink():
            target.unlink()
        if target.is_dir():
            shutil.rmtree(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def files(self) -> list[str]:
        return self.git("ls-files").split("\n")[:-1]

    def take(self, step: Step) -> None:
        kind, one, other = step
        if kind == "write":
            self.write(one, other)
        elif kind == "link":
            self.write(one, "")
            (self.root / one).unlink()
            os.symlink(other, self.root / one)
        elif kind == "tag":
            self.git("tag", "-f", one)
        elif kind == "day":
            self.today = one
        elif kind in ("delete", "move"):
            there = [path for path in self.files() if (self.root / path).is_file()]
            if not there:
                return
            path = there[int(one) * 7 % len(there)]
            text = (self.root / path).read_text()
            (self.root / path).unlink()
            if kind == "move":
                self.write(other, text)
        self.git("add", "-A")
        if kind == "commit":
            self.git("commit", "-q", "--allow-empty", "-m", "step")
        if kind == "file":
            self.whole(keep=True)

    def asker(self) -> Asker:
        return Asker(
            find_place(str(self.root)), self.today, os.environ, Running(OwnWord(os.environ), os.environ)
        )

    def whole(self, keep: bool = False) -> Report:
        with (
            patch.object(checking, "checked_again", lambda *_: None),
            patch.object(checking, "keep_check", checking.keep_check if keep else lambda *_: None),
        ):
            return checking.check_staged(self.asker())

    def again(self) -> Report | None:
        """None where only a whole check can tell."""
        with patch.object(checking, "_staged_whole", lambda *_: None):
            return checking.check_staged(self.asker())


def told(report: Report) -> list[str]:
    return (json.dumps(fields(report), indent=1) + page(report, False)).split("\n") + list(map(repr, report))


@settings(max_examples=30, phases=(Phase.generate,), suppress_health_check=list(HealthCheck), deadline=None)
@given(st.lists(WRITES | LINKS, max_size=8), st.lists(STEPS, min_size=1, max_size=10))
def test_going_on_finds_what_a_whole_check_finds(
    tmp_path: Path, first: list[Step], steps: list[Step]
) -> None:
    ground = Ground(tmp_path / "repo")
    for step in (*first, ("commit", "", ""), ("file", "", "")):
        ground.take(step)
    for step in steps:
        ground.take(step)
        found = ground.again()
        if found is not None:
            assert told(found) == told(ground.whole())
