"""``mem blame`` names the commit that paid; ``mem log`` tells what happened."""

from __future__ import annotations

import pytest

from memwarden.core.actor import Actor
from memwarden.core.condition import TextTest
from memwarden.edit.event_writer import Stamp, condition_facts, draft, event_file
from tests.conftest import note_text

NOTE = "n-4f7k2m9q"


@pytest.fixture
def story(memory_repo):
    """A flaky test: its debt, the commit that paid it, and a regression."""
    memory_repo.write("tests/test_retry.py", "sleep(3)\n")
    memory_repo.write(
        "memory/debts/flaky-4f7k2m9q.md",
        note_text(
            "test_retry.py is flaky",
            lifecycle="debt",
            facet="behavior",
            condition="{file_contains: {path: tests/test_retry.py, pattern: frozen_clock}}",
            anchors="[tests/test_retry.py]",
        ),
    )
    memory_repo.commit("debt")
    memory_repo.write("tests/test_retry.py", "def test(frozen_clock): pass\n")
    memory_repo.commit("Freeze the clock")
    return memory_repo


def receipt(repo, commit, blob):
    """The event that says the debt was paid at ``commit`` by what ``blob`` holds."""
    condition = TextTest("file_contains", "tests/test_retry.py", "frozen_clock")
    facts = {
        **condition_facts(condition),
        "how": "touch",
        "evidence": {"items": [{"blob": blob, "line": 1, "path": "tests/test_retry.py"}]},
    }
    stamp = Stamp("2026-11-30T16:40:12Z", Actor("human", "Ada"), commit, "main")
    repo.write(*event_file(draft(NOTE, "paid", (), facts), stamp))


def test_the_commit_that_paid_is_named(story, mem):
    paid = story.git("rev-parse", "HEAD").strip()
    found = mem("blame", NOTE, "--json").json
    assert found["schema"] == "mem.blame/1"
    assert found["note"] == NOTE
    assert found["holds_now"] is True
    assert found["paid_by"] == paid
    [flip] = found["flips"]
    assert (flip["commit"], flip["holds"], flip["author"]) == (paid, True, "Ada")
    assert flip["summary"] == "Freeze the clock"
    assert flip["at"].endswith("Z")
    assert flip["evidence"]["before"]["holds"] is False
    assert flip["evidence"]["after"]["evidence"][0]["line"] == 1


def test_the_page_shows_both_sides(story, mem):
    ran = mem("blame", "flaky")
    assert ran.code == 0
    assert "before: no match in tests/test_retry.py" in ran.out
    assert "after:  tests/test_retry.py:1 has a match: def test(frozen_clock): pass" in ran.out
    assert "Ada: Freeze the clock" in ran.out


def test_a_receipt_that_came_after_the_fix_names_the_fix_and_where_it_was_recorded(story, mem):
    commit = story.git("rev-parse", "HEAD").strip()
    receipt(story, commit, story.git("rev-parse", "HEAD:tests/test_retry.py").strip())
    added = story.commit("receipt")
    [payment] = mem("blame", NOTE, "--json").json["payments"]
    assert (payment["landed"], payment["added"]) == (commit, added)
    assert payment["how"] == "found by blame"
    told = f"the condition first held in {commit[:12]}; recorded in {added[:12]}, on top of {commit[:12]}"
    assert told in mem("blame", NOTE).out
    assert payment["recorded"] == commit
    assert (payment["reachable"], payment["blobs_found"]) == (True, True)


def test_after_a_squash_the_payment_is_found_and_what_is_gone_is_said(memory_repo, mem, story):
    story.git("switch", "-qc", "fix", "HEAD~1")
    story.write("tests/test_retry.py", "frozen_clock on a branch\n")
    recorded = story.commit("work in progress")
    receipt(story, recorded, "1" * 40)
    story.commit("receipt")
    story.git("switch", "-qC", "main", "main~1")
    story.git("merge", "-q", "--squash", "fix")
    squashed = story.commit("Freeze the clock (squashed)")
    story.git("branch", "-qD", "fix")
    found = mem("blame", NOTE, "--json").json
    [payment] = found["payments"]
    assert payment["landed"] == squashed == found["paid_by"]
    assert (payment["reachable"], payment["blobs_found"]) == (False, False)
    page = mem("blame", NOTE).out
    assert f"landed as {squashed[:12]} (added with the event), on top of {recorded[:12]}" in page
    assert "(not in this history, its blobs are not found)" in page


def test_a_receipt_that_came_before_the_fix_lands_where_blame_says(story, mem):
    paid = story.git("rev-parse", "HEAD").strip()
    story.git("switch", "-qC", "main", "HEAD~1")
    receipt(story, "f" * 40, "1" * 40)
    story.commit("receipt too early")
    story.git("cherry-pick", paid)
    landed = story.git("rev-parse", "HEAD").strip()
    [payment] = mem("blame", NOTE, "--json").json["payments"]
    assert (payment["landed"], payment["how"]) == (landed, "found by blame")


def test_a_receipt_lands_with_the_commit_that_brought_it_with_the_fix(story, mem):
    story.git("switch", "-qC", "main", "HEAD~1")
    story.write("tests/test_retry.py", "def test(frozen_clock): pass\n")
    receipt(story, story.git("rev-parse", "HEAD").strip(), "1" * 40)
    paid = story.commit("fix and receipt")
    [payment] = mem("blame", NOTE, "--json").json["payments"]
    assert (payment["landed"], payment["added"]) == (paid, paid)
    assert f"landed as {paid[:12]} (added with the event)" in mem("blame", NOTE).out


def test_a_receipt_lands_with_the_merge_that_brought_it_where_conflicts_were_settled(story, mem):
    paid = story.git("rev-parse", "HEAD").strip()
    story.git("checkout", "-q", "-b", "main-line", "HEAD~1")
    story.write("tests/test_retry.py", "sleep(4)\n")
    before = story.commit("Sleep longer")
    story.git("merge", "-q", paid, check=False)
    story.write("tests/test_retry.py", "def test(frozen_clock): pass\n")
    receipt(story, before, story.git("hash-object", "tests/test_retry.py").strip())
    merge = story.commit("Merge the fix")
    assert len(story.git("rev-parse", "HEAD^@").split()) == 2
    [payment] = mem("blame", NOTE, "--json").json["payments"]
    assert (payment["landed"], payment["added"]) == (merge, merge)


def test_a_false_payment_that_was_taken_back_landed_nowhere(story, mem):
    fix = story.git("rev-parse", "HEAD").strip()
    story.git("switch", "-qC", "main", "HEAD~1")
    receipt(story, "f" * 40, "1" * 40)
    story.commit("false receipt")
    assert mem("reinstate", NOTE, "--reason", "not true", "--apply").code == 0
    story.commit("taken back")
    story.git("cherry-pick", fix)
    [payment] = mem("blame", NOTE, "--json").json["payments"]
    assert (payment["landed"], payment["how"]) == (None, None)
    assert "landed" not in mem("blame", NOTE).out


def test_a_note_without_a_condition_is_refused_with_the_next_step(memory_repo, mem):
    ran = mem("blame", "n-br1ef000")
    assert ran.code == 1
    assert "has no condition" in ran.err


def test_an_unknown_revision_is_one_line(story, mem):
    ran = mem("blame", NOTE, "--at", "nope")
    assert ran.code == 2
    assert "refs that exist: main" in ran.err
    assert "Traceback" not in ran.err


def test_a_rule_is_blamed_by_its_verify(memory_repo, mem):
    memory_repo.write("config/app.yaml", "# generated\n")
    memory_repo.write(
        "memory/decisions/generated-4f7k2m9q.md",
        note_text(
            "app.yaml is generated", verify="{file_contains: {path: config/app.yaml, text: generated}}"
        ),
    )
    memory_repo.commit()
    memory_repo.write("config/app.yaml", "by hand\n")
    broke = memory_repo.commit("by hand")
    found = mem("blame", NOTE, "--json").json
    assert [(flip["commit"], flip["holds"]) for flip in found["flips"]][-1] == (broke, False)


def test_blame_writes_nothing(story, mem):
    before = story.git("status", "--porcelain")
    mem("blame", NOTE)
    assert story.git("status", "--porcelain") == before


def test_the_log_lists_events_latest_first(story, mem):
    receipt(story, "f" * 40, "1" * 40)
    events = mem("log", "--json").json["events"]
    assert [(event["note"], event["kind"], event["seq"]) for event in events] == [(NOTE, "paid", 1)]
    page = mem("log", NOTE).out
    assert "paid" in page
    assert "test_retry.py is flaky" in page
