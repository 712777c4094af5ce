"""``mem add``: the common case is one step, and nothing is guessed."""

from __future__ import annotations

import json
import re

import pytest

from memwarden.core.identity import mint_id
from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import split
from tests.cli.conftest import Added, Snapshot
from tests.conftest import Mem, Ran, Repo, note_text


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


def test_a_debt_whose_condition_holds_already_is_refused(worked_on: Repo, inside: Mem) -> None:
    ran = inside("add", "A debt", "--debt", "--until", "exists:docs/adr.md", "--apply")
    assert ran.code == 1
    assert "M401" in ran.err
    assert not (worked_on.root / "memory/debts").exists()


def test_the_preview_says_what_else_would_pay(inside: Mem, worked_on: Repo) -> None:
    ran = inside("add", "A debt", "--debt", "--until", "contains:tests/test_retry.py:frozen_clock")
    assert "would also be paid by" in ran.out


def test_a_condition_that_cannot_be_told_is_accepted_and_said(inside: Mem, worked_on: Repo) -> None:
    ran = inside("add", "A debt", "--debt", "--until", "command:pytest -x", "--json")
    assert ran.code == 0
    assert any("cannot be told" in remark for remark in ran.json["remarks"])


def test_a_debt_without_a_condition_is_paid_by_declaration(added: Added) -> None:
    note = added("Ask the vendor", "--debt")
    assert note["lifecycle"] == "debt"
    assert "condition" not in note


def test_a_condition_may_come_as_yaml(added: Added, worked_on: Repo) -> None:
    worked_on.write("until.yaml", "all:\n  - file_exists: a.txt\n  - file_absent: docs/adr.md\n")
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
    worked_on: Repo,
    inside: Mem,
    tree: Snapshot,
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
def test_a_title_is_one_visible_line(worked_on: Repo, inside: Mem, text: str) -> None:
    assert inside("add", text, "--apply").code == 2


@pytest.mark.parametrize("subject", ["x\nlifecycle: debt", "---"])
def test_a_value_cannot_inject_keys(worked_on: Repo, inside: Mem, subject: str) -> None:
    ran = inside("add", "A claim", "--subject", subject, "--new-subject", "--apply", "--json")
    if ran.code == 0:
        (path,) = (worked_on.root / "memory/decisions").glob("*.md")
        assert fields_of(split(path.read_bytes())).values["lifecycle"] == "rule"


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


def test_a_broken_note_elsewhere_stops_nothing(added: Added, worked_on: Repo) -> None:
    worked_on.write("memory/decisions/broken.md", "---\nid: [\n")
    worked_on.write("memory/decisions/other.md", note_text("No evidence", id="n-cccccccc", evidence=""))
    assert added("A claim", "--anchor", "src/x.py")["subject"] == "path:src/x.py"


def test_a_facet_that_is_spelled_otherwise_is_suggested(worked_on: Repo, inside: Mem) -> None:
    assert "did you mean behavior?" in inside("add", "A claim", "--facet", "behaviour").err


@pytest.mark.parametrize("command", ["add", "admit"])
def test_a_note_whose_time_is_over_is_said_to_be_told_to_nobody(
    worked_on: Repo, inside: Mem, command: str
) -> None:
    said = "A claim"
    if command == "admit":
        [said] = inside("add", said, "--candidate", "--json").json["notes"]
    words = (command, said, "--expires")
    assert "it expired on 2020-01-01 already: nobody is told of it" in inside(*words, "2020-01-01").out
    assert "it expired" not in inside(*words, "2126-01-01").out
