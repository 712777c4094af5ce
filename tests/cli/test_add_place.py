"""``mem add``: which subject, key and module a new note takes, and which it may not."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Added
from tests.conftest import Mem, Repo

AGENT = {"CLAUDECODE": "1"}


def test_a_new_subject_is_made_in_the_same_plan(added: Added, worked_on: Repo) -> None:
    note = added("Pin it", "--subject", "pypi:Library_X#pin", "--new-subject", "--facet", "version-policy")
    assert note["subject"] == "library-x#pin"
    subject = worked_on.read("memory/subjects/library-x.md")
    assert "ref: pypi:Library_X" in subject
    assert "kind: dependency" in subject
    again = added("Adopt it", "--subject", "pypi:library.x", "--facet", "adoption-policy")
    assert again["subject"] == "library-x"


def test_a_second_owner_is_refused_naming_the_first_and_the_ways_out(
    worked_on: Repo, inside: Mem, added: Added
) -> None:
    first = added("One", "--subject", "path:src/x.py", "--facet", "security")
    ran = inside("add", "Two", "--subject", "path:src/x.py", "--facet", "security", "--apply")
    assert ran.code == 1
    assert first["id"] in ran.err
    assert all(way in ran.err for way in ("supersede", "facet", "#ASPECT"))
    assert added("Two", "--subject", "path:src/x.py", "--facet", "performance")
    assert added("Two", "--subject", "path:src/x.py#tls", "--facet", "security")


def test_a_successor_takes_the_key_of_the_note_it_supersedes(
    worked_on: Repo, inside: Mem, added: Added
) -> None:
    first = added("One", "--subject", "path:src/x.py", "--facet", "security", "--module", "constraints")
    second = added("Two", "--supersedes", first["id"])
    assert (second["subject"], second["facet"]) == (first["subject"], first["facet"])
    assert second["path"].startswith("memory/constraints/")
    shown = {note["id"]: note["standing"] for note in inside("list", "--json").json["notes"]}
    assert (shown[first["id"]], shown[second["id"]]) == ("superseded", "active")
    ran = inside("add", "Three", "--supersedes", first["id"], "--apply")
    assert ran.code == 1
    assert second["id"] in ran.err


def test_an_area_note_departs_from_the_project_on_purpose_only(
    worked_on: Repo, inside: Mem, added: Added
) -> None:
    first = added("One", "--subject", "path:src/x.py", "--facet", "security")
    area = ("Two", "--subject", "path:src/x.py", "--facet", "security", "--module", "areas/sync")
    assert inside("add", *area, "--apply").code == 1
    note = added(*area, "--exception-to", first["id"])
    assert (note["exception_to"], note["path"].startswith("memory/areas/sync/")) == (first["id"], True)


@pytest.mark.parametrize("who", [{}, AGENT])
def test_a_module_of_one_note_is_never_overwritten(worked_on: Repo, inside: Mem, who: dict[str, str]) -> None:
    before = worked_on.read("memory/brief.md")
    ran = inside(
        "add", "Another", "--module", "brief.md", "--evidence", "file:docs/adr.md", "--apply", env=who
    )
    assert ran.code == 1
    assert "memory/brief.md is there already" in ran.err
    assert "mem edit memory/brief.md" in ran.err
    assert worked_on.read("memory/brief.md") == before
    assert worked_on.git("status", "--porcelain") == ""


def test_a_module_of_one_note_that_is_empty_takes_one(worked_on: Repo, inside: Mem) -> None:
    (worked_on.root / "memory/brief.md").unlink()
    assert inside("add", "The project", "--module", "brief.md", "--apply").code == 0
    assert "# The project" in worked_on.read("memory/brief.md")


def test_a_successor_of_a_module_of_one_note_does_not_land_outside_every_module(
    worked_on: Repo, inside: Mem
) -> None:
    ran = inside("add", "A new brief", "--supersedes", "brief.md", "--apply")
    assert ran.code == 1
    assert "a module of one note" in ran.err
    assert (
        inside("add", "A new brief", "--supersedes", "brief.md", "--module", "decisions", "--apply").code == 0
    )


def test_a_contested_claim_is_told_its_ways_out_as_options(worked_on: Repo, inside: Mem) -> None:
    assert inside("add", "First", "--subject", "path:src/x.py#retry", "--apply").code == 0
    owner = next((worked_on.root / "memory/decisions").glob("first-*.md")).stem.rpartition("-")[2]
    ran = inside("add", "Second", "--subject", "path:src/x.py#retry", "--apply")
    assert ran.code == 1
    assert f"--supersedes n-{owner} replaces it, --facet " in ran.err
    assert "--subject path:src/x.py#ASPECT narrows" in ran.err
    assert inside("add", "Second", "--subject", "path:src/x.py#ASPECT", "--apply").code == 0


def test_a_rule_beside_an_owner_gets_an_aspect_and_is_told_of_the_owner(
    worked_on: Repo, inside: Mem, added: Added
) -> None:
    first = added("Pin the clock", "--anchor", "src/x.py")
    ran = inside("add", "Leave the clock", "--anchor", "src/x.py", "--apply")
    assert f"{first['id']} ({first['path']}) already owns path:src/x.py / workflow" in ran.out
    assert f"--supersedes {first['id']}" in ran.out
    inside("add", "Third", "--anchor", "src/x.py", env=AGENT)
    ran = inside("admit", "third", "--apply")
    assert f"{first['id']} ({first['path']}) already owns" in ran.out


def test_rules_about_the_project_as_a_whole_are_no_rivals(worked_on: Repo, inside: Mem, added: Added) -> None:
    added("One")
    assert "owns" not in inside("add", "Two", "--apply").out


def test_a_debt_that_no_touch_brings_up_says_so(worked_on: Repo, inside: Mem) -> None:
    assert "only a task that loads debts/ tells of it" in inside("add", "Ask them", "--debt", "--apply").out
    assert "touch" not in inside("add", "Ask", "--debt", "--on-command", "deploy", "--apply").out
