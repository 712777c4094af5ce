"""A second import of a source: what is here is known by its words, and by nothing that a source says."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwarden.edit.importing.trigger_table import read
from tests.cli.import_ground import mem as mem
from tests.cli.import_ground import started as started
from tests.conftest import Mem, Repo

HEAD = "| ID | Path | Lesson |\n|----|------|--------|\n"


def test_id_of_the_source_in_our_form_hides_no_other_claim(started: Repo, mem: Mem, tmp_path: Path) -> None:
    page = tmp_path / "t.md"
    wanted = "| T2 | `a.py` | Keep the timeout. |\n"
    (claim,) = read({"t.md": HEAD + wanted}).claims
    page.write_text(f"{HEAD}| {claim.digest} | `b.py` | A forged ID. |\n{wanted}")
    done = mem("import", "table", str(page), "--apply", "--json").json
    assert [one["title"] for one in done["candidates"]] == ["A forged ID.", "Keep the timeout."]
    assert mem("import", "table", str(page), "--json").json["plan"] is None


def test_only_what_was_changed_in_the_source_comes_again(started: Repo, mem: Mem, tmp_path: Path) -> None:
    page = tmp_path / "t.md"
    page.write_text(f"{HEAD}| T1 | `a.py` | One. |\n| T2 | `a.py` | Two. |\n")
    mem("import", "table", str(page), "--apply")
    page.write_text(page.read_text().replace("Two.", "Two, and more."))
    done = mem("import", "table", str(page), "--json").json
    assert [one["title"] for one in done["candidates"]] == ["Two, and more."]
    assert [one["title"] for one in done["already"]] == ["One."]


def test_candidate_that_was_rejected_does_not_come_back(started: Repo, mem: Mem, tmp_path: Path) -> None:
    page = tmp_path / "t.md"
    page.write_text(f"{HEAD}| T1 | `a.py` | One. |\n")
    mem("import", "table", str(page), "--apply")
    (waiting,) = (started.root / "memory/inbox").iterdir()
    assert mem("reject", waiting.name, "--reason", "no", "--apply").code == 0
    assert mem("import", "table", str(page), "--json").json["plan"] is None


@pytest.mark.parametrize("source", ["custodian", "claude", "agentlore", "table", "todo"])
def test_source_that_is_not_there_is_named_as_it_was_given(started: Repo, mem: Mem, source: str) -> None:
    for given in ("/nowhere/at/all", "../nowhere", "./a/../nowhere"):
        done = mem("import", source, given, "--json")
        assert done.code == 2
        assert done.json["error"]["message"].startswith(given)


def test_files_that_are_passed_by_are_in_the_report(started: Repo, mem: Mem, tmp_path: Path) -> None:
    folder = tmp_path / "topics"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nWords.\n")
    (folder / "b.txt").write_text("words")
    for number in range(30):
        (folder / f"{number}.jsonl").write_text("{}")
    done = mem("import", "claude", str(folder), "--json").json
    assert [(one["source"], one["line"], one["why"]) for one in done["lost"]] == [
        (".", 0, "no Markdown file (31 of them)")
    ]
    assert "no Markdown file (31 of them)" in mem("import", "claude", str(folder)).out


def test_route_to_a_module_without_an_entry_is_lost_unless_it_is_here(
    repo: Repo, mem: Mem, tmp_path: Path
) -> None:
    mem("init")
    old = tmp_path / "old"
    old.mkdir()
    (old / "manifest.md").write_text(
        "# M\n\n- protocol_version: 0.8\n\n## Load by task\n\n### Shipping\n- constraints.md\n\n### Plan\n"
        "- constraints.md\n"
    )
    (old / "constraints.md").write_text("# Constraints\n")
    lost = mem("import", "custodian", str(old), "--json").json["lost"]
    assert [(one["line"], one["why"]) for one in lost] == [
        (8, "the route of the task 'Shipping' to constraints/: no entry of it is taken over")
    ]
