"""A subject that no note is about any more tells its topic, and whoever erases is told of it."""

from __future__ import annotations

import pytest

from tests.cli.purge_ground import OTHER, applied, scope
from tests.conftest import Mem, Repo, note_text

FILE = "memory/subjects/bar-lib.md"
ABOUT = "memory/decisions/slow-aaaaaaaa.md"
LONE = f"{FILE}: no other note is about it; mem purge --subject bar-lib takes it too"
ERASING = [("forget", "n-aaaaaaaa", "--hard"), ("purge", "n-aaaaaaaa"), ("purge", "--match", "it is slow")]


def subject_text(name: str, *fields: str) -> str:
    return "\n".join(["---", f"id: {name}", f"name: {name}", *fields, "---", f"# {name}", ""])


@pytest.fixture
def told(memory_repo: Repo) -> Repo:
    memory_repo.write(FILE, subject_text("bar-lib", "aliases: [barlib]"))
    memory_repo.write(ABOUT, note_text("It is slow", id="n-aaaaaaaa", subject="'barlib#speed'"))
    memory_repo.commit("a rule about a subject")
    return memory_repo


@pytest.mark.parametrize("words", ERASING, ids=" ".join)
def test_a_subject_without_a_note_is_named_before_and_after_and_not_called_clean(
    told: Repo, inside: Mem, words: tuple[str, ...]
) -> None:
    seen = inside(*words, "--json")
    assert scope(seen)["lone subjects"] == {"name": "lone subjects", "state": "not-reached", "items": [LONE]}
    page = inside(*words).out
    outside, _, clean = page.partition("Searched, and nothing there")
    assert "lone subjects" in outside
    assert "subjects" not in clean
    done = inside("apply", seen.json["plan"]["id"], "--json")
    assert (done.code, scope(done)["lone subjects"]["items"]) == (0, [LONE])
    assert told.read(FILE)
    applied(inside, "purge", "--subject", "bar-lib")
    assert not (told.root / FILE).exists()


def test_a_subject_that_another_note_is_about_is_not_lone(told: Repo, inside: Mem) -> None:
    told.write(OTHER, note_text("Use it with care", id="n-bbbbbbbb", subject="bar-lib"))
    found = scope(inside("purge", "n-aaaaaaaa", "--json"))
    assert found["lone subjects"]["state"] == "none"
    assert "lone subjects" in inside("purge", "n-aaaaaaaa").out.partition("Searched, and nothing there")[2]


def test_a_subject_that_a_file_which_cannot_be_read_names_is_not_called_lone(told: Repo, inside: Mem) -> None:
    told.write(OTHER, "---\nid: n-bbbbbbbb\nsubject: bar-lib\nfacet: [\n---\n# Broken\n")
    assert scope(inside("purge", "n-aaaaaaaa", "--json"))["lone subjects"]["state"] == "none"


def test_a_subject_that_goes_as_it_was_asked_for_is_found_and_not_lone(told: Repo, inside: Mem) -> None:
    found = scope(inside("purge", "--subject", "bar-lib", "--json"))
    assert (found["subjects"]["state"], found["lone subjects"]["state"]) == ("found", "none")


def test_what_was_merged_into_a_lone_subject_is_lone_with_it(told: Repo, inside: Mem) -> None:
    told.write("memory/subjects/old-bar.md", subject_text("old-bar", "merged_into: bar-lib"))
    items = scope(inside("purge", "n-aaaaaaaa", "--json"))["lone subjects"]["items"]
    assert [item.partition(":")[0] for item in items] == [FILE, "memory/subjects/old-bar.md"]


def test_a_subject_whose_name_is_the_title_of_what_goes_stands_in_the_way(told: Repo, inside: Mem) -> None:
    told.write(ABOUT, note_text("Bar lib", id="n-aaaaaaaa", subject="bar-lib"))
    seen = inside("purge", "n-aaaaaaaa", "--json")
    assert (seen.code, [one["path"] for one in seen.json["blocked"]]) == (1, [FILE])
