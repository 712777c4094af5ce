"""Lines put into a manifest."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.manifest_text import with_budget, with_entries
from memwarden.edit.manifest_reader import read_manifest
from memwarden.edit.starter import MANIFEST

START = MANIFEST.format(project="p-7q2m4x9k").encode()


def _added(data: bytes, before: bytes = START) -> list[str]:
    old = before.decode().splitlines()
    new = data.decode().splitlines()
    kept = iter(new)
    assert all(line in kept for line in old)  # nothing else moved
    for line in old:
        new.remove(line)
    return new


def test_entry_goes_below_the_last_one_of_its_task() -> None:
    data = with_entries(START, "Tasks", ["areas/x/"], "plan")
    assert _added(data) == ["- areas/x/"]
    assert b"- do-not-use/\n- areas/x/\n\n### implement" in data


def test_section_that_is_missing_is_added_where_it_belongs() -> None:
    data = with_entries(START, "Areas", ["areas/x/: `src/**`"])
    assert b"- debts/\n\n## Areas\n- areas/x/: `src/**`\n\n## Explicit only" in data
    manifest, findings = read_manifest("memory/manifest.md", data)
    assert manifest
    assert not findings
    assert manifest.areas[0].globs == ("src/**",)


def test_task_that_is_missing_is_added_at_the_end_of_the_tasks() -> None:
    data = with_entries(START, "Tasks", ["x/"], "ship")
    assert b"- debts/\n\n### ship\n- x/\n\n## Explicit only" in data


def test_list_does_not_run_on_from_prose() -> None:
    start = START.replace(b"## Explicit only\n- inbox/\n- archive/\n", b"## Explicit only\nNothing yet.\n")
    data = with_entries(start, "Explicit only", ["x/"])
    assert b"Nothing yet.\n\n- x/\n\n## Budgets" in data


def test_nothing_to_add_changes_nothing() -> None:
    assert with_entries(START, "Areas", []) is START


@pytest.mark.parametrize(
    "start",
    [START.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + START, START.rstrip(b"\n")],
    ids=["crlf", "bom", "cut"],
)
def test_line_ends_the_mark_and_a_missing_end_are_kept_or_mended(start: bytes) -> None:
    data = with_entries(start, "Budgets", ["areas/x/: 5"])
    data = with_entries(data, "Areas", ["areas/x/"])
    assert data.startswith(start[:20])
    assert data.count(b"\r\n") == (data.count(b"\n") if b"\r\n" in start else 0)
    manifest, findings = read_manifest("memory/manifest.md", data)
    assert manifest
    assert not findings
    assert dict(manifest.budgets)["areas/x/"] == 5


def test_budget_that_is_there_changes_its_number_alone() -> None:
    data = with_budget(START, "decisions/", 77)
    assert data == START.replace(b"- decisions/: 1200", b"- decisions/: 77")


def test_budget_that_is_new_is_added() -> None:
    assert _added(with_budget(START, "rules/x/", 9)) == ["- rules/x/: 9"]


def test_heading_in_a_fence_takes_no_entry() -> None:
    start = START + b"\n```\n## Areas\n```\n"
    data = with_entries(start, "Areas", ["areas/x/"])
    assert data.count(b"## Areas\n") == 2
