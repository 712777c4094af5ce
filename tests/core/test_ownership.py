"""One owner for one key, and three ways out."""

from __future__ import annotations

from typing import NamedTuple

from memwarden.core.note import DEBT, Note
from memwarden.core.ownership import (
    MOST_RIVALS,
    Clash,
    clashes,
    contested,
    holder,
    owner_key,
    owners,
    refusal,
)
from memwarden.core.registry import Registry
from memwarden.core.subject import Subject

REGISTRY = Registry(
    [Subject("memory/subjects/requests.md", "requests", ref="pypi:requests", aliases=("rq",))]
)


class Named(NamedTuple):
    name: str


def note(
    id: str, subject: str = "rq", facet: str = "behavior", folder: str = "decisions", **fields: object
) -> Note:
    made = Note(f"memory/{folder}/{id}.md", id, subject=subject, facet=facet, created="2026-01-01")
    return made._replace(**fields)


def owned(*notes: Note, retired: tuple[str, ...] = ()) -> dict[tuple[str, str, str], tuple[Note, ...]]:
    names = {n.path: Named("superseded" if n.id in retired else "active") for n in notes}
    return owners(notes, names, REGISTRY)


def test_the_key_is_canonical_and_holds_the_aspect() -> None:
    assert owner_key(note("n-1", "RQ#Retry", folder="areas/sync"), REGISTRY) == (
        "area:sync",
        "requests#retry",
        "behavior",
    )
    assert owner_key(note("n-1", "nobody"), REGISTRY) is None


def test_two_active_rules_of_one_key_clash_and_are_contested() -> None:
    first, second = note("n-1", "requests"), note("n-2", "pypi:Requests")
    found = owned(second, first)
    assert clashes(found) == [Clash(first, second)]
    assert contested(found) == {first.path: (second.path,), second.path: (first.path,)}


def test_the_older_claim_is_the_owner() -> None:
    young, old = note("n-1"), note("n-2", created="2025-01-01")
    assert clashes(owned(young, old)) == [Clash(old, young)]


def test_debts_and_superseded_notes_never_own() -> None:
    assert clashes(owned(note("n-1"), note("n-2", lifecycle=DEBT), note("n-3"), retired=("n-3",))) == []


def test_another_facet_another_aspect_and_another_area_own_beside_it() -> None:
    notes = (
        note("n-1"),
        note("n-2", facet="security"),
        note("n-3", "rq#retry"),
        note("n-4", "project", folder="areas/sync"),
        note("n-5", "project", folder="areas/ui"),
    )
    assert clashes(owned(*notes)) == []


def test_an_area_note_departs_from_a_project_note_only_by_saying_so() -> None:
    project = note("n-1")
    silent = note("n-2", folder="areas/sync")
    assert clashes(owned(project, silent)) == [Clash(project, silent)]
    assert clashes(owned(project, silent._replace(exception_to="n-1"))) == []


def test_a_new_note_finds_the_holder_unless_it_supersedes_or_departs() -> None:
    first = note("n-1")
    found = owned(first)
    assert holder(note("n-2"), found, REGISTRY) == first
    assert holder(note("n-2", supersedes=("n-1",)), found, REGISTRY) is None
    assert holder(note("n-2", lifecycle=DEBT), found, REGISTRY) is None
    assert holder(note("n-2", folder="areas/sync"), found, REGISTRY) == first
    assert holder(note("n-2", folder="areas/sync", exception_to="n-1"), found, REGISTRY) is None
    assert holder(first, found, REGISTRY) is None


def test_the_refusal_names_the_owner_and_the_three_ways_out() -> None:
    message, fix = refusal(note("n-2"), note("n-1"), REGISTRY)
    assert "n-1" in message
    assert "requests / behavior" in message
    assert fix == (
        "supersede it (supersedes: [n-1]), choose another facet, "
        "or narrow the subject (subject: requests#<aspect>)"
    )


def test_the_refusal_names_a_subject_that_could_be_given() -> None:
    _, fix = refusal(note("n-2", "requests#retry"), note("n-1", "requests#retry"), REGISTRY)
    assert fix.endswith("or take another aspect (subject: requests#<aspect>)")


def test_a_crowd_of_claims_to_one_key_is_told_by_its_first_few() -> None:
    crowd = [note(f"n-{number:04}") for number in range(3000)]
    found = contested(owned(*crowd))
    assert list(found) == [claim.path for claim in crowd]
    assert {len(rivals) for rivals in found.values()} == {MOST_RIVALS}
    assert all(path not in rivals for path, rivals in found.items())
    assert found[crowd[0].path][0] == crowd[1].path
    assert found[crowd[-1].path][0] == crowd[0].path
