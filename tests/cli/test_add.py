"""``mem add``: the common case is one step, authority takes evidence, and nothing is guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from memwarden.core.identity import mint_id
from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import split
from tests.conftest import Mem, Ran, Repo, note_text

AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def ready(memory_repo: Repo) -> Repo:
    memory_repo.write("docs/adr.md", "# Decision\n")
    memory_repo.write("tests/test_retry.py", "def test_backoff(sleep):\n    pass\n")
    memory_repo.commit("files")
    return memory_repo


Added = Callable[..., dict[str, Any]]


@pytest.fixture
def added(ready: Repo, inside: Mem) -> Added:
    """Add and apply; the note's fields, with ``path``, ``body`` and its ``events``."""

    def add(*arguments: str, **how: Any) -> dict[str, Any]:
        ran = inside("add", "--apply", "--json", *arguments, **how)
        assert ran.code == 0, ran.err
        (note,) = ran.json["notes"]
        paths = [change["path"] for change in ran.json["plan"]["changes"]]
        (path,) = [one for one in paths if "/events/" not in one and "/subjects/" not in one]
        parts = split((ready.root / path).read_bytes())
        events = [json.loads(ready.read(one)) for one in paths if "/events/" in one]
        assert fields_of(parts).values["id"] == note
        return {**fields_of(parts).values, "path": path, "body": parts.text[parts.body :], "events": events}

    return add


def test_one_step_fills_in_everything_else(added: Added) -> None:
    note = added(
        "config/app.yaml is generated: edit the template",
        "--anchor",
        "config/app.yaml",
        "--now",
        "2026-11-30",
    )
    assert re.fullmatch(
        r"memory/decisions/config-app-yaml-is-generated-edit-the-template-[0-9a-z]{8}\.md", note["path"]
    )
    assert note["path"].endswith(note["id"][2:] + ".md")
    assert note["subject"] == "path:config/app.yaml"
    assert note["facet"] == "workflow"
    assert note["evidence"] == [{"user": "Ada, 2026-11-30"}]
    assert note["created"] == "2026-11-30"
    assert note["body"] == "# config/app.yaml is generated: edit the template\n"
    (event,) = note["events"]
    assert (event["kind"], event["seq"], event["actor"]) == ("admitted", 1, {"kind": "human", "name": "Ada"})
    assert (event["branch"], event["dirty"], event["evidence"]) == ("main", False, note["evidence"])


@pytest.mark.parametrize(
    ("anchor", "subject"),
    [
        ("src/sync/**", "path:src/sync"),
        ("src/sync/*.py", "path:src/sync"),
        ("*.py", "project"),
        ("x.py", "path:x.py"),
        ("src/a/", "path:src/a"),
        ("./src/a.py", "path:src/a.py"),
    ],
)
def test_the_subject_is_the_first_anchor_or_its_literal_folder(
    added: Added, anchor: str, subject: str
) -> None:
    assert added("A claim", "--anchor", anchor)["subject"] == subject


def test_without_an_anchor_the_subject_is_the_project(added: Added) -> None:
    assert added("A claim")["subject"] == "project"


def test_where_the_defaulted_key_is_owned_the_subject_gains_the_titles_slug(added: Added) -> None:
    added("First claim")
    assert added("Second claim")["subject"] == "project#second-claim"


def test_a_debt_has_its_own_defaults_and_keeps_the_failing_verdict(added: Added) -> None:
    note = added(
        "The retry test is flaky",
        "--until",
        "contains:tests/test_retry.py:frozen_clock",
        "--anchor",
        "tests/test_retry.py",
        "--debt",
    )
    assert note["path"].startswith("memory/debts/")
    assert (note["lifecycle"], note["facet"]) == ("debt", "behavior")
    assert note["condition"] == {"file_contains": {"path": "tests/test_retry.py", "pattern": "frozen_clock"}}
    (event,) = note["events"]
    assert event["verdict"]["state"] == "does not hold"
    assert event["condition"] == note["condition"]
    assert event["condition_digest"].startswith("sha256:")


def test_a_debt_whose_condition_holds_already_is_refused(ready: Repo, inside: Mem) -> None:
    ran = inside("add", "A debt", "--debt", "--until", "exists:docs/adr.md", "--apply")
    assert ran.code == 1
    assert "M401" in ran.err
    assert not (ready.root / "memory/debts").exists()


def test_the_preview_says_what_else_would_pay(inside: Mem, ready: Repo) -> None:
    ran = inside("add", "A debt", "--debt", "--until", "contains:tests/test_retry.py:frozen_clock")
    assert "would also be paid by" in ran.out


def test_a_condition_that_cannot_be_told_is_accepted_and_said(inside: Mem, ready: Repo) -> None:
    ran = inside("add", "A debt", "--debt", "--until", "command:pytest -x", "--json")
    assert ran.code == 0
    assert any("cannot be told" in remark for remark in ran.json["remarks"])


def test_a_debt_without_a_condition_is_paid_by_declaration(added: Added) -> None:
    note = added("Ask the vendor", "--debt")
    assert note["lifecycle"] == "debt"
    assert "condition" not in note


def test_a_condition_may_come_as_yaml(added: Added, ready: Repo) -> None:
    ready.write("until.yaml", "all:\n  - file_exists: a.txt\n  - file_absent: docs/adr.md\n")
    wanted = {"all": [{"file_exists": "a.txt"}, {"file_absent": "docs/adr.md"}]}
    assert added("A debt", "--debt", "--until", "@until.yaml")["condition"] == wanted
    text = "file_exists: b.txt\n"
    assert added("B debt", "--debt", "--until", "-", stdin=text)["condition"] == {"file_exists": "b.txt"}


def test_title_and_body_are_kept_as_they_were_said(added: Added) -> None:
    body = "---\nlifecycle: debt\n---\n# not a title\n- a bullet\n\n```\nfence\n```\n"
    note = added("--title", "A claim", "--body", "-", stdin=body)
    assert note["body"] == "# A claim\n\n" + body
    assert note["lifecycle"] == "rule"
    assert added("--title", "Another", "--", body.strip())["body"] == "# Another\n\n" + body


def test_every_option_reaches_the_note(added: Added) -> None:
    note = added(
        "A claim",
        *("--anchor", "src/*.py", "--on-command", "git push.*", "--subject", "project#release"),
        *("--facet", "security", "--module", "constraints", "--evidence", "doc:docs/adr.md#decision"),
        *("--verify", "exists:docs/adr.md", "--expires", "2027-01-31", "--not-before", "2026-01-01"),
        *("--tag", "one", "--tag", "two", "--evidence", "issue:#12"),
    )
    assert note["anchors"] == ["src/*.py", {"command": "git push.*"}]
    assert (note["subject"], note["facet"]) == ("project#release", "security")
    assert note["path"].startswith("memory/constraints/")
    assert note["evidence"] == [{"doc": "docs/adr.md#decision"}, {"issue": "#12"}]
    assert note["verify"] == {"file_exists": "docs/adr.md"}
    assert (note["expires"], note["not_before"], note["tags"]) == ("2027-01-31", "2026-01-01", ["one", "two"])


def test_cited_files_are_pinned_by_their_blobs(added: Added, ready: Repo) -> None:
    (event,) = added("A claim", "--evidence", "doc:docs/adr.md#top")["events"]
    assert event["blobs"] == {"docs/adr.md": ready.git("hash-object", "docs/adr.md").strip()}


def test_an_agents_add_lands_in_the_inbox_at_once(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
) -> None:
    before = tree()
    ran = inside("add", "An observation", "--json", env=AGENT)
    assert (ran.code, ran.json["applied"]) == (0, True)
    (new,) = set(tree()) - set(before)
    assert new.startswith("memory/inbox/an-observation-")
    assert "agent: claude-code" in ready.read(new)
    assert {path: content for path, content in tree().items() if path != new} == before


def test_an_active_add_with_only_an_agents_word_becomes_a_candidate(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
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


def test_agents_may_admit_where_the_manifest_says_so(added: Added, ready: Repo) -> None:
    manifest = ready.read("memory/manifest.md").replace("protocol: 1", "protocol: 1\nagents_may_admit: true")
    ready.write("memory/manifest.md", manifest)
    note = added("A claim", "--evidence", "user:Ada said yes", env=AGENT)
    assert note["path"].startswith("memory/decisions/")


@pytest.mark.parametrize("how", [{"env": AGENT}, {}])
def test_a_candidate_debt_whose_condition_already_holds_is_not_written(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]], how: dict[str, Any]
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
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]], path: str
) -> None:
    before = tree()
    ran = inside("add", "A claim", "--evidence", f"file:{path}", "--apply")
    assert ran.code == 2
    assert "the path" in ran.err
    assert tree() == before


def test_an_evidence_path_that_leaves_through_a_link_is_refused(ready: Repo, inside: Mem) -> None:
    (ready.root.parent / "outside.md").write_text("outside")
    (ready.root / "docs/link.md").symlink_to("../../outside.md")
    ran = inside("add", "A claim", "--evidence", "doc:docs/link.md", "--apply")
    assert ran.code == 1
    assert "M202" in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--evidence", "doc:docs/nowhere.md"), 1, "M202"),
        (("--evidence", "commit:deadbeef"), 1, "M205"),
        (("--evidence", "hunch:yes"), 2, "KEY:VALUE"),
        (("--facet", "vibes"), 1, "adoption-policy"),
        (("--subject", "reqests"), 2, "unknown subject"),
        (("--module", "decisons"), 2, "did you mean decisions"),
        (("--module", "events"), 2, "reserved"),
        (("--expires", "2026-02-30"), 2, "not a date"),
        (("--not-before", "2027-01-01", "--expires", "2026-01-01"), 1, "M109"),
        (("--anchor", "/etc/passwd"), 2, "--anchor"),
        (("--anchor", "../x"), 2, "--anchor"),
        (("--on-command", "("), 1, "M113"),
        (("--until", "contains:docs/adr.md:"), 2, "--until"),
        (("--until", "nonsense"), 2, "no condition"),
        (("--debt", "--verify", "exists:docs/adr.md"), 2, "--verify"),
        (("--new-subject",), 2, "--subject"),
        (("--supersedes", "n-zzzzzzzz"), 2, "no note"),
        (("--exception-to", "n-br1ef000"), 1, "M302"),
    ],
)
def test_what_cannot_be_is_refused_and_named(
    ready: Repo,
    inside: Mem,
    tree: Callable[[], dict[str, bytes]],
    arguments: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    before = tree()
    ran: Ran = inside("add", "A claim", *arguments, "--apply")
    assert ran.code == code, ran.err
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert tree() == before


@pytest.mark.parametrize("text", ["", "   ", "bell \x07", "a\x1b[31m", "right\u202eleft"])
def test_a_title_is_one_visible_line(ready: Repo, inside: Mem, text: str) -> None:
    assert inside("add", text, "--apply").code == 2


@pytest.mark.parametrize("subject", ["x\nlifecycle: debt", "---"])
def test_a_value_cannot_inject_keys(ready: Repo, inside: Mem, subject: str) -> None:
    ran = inside("add", "A claim", "--subject", subject, "--new-subject", "--apply", "--json")
    if ran.code == 0:
        (path,) = (ready.root / "memory/decisions").glob("*.md")
        assert fields_of(split(path.read_bytes())).values["lifecycle"] == "rule"


def test_a_new_subject_is_made_in_the_same_plan(added: Added, ready: Repo) -> None:
    note = added("Pin it", "--subject", "pypi:Library_X#pin", "--new-subject", "--facet", "version-policy")
    assert note["subject"] == "library-x#pin"
    subject = ready.read("memory/subjects/library-x.md")
    assert "ref: pypi:Library_X" in subject
    assert "kind: dependency" in subject
    again = added("Adopt it", "--subject", "pypi:library.x", "--facet", "adoption-policy")
    assert again["subject"] == "library-x"


def test_a_second_owner_is_refused_naming_the_first_and_the_ways_out(
    ready: Repo, inside: Mem, added: Added
) -> None:
    first = added("One", "--subject", "path:src/x.py", "--facet", "security")
    ran = inside("add", "Two", "--subject", "path:src/x.py", "--facet", "security", "--apply")
    assert ran.code == 1
    assert first["id"] in ran.err
    assert all(way in ran.err for way in ("supersede", "facet", "#ASPECT"))
    assert added("Two", "--subject", "path:src/x.py", "--facet", "performance")
    assert added("Two", "--subject", "path:src/x.py#tls", "--facet", "security")


def test_a_successor_takes_the_key_of_the_note_it_supersedes(ready: Repo, inside: Mem, added: Added) -> None:
    first = added("One", "--subject", "path:src/x.py", "--facet", "security", "--module", "constraints")
    second = added("Two", "--supersedes", first["id"])
    assert (second["subject"], second["facet"]) == (first["subject"], first["facet"])
    assert second["path"].startswith("memory/constraints/")
    shown = {note["id"]: note["standing"] for note in inside("list", "--json").json["notes"]}
    assert (shown[first["id"]], shown[second["id"]]) == ("superseded", "active")
    ran = inside("add", "Three", "--supersedes", first["id"], "--apply")
    assert ran.code == 1
    assert second["id"] in ran.err


def test_an_area_note_departs_from_the_project_on_purpose_only(
    ready: Repo, inside: Mem, added: Added
) -> None:
    first = added("One", "--subject", "path:src/x.py", "--facet", "security")
    area = ("Two", "--subject", "path:src/x.py", "--facet", "security", "--module", "areas/sync")
    assert inside("add", *area, "--apply").code == 1
    note = added(*area, "--exception-to", first["id"])
    assert (note["exception_to"], note["path"].startswith("memory/areas/sync/")) == (first["id"], True)


def test_a_colliding_minted_id_is_drawn_again() -> None:
    draws = iter([bytes(8), bytes(8), bytes([1] * 8)])
    assert mint_id(lambda size: next(draws), {"n-00000000"}) == "n-11111111"


def test_before_the_first_commit_the_event_says_so(repo: Repo, inside: Mem) -> None:
    assert inside("init").code == 0
    ran = inside("add", "A claim", "--apply", "--json")
    assert ran.code == 0, ran.err
    (event,) = repo.root.glob(f"memory/events/{ran.json['notes'][0]}/*.json")
    assert json.loads(event.read_text())["commit"] is None


def test_outside_a_memory_it_is_exit_5(repo: Repo, inside: Mem) -> None:
    assert inside("add", "A claim", "--apply").code == 5


def test_a_broken_note_elsewhere_stops_nothing(added: Added, ready: Repo) -> None:
    ready.write("memory/decisions/broken.md", "---\nid: [\n")
    ready.write("memory/decisions/other.md", note_text("No evidence", id="n-cccccccc", evidence=""))
    assert added("A claim", "--anchor", "src/x.py")["subject"] == "path:src/x.py"


@pytest.mark.parametrize("who", [{}, AGENT])
def test_a_module_of_one_note_is_never_overwritten(ready: Repo, inside: Mem, who: dict[str, str]) -> None:
    before = ready.read("memory/brief.md")
    ran = inside(
        "add", "Another", "--module", "brief.md", "--evidence", "file:docs/adr.md", "--apply", env=who
    )
    assert ran.code == 1
    assert "memory/brief.md is there already" in ran.err
    assert "mem edit memory/brief.md" in ran.err
    assert ready.read("memory/brief.md") == before
    assert ready.git("status", "--porcelain") == ""


def test_a_module_of_one_note_that_is_empty_takes_one(ready: Repo, inside: Mem) -> None:
    (ready.root / "memory/brief.md").unlink()
    assert inside("add", "The project", "--module", "brief.md", "--apply").code == 0
    assert "# The project" in ready.read("memory/brief.md")


def test_a_successor_of_a_module_of_one_note_does_not_land_outside_every_module(
    ready: Repo, inside: Mem
) -> None:
    ran = inside("add", "A new brief", "--supersedes", "brief.md", "--apply")
    assert ran.code == 1
    assert "a module of one note" in ran.err
    assert (
        inside("add", "A new brief", "--supersedes", "brief.md", "--module", "decisions", "--apply").code == 0
    )


def test_a_contested_claim_is_told_its_ways_out_as_options(ready: Repo, inside: Mem) -> None:
    assert inside("add", "First", "--subject", "path:src/x.py#retry", "--apply").code == 0
    owner = next((ready.root / "memory/decisions").glob("first-*.md")).stem.rpartition("-")[2]
    ran = inside("add", "Second", "--subject", "path:src/x.py#retry", "--apply")
    assert ran.code == 1
    assert f"--supersedes n-{owner} replaces it, --facet " in ran.err
    assert "--subject path:src/x.py#ASPECT narrows" in ran.err
    assert inside("add", "Second", "--subject", "path:src/x.py#ASPECT", "--apply").code == 0


def test_a_facet_that_is_spelled_otherwise_is_suggested(ready: Repo, inside: Mem) -> None:
    assert "did you mean behavior?" in inside("add", "A claim", "--facet", "behaviour").err
