"""``mem add``: what speaks for a note decides whether it is memory or a candidate."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Added, Snapshot
from tests.conftest import Mem, Repo

AGENT = {"CLAUDECODE": "1"}


def test_cited_files_are_pinned_by_their_blobs(added: Added, worked_on: Repo) -> None:
    (event,) = added("A claim", "--evidence", "doc:docs/adr.md#top")["events"]
    assert event["blobs"] == {"docs/adr.md": worked_on.git("hash-object", "docs/adr.md").strip()}


def test_an_agents_add_lands_in_the_inbox_at_once(worked_on: Repo, inside: Mem, tree: Snapshot) -> None:
    before = tree()
    ran = inside("add", "An observation", "--json", env=AGENT)
    assert (ran.code, ran.json["applied"]) == (0, True)
    (new,) = set(tree()) - set(before)
    assert new.startswith("memory/inbox/an-observation-")
    assert "agent: claude-code" in worked_on.read(new)
    assert {path: content for path, content in tree().items() if path != new} == before


def test_an_active_add_with_only_an_agents_word_becomes_a_candidate(
    worked_on: Repo, inside: Mem, tree: Snapshot
) -> None:
    for evidence in ("agent:me", "conversation:today", "user: they said so"):
        ran = inside(
            "add", "A claim", "--module", "decisions", "--evidence", evidence, "--apply", "--json", env=AGENT
        )
        assert ran.code == 0
        assert all(change["path"].startswith("memory/inbox/") for change in ran.json["plan"]["changes"])
    assert not any(path.startswith("memory/decisions/") for path in tree())


def test_an_agents_word_beside_good_evidence_still_makes_a_candidate(added: Added) -> None:
    note = added("A claim", "--evidence", "doc:docs/adr.md", "--evidence", "agent:me")
    assert note["path"].startswith("memory/inbox/")


def test_other_evidence_counts_as_for_anyone(added: Added) -> None:
    note = added("A claim", "--evidence", "doc:docs/adr.md", env=AGENT)
    assert note["path"].startswith("memory/decisions/")
    assert note["events"][0]["actor"] == {"kind": "agent", "name": "claude-code"}


def test_agents_may_admit_where_the_manifest_says_so(added: Added, worked_on: Repo) -> None:
    manifest = worked_on.read("memory/manifest.md").replace(
        "protocol: 1", "protocol: 1\nagents_may_admit: true"
    )
    worked_on.write("memory/manifest.md", manifest)
    note = added("A claim", "--evidence", "user:Ada said yes", env=AGENT)
    assert note["path"].startswith("memory/decisions/")


@pytest.mark.parametrize("how", [{"env": AGENT}, {}])
def test_a_candidate_debt_whose_condition_already_holds_is_not_written(
    worked_on: Repo, inside: Mem, tree: Snapshot, how: dict[str, Any]
) -> None:
    before = tree()
    ran = inside(
        "add", "It sleeps", "--debt", "--candidate", "--until", "contains:tests/test_retry.py:sleep", **how
    )
    assert ran.code == 1
    assert "M401" in ran.err
    assert tree() == before


def test_a_candidate_debt_that_is_owed_is_written_with_what_else_would_pay_it(added: Added) -> None:
    note = added("It sleeps", "--debt", "--until", "lacks:tests/test_retry.py:sleep", env=AGENT)
    assert note["path"].startswith("memory/inbox/")


def test_a_candidate_is_kept_whatever_speaks_for_it(added: Added) -> None:
    note = added("A claim", "--candidate")
    assert note["path"].startswith("memory/inbox/")
    assert note["events"] == []


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../x.md", "docs/../../x.md", "docs\\adr.md", "C:/x.md", ".git/config", "%2e%2e/x"],
)
def test_an_evidence_path_that_leaves_is_refused_without_being_read(
    worked_on: Repo, inside: Mem, tree: Snapshot, path: str
) -> None:
    before = tree()
    ran = inside("add", "A claim", "--evidence", f"file:{path}", "--apply")
    assert ran.code == 2
    assert "the path" in ran.err
    assert tree() == before


def test_an_evidence_path_that_leaves_through_a_link_is_refused(worked_on: Repo, inside: Mem) -> None:
    (worked_on.root.parent / "outside.md").write_text("outside")
    (worked_on.root / "docs/link.md").symlink_to("../../outside.md")
    ran = inside("add", "A claim", "--evidence", "doc:docs/link.md", "--apply")
    assert ran.code == 1
    assert "M202" in ran.err
