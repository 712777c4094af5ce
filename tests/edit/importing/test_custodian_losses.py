"""What a MemoryCustodian tree says and this memory has no place for is told, line by line."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.custodian import read
from memwarden.edit.importing.harvest import Harvest
from memwarden.errors import UsageError

MANIFEST = "# M\n\n- protocol_version: 0.8\n"


def _read(manifest: str = "", **files: str) -> Harvest:
    texts = {name.replace("__", "/").replace("_", "-") + ".md": text for name, text in files.items()}
    return read({"manifest.md": MANIFEST + manifest, **texts})


def _whys(harvest: Harvest) -> list[tuple[int, str]]:
    return [(loss.line, loss.why) for loss in harvest.lost]


def test_route_to_the_inbox_is_lost_with_its_task() -> None:
    harvest = _read("\n## Load by task\n\n### Deep triage\nLoad:\n- inbox.md\n- archive/\n", inbox="# I\n")
    assert _whys(harvest) == [
        (9, "the route of the task 'Deep triage' to inbox.md: no task is told candidates; mem inbox goes"
            " through them"),
        (10, "the route of the task 'Deep triage' to archive/: no task is told what is archived"),
    ]  # fmt: skip


def test_task_that_loads_nothing_is_lost() -> None:
    tasks = "\n## Load by task\n\n### Empty\n\n### Absent\nLoad if present:\n- preferences.md\n"
    assert _whys(_read(tasks)) == [
        (7, "the task 'Empty' loads nothing that is there"),
        (9, "the task 'Absent' loads nothing that is there"),
    ]


def test_route_that_says_more_than_its_file_is_told() -> None:
    tasks = "\n## Load by task\n\n### Plan\nOnly when asked.\n- decisions.md: newest three\n- all the rest\n"
    harvest = _read(tasks, decisions="# D\n\n- a\n")
    assert [course.module for course in harvest.courses] == ["decisions/"]
    assert _whys(harvest) == [
        (8, "the task 'Plan' is told in words: 'Only when asked.'"),
        (9, "what is said of the route to decisions.md: 'newest three'"),
        (10, "'- all the rest' names no file of the protocol"),
    ]


@pytest.mark.parametrize(
    ("hint", "globs"),
    [
        ("`src/sync/**`", ("src/sync/**",)),
        ("Load when `src/sync/**` is touched", ("src/sync/**",)),
        ("load if editing `src/a.py` or files below `lib/**`.", ("src/a.py", "lib/**")),
    ],
)
@pytest.mark.parametrize("name", ["sync", "my area"])
def test_hint_that_only_names_globs_loads_the_area(name: str, hint: str, globs: tuple[str, ...]) -> None:
    index = f"\n## Optional module index\n\n### Enabled areas\n- areas/{name}.md: {hint}\n"
    harvest = read({"manifest.md": MANIFEST + index, f"areas/{name}.md": "# Area: x\n\n- Slow.\n"})
    (district,) = harvest.districts
    assert (district.module, district.globs) == (f"areas/{name.replace(' ', '-')}/", globs)
    assert harvest.lost == ()


@pytest.mark.parametrize(
    ("hint", "why"),
    [
        ("screens and colours", "names no glob"),
        ("never for `src/sync/**`", "says more than its globs"),
        ("not when `src/sync/**` is touched", "says more than its globs"),
        ("the `sync` command", "says more than its globs"),
    ],
)
def test_hint_that_says_more_is_lost(hint: str, why: str) -> None:
    index = f"\n## Optional module index\n\n### Enabled areas\n- areas/x.md: {hint}\n"
    harvest = _read(index, areas__x="# Area: x\n\n- Slow.\n")
    assert harvest.districts[0].globs == ()
    assert _whys(harvest) == [
        (8, f"areas/x/: the hint {hint!r} {why}; name what loads it in memory/manifest.md")
    ]


def test_field_of_an_optional_module_that_has_no_place_is_told() -> None:
    index = """
## Optional module index

### Enabled areas
- `areas/a.md`: a hint
  - activation: explicit-only
  - paths: src/**
  - priority: 3

### Enabled rules
- `rules/b.md`: a hint
  - activation: explicit-only
  - tasks: plan

## Explicit only
- archive/
- areas/a.md
- rules/gone.md

## Context budget
- inbox.md: 300 tokens max
- brief.md
"""
    text = "# X\n\n- Slow.\n"
    whys = {why for _, why in _whys(_read(index, areas__a=text, rules__b=text))}
    assert whys == {
        "areas/a/: its priority has no place here",
        "areas/a/: the hint 'a hint' names no glob; name what loads it in memory/manifest.md",
        "areas/a/: its globs do not load it in the source",
        "rules/b/: the hint 'a hint' is prose; name the module in a task by hand",
        "rules/b/: its tasks do not load it in the source",
        "rules/gone.md is listed and not there",
        "the budget of inbox.md: what no task loads has none here",
        "the budget of brief.md is no number of tokens",
    }


def test_what_is_explicit_only_and_nowhere_else_stays_so() -> None:
    harvest = _read("\n## Explicit only\n- areas/a.md\n", areas__a="# A\n\n- Slow.\n")
    assert [(course.task, course.module) for course in harvest.courses] == [("explicit only", "areas/a/")]


def test_field_of_an_entry_that_has_no_place_is_told() -> None:
    entry = """# D

## MC-DEC-20260926-00000002 — Route

Status: active
Scope: team
Subject: routing
Subject: other
Facet: behavior
Entry-Type: decision
Promoted-From: MC-INBOX-20260701-00000001
Superseded-By: MC-DEC-20260926-00000003
Supersedes: the old one
Evidence:
- user-confirmed

Words.
"""
    harvest = _read(decisions=entry)
    assert harvest.claims[0].tags == ("MC-DEC-20260926-00000002", "decision")
    assert {why for _, why in _whys(harvest)} == {
        "promoted-from is kept only in the source: say it by hand",
        "superseded-by is kept only in the source: say it by hand",
        "subject said again: only the first counts",
        "it supersedes the, which is no entry's ID",
        "it supersedes old, which is no entry's ID",
        "it supersedes one, which is no entry's ID",
        "the scope 'team' is none here",
    }


def test_words_beside_those_of_a_template_are_kept() -> None:
    soft = "Soft user or project preferences go here. Hard requirements belong in `constraints.md`."
    assert _read(preferences=f"# P\n\n{soft}\n").claims == ()
    (claim,) = _read(preferences=f"# P\n\n{soft} Tabs, never blanks.\n").claims
    assert "Tabs, never blanks." in claim.body


def test_comment_or_fence_that_is_never_closed_is_told() -> None:
    text = "# D\n\n## One\n\nWords.\n\n{}\n\n## Two\n\nWords.\n"
    for opened in ("<!-- a remark", "```"):
        assert _whys(_read(decisions=text.format(opened))) == [
            (7, "a comment or a fence that is never closed: what follows it is read as a part of it")
        ]


def test_prose_of_the_registry_is_told() -> None:
    text = "# S\n\nSubjects provide stable identity for entries.\n\nAsk Ada first.\n"
    assert _whys(_read(subjects=text)) == [(5, "no subject: it stands outside any")]


def test_version_that_is_none_is_named_with_its_line() -> None:
    with pytest.raises(UsageError, match=r"manifest\.md:3: the protocol_version 'abc' is no version"):
        read({"manifest.md": "# M\n\n- protocol_version: abc\n"})
