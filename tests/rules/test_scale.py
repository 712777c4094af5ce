"""Thousands of notes: each bad one is named once, and the work grows with the notes, not their square."""

from __future__ import annotations

from memwarden.core.fitness import unfit
from memwarden.core.manifest import Manifest, Route, Task
from memwarden.core.memory import Memory
from memwarden.core.note import Anchor, Evidence, Note
from memwarden.core.subject import Subject
from memwarden.core.workspace import FILE, FOLDER, Entry, Unreadable
from memwarden.rules import Context, check

MANY = 4000


class Files:
    """A workspace of empty files that counts how often it is asked."""

    name = "working tree"

    def __init__(self, paths: list[str]) -> None:
        self._paths = sorted(paths)
        self._known = frozenset(paths)
        self.asked = 0

    def entry(self, path: str) -> Entry | None:
        self.asked += 1
        if path in self._known:
            return Entry(FILE)
        return Entry(FOLDER) if path in ("src", "memory") else None

    def read(self, path: str) -> bytes:
        raise Unreadable("no such file")

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> object:
        self.asked += 1
        return iter([path for path in self._paths if path.startswith(under)])

    def blob(self, path: str) -> str:
        raise Unreadable("no such file")

    def resolved(self, path: str) -> str:
        return path


def note(n: int) -> Note:
    return Note(
        f"memory/decisions/{n:05}.md",
        f"n-{n:08}",
        title=str(n),
        subject=f"subject {(n + 1) // 2}",
        facet="behavior",
        anchors=(Anchor("path", f"src/{n:05}.py"), Anchor("path", f"**/{n:05}.js")),
        evidence=(Evidence("file", f"src/{n:05}.py"),),
        supersedes=(f"n-{n + 1:08}",) if n % 2 else (),
    )


def memory(notes: list[Note]) -> tuple[Memory, Files]:
    files = Files([f"src/{n:05}.py" for n in range(MANY)])
    manifest = Manifest(tasks=(Task("plan", (), (Route("decisions/"),)),))
    subjects = tuple(Subject(f"memory/subjects/s{n}.md", f"s{n}", name=f"Subject  {n}") for n in range(MANY))
    return Memory(files, manifest, tuple(notes), subjects=subjects), files  # type: ignore[arg-type]


def test_each_bad_note_is_named_once() -> None:
    notes = [note(n) for n in range(MANY)]
    for bad in range(0, MANY, 100):
        notes[bad] = notes[bad]._replace(facet="mood", supersedes=())
    whole, _ = memory(notes)
    found = check(whole, Context("2026-11-30"))
    told = [finding.path for finding in found if finding.code == "M103"]
    assert told == [f"memory/decisions/{n:05}.md" for n in range(0, MANY, 100)]
    assert sorted(unfit(whole)) == told


def test_the_workspace_is_asked_a_few_times_a_note() -> None:
    whole, files = memory([note(n) for n in range(MANY)])
    found = check(whole, Context("2026-11-30"))
    assert sum(finding.code == "M405" for finding in found) == MANY // 2 + 1
    assert files.asked < 3 * MANY


def test_thousands_of_owners_of_one_key_are_told_against_the_first() -> None:
    notes = [note(n)._replace(subject="project", supersedes=()) for n in range(MANY)]
    whole, _ = memory(notes)
    clashes = [finding for finding in check(whole, Context("2026-11-30")) if finding.code == "M301"]
    assert len(clashes) == MANY - 1
    assert all("n-00000000" in finding.message for finding in clashes)


def test_thousands_of_unknown_subjects_are_all_named() -> None:
    whole, _ = memory([note(n)._replace(subject=f"subjct {n}", supersedes=()) for n in range(MANY)])
    unknown = [finding for finding in check(whole, Context("2026-11-30")) if finding.code == "M306"]
    assert len(unknown) == MANY
