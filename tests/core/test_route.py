"""Which notes a task loads, in which order, for which reasons; and why not the others."""

from __future__ import annotations

import pytest

from memwarden.core.manifest import Manifest
from memwarden.core.memory import Memory
from memwarden.core.note import Anchor, Evidence, Note
from memwarden.core.route.request import Request, find_task
from memwarden.core.route.route import Routed, route
from memwarden.core.standing import Standing, standings
from memwarden.core.subject import Subject
from memwarden.core.workspace import Entry, Unreadable
from memwarden.edit.manifest_reader import read_manifest
from memwarden.errors import ERROR, Finding, Refused, UsageError
from tests.conftest import MANIFEST

TODAY = "2026-11-30"


class Files:
    """A workspace of names alone."""

    name = "working tree"

    def __init__(self, *paths: str) -> None:
        self._paths = paths

    def entry(self, path: str) -> Entry | None:
        if path in self._paths:
            return Entry("file")
        return Entry("folder") if any(known.startswith(path + "/") for known in self._paths) else None

    def read(self, path: str) -> bytes:
        raise Unreadable("no such file")

    def paths(self, under: str = ""):
        return iter(sorted(path for path in self._paths if path.startswith(under)))

    def blob(self, path: str) -> str:
        return ""


def manifest_of(text: str = MANIFEST) -> Manifest:
    manifest, _ = read_manifest("memory/manifest.md", text.encode())
    assert manifest is not None
    return manifest


def a_note(path: str, **fields: object) -> Note:
    number = sum(map(ord, path)) % 10_000_000
    whole = Note(
        f"memory/{path}", f"n-{number:08d}", path, f"path:{path}", "workflow",
        evidence=(Evidence("user", "Ada"),), created="2026-01-01", tokens=10)  # fmt: skip
    return whole._replace(**fields)  # type: ignore[arg-type]


def memory_of(*notes: Note, manifest: str = MANIFEST, files: tuple[str, ...] = (), **more: object) -> Memory:
    ordered = tuple(sorted(notes, key=lambda note: note.path))
    workspace = Files(*files, *(note.path for note in notes))
    return Memory(workspace, manifest_of(manifest), ordered, **more)  # type: ignore[arg-type]


def routed(memory: Memory, found: dict[str, Standing] | None = None, **request: object) -> Routed:
    asked = Request(**{"task": "plan", **request})  # type: ignore[arg-type]
    return route(memory, found or standings(memory, TODAY), asked, TODAY)


def loaded(answer: Routed) -> list[str]:
    return [one.note.path.removeprefix("memory/") for one in answer.loaded]


def omitted(answer: Routed) -> dict[str, str]:
    return {one.path.removeprefix("memory/"): one.reason for one in answer.omitted}


BRIEF = a_note("brief.md")


def test_modules_come_in_the_manifests_order_and_newest_first_inside() -> None:
    memory = memory_of(
        BRIEF,
        a_note("constraints/a.md"),
        a_note("decisions/old.md", created="2025-01-01"),
        a_note("decisions/b.md", created="2026-05-01"),
        a_note("decisions/a.md", created="2026-05-01"),
        a_note("decisions/undated.md", created=""),
    )
    assert loaded(routed(memory)) == [
        "brief.md", "decisions/a.md", "decisions/b.md", "decisions/old.md", "decisions/undated.md",
        "constraints/a.md"]  # fmt: skip


def test_every_reason_is_listed_and_the_first_one_is_the_reason() -> None:
    note = a_note("areas/sync/a.md", anchors=(Anchor("path", "src/sync/*.py"),))
    answer = routed(
        memory_of(BRIEF, note), areas=("sync",), paths=("src/sync/x.py",), modules=("areas/sync/",)
    )
    one = answer.loaded[1]
    assert one.reasons == ("explicit-area", "path-area", "explicit-module", "anchor")
    assert one.reason == "explicit-area"


def test_a_module_listed_by_two_routes_is_loaded_once_with_both_reasons() -> None:
    text = MANIFEST.replace("- decisions/\n", "- brief.md\n- decisions/\n", 1)
    answer = routed(memory_of(BRIEF, manifest=text))
    assert [one.reasons for one in answer.loaded] == [("always-load", "canonical-task")]


def test_the_answer_does_not_depend_on_the_order_of_arguments() -> None:
    memory = memory_of(
        BRIEF, a_note("areas/sync/a.md"), a_note("profiles/release/r.md"), a_note("other/x.md")
    )
    one = routed(
        memory,
        paths=("src/sync/b.py", "src/sync/a.py"),
        modules=("other", "debts/", "inbox"),
        areas=("sync",),
    )
    other = routed(
        memory,
        paths=("src/sync/a.py", "src/sync/b.py", "src/sync/a.py"),
        modules=("inbox/", "memory/other/", "debts"),
        areas=("areas/sync/", "sync"),
    )
    assert one == other


def test_a_path_that_is_not_on_disk_selects_its_area_and_is_marked() -> None:
    answer = routed(memory_of(BRIEF, a_note("areas/sync/a.md")), paths=("src/sync/new.py",))
    assert loaded(answer) == ["brief.md", "areas/sync/a.md"]
    assert answer.loaded[1].reasons == ("path-area",)
    assert answer.loaded[1].detail == "src/sync/new.py (not on disk)"
    assert [(given.path, given.on_disk, given.areas) for given in answer.given] == [
        ("src/sync/new.py", False, ("sync",))
    ]


def test_an_anchor_brings_in_owed_debts_and_rules_but_no_paid_debt() -> None:
    anchors = (Anchor("path", "src/*.py"), Anchor("command", "make"))
    memory = memory_of(
        a_note("debts/owed.md", lifecycle="debt", anchors=anchors),
        a_note("debts/paid.md", lifecycle="debt", anchors=anchors),
        a_note("other/rule.md", anchors=anchors),
        a_note("inbox/candidate.md", anchors=anchors),
        a_note("archive/old.md", anchors=anchors),
    )
    found = standings(memory, TODAY)
    found["memory/debts/paid.md"] = Standing("paid")
    answer = routed(memory, found, paths=("src/x.py",))
    assert loaded(answer) == ["debts/owed.md", "other/rule.md"]
    assert {one.reasons for one in answer.loaded} == {("anchor",)}
    assert omitted(answer) == {
        "brief.md": "not-present",
        "debts/paid.md": "paid",
        "inbox/candidate.md": "candidate",
        "archive/old.md": "archived",
    }


@pytest.mark.parametrize(
    "name", ["superseded", "revoked", "paid", "expired", "not-yet", "candidate", "archived"]
)
def test_a_note_that_may_not_speak_is_omitted_under_its_standing(name: str) -> None:
    memory = memory_of(BRIEF, a_note("decisions/a.md"))
    found = {**standings(memory, TODAY), "memory/decisions/a.md": Standing(name)}
    assert omitted(routed(memory, found)) == {"decisions/a.md": name}


def test_a_rejected_candidate_stays_silent_even_when_the_inbox_is_asked_for() -> None:
    memory = memory_of(BRIEF, a_note("inbox/a.md"), a_note("inbox/b.md"))
    found = {**standings(memory, TODAY), "memory/inbox/a.md": Standing("rejected", reason="no")}
    answer = routed(memory, found, modules=("inbox/",))
    assert loaded(answer) == ["brief.md", "inbox/b.md"]
    assert omitted(answer) == {"inbox/a.md": "candidate"}
    assert answer.omitted[0].detail == "rejected: no"


def test_candidates_and_archived_notes_load_only_when_asked_for_by_name() -> None:
    memory = memory_of(BRIEF, a_note("inbox/a.md"), a_note("archive/b.md"))
    assert omitted(routed(memory)) == {"inbox/a.md": "candidate", "archive/b.md": "archived"}
    assert loaded(routed(memory, modules=("inbox/", "archive"))) == ["brief.md", "inbox/a.md", "archive/b.md"]


def test_broken_and_unfit_notes_are_invalid_and_the_rest_is_served() -> None:
    broken = Finding("M001", ERROR, "no YAML", "memory/decisions/broken.md", 3)
    memory = memory_of(
        BRIEF,
        a_note("decisions/unfit.md", evidence=()),
        a_note("decisions/fine.md"),
        broken=("memory/decisions/broken.md",),
        findings=(broken,),
    )
    answer = routed(memory)
    assert loaded(answer) == ["brief.md", "decisions/fine.md"]
    assert [(one.reason, one.detail) for one in answer.omitted] == [
        ("invalid", "no YAML"),
        ("invalid", "an active note has no evidence"),
    ]


def test_a_module_only_listed_as_explicit_is_explicit_only_and_others_are_not_routed() -> None:
    text = MANIFEST.replace("- archive/\n", "- archive/\n- secretive/\n")
    memory = memory_of(BRIEF, a_note("secretive/a.md"), a_note("other/b.md"), manifest=text)
    assert omitted(routed(memory)) == {"secretive/a.md": "explicit-only", "other/b.md": "not-routed"}


def test_a_missing_module_file_is_not_present_and_a_missing_folder_is_empty() -> None:
    answer = routed(memory_of(a_note("decisions/a.md")))
    assert omitted(answer) == {"brief.md": "not-present"}


def test_a_note_over_its_modules_budget_is_left_out_whole_and_a_smaller_one_may_follow() -> None:
    text = MANIFEST + "- decisions/: 100\n"
    memory = memory_of(
        BRIEF,
        a_note("decisions/a.md", tokens=101, created="2026-09-03"),
        a_note("decisions/b.md", tokens=60, created="2026-09-02"),
        a_note("decisions/c.md", tokens=41, created="2026-09-01"),
        a_note("decisions/d.md", tokens=40, created="2026-08-01"),
        manifest=text,
    )
    answer = routed(memory)
    assert loaded(answer) == ["brief.md", "decisions/b.md", "decisions/d.md"]
    assert omitted(answer) == {"decisions/a.md": "over-budget", "decisions/c.md": "over-budget"}
    assert answer.omitted[0].detail == "101 tokens; 100 of 100 are left of decisions/"
    assert (answer.tokens, answer.budget) == (110, 4000)


def test_a_given_budget_replaces_the_total_and_lifts_the_modules_own() -> None:
    text = MANIFEST + "- decisions/: 5\n"
    memory = memory_of(BRIEF, a_note("decisions/a.md"), a_note("decisions/b.md"), manifest=text)
    assert loaded(routed(memory)) == ["brief.md"]
    assert loaded(routed(memory, budget=20)) == ["brief.md", "decisions/a.md"]
    assert loaded(routed(memory, budget=0)) == []


def test_the_exact_size_is_asked_only_of_notes_that_may_fit() -> None:
    memory = memory_of(BRIEF, a_note("decisions/a.md", tokens=5000), a_note("decisions/b.md"))
    asked: list[str] = []

    def measure(note: Note, _: tuple[str, ...]) -> int:
        asked.append(note.path)
        return 25

    answer = route(memory, standings(memory, TODAY), Request("plan"), TODAY, measure)
    assert asked == ["memory/brief.md", "memory/decisions/b.md"]
    assert answer.tokens == 50


def test_two_owners_of_one_key_are_both_loaded_and_marked() -> None:
    one = a_note("decisions/a.md", subject="project")
    other = a_note("decisions/b.md", subject="project")
    answer = routed(memory_of(BRIEF, one, other))
    assert [found.contested for found in answer.loaded[1:]] == [(other.id,), (one.id,)]


@pytest.mark.parametrize("name", ["plan", "PLAN", "planning", " Architecture "])
def test_a_task_is_found_by_its_names_whatever_the_case(name: str) -> None:
    assert find_task(manifest_of(), name).name == "plan"


@pytest.mark.parametrize(
    ("request_", "message", "hint"),
    [
        ({"task": "plann"}, "unknown task 'plann'; the manifest's tasks: plan, implement", "plan"),
        ({"task": "debugg"}, "unknown task", "did you mean debug (task implement)?"),
        ({"areas": ("syncs",)}, "unknown area 'syncs'; the manifest's areas: sync", "sync"),
        ({"profiles": ("relase",)}, "unknown profile 'relase'", "release"),
        ({"modules": ("decision",)}, "unknown module 'decision'", "decisions/"),
        ({"modules": ("subjects/",)}, "unknown module 'subjects/'", ""),
    ],
)
def test_a_name_that_the_manifest_lacks_is_an_error_that_names_the_known_ones(
    request_: dict[str, object], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as refused:
        routed(memory_of(BRIEF), **request_)
    assert refused.value.message.startswith(message)
    assert hint in refused.value.next_step


def test_a_manifest_with_an_error_routes_nothing() -> None:
    finding = Finding("M504", ERROR, "twice", "memory/manifest.md", 9)
    with pytest.raises(Refused) as refused:
        routed(memory_of(BRIEF, findings=(finding,)))
    assert refused.value.findings == (finding,)


def test_a_missing_manifest_routes_nothing_and_names_the_rule() -> None:
    with pytest.raises(Refused, match="M501"):
        routed(memory_of(BRIEF)._replace(manifest=None))


@pytest.mark.parametrize(
    ("one", "other", "contested"),
    [
        ("path:src/x.py", "path:./src//x.py", True),
        ("path:src/x.py", "path:lib/x.py", False),
        ("path:src/x.py#a", "path:src/x.py#b", False),
        ("path:src/x.py#a", "path:src/x.py#a", True),
        ("lib-x", "  LIBRARY   X ", True),
        ("lib-x", "path:vendor/x", True),
        ("lib-x", "project", False),
        ("pypi:Lib__Y", "pypi:lib.y", True),
        ("pypi:Lib__Y", "lib-y", True),
    ],
)
def test_rivals_are_found_by_what_their_subjects_are_not_how_they_are_spelled(
    one: str, other: str, contested: bool
) -> None:
    subject = Subject("memory/subjects/lib-x.md", "lib-x", "Library X", "dependency", "path:vendor/x")
    second = Subject("memory/subjects/lib-y.md", "lib-y", "Y", "dependency", "pypi:lib-y")
    notes = (a_note("decisions/a.md", subject=one), a_note("decisions/b.md", subject=other))
    memory = memory_of(BRIEF, *notes, subjects=(subject, second))
    answer = routed(memory)
    assert [bool(found.contested) for found in answer.loaded] == [False, contested, contested]
