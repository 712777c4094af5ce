"""When a check of the index goes on from the last one, and when it begins anew; what is found is the same."""

from __future__ import annotations

import os

import pytest

from memwarden.edge.command.judging import Running
from memwarden.edge.command.trust import OwnWord
from memwarden.edge.place import find_place
from memwarden.edge.review import checking
from memwarden.edge.review.kept_check import FILE
from memwarden.edge.review.reporting import Asker
from memwarden.render.findings import fields
from memwarden.rules.report import Report
from tests.conftest import MANIFEST, Repo, note_text

A, B = "memory/decisions/a.md", "memory/decisions/b.md"
ID_A, ID_B = "n-aaaaaaa1", "n-bbbbbbb2"
DEBT = {"lifecycle": "debt", "condition": "{file_contains: {path: src/x.py, text: fixed}}"}


@pytest.fixture
def ground(memory_repo: Repo) -> Repo:
    """A committed memory that was checked once."""
    memory_repo.write("src/x.py", "broken\n")
    memory_repo.write(A, note_text("a", id=ID_A, subject="path:src/x.py", anchors="[src/x.py]"))
    memory_repo.write(B, note_text("b", id=ID_B, subject="path:src/x.py#b", **DEBT))
    memory_repo.commit()
    checked(memory_repo)
    return memory_repo


def checked(repo: Repo, today: str = "2026-11-30", strict: bool = False) -> Report:
    running = Running(OwnWord(os.environ), os.environ)
    return checking.check_staged(Asker(find_place(str(repo.root)), today, os.environ, running, strict=strict))


def goes_on(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, today: str = "2026-11-30", strict: bool = False
) -> bool:
    """Whether the check of what is staged goes on from the last one; if so, both ways find the same."""
    repo.git("add", "-A")
    begun: list[object] = []
    whole = checking._staged_whole

    def beginning(*given: object) -> Report:
        begun.append(given)
        return whole(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(checking, "_staged_whole", beginning)
        patch.setattr(checking, "keep_check", lambda *_: None)
        found = checked(repo, today, strict)
        patch.setattr(checking, "checked_again", lambda *_: None)
        assert fields(checked(repo, today, strict)) == fields(found)
    return len(begun) == 1


def test_it_goes_on_over_notes_events_and_the_files_that_they_speak_of(
    ground: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground.write(A, note_text("a, said better", id=ID_A, subject="path:src/x.py", anchors="[src/gone.py]"))
    assert goes_on(ground, monkeypatch)
    ground.write("src/x.py", "fixed\n")
    assert goes_on(ground, monkeypatch)
    assert [one.note for one in checked(ground).paid] == [ID_B]
    ground.write("memory/decisions/c.md", note_text("c", id="n-ccccccc3", subject="path:src/x.py#c"))
    (ground.root / A).unlink()
    assert goes_on(ground, monkeypatch)
    ground.git("mv", "src/x.py", "src/y.py")
    assert goes_on(ground, monkeypatch)


def test_it_goes_on_after_commits_and_finds_their_errors(
    ground: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground.write("memory/decisions/twin.md", note_text("twin", id=ID_A, subject="path:src/x.py"))
    assert goes_on(ground, monkeypatch)
    assert {one.code for one in checked(ground).findings} >= {"M004", "M301"}
    ground.commit()
    ground.write("src/new.py", "")
    assert goes_on(ground, monkeypatch)
    assert all(checked(ground).old)
    assert goes_on(ground, monkeypatch, strict=True)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory/manifest.md", "---\nprotocol: 1\n---\n# Memory manifest\n"),
        ("memory/subjects/lib.md", "---\nid: lib\nname: Lib\nkind: concept\n---\n# Lib\n"),
        ("CLAUDE.md", "<!-- memwarden:begin -->\n"),
        ("memory/decisions/A.md", "another file on some systems, one on others\n"),
        ("memory/odd.md/x.md", "a folder named like a note\n"),
        ("memory/ideas/lost.md", note_text("no route reaches it", id="n-ddddddd4", subject="project")),
    ],
)
def test_it_begins_anew_where_a_change_reaches_the_whole_memory(
    ground: Repo, monkeypatch: pytest.MonkeyPatch, path: str, text: str
) -> None:
    ground.write(path, text)
    assert not goes_on(ground, monkeypatch)


def test_a_link_leads_to_what_it_names(ground: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    os.symlink("AGENTS.md", ground.root / "CLAUDE.md")
    ground.write("AGENTS.md", "ours\n")
    os.symlink("src", ground.root / "lib")
    condition = "{file_contains: {path: lib/x.py, text: fixed}}"
    ground.write(B, note_text("b", id=ID_B, subject="path:src/x.py#b", lifecycle="debt", condition=condition))
    ground.commit()
    checked(ground)
    ground.write("src/x.py", "fixed\n")
    assert goes_on(ground, monkeypatch)
    assert [one.note for one in checked(ground).paid] == [ID_B]
    ground.write("AGENTS.md", "<!-- memwarden:begin -->\n")
    assert not goes_on(ground, monkeypatch)


def test_it_begins_anew_over_a_new_link_a_submodule_another_day_and_too_much(
    ground: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert goes_on(ground, monkeypatch)
    assert not goes_on(ground, monkeypatch, today="2026-12-01")
    os.symlink("x.py", ground.root / "src/link.py")
    assert not goes_on(ground, monkeypatch)
    (ground.root / "src/link.py").unlink()
    for number in range(65):
        text = note_text("many", id=f"n-{number:08d}", subject=f"path:src/x.py#{number}")
        ground.write(f"memory/decisions/many-{number}.md", text)
    assert not goes_on(ground, monkeypatch)
    ground.git("reset", "-q", "--hard")
    ground.git("clean", "-qfd")
    inner = ground.root / "inner"
    ground.git("init", "-q", str(inner))
    Repo(inner).commit()
    assert not goes_on(ground, monkeypatch)


def test_it_begins_anew_in_a_merge_and_with_a_conflict(ground: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    ground.git("checkout", "-q", "-b", "other")
    ground.write("src/x.py", "theirs\n")
    ground.commit()
    ground.git("checkout", "-q", "main")
    ground.write("src/x.py", "ours\n")
    ground.commit()
    ground.git("merge", "-q", "other", check=False)
    assert not goes_on(ground, monkeypatch)


@pytest.mark.parametrize("damage", [b"", b"x" * 5000])
def test_a_damaged_check_is_as_good_as_none(
    ground: Repo, monkeypatch: pytest.MonkeyPatch, damage: bytes
) -> None:
    ground.write(f".git/mem/{FILE}", damage)
    assert not goes_on(ground, monkeypatch)
    checked(ground)
    assert goes_on(ground, monkeypatch)


def test_a_base_that_git_has_no_more_is_begun_without(ground: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    ground.git("commit", "-q", "--amend", "-m", "another")
    ground.git("reflog", "expire", "--expire=now", "--all")
    ground.git("gc", "-q", "--prune=now")
    assert not goes_on(ground, monkeypatch)


def test_before_the_first_commit_nothing_is_kept(repo: Repo) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.git("add", "-A")
    checked(repo)
    assert not (repo.root / f".git/mem/{FILE}").exists()


def test_going_on_asks_git_twice_whatever_the_number_of_notes(
    ground: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        text = note_text("one of many", id=f"n-{number:08d}", subject=f"path:src/x.py#{number}")
        ground.write(f"memory/decisions/many-{number}.md", text)
    ground.commit()
    checked(ground)
    checked(ground)
    ground.write(A, note_text("changed", id=ID_A, subject="path:src/x.py", anchors="[src/x.py]"))
    ground.git("add", "-A")
    started: list[str] = []
    spawn = os.posix_spawnp

    def counting(*given: object, **more: object) -> int:
        started.append(next(word for word in given[1] if word in ("diff-index", "diff-tree", "cat-file")))  # type: ignore[attr-defined]
        return int(spawn(*given, **more))  # type: ignore[arg-type]

    monkeypatch.setattr(os, "posix_spawnp", counting)
    checked(ground)
    assert sorted(started) == ["cat-file", "diff-index", "diff-tree"]
