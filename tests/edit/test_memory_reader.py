"""Reading memory/ whole: each bad file one finding, all others served."""

from __future__ import annotations

import os

import pytest

from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.memory_reader import load
from memwarden.errors import Finding
from tests.conftest import Repo, note_text


def read(repo: Repo) -> Memory:
    return load(WorkingTree(str(repo.root)))


def found(memory: Memory) -> list[tuple[str, str]]:
    return [(finding.code, finding.path.removeprefix("memory/")) for finding in memory.findings]


def test_memory_is_told_apart_by_place(memory_repo: Repo) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("A"))
    memory_repo.write("memory/inbox/plain.md", "no frontmatter")
    memory_repo.write("memory/subjects/requests.md", "---\nid: requests\nname: Requests\n---\n")
    for ignored in (
        "README.md",
        "decisions/README.md",
        "subjects/README.md",
        ".gitattributes",
        ".obsidian/x.md",
    ):
        memory_repo.write(f"memory/{ignored}", "nobody's")
    memory = read(memory_repo)
    assert [note.path for note in memory.notes] == [
        "memory/brief.md",
        "memory/decisions/a.md",
        "memory/inbox/plain.md",
    ]
    assert memory.manifest is not None
    assert [subject.id for subject in memory.subjects] == ["requests"]
    assert (memory.broken, memory.findings) == ((), ())


def test_each_bad_file_is_one_finding_and_the_rest_is_served(memory_repo: Repo) -> None:
    bad = {
        "yaml.md": b"---\na: [\n---\n",
        "duplicate.md": b"---\na: 1\na: 2\n---\n",
        "utf16.md": "---\na: b\n---\n".encode("utf-16"),
        "nul.md": b"---\na: b\n---\n\0",
        "unclosed.md": b"---\na: b\n",
        "conflict.md": note_text("C").replace("Because", "<<<<<<< HEAD\nBecause").encode(),
        "big.md": note_text("Big").encode() + b"x" * 5_000_000,
    }
    for name, data in bad.items():
        memory_repo.write(f"memory/decisions/{name}", data)
    memory_repo.write("memory/decisions/good.md", note_text("Good"))
    (memory_repo.root / "memory/decisions/folder.md").mkdir()
    (memory_repo.root / "memory/decisions/passwd.md").symlink_to("/etc/passwd")
    (memory_repo.root / "memory/decisions/dangling.md").symlink_to("nowhere.md")
    os.mkfifo(memory_repo.root / "memory/decisions/fifo.md")
    memory = read(memory_repo)
    assert [note.title for note in memory.notes] == ["The project", "Good"]
    names = [*bad, "folder.md", "passwd.md", "dangling.md", "fifo.md"]
    assert memory.broken == tuple(sorted(f"memory/decisions/{name}" for name in names))
    assert sorted(finding.path for finding in memory.findings) == list(memory.broken)
    assert {finding.severity for finding in memory.findings} == {"error"}
    codes = {path: code for code, path in found(memory)}
    assert codes["decisions/conflict.md"] == "M002"
    assert codes["decisions/yaml.md"] == "M001"
    assert codes["decisions/passwd.md"] == codes["decisions/big.md"] == "M006"


def test_note_that_vanishes_between_listing_and_reading_is_as_if_never_there(memory_repo: Repo) -> None:
    class Vanishing(WorkingTree):
        def paths(self, under: str = "") -> object:  # type: ignore[override]
            return iter([*super().paths(under), "memory/zz.md"])

    assert [note.path for note in load(Vanishing(str(memory_repo.root))).notes] == ["memory/brief.md"]


def test_unreadable_permissions_are_a_finding(memory_repo: Repo) -> None:
    class Locked(WorkingTree):
        """Root reads everything, so the refusal comes from the door itself."""

        def read(self, path: str) -> bytes:
            from memwarden.core.workspace import Unreadable

            if path.endswith("locked.md"):
                raise Unreadable("permission denied")
            return super().read(path)

    memory_repo.write("memory/decisions/locked.md", note_text("Locked"))
    memory = load(Locked(str(memory_repo.root)))
    assert found(memory) == [("M006", "decisions/locked.md")]
    assert "permission denied" in memory.findings[0].message


def test_names_that_collide_elsewhere_are_a_warning_and_both_are_served(memory_repo: Repo) -> None:
    memory_repo.write("memory/decisions/A.md", note_text("A"))
    memory_repo.write("memory/decisions/a.md", note_text("a"))
    memory_repo.write("memory/decisions/caf\u00e9.md", note_text("c"))
    memory_repo.write("memory/decisions/cafe\u0301.md", note_text("d"))
    memory = read(memory_repo)
    if len(list((memory_repo.root / "memory/decisions").iterdir())) == 4:
        assert [code for code, _ in found(memory)] == ["M007", "M007"]
        assert len(memory.notes) == 5


def test_link_to_a_note_inside_is_read_and_a_link_to_a_folder_is_named(memory_repo: Repo) -> None:
    memory_repo.write("docs/a.md", note_text("Linked"))
    (memory_repo.root / "memory/decisions").mkdir()
    (memory_repo.root / "memory/decisions/a.md").symlink_to("../../docs/a.md")
    (memory_repo.root / "memory/more").symlink_to("../docs")
    memory = read(memory_repo)
    assert [note.title for note in memory.notes] == ["The project", "Linked"]
    assert found(memory) == [("M006", "more")]
    assert memory.broken == ("memory/more",)


def test_file_that_is_no_markdown_is_a_notice(memory_repo: Repo) -> None:
    memory_repo.write("memory/decisions/plan.png", b"\x89PNG")
    memory_repo.write("memory/decisions/NOTE.MD", note_text("n"))
    memory = read(memory_repo)
    assert sorted(
        (code, finding.severity) for (code, _), finding in zip(found(memory), memory.findings, strict=True)
    ) == [
        ("M008", "notice"),
        ("M008", "warning"),
    ]


def test_folder_named_like_a_note_is_one_finding_and_its_notes_are_served(memory_repo: Repo) -> None:
    memory_repo.write("memory/decisions/x.md/a.md", note_text("A"))
    memory_repo.write("memory/decisions/x.md/b.md", note_text("B", id="n-00000000"))
    memory = read(memory_repo)
    assert found(memory) == [("M006", "decisions/x.md")]
    assert len(memory.notes) == 3


def test_no_manifest_and_no_memory_are_empty_not_an_error(repo: Repo) -> None:
    memory = read(repo)
    assert (memory.manifest, memory.notes, memory.findings) == (None, (), ())


def test_cache_answers_for_a_stamp_that_it_knows(memory_repo: Repo) -> None:
    class Cache:
        def __init__(self) -> None:
            self.kept: dict[tuple[str, str], tuple[Note | None, tuple[Finding, ...]]] = {}
            self.hits = 0

        def vouched(self, path: str) -> None:
            return None

        def get(self, path: str, stamp: str) -> tuple[Note | None, tuple[Finding, ...]] | None:
            known = self.kept.get((path, stamp))
            self.hits += known is not None
            return known

        def put(self, path: str, stamp: str, note: Note | None, findings: tuple[Finding, ...]) -> None:
            self.kept[path, stamp] = note, findings

    cache = Cache()
    memory_repo.write("memory/decisions/bad.md", b"---\n")
    tree = WorkingTree(str(memory_repo.root))
    first = load(tree, cache)
    assert cache.hits == 0
    assert load(tree, cache)._replace(workspace=tree) == first
    assert cache.hits == 2
    memory_repo.write("memory/brief.md", note_text("Another"))
    assert [note.title for note in load(tree, cache).notes] == ["Another"]


@pytest.mark.parametrize("name", ["decisions/odd\udcff.md", "decisions/new\nline.md"])
def test_odd_file_name_is_served(memory_repo: Repo, name: str) -> None:
    path = os.fsencode(memory_repo.root) + b"/memory/" + os.fsencode(name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(note_text("Odd").encode())
    assert [note.path for note in read(memory_repo).notes if note.title == "Odd"] == [f"memory/{name}"]
