"""``mem import``: other tools' memories, as a person gets them."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.cli.import_ground import mem as mem
from tests.cli.import_ground import started as started
from tests.conftest import Mem, Repo

DATA = Path(__file__).parents[1] / "data"
NIGHTNOTES = DATA / "nightnotes-custodian"
NEWER = DATA / "custodian-08"
AGENT = {"CLAUDECODE": "1"}


def test_sample_of_custodian_is_imported_completely(started: Repo, mem: Mem) -> None:
    done = mem("import", "custodian", str(NIGHTNOTES), "--apply", "--json")
    assert done.code == 0, done.err
    assert done.json["applied"] is True
    assert len(done.json["mapped"]) == 6
    assert [one["title"] for one in done.json["candidates"]] == [
        "Consider encrypting exported notes with a user-provided passphrase."
    ]
    assert [(one["line"], one["why"]) for one in done.json["lost"]] == [
        (31, "the task 'Preferences' loads nothing that is there"),
        (
            39,
            "the route of the task 'Memory maintenance' to inbox.md: no task is told candidates;"
            " mem inbox goes through them",
        ),
    ]
    assert {tuple(one)[:3] for one in done.json["mapped"]} == {("source", "line", "why")}

    told = mem("route", "--task", "plan").out
    for words in (
        "human-readable local JSON",
        "without network access",
        "only the Python standard library",
        "Existing note files must remain human-readable",
        "SQLite",
        "Do not reintroduce",
        "small local CLI",
    ):
        assert words in told
    assert "encrypt" not in told.lower()
    assert "passphrase" not in mem("route", "--task", "maintain").out

    checked = mem("check", "--strict")
    assert checked.code == 0, checked.out


def test_imported_note_says_who_confirmed_it_and_from_where(started: Repo, mem: Mem) -> None:
    mem("import", "custodian", str(NIGHTNOTES), "--apply")
    (path,) = (started.root / "memory/decisions").iterdir()
    text = path.read_text()
    assert "user: imported from docs/memory/decisions.md, confirmed by Ada" in text
    assert "subject: local-session-persistence" in text
    assert "facet: architecture" in text
    assert "kind: concept" in started.read("memory/subjects/local-session-persistence.md")


def test_routes_and_budgets_of_the_source_are_taken_over(started: Repo, mem: Mem) -> None:
    mem("import", "custodian", str(NIGHTNOTES), "--apply")
    assert "- decisions/: 800" in started.read("memory/manifest.md")


def test_import_twice_adds_nothing_twice(started: Repo, mem: Mem) -> None:
    mem("import", "custodian", str(NIGHTNOTES), "--apply")
    started.commit("imported")
    # The same tree by another name, and notes that a person has touched since.
    (note,) = (started.root / "memory/decisions").iterdir()
    note.write_text(note.read_text() + "\nStill true.\n")
    again = mem("import", "custodian", str(NIGHTNOTES / "docs/memory"), "--apply", "--json")
    assert again.code == 0
    assert (again.json["plan"], again.json["applied"]) == (None, False)
    assert (again.json["mapped"], again.json["candidates"]) == ([], [])
    assert len(again.json["already"]) == 7
    assert started.git("status", "--short").split() == ["M", str(note.relative_to(started.root))]


def test_preview_writes_nothing_and_is_applied_by_its_plan_in_another_checkout(
    started: Repo, mem: Mem, tmp_path: Path
) -> None:
    shown = mem("import", "custodian", str(NIGHTNOTES), "--json").json
    assert shown["applied"] is False
    assert started.git("status", "--short") == ""
    plan = shown["plan"]["id"]
    (saved,) = (started.root / ".git/mem/plans").glob(f"{plan}*")
    kept = saved.read_text()
    assert str(tmp_path) not in kept
    assert str(DATA) not in kept
    started.git("worktree", "add", "-q", str(tmp_path / "other"))
    done = mem("apply", plan, cwd=tmp_path / "other")
    assert done.code == 0, done.err
    assert (tmp_path / "other/memory/constraints").is_dir()


def test_edited_brief_is_kept_and_the_other_one_waits(started: Repo, mem: Mem) -> None:
    started.write("memory/brief.md", started.read("memory/brief.md") + "\nWe deliver parcels.\n")
    done = mem("import", "custodian", str(NIGHTNOTES), "--apply", "--json").json
    assert "We deliver parcels." in started.read("memory/brief.md")
    assert "Project Brief" in [one["title"] for one in done["candidates"]]
    assert mem("check", "--strict").code == 0


def test_agent_imports_candidates_only(started: Repo, mem: Mem) -> None:
    done = mem("import", "custodian", str(NIGHTNOTES), "--apply", "--json", env=AGENT)
    assert done.code == 0, done.err
    assert done.json["mapped"] == []
    assert len(done.json["candidates"]) == 7
    assert {change["path"].split("/")[1] for change in done.json["plan"]["changes"]} == {"inbox"}
    assert any("only a person" in one["why"] for one in done.json["lost"])
    assert "SQLite" not in mem("route", "--task", "plan").out
    assert mem("check", "--strict").code == 0
    waiting = next((started.root / "memory/inbox").glob("tombstone*"))
    assert "agent: claude-code, imported from docs/memory/do-not-use.md" in waiting.read_text()


def test_agent_that_may_admit_imports_as_a_person_does(started: Repo, mem: Mem) -> None:
    manifest = started.read("memory/manifest.md").replace("---\n#", "agents_may_admit: true\n---\n#", 1)
    started.write("memory/manifest.md", manifest)
    done = mem("import", "custodian", str(NIGHTNOTES), "--apply", "--json", env=AGENT).json
    assert len(done["mapped"]) == 6


def test_candidate_that_an_agent_imported_is_admitted_by_a_person(started: Repo, mem: Mem) -> None:
    mem("import", "custodian", str(NIGHTNOTES), "--apply", env=AGENT)
    waiting = next((started.root / "memory/inbox").glob("tombstone*"))
    name = str(waiting.relative_to(started.root))
    done = mem("admit", name, "--module", "do-not-use", "--apply")
    assert done.code == 0, done.err
    assert "SQLite" in mem("route", "--task", "plan").out
    again = mem("import", "custodian", str(NIGHTNOTES), "--apply", "--json").json
    assert again["plan"] is None  # what still waits is here already, too


def test_newer_protocol_keeps_subjects_areas_rules_and_history(started: Repo, mem: Mem) -> None:
    started.write("src/routes.py", "x = 1\n")
    started.write("tests/test_sync.py", "x = 1\n")
    started.commit("files")
    done = mem("import", "custodian", str(NEWER), "--apply", "--json")
    assert done.code == 0, done.err
    places = {one["title"]: one["path"] for one in reversed(done.json["mapped"])}
    assert places["Queues"].startswith("memory/areas/sync/")
    assert places["Output"].startswith("memory/rules/output/")
    assert places["Route by guessing"].startswith("memory/archive/")
    waiting = {one["title"]: one["why"] for one in done.json["candidates"]}
    assert waiting["Overheard"] == "its evidence is unconfirmed"
    assert "owns requests / adoption-policy" in waiting["Offline again"]
    assert {one["source"] for one in done.json["lost"]} == {"changelog.md", "decisions.md", "manifest.md"}
    decision = started.read(places["Route by manifest"])
    assert "subject: context-routing" in decision
    assert "file: src/routes.py" in decision
    assert "vanished" not in decision
    assert "supersedes:" in decision
    manifest = started.read("memory/manifest.md")
    assert "- areas/sync/: `src/sync/**`, `/sync.toml`" in manifest
    assert "- profiles/release/: cutting a release" in manifest
    assert "### preferences\n- preferences/ (if present)" in manifest
    assert mem("check", "--strict").code == 0
    assert "Use queues." in mem("route", "--task", "plan", "--path", "src/sync/a.py").out
    assert "Perhaps use threads" not in mem("route", "--task", "plan").out
    again = mem("import", "custodian", str(NEWER), "--apply", "--json").json
    assert again["plan"] is None


def test_claude_topics_wait_for_a_person(started: Repo, mem: Mem) -> None:
    done = mem("import", "claude", str(DATA / "claude-topics"), "--apply", "--json")
    assert done.code == 0, done.err
    assert done.json["mapped"] == []
    assert len(done.json["candidates"]) == 6
    assert mem("check", "--strict").code == 0
    assert mem("import", "claude", str(DATA / "claude-topics"), "--json").json["plan"] is None
    for path in (started.root / "memory").rglob("*.md"):
        assert "5da15695" not in path.read_text()


def test_agentlore_files_wait_and_what_is_over_is_history(started: Repo, mem: Mem) -> None:
    files = [str(path) for path in sorted((DATA / "agentlore").iterdir())]
    done = mem("import", "agentlore", *files, "--apply", "--json")
    assert done.code == 0, done.err
    assert [one["path"].split("/")[1] for one in done.json["mapped"]] == ["archive"]
    assert len(done.json["candidates"]) == 2
    assert mem("check", "--strict").code == 0


def test_table_row_that_is_struck_through_is_a_paid_debt(started: Repo, mem: Mem) -> None:
    done = mem("import", "table", str(DATA / "trigger-table.md"), "--apply", "--json")
    assert done.code == 0, done.err
    assert [one["title"] for one in done.json["mapped"]] == ["The retry test sleeps on the wall clock."]
    assert len(done.json["candidates"]) == 4
    (debt,) = mem("debts", "--all", "--json").json["debts"]
    assert debt["state"] == "paid"
    assert mem("touch", "tests/test_retry.py", "--write", "--json").json["deliveries"] == []
    assert mem("check", "--strict").code == 0


def test_todo_comments_are_candidate_debts_with_what_they_wait_for(started: Repo, mem: Mem) -> None:
    marker = "TO" + "DO"
    started.write(
        "src/a.py", f"x = '{marker}: text'\n# {marker}: remove after 2027-01-01\n# {marker} ask Bob\n"
    )
    started.write(".gitignore", "b.js\n.gitignore\n")
    started.write("b.js", f"// {marker}: never tracked\n")
    done = mem("import", "todo", "--apply", "--json")
    assert done.code == 0, done.err
    assert [one["title"] for one in done.json["candidates"]] == ["remove after 2027-01-01", "ask Bob"]
    dated = next((started.root / "memory/inbox").glob("remove*")).read_text()
    assert "lifecycle: debt\ncondition:\n  after: 2027-01-01\nanchors:\n  - src/a.py\n" in dated
    assert "suggested condition: 2027-01-01 has come" in done.out
    assert "Suggested condition, from its words: 2027-01-01 has come." in dated
    asked = next((started.root / "memory/inbox").glob("ask-bob*")).read_text()
    assert "\ncondition:" not in asked
    assert "What would make this debt paid?" in asked
    # Lines move; the comments are the same.
    started.write("src/a.py", "import os\n" + started.read("src/a.py"))
    assert mem("import", "todo", "src", "--json").json["plan"] is None


def test_one_candidate_is_a_plan_like_many(started: Repo, mem: Mem) -> None:
    started.write("a.sh", "# " + "TO" + "DO: ask Bob\n")
    started.git("add", "a.sh")
    shown = mem("import", "todo", "--json")
    assert (shown.code, shown.json["applied"]) == (0, False)
    assert not (started.root / "memory/inbox").exists()
    assert mem("apply", shown.json["plan"]["id"]).code == 0
    assert len(list((started.root / "memory/inbox").iterdir())) == 1


def test_todo_whose_condition_has_come_carries_none(started: Repo, mem: Mem) -> None:
    started.write("a.sh", "# " + "FIX" + "ME: remove after 2020-01-01\n")
    started.git("add", "a.sh")
    assert mem("import", "todo", "--apply").code == 0
    text = next((started.root / "memory/inbox").glob("remove*")).read_text()
    assert "\ncondition:" not in text
    assert "What it waits for has come" in text


def test_key_that_is_taken_makes_a_candidate(started: Repo, mem: Mem) -> None:
    done = mem(
        *("add", "Sessions live in a database", "--subject", "Local session persistence", "--new-subject"),
        *("--facet", "architecture", "--apply"),
    )
    assert done.code == 0, done.err
    told = mem("import", "custodian", str(NIGHTNOTES), "--apply", "--json").json
    why = {one["title"]: one["why"] for one in told["candidates"]}
    assert "owns local-session-persistence" in why["Local session persistence"]
    assert mem("check", "--strict").code == 0


def test_manifest_that_a_person_edited_keeps_its_numbers_and_its_bytes(started: Repo, mem: Mem) -> None:
    edited = started.read("memory/manifest.md").replace("- decisions/: 1200", "- decisions/: 1000")
    edited = edited.replace("# Memory manifest", "# Memory manifest\n\nMind the gap.  ").replace("\n", "\r\n")
    started.write("memory/manifest.md", edited)
    done = mem("import", "custodian", str(NEWER), "--apply", "--json").json
    after = started.root.joinpath("memory/manifest.md").read_bytes().decode()
    assert "\n" not in after.replace("\r\n", "")
    assert "Mind the gap.  \r\n" in after
    assert "- decisions/: 1000\r\n" in after
    assert "- rules/output/\r\n" in after
    assert any("keeps its budget here (1000)" in one["why"] for one in done["lost"])


def test_route_that_a_person_took_out_stays_out(started: Repo, mem: Mem) -> None:
    mem("import", "custodian", str(NIGHTNOTES), "--apply")
    manifest = started.read("memory/manifest.md").replace("- do-not-use/\n", "")
    started.write("memory/manifest.md", manifest)
    mem("import", "custodian", str(NIGHTNOTES), "--apply")
    assert started.read("memory/manifest.md") == manifest


def test_repository_without_a_memory_exits_5(repo: Repo, mem: Mem) -> None:
    assert mem("import", "custodian", str(NIGHTNOTES)).code == 5


def test_report_stands_before_the_preview_and_after_an_apply(started: Repo, mem: Mem) -> None:
    shown = mem("import", "custodian", str(NIGHTNOTES)).out
    assert shown.startswith("taken over: 6\n")
    assert "waiting in the inbox: 1\n" in shown
    assert "apply it with: mem apply" in shown
    applied = mem("import", "custodian", str(NIGHTNOTES), "--apply").out
    assert "taken over: 6\n" in applied


def _copy(target: Path) -> Path:
    shutil.copytree(NIGHTNOTES, target)
    return target


def _edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))
