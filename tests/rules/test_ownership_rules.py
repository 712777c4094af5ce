"""M3xx: one owner, one spelling, chains that end."""

from __future__ import annotations

import pytest

from memwarden.core.fitness import unfit
from memwarden.core.memory import Memory
from memwarden.core.modules import layout
from memwarden.core.route.shelf import put_up
from memwarden.core.standing import standings
from memwarden.errors import ERROR, WARNING
from memwarden.rules import Context, check
from tests.conftest import Repo, note_text
from tests.rules.ground import QUIET, TODAY, findings, only, read, told

A, B = "memory/decisions/a.md", "memory/decisions/b.md"
ONE, TWO = "n-00000001", "n-00000002"


def subject(repo: Repo, id: str, **fields: str) -> str:
    path = f"memory/subjects/{id}.md"
    lines = "\n".join(f"{key}: {value}" for key, value in {"id": id, "kind": "concept", **fields}.items())
    repo.write(path, f"---\n{lines}\n---\nWhat it is.\n")
    return path


def test_a_second_owner_is_told_with_the_first_and_the_ways_out(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", id=ONE))
    memory_repo.write(B, note_text("b", id=TWO))
    assert told(memory_repo) == [("M301", B)]
    found = only(memory_repo, "M301")
    assert ONE in found.message
    assert all(way in found.fix for way in (f"supersedes: [{ONE}]", "another facet", "project#<aspect>"))


def test_superseding_leaves_one_owner(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", id=ONE))
    memory_repo.write(B, note_text("b", id=TWO, supersedes=f"[{ONE}]"))
    assert told(memory_repo) == []


def test_missing_mismatched_and_cyclic_targets_are_errors(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", id=ONE, supersedes=f"[{TWO}]"))
    memory_repo.write(B, note_text("b", id=TWO, supersedes=f"[{ONE}]"))
    memory_repo.write(
        "memory/decisions/c.md", note_text("c", id="n-00000003", facet="behavior", supersedes="[n-0000000x]")
    )
    memory_repo.write(
        "memory/decisions/d.md", note_text("d", id="n-00000004", facet="interface", supersedes="[n-00000004]")
    )
    memory_repo.write(
        "memory/decisions/e.md",
        note_text("e", id="n-00000005", facet="performance", supersedes="[n-00000003]"),
    )
    found = [f for f in findings(memory_repo) if f.code == "M302"]
    assert [f.severity for f in found] == [ERROR] * 5
    assert [f.message.split(",")[0] for f in found] == [
        f"supersession goes round: {ONE} > {TWO} > {ONE}",
        f"supersession goes round: {TWO} > {ONE} > {TWO}",
        "supersedes n-0000000x",
        "the note supersedes itself",
        "supersedes n-00000003",
    ]
    assert found[-1].message.endswith(
        "which owns project / project / behavior, not project / project / performance"
    )


@pytest.mark.parametrize(
    ("path", "fields", "why"),
    [
        (B, {"facet": "security"}, "which owns project / project / workflow"),
        (B, {"subject": "project#part"}, "which owns project / project / workflow"),
        (B, {"subject": "path:a.py"}, "which owns project / project / workflow"),
        ("memory/areas/x/b.md", {}, "which owns project / project / workflow"),
        ("memory/debts/b.md", {"lifecycle": "debt"}, "which is a rule, not a debt"),
        (B, {"subject": ""}, "names no subject and facet"),
    ],
)
def test_a_mismatched_successor_silences_nobody_and_is_told(
    memory_repo: Repo, path: str, fields: dict[str, str], why: str
) -> None:
    key = {"subject": "project", "facet": "workflow"}
    memory_repo.write(A, note_text("a", id=ONE, **key))
    memory_repo.write(path, note_text("b", id=TWO, **{**key, **fields}, supersedes=f"[{ONE}]"))
    memory = read(memory_repo)
    assert standings(memory, TODAY)[A].name == "active"
    (found,) = [f for f in check(memory, Context(TODAY)) if f.code == "M302"]
    assert (found.severity, found.path) == (ERROR, path)
    assert why in found.message


def test_two_spellings_of_one_subject_supersede(memory_repo: Repo) -> None:
    subject(memory_repo, "requests", aliases="[rq]")
    memory_repo.write(A, note_text("a", id=ONE, subject="requests"))
    memory_repo.write(B, note_text("b", id=TWO, subject="RQ", supersedes=f"[{ONE}]"))
    assert standings(read(memory_repo), TODAY)[A].name == "superseded"
    assert told(memory_repo) == []


def test_a_mismatched_link_makes_no_circle_and_brings_nobody_back(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", id=ONE))
    memory_repo.write(B, note_text("b", id=TWO, supersedes=f"[{ONE}]"))
    c = "memory/archive/c.md"
    memory_repo.write(c, note_text("c", id="n-00000003", facet="security", supersedes=f"[{TWO}]"))
    memory = read(memory_repo)
    assert [standings(memory, TODAY)[path].name for path in (A, B)] == ["superseded", "active"]
    assert told(memory_repo) == []


def test_a_predecessor_whose_successor_was_archived_is_live_again_and_said(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", id=ONE))
    memory_repo.write("memory/archive/b.md", note_text("b", id=TWO, supersedes=f"[{ONE}]"))
    found = only(memory_repo, "M302")
    assert (found.severity, found.path) == (WARNING, A)
    assert f"{TWO} is archived" in found.message


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"evidence": "[{agent: bot}]"}, "M201"), ({"anchors": "[{nothing: x}]"}, "M102")],
)
def test_an_invalid_successor_silences_nobody_and_is_named(
    memory_repo: Repo, fields: dict[str, str], code: str
) -> None:
    memory_repo.write(A, note_text("a", id=ONE))
    memory_repo.write(B, note_text("b", id=TWO, supersedes=f"[{ONE}]", **fields))
    memory = read(memory_repo)
    assert standings(memory, TODAY)[A].name == "active"
    found = {f.code: f for f in check(memory, Context(TODAY)) if f.code not in QUIET}
    assert set(found) == {code, "M302"}
    assert found["M302"].severity == WARNING
    assert found["M302"].path == A
    assert f"({TWO} is invalid)" in found["M302"].message
    shelf = put_up(memory, standings(memory, TODAY), layout(memory), unfit(memory))
    assert shelf.contested == {}


def test_a_predecessor_that_was_forgotten_is_no_fault(memory_repo: Repo) -> None:
    from memwarden.core.event import FORGOTTEN, Event

    memory_repo.write(B, note_text("b", id=TWO, supersedes=f"[{ONE}]"))
    memory = read(memory_repo)._replace(events={ONE: (Event(ONE, 1, FORGOTTEN),)})
    assert [f.code for f in check(memory, Context(TODAY)) if f.code == "M302"] == []


def test_an_exception_names_an_active_project_rule_of_the_same_key(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", id=ONE))
    area = "memory/areas/sync/b.md"
    memory_repo.write(area, note_text("b", id=TWO, exception_to=ONE))
    assert told(memory_repo) == []
    memory_repo.write(area, note_text("b", id=TWO, exception_to=ONE, facet="security"))
    assert told(memory_repo) == [("M302", area)]
    memory_repo.write(area, note_text("b", id=TWO, exception_to="n-0000000x"))
    assert told(memory_repo) == [("M301", area), ("M302", area)]
    memory_repo.write(B, note_text("b", id="n-00000003", facet="security", exception_to=ONE))
    assert ("M302", B) in told(memory_repo)


def test_one_spelling_for_two_subjects_names_the_owner(memory_repo: Repo) -> None:
    subject(memory_repo, "library", ref="pypi:Library_X")
    other = subject(memory_repo, "other", ref="pypi:library.x")
    assert told(memory_repo) == [("M303", other)]
    assert "library" in only(memory_repo, "M303").message
    assert only(memory_repo, "M303").line == 4


def test_an_unknown_subject_names_the_nearest(memory_repo: Repo) -> None:
    subject(memory_repo, "requests", aliases="[rq]")
    memory_repo.write(A, note_text("a", subject="reqests"))
    assert "did you mean requests" in only(memory_repo, "M306").message


def test_a_merge_that_leads_nowhere_or_round_is_an_error(memory_repo: Repo) -> None:
    subject(memory_repo, "a", merged_into="gone")
    subject(memory_repo, "b", merged_into="c")
    subject(memory_repo, "c", merged_into="b")
    assert [code for code, _ in told(memory_repo)] == ["M307"] * 3


def test_notes_reach_a_merged_subject_through_the_merge(memory_repo: Repo) -> None:
    subject(memory_repo, "new")
    subject(memory_repo, "old", merged_into="new")
    memory_repo.write(A, note_text("a", id=ONE, subject="old"))
    memory_repo.write(B, note_text("b", id=TWO, subject="new"))
    assert told(memory_repo) == [("M301", B)]


def test_revoked_owners_do_not_own(memory_repo: Repo) -> None:
    from memwarden.core.event import REVOKED, Event

    memory_repo.write(A, note_text("a", id=ONE))
    memory_repo.write(B, note_text("b", id=TWO))
    memory: Memory = read(memory_repo)._replace(
        events={ONE: (Event(ONE, 1, REVOKED, facts={"reason": "x"}),)}
    )
    assert [f.code for f in check(memory, Context(TODAY)) if f.code == "M301"] == []


def test_a_subject_id_in_two_files_is_told_with_both_and_never_merged_into_itself(memory_repo: Repo) -> None:
    subject(memory_repo, "x")
    memory_repo.write("memory/subjects/y.md", "---\nid: x\nkind: concept\n---\n")
    found = only(memory_repo, "M303")
    assert (found.path, found.key) == ("memory/subjects/y.md", "id")
    assert "memory/subjects/x.md" in found.message
    assert "merge" not in found.fix
