"""MemoryCustodian trees as harvests."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.custodian import read
from memwarden.edit.importing.custodian_manifest import module_for
from memwarden.edit.importing.harvest import Claim, Harvest
from memwarden.errors import UsageError

MANIFEST = "# Memory Manifest\n\n## MemoryCustodian Protocol\n- protocol_version: {}\n{}"


def _read(version: str = "0.5", more: str = "", **files: str) -> Harvest:
    texts = {name.replace("__", "/").replace("_", "-") + ".md": text for name, text in files.items()}
    return read({"manifest.md": MANIFEST.format(version, more), **texts})


def _one(harvest: Harvest) -> Claim:
    (claim,) = harvest.claims
    return claim


@pytest.mark.parametrize("version", ["0.5", "0.6", "0.7", "0.7.1", "0.8"])
def test_known_protocols_are_read(version: str) -> None:
    assert _one(_read(version, constraints="# Constraints\n\n- Stay offline.\n")).place == "active"


@pytest.mark.parametrize("version", ["0.4", "0.9", "0.10", "1.0", "2.0"])
def test_other_protocols_are_refused(version: str) -> None:
    with pytest.raises(UsageError, match="protocol"):
        _read(version)


def test_protocol_in_a_fence_does_not_count() -> None:
    with pytest.raises(UsageError, match="names no protocol_version"):
        read({"manifest.md": "# M\n\n```\n- protocol_version: 0.5\n```\n"})


def test_two_protocols_are_refused() -> None:
    with pytest.raises(UsageError, match="two protocols"):
        _read("0.5", "- protocol_version: 0.8\n")


def test_tree_below_the_folder_is_found_where_it_usually_is() -> None:
    harvest = read(
        {"docs/memory/manifest.md": MANIFEST.format("0.5", ""), "docs/memory/constraints.md": "# C\n\n- a\n"}
    )
    assert _one(harvest).source == "docs/memory/constraints.md"


def test_dated_heading_gives_a_date_and_a_title() -> None:
    claim = _one(_read(decisions="# D\n\n## 2026-06-30 - Use plain files\nDecision:\nFiles.\n"))
    assert (claim.created, claim.title) == ("2026-06-30", "Use plain files")


def test_fields_of_an_entry_without_an_id_are_words() -> None:
    claim = _one(_read(decisions="# D\n\n## Use plain files\n\nStatus: superseded\n\nWords.\n"))
    assert claim.place == "active"
    assert claim.body == "Status: superseded\n\nWords."


def test_fields_end_where_the_words_begin() -> None:
    text = "# D\n\n## MC-DEC-20260926-00000002 — T\n\nStatus: active\n\nDecision:\nWords.\nFacet: security\n"
    claim = _one(_read("0.8", decisions=text))
    assert (claim.facet, claim.body) == ("", "Decision:\nWords.\nFacet: security")


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ("Status: active", "active"),
        ("Status: superseded", "archived"),
        ("Status: active\nSuperseded-By: MC-DEC-20260926-00000009", "archived"),
        ("Status: candidate", "candidate"),
        ("Status: odd", "candidate"),
        ("Status: active\nScope: local-user", "candidate"),
        ("Status: active\nScope: area:../../x", "candidate"),
        ("Status: active\nEvidence:\n- agent-observed", "candidate"),
        ("Status: active\nEvidence:\n- legacy-unverified", "active"),
    ],
)
def test_standing_is_what_the_fields_say_and_never_more(fields: str, place: str) -> None:
    text = f"# D\n\n## MC-DEC-20260926-00000002 — T\n\n{fields}\n\nDecision:\nWords.\n"
    assert _one(_read("0.8", decisions=text)).place == place


def test_inbox_entry_that_calls_itself_active_is_a_candidate() -> None:
    text = "# I\n\n## MC-INBOX-20260926-00000002 — T\n\nStatus: active\n\nStatement:\nWords.\n"
    assert _one(_read("0.8", inbox=text)).place == "candidate"


def test_fence_of_the_protocol_is_opened_where_it_means_one() -> None:
    text = (
        "# D\n\n## MC-DEC-20260926-00000002 — T\n\nStatus: active\n\nDecision:\n"
        "```memory-custodian-body-v1\nStatus: words\n```\n"
    )
    assert (
        _one(_read("0.7", "- entry_schema_version: 2\n", decisions=text)).body == "Decision:\nStatus: words"
    )
    assert "```" in _one(_read("0.7", "- entry_schema_version: 1\n", decisions=text)).body


def test_prose_outside_entries_waits_and_code_is_lost() -> None:
    harvest = _read(decisions="# D\n\nEntries are newest first.\n\nWe like Lisp.\n\n```\nx\n```\n")
    assert (_one(harvest).place, _one(harvest).why) == ("candidate", "prose outside any entry")
    assert harvest.lost[0].why == "a code block outside any entry"


def test_heading_without_words_waits() -> None:
    assert _one(_read(decisions="# D\n\n## Use Lisp\n")).why == "a heading without a text"


def test_template_of_a_brief_is_no_brief() -> None:
    harvest = _read(brief="# Project Brief\n\nPurpose:\n- TO" + "DO: Describe what this project does.\n")
    assert not harvest.claims
    assert harvest.lost[0].why == "the brief is still its template"


def test_empty_templates_give_nothing() -> None:
    harvest = _read(
        decisions="# Decisions\n\nEntries are newest first.\n",
        constraints="# Constraints\n",
        do_not_use="# Do Not Use / Tombstones\n\nTombstones are newest first.\n",
        inbox="# Memory Inbox\n\nEntries are newest first.\n\nNo unprocessed memory candidates.\n",
        rules__output="# Rule: Output\n\nRules here apply only when this task type is relevant.\n",
        profiles__README="# Memory Profiles\n\nWorkflow-specific profiles go here.\n",
    )
    assert harvest == Harvest()


def test_readme_that_somebody_wrote_is_lost_and_named() -> None:
    harvest = _read(profiles__README="# Profiles\n\n- Cut releases on Mondays.\n", myREADME="# Mine\n")
    assert [(loss.source, loss.why) for loss in harvest.lost] == [
        ("myREADME.md", "no file of the protocol"),
        ("profiles/README.md", "a README is about the folder, and no entry"),
    ]


def test_unknown_file_is_lost_with_its_name() -> None:
    assert [loss.source for loss in _read(musings="# M\n\n- a\n").lost] == ["musings.md"]


def test_every_line_of_the_manifest_that_leads_nowhere_is_lost_with_its_number() -> None:
    more = """
## Always load
- ../../etc/passwd
- brief.md

## Load by task

### Planning
- rules/

## Optional module index

### Enabled areas
- areas/web/: `src/web/**`
- None enabled.

## Context budget
- brief.md: lots
- decisions.md: 800 tokens max
- inbox.md: memory maintenance only
- areas/*.md: 5 tokens

## Webhooks
- on-load: run me
"""
    assert [(loss.line, loss.why) for loss in _read(more=more, brief="# B\n\nIt is.\n").lost] == [
        (7, "no module takes the place of ../../etc/passwd"),
        (13, "no module takes the place of rules/"),
        (18, "areas/web/ is no module"),
        (22, "the budget of brief.md is no number of tokens"),
        (23, "the budget of decisions.md is for no module that is there"),
        (28, "no list of the protocol stands below 'webhooks'"),
    ]


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("decisions.md", "decisions/"),
        ("areas/ios-app.md", "areas/ios-app/"),
        ("areas/my app.md", "areas/my-app/"),
        ("rules/output.md", "rules/output/"),
        ("areas/README.md", ""),
        ("areas/deep/x.md", ""),
        ("../x.md", ""),
        ("other.md", ""),
    ],
)
def test_module_of_a_file(path: str, module: str) -> None:
    assert module_for(path) == module


def test_manifest_of_many_headings_costs_no_more_than_its_length() -> None:
    harvest = _read("0.5", "\n## Load by task\n" + "### plan\n- decisions.md\n" * 5_000, decisions="- x\n")
    assert len(harvest.courses) == 5_000
