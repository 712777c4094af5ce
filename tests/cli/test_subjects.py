"""Subjects: one stable ID, many spellings, nothing by similarity."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import split
from tests.conftest import Mem, Repo, note_text


@pytest.fixture
def ready(memory_repo: Repo, inside: Mem) -> Repo:
    assert inside("subject", "add", "library x", "--ref", "pypi:library-x", "--apply").code == 0
    memory_repo.write(
        "memory/decisions/pin.md",
        note_text("Pin it", id="n-aaaaaaaa", subject="library-x", facet="version-policy"),
    )
    memory_repo.commit("a subject")
    return memory_repo


def fields(repo: Repo, subject: str = "library-x") -> dict[str, Any]:
    return dict(fields_of(split((repo.root / f"memory/subjects/{subject}.md").read_bytes())).values)


def test_a_subject_has_a_file_of_its_own(ready: Repo) -> None:
    assert fields(ready) == {
        "id": "library-x",
        "name": "library x",
        "kind": "dependency",
        "ref": "pypi:library-x",
    }


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("\u65e5\u672c", "\u65e5\u672c"),
        ("\u041f\u043b\u0430\u0442\u0435\u0436 2", "\u043f\u043b\u0430\u0442\u0435\u0436-2"),
    ],
)
def test_a_name_in_any_script_makes_an_id_in_its_own_letters(
    ready: Repo, inside: Mem, name: str, identity: str
) -> None:
    assert inside("subject", "add", name, "--apply").code == 0
    assert fields(ready, identity)["id"] == identity
    assert inside("subject", "show", name, "--json").json["id"] == identity
    assert inside("check").code == 0


def test_an_id_can_be_given(ready: Repo, inside: Mem) -> None:
    assert inside("subject", "add", "\u65e5\u672c", "--id", "japan", "--apply").code == 0
    assert fields(ready, "japan") == {"id": "japan", "name": "\u65e5\u672c", "kind": "concept"}
    for bad in ("Upper", "a b", "-", "x" * 101, "a/b"):
        ran = inside("subject", "add", "other", f"--id={bad}", "--apply")
        assert ran.code == 2, bad
        assert "lower-case slug" in ran.err
    taken = inside("subject", "add", "other", "--id", "japan", "--apply")
    assert (taken.code, "M303" in taken.err) == (1, True)


@pytest.mark.parametrize("name", ["///", "\U0001f389"])
def test_a_name_without_a_letter_makes_no_id(ready: Repo, inside: Mem, name: str) -> None:
    ran = inside("subject", "add", name, "--apply")
    assert ran.code == 2
    assert "--id SLUG" in ran.err


def test_a_name_with_a_hash_is_refused_everywhere(ready: Repo, inside: Mem) -> None:
    for words in (
        ("add", "C#"),
        ("add", "sharp", "--alias", "C#"),
        ("alias", "library-x", "C#"),
        ("rename", "library-x", "C#"),
    ):
        ran = inside("subject", *words, "--apply")
        assert ran.code == 2, words
        assert "aspect" in ran.err


@pytest.mark.parametrize("name", ["  LIBRARY   X ", "Library-X", "\uff2cibrary x"])
def test_one_spelling_belongs_to_one_subject(ready: Repo, inside: Mem, name: str) -> None:
    ran = inside("subject", "add", name, "--apply")
    assert ran.code == 1
    assert "library-x" in ran.err


@pytest.mark.parametrize("ref", ["pypi:Library_X", "pypi:library.x"])
def test_one_reference_belongs_to_one_subject(ready: Repo, inside: Mem, ref: str) -> None:
    ran = inside("subject", "add", "another", "--ref", ref, "--apply")
    assert ran.code == 1
    assert "library-x" in ran.err


def test_an_alias_is_one_more_spelling(ready: Repo, inside: Mem) -> None:
    assert inside("subject", "alias", "library x", "LibX", "--apply").code == 0
    assert fields(ready)["aliases"] == ["LibX"]
    assert inside("subject", "show", "libx", "--json").json["id"] == "library-x"
    assert inside("subject", "alias", "library x", "libx", "--apply", "--json").json["plan"] is None
    assert inside("subject", "add", "other", "--apply").code == 0
    assert inside("subject", "alias", "other", "libx", "--apply").code == 1


def test_renaming_keeps_the_id_every_reference_and_every_old_name(ready: Repo, inside: Mem) -> None:
    note = ready.read("memory/decisions/pin.md")
    for name in ("Second name", "Third name"):
        assert inside("subject", "rename", "library-x", name, "--apply").code == 0
    assert fields(ready)["name"] == "Third name"
    assert fields(ready)["aliases"] == ["library x", "Second name"]
    assert ready.read("memory/decisions/pin.md") == note
    for spelling in ("library x", "second name", "THIRD NAME", "pypi:library-x"):
        assert inside("subject", "show", spelling, "--json").json["id"] == "library-x"
    assert inside("subject", "rename", "library-x", "library x", "--apply").code == 0
    assert fields(ready)["aliases"] == ["Second name", "Third name"]


def test_a_merged_subject_forwards_and_its_notes_are_reached(ready: Repo, inside: Mem) -> None:
    assert inside("subject", "add", "Successor", "--apply").code == 0
    assert inside("subject", "merge", "library x", "successor", "--apply").code == 0
    assert fields(ready)["merged_into"] == "successor"
    shown = inside("subject", "show", "library x", "--json").json
    assert (shown["id"], [note["id"] for note in shown["about"]]) == ("successor", ["n-aaaaaaaa"])
    assert inside("subject", "merge", "library-x", "successor", "--apply", "--json").json["plan"] is None
    assert inside("subject", "merge", "successor", "library-x", "--apply").code == 1


@pytest.mark.parametrize("into", ["nowhere", "path:src/a.py"])
def test_a_subject_merges_into_a_registered_one_only(ready: Repo, inside: Mem, into: str) -> None:
    assert inside("subject", "merge", "library-x", into, "--apply").code == 2


def test_a_merge_that_makes_two_owners_is_refused(ready: Repo, inside: Mem) -> None:
    assert inside("subject", "add", "Successor", "--apply").code == 0
    key = ("--subject", "successor", "--facet", "version-policy")
    assert inside("add", "Another pin", *key, "--apply").code == 0
    ran = inside("subject", "merge", "library-x", "successor", "--apply")
    assert ran.code == 1
    assert "M301" in ran.err


def test_an_unknown_subject_is_an_error_that_names_the_nearest(ready: Repo, inside: Mem) -> None:
    ran = inside("subject", "show", "libary x")
    assert ran.code == 2
    assert "library" in ran.err


@pytest.mark.parametrize(
    "arguments", [("project",), ("path:src/a.py",), ("  ",), ("x", "--kind", "thing"), ("x", "--ref", "nope")]
)
def test_what_is_no_subject_is_refused(ready: Repo, inside: Mem, arguments: tuple[str, ...]) -> None:
    assert inside("subject", "add", *arguments, "--apply").code in (1, 2)


def test_the_list_names_every_subject_with_its_notes(ready: Repo, inside: Mem) -> None:
    (row,) = inside("subject", "list", "--json").json["subjects"]
    assert (row["id"], row["ref"], row["notes"]) == ("library-x", "pypi:library-x", 1)
    assert "library-x" in inside("subject", "list").out


MOVING = """---
# keep this comment
id: n-bbbbbbbb
subject: path:src/old.py#reload
facet: behavior
lifecycle: debt
condition:
  any:
    - file_contains: {path: src/old.py, pattern: fixed}
    - file_exists: src/old.py/extra
anchors:
  - src/old.py      # the file
  - docs/*.md
evidence:
  - test: src/old.py::test_it
  - user: 'Ada, 2026-11-30'
created: 2026-11-30
---
# A debt
"""


def test_a_moved_path_is_followed_everywhere_in_one_plan(ready: Repo, inside: Mem) -> None:
    ready.write("src/new.py", "broken\n")
    ready.write("memory/debts/debt.md", MOVING)
    ready.write(
        "memory/decisions/single.md", note_text("B", id="n-cccccccc", anchors="src/old.py", subject="path:x")
    )
    assert inside("subject", "rename", "path:src/old.py", "path:src/new.py", "--apply").code == 0
    assert ready.read("memory/debts/debt.md") == MOVING.replace("src/old.py", "src/new.py")
    assert "anchors: src/new.py\n" in ready.read("memory/decisions/single.md")
    assert ready.read("memory/decisions/pin.md").count("src/") == 0


def test_a_moved_folder_takes_what_is_below_it(ready: Repo, inside: Mem) -> None:
    ready.write(
        "memory/decisions/b.md",
        note_text("B", id="n-cccccccc", anchors="[src/a/**, src/ab.py]", subject="path:src/a/b.py"),
    )
    assert inside("subject", "rename", "path:src/a", "path:lib/a", "--apply").code == 0
    text = ready.read("memory/decisions/b.md")
    assert "subject: path:lib/a/b.py" in text
    assert "anchors: [lib/a/**, src/ab.py]" in text


def test_a_paid_debt_stays_paid_when_its_path_moves(ready: Repo, inside: Mem) -> None:
    ready.write("src/old.py", "broken\n")
    add = ("add", "A debt", "--debt", "--until", "contains:src/old.py:fixed", "--anchor", "src/old.py")
    (note,) = inside(*add, "--apply", "--json").json["notes"]
    ready.write("src/old.py", "fixed\n")
    assert inside("settle").code == 0
    ready.git("mv", "-k", "src/old.py", "src/new.py")
    (ready.root / "src/old.py").rename(ready.root / "src/new.py")
    ran = inside("subject", "rename", "path:src/old.py", "path:src/new.py", "--apply")
    assert ran.code == 0, ran.err
    shown = inside("show", note, "--json").json
    assert (shown["standing"], shown["condition"]["file_contains"]["path"]) == ("paid", "src/new.py")
    kinds = [
        json.loads(file.read_text())["kind"]
        for file in sorted((ready.root / "memory/events" / note).iterdir())
    ]
    assert kinds == ["admitted", "paid", "admitted", "paid"]


def test_renaming_a_path_that_nothing_names_is_refused(ready: Repo, inside: Mem) -> None:
    assert inside("subject", "rename", "path:a", "path:b", "--apply").code == 1
    assert inside("subject", "rename", "path:a", "b", "--apply").code == 2
    assert inside("subject", "rename", "path:a", "path:../b", "--apply").code == 2


def test_no_subjects_at_all_is_said(memory_repo: Repo, inside: Mem) -> None:
    ran = inside("subject", "list")
    assert (ran.code, ran.out) == (0, "")
    assert "no subject is registered" in ran.err


def test_one_note_about_a_subject_is_one(ready: Repo, inside: Mem) -> None:
    assert inside("subject", "list").out == "library-x  dependency  library x  1 note\n"
