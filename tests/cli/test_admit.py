"""Candidates: admitted with evidence and a key, rejected with a reason, or left alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import split
from tests.cli.inbox_ground import AGENT
from tests.cli.inbox_ground import candidate as candidate
from tests.cli.inbox_ground import ready as ready
from tests.conftest import Mem, Repo, note_text

Admitted = Callable[..., dict[str, Any]]


@pytest.fixture
def admitted(ready: Repo, inside: Mem) -> Admitted:
    """Admit and apply; the note's fields with ``path`` and its event."""

    def admit(note: str, *arguments: str, **how: Any) -> dict[str, Any]:
        ran = inside("admit", note, *arguments, "--apply", "--json", **how)
        assert ran.code == 0, ran.err
        paths = [one["path"] for one in ran.json["plan"]["changes"] if one["action"] == "create"]
        (path,) = [
            one
            for one in paths
            if one.startswith("memory/") and one.split("/")[1] not in ("events", "subjects")
        ]
        (event,) = [json.loads(ready.read(one)) for one in paths if "/events/" in one]
        return {**fields_of(split((ready.root / path).read_bytes())).values, "path": path, "event": event}

    return admit


def standing(mem: Mem, note: str) -> str:
    return next(one["standing"] for one in mem("list", "--json").json["notes"] if one["id"] == note)


def test_a_person_admits_in_one_step(ready: Repo, inside: Mem, candidate: str, admitted: Admitted) -> None:
    note = admitted(candidate, "--now", "2026-12-01")
    assert (note["id"], note["path"]) == (
        candidate,
        f"memory/decisions/retries-need-a-cap-{candidate[2:]}.md",
    )
    assert note["evidence"] == [{"agent": "claude-code"}, {"user": "Ada, 2026-12-01"}]
    assert (note["subject"], note["facet"]) == ("path:src/retry.py", "workflow")
    assert (note["event"]["kind"], note["event"]["note"]) == ("admitted", candidate)
    assert list((ready.root / "memory/inbox").glob("*.md")) == []
    assert standing(inside, candidate) == "active"


def test_an_agent_admits_only_with_other_evidence(
    ready: Repo, inside: Mem, candidate: str, admitted: Admitted
) -> None:
    for arguments in ((), ("--evidence", "user:they said so")):
        ran = inside("admit", candidate, *arguments, "--apply", env=AGENT)
        assert ran.code == 1
        assert "M201" in ran.err
    note = admitted(candidate, "--evidence", "doc:docs/adr.md", env=AGENT)
    assert note["event"]["actor"]["kind"] == "agent"
    assert note["event"]["blobs"] == {"docs/adr.md": ready.git("hash-object", "docs/adr.md").strip()}


def test_plain_markdown_becomes_a_note_with_an_id(ready: Repo, inside: Mem, admitted: Admitted) -> None:
    ready.write("memory/inbox/idea.md", "# Cache the tokens\n\nThey are slow to count.\n")
    note = admitted("idea", "--subject", "path:src/tokens.py")
    assert note["path"] == f"memory/decisions/cache-the-tokens-{note['id'][2:]}.md"
    assert ready.read(note["path"]).endswith("# Cache the tokens\n\nThey are slow to count.\n")
    assert inside("check").code == 0


def test_the_candidates_own_bytes_are_kept(ready: Repo, admitted: Admitted) -> None:
    text = (
        "---\r\n# keep me\r\nfacet:   'security'   # and me\r\nx_team: core\r\nsubject: path:a.py\r\n---\r\n"
        "# Title\r\n\r\nLast line without an end"
    )
    ready.write("memory/inbox/crlf.md", text.encode())
    note = admitted("crlf")
    kept = (ready.root / note["path"]).read_bytes().decode()
    for line in ("# keep me\r\n", "facet:   'security'   # and me\r\n", "x_team: core\r\n"):
        assert line in kept
    assert kept.endswith("Last line without an end")
    assert "\n" not in kept.replace("\r\n", "")


def test_options_fill_what_the_candidate_lacks(admitted: Admitted, candidate: str) -> None:
    note = admitted(
        candidate,
        *("--facet", "behavior", "--module", "constraints", "--debt", "--until", "exists:src/retry.py"),
        *("--anchor", "tests/*.py", "--tag", "net", "--title", "Cap the retries"),
    )
    assert note["path"].startswith("memory/constraints/retries-need-a-cap-")
    assert (note["lifecycle"], note["condition"]) == ("debt", {"file_exists": "src/retry.py"})
    assert note["anchors"] == ["src/retry.py", "tests/*.py"]
    assert note["event"]["verdict"]["state"] == "does not hold"


def test_a_candidate_with_a_subject_but_no_facet_is_refused(ready: Repo, inside: Mem) -> None:
    ready.write("memory/inbox/x.md", note_text("X", id="n-cccccccc", facet=""))
    ran = inside("admit", "n-cccccccc", "--apply")
    assert ran.code == 1
    assert "facet" in ran.err
    assert inside("admit", "n-cccccccc", "--facet", "security", "--apply").code == 0


def test_an_unknown_subject_is_refused_and_may_be_made(ready: Repo, inside: Mem, admitted: Admitted) -> None:
    ready.write("memory/inbox/x.md", note_text("X", id="n-cccccccc", subject="Redis"))
    assert inside("admit", "n-cccccccc", "--apply").code == 2
    note = admitted("n-cccccccc", "--subject", "Redis", "--new-subject")
    assert note["subject"] == "redis"


def test_a_key_that_is_owned_is_refused_at_admission(ready: Repo, inside: Mem) -> None:
    for name in ("cccccccc", "dddddddd"):
        ready.write(f"memory/inbox/{name}.md", note_text(name, id=f"n-{name}", subject="path:src/x.py"))
    assert inside("admit", "n-cccccccc", "--apply").code == 0
    ran = inside("admit", "n-dddddddd", "--apply")
    assert ran.code == 1
    assert "n-cccccccc" in ran.err
    assert inside("admit", "n-dddddddd", "--supersedes", "n-cccccccc", "--apply").code == 0
    assert standing(inside, "n-cccccccc") == "superseded"


def test_a_rejected_candidate_stays_in_the_inbox_silent_with_its_reason(
    ready: Repo, inside: Mem, candidate: str
) -> None:
    path = next((ready.root / "memory/inbox").glob("*.md"))
    before = path.read_bytes()
    assert inside("reject", candidate, "--reason", "not true", "--apply").code == 0
    assert (path.read_bytes(), standing(inside, candidate)) == (before, "rejected")
    assert inside("inbox", "--json").json["notes"] == []
    ran = inside("admit", candidate, "--apply")
    assert ran.code == 1
    assert "not true" in ran.err
    again = inside("reject", candidate, "--apply", "--json")
    assert (again.code, again.json["plan"], again.json["applied"]) == (0, None, False)
    assert inside("reinstate", candidate, "--apply").code == 0
    assert standing(inside, candidate) == "candidate"


def test_rejecting_plain_markdown_mints_its_id(ready: Repo, inside: Mem) -> None:
    ready.write("memory/inbox/idea.md", "An idea.\n")
    ran = inside("reject", "idea", "--apply", "--json")
    (note,) = ran.json["notes"]
    assert ready.read("memory/inbox/idea.md") == f"---\nid: {note}\n---\nAn idea.\n"
    assert standing(inside, note) == "rejected"


def test_a_retired_note_is_not_admitted_and_an_active_one_not_rejected(ready: Repo, inside: Mem) -> None:
    ready.write("memory/archive/old.md", note_text("Old", id="n-aaaaaaa1", facet="security"))
    for command, note in (("admit", "n-aaaaaaa1"), ("reject", "n-br1ef000")):
        ran = inside(command, note, "--apply")
        assert ran.code == 1
        assert "no candidate" in ran.err
