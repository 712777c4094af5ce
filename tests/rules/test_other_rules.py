"""M405, M5xx, M7xx, M8xx."""

from __future__ import annotations

import pytest

from memwarden.edit.agent_block import put_block
from memwarden.edit.starter import AGENT_BLOCK
from memwarden.errors import ERROR, WARNING
from memwarden.rules import Context
from tests.conftest import MANIFEST, Repo, note_text
from tests.rules.ground import TODAY, findings, only, told

A = "memory/decisions/a.md"
TOKEN = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


@pytest.mark.parametrize(
    ("anchor", "matched"),
    [
        ("src/a.py", True),
        ("a.py", True),
        ("src/", True),
        ("src", True),
        ("src/*.py", True),
        ("**/a.py", True),
        ("src/**", True),
        ("*.py", True),
        ("b.py", False),
        ("src/b.py", False),
        ("src/*.js", False),
        ("**/b.py", False),
    ],
)
def test_an_anchor_that_matches_nothing_is_a_warning(memory_repo: Repo, anchor: str, matched: bool) -> None:
    memory_repo.write("src/a.py", "x")
    memory_repo.write(A, note_text("a", anchors=f"['{anchor}']"))
    assert told(memory_repo) == ([] if matched else [("M405", A)])


def test_a_condition_that_reads_a_missing_file_is_a_warning(memory_repo: Repo) -> None:
    condition = "{any: [{file_contains: {path: a.py, pattern: b}}, {file_exists: later.py}]}"
    memory_repo.write(A, note_text("a", lifecycle="debt", condition=condition))
    found = only(memory_repo, "M405")
    assert (found.severity, found.key) == (WARNING, "condition.any[0].file_contains.path")


def test_a_rename_that_git_saw_is_named_with_the_command_that_follows_it(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", anchors="[old.py]"))
    found = only(memory_repo, "M405", Context(TODAY, fate=lambda path: "new.py"))
    assert "renamed to new.py" in found.message
    assert found.fix == "mem subject rename path:old.py path:new.py"


def test_a_missing_manifest_is_an_error(repo: Repo) -> None:
    repo.write(A, note_text("a"))
    assert told(repo) == [("M501", "memory/manifest.md")]


def test_a_routed_file_that_is_not_there_is_an_error_and_a_folder_is_not(memory_repo: Repo) -> None:
    (memory_repo.root / "memory/brief.md").unlink()
    found = only(memory_repo, "M502")
    assert (found.severity, found.path, found.line) == (ERROR, "memory/manifest.md", 8)
    memory_repo.write("memory/manifest.md", MANIFEST.replace("- brief.md", "- brief.md (if present)"))
    assert told(memory_repo) == []


def test_a_module_that_nothing_reaches_is_a_warning_unless_its_notes_have_anchors(memory_repo: Repo) -> None:
    memory_repo.write("memory/ideas/a.md", note_text("a"))
    assert told(memory_repo) == [("M503", "memory/manifest.md")]
    assert "ideas/" in only(memory_repo, "M503").message
    memory_repo.write("memory/ideas/a.md", note_text("a", anchors="[memory/brief.md]"))
    assert told(memory_repo) == []


def test_a_secret_in_any_file_is_an_error_that_does_not_show_it(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", body=f"first line\nuse {TOKEN} and {TOKEN}"))
    memory_repo.write("memory/inbox/b.md", f"{TOKEN}\n")
    assert told(memory_repo) == [("M701", A), ("M701", A), ("M701", "memory/inbox/b.md")]
    assert all(TOKEN not in str(found) for found in findings(memory_repo))
    assert [(f.line, f.column) for f in findings(memory_repo) if f.path == A and f.code == "M701"] == [
        (11, 5),
        (11, 50),
    ]


def test_hidden_characters_are_told_once_each_with_their_place(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", body="one \u202e two \u202e\nthree \u200b \x1b[31m"))
    found = [f for f in findings(memory_repo) if f.code == "M702"]
    assert [(f.severity, f.line, f.column) for f in found] == [
        (ERROR, 10, 5),
        (WARNING, 11, 7),
        (ERROR, 11, 9),
    ]
    assert "\\u202e" in found[0].message
    assert "2 times" in found[0].message


def test_carriage_returns_and_a_bom_are_not_hidden_characters(memory_repo: Repo) -> None:
    memory_repo.write(A, "\ufeff" + note_text("a").replace("\n", "\r\n"))
    assert told(memory_repo) == []


def test_agent_files_are_judged_by_their_block_alone(memory_repo: Repo) -> None:
    memory_repo.write("CLAUDE.md", "# Ours\n")
    memory_repo.write("AGENTS.md", put_block(b"# Ours\n", AGENT_BLOCK))
    assert told(memory_repo) == []
    memory_repo.write("AGENTS.md", put_block(b"# Ours\n", "old words\n"))
    memory_repo.write("CLAUDE.md", "<!-- memwarden:begin -->\n")
    assert told(memory_repo) == [("M802", "AGENTS.md"), ("M801", "CLAUDE.md")]
