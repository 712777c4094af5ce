"""``mem diff`` says what a branch does to the memory, in the memory's words."""

from __future__ import annotations

import pytest

from memwarden.core.actor import Actor
from memwarden.core.condition import TextTest
from memwarden.edit.event_writer import Stamp, condition_facts, draft, event_file
from tests.conftest import MANIFEST, note_text

DEBT = {
    "lifecycle": "debt",
    "facet": "behavior",
    "subject": "path:a.py",
    "condition": "{file_contains: {path: a.py, pattern: frozen_clock}}",
    "anchors": "[a.py]",
}


def kinds(found):
    return [(change["kind"], change["note"]) for change in found["changes"]]


@pytest.fixture
def branch(memory_repo):
    """main has a rule, a candidate and a debt; the branch does something to each."""
    memory_repo.write("a.py", "sleep\n")
    memory_repo.write("memory/decisions/sync.md", note_text("Sync first", id="n-000000s1"))
    memory_repo.write("memory/inbox/guess.md", note_text("A guess", id="n-000000g1", facet="security"))
    memory_repo.write("memory/debts/flaky.md", note_text("Flaky", id="n-000000d1", **DEBT))
    memory_repo.write("memory/constraints/old.md", note_text("Old", id="n-000000k1", facet="performance"))
    memory_repo.commit("main")
    memory_repo.git("switch", "-qc", "fix")
    memory_repo.write("a.py", "frozen_clock\n")
    memory_repo.write("memory/decisions/sync.md", note_text("Sync last", id="n-000000s1"))
    memory_repo.git("mv", "memory/inbox/guess.md", "memory/decisions/guess.md")
    memory_repo.git("rm", "-q", "memory/constraints/old.md")
    memory_repo.write("memory/debts/slow.md", note_text("Slow", id="n-000000d2", **DEBT))
    facts = condition_facts(TextTest("file_contains", "a.py", "frozen_clock")) | {
        "how": "touch",
        "evidence": {"items": [{"path": "a.py", "line": 1, "excerpt": "frozen_clock"}]},
    }
    stamp = Stamp("2026-11-30T16:40:12Z", Actor("human", "Ada"), "", "fix")
    memory_repo.write(*event_file(draft("n-000000d1", "paid", (), facts), stamp))
    memory_repo.write(*event_file(draft("n-000000d2", "missed", (), {"count": 2}), stamp))
    memory_repo.write("memory/manifest.md", MANIFEST.replace("- do-not-use/\n- debts/\n", "- debts/\n"))
    memory_repo.commit("fix")
    return memory_repo


def test_every_kind_of_change_is_named(branch, mem):
    found = mem("diff", "main..fix", "--json").json
    assert found["schema"] == "mem.diff/1"
    assert kinds(found) == [
        ("paid", "n-000000d1"),
        ("opened", "n-000000d2"),
        ("admitted", "n-000000g1"),
        ("reworded", "n-000000s1"),
        ("removed", "n-000000k1"),
        ("routes", None),
    ]
    details = {change["kind"]: change["detail"] for change in found["changes"]}
    assert details["paid"] == "touch: a.py:1: frozen_clock"
    assert details["opened"] == "owed"
    assert details["admitted"] == "from memory/inbox/guess.md"
    assert details["reworded"] == "title"
    assert details["routes"] == "-do-not-use/"
    [plan, implement] = found["tasks"]
    assert plan == {
        "task": "plan",
        "loads": ["memory/decisions/guess.md"],
        "no_longer": ["memory/constraints/old.md"],
    }
    assert implement["loads"] == ["memory/decisions/guess.md", "memory/debts/slow.md"]
    assert implement["no_longer"] == ["memory/constraints/old.md", "memory/debts/flaky.md"]


def test_without_an_end_the_working_tree_is_compared(branch, mem):
    branch.write("memory/decisions/new.md", note_text("New", id="n-000000w1", facet="interface"))
    assert kinds(mem("diff", "--json").json) == [("added", "n-000000w1")]
    found = mem("diff", "main", "--json").json
    assert ("added", "n-000000w1") in kinds(found)
    assert found["to"] is None


def test_a_moved_note_and_a_superseded_one(branch, mem):
    (branch.root / "memory/constraints").mkdir()
    branch.git("mv", "memory/decisions/sync.md", "memory/constraints/sync.md")
    branch.write(
        "memory/decisions/next.md",
        note_text("Guess no more", id="n-000000x1", facet="security", supersedes="[n-000000g1]"),
    )
    found = mem("diff", "--json").json
    assert ("moved", "n-000000s1") in kinds(found)
    assert ("superseded", "n-000000g1") in kinds(found)
    [owner] = [change for change in found["changes"] if change["kind"] == "owner"]
    assert owner["note"] == "n-000000x1"
    assert owner["detail"].endswith("was n-000000g1")


def test_the_page_and_the_markdown_say_the_same(branch, mem):
    page = mem("diff", "main..fix").out
    assert "paid        n-000000d1  Flaky (touch: a.py:1: frozen_clock)" in page
    assert "plan: no longer loads memory/constraints/old.md" in page
    text = mem("diff", "main..fix", "--format", "markdown").out
    assert "### Debts\n\n- **paid** Flaky `memory/debts/flaky.md`: touch: a.py:1: frozen\\_clock\n" in text
    assert "- **plan** no longer loads `memory/constraints/old.md`" in text


def test_a_title_cannot_open_a_tag_or_mention_anyone(memory_repo, mem):
    memory_repo.write("memory/decisions/x.md", note_text("<img src=x> @ada [a](b)", id="n-000000x1"))
    text = mem("diff", "--format", "markdown").out
    assert "<img" not in text
    assert "@ada" not in text
    assert "[a](b)" not in text


def test_nothing_changed_says_so_and_writes_nothing(memory_repo, mem):
    ran = mem("diff")
    assert (ran.code, ran.out) == (0, "")
    assert "no change" in ran.err
    assert mem("diff", "--format", "markdown").out == "No change to the memory.\n"
    assert memory_repo.git("status", "--porcelain") == ""


def test_before_the_first_commit_everything_is_new(repo, mem):
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    found = mem("diff", "--json").json
    assert ("added", "n-br1ef000") in kinds(found)


def test_an_unknown_end_is_one_line(branch, mem):
    ran = mem("diff", "trunk..fix")
    assert ran.code == 2
    assert "refs that exist: fix, main" in ran.err
