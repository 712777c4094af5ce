"""agentlore's files, as they are read."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.agentlore import read
from memwarden.errors import UsageError

ENTRY = "# Hazards\n\n## The ledger is frozen\n<!-- agentlore\nid: HAZ-1\nanchors: {}\n-->\n\nWords.\n"


def test_anchors_start_at_the_folder_that_holds_its_memory() -> None:
    for path, anchors in (
        (".memory/hazards.md", ("src/**", "/setup.py")),
        ("hazards.md", ("src/**", "/setup.py")),
        ("services/billing/.memory/hazards.md", ("services/billing/src/**", "services/billing/setup.py")),
    ):
        (claim,) = read({path: ENTRY.format("src/**, setup.py")}).claims
        assert tuple(glob for _, glob in claim.anchors) == anchors


def test_file_of_another_form_is_named_as_a_person_spelled_it() -> None:
    with pytest.raises(UsageError, match=r"/far/away/x\.md is no agentlore file"):
        read({"x.md": "# X\n"}, {"x.md": "/far/away/x.md"})


def test_entry_in_a_fence_is_none() -> None:
    fenced = "# Hazards\n\n```\n" + ENTRY.format("a.py").partition("\n\n")[2] + "```\n"
    assert read({"hazards.md": fenced}).claims == ()


@pytest.mark.parametrize("words", ["http://a/b" * 15_000, "PR " * 15_000, "issue #" * 15_000])
def test_evidence_of_many_words_costs_no_more_than_its_length(words: str) -> None:
    text = f"# Hazards\n\n## X\n<!-- agentlore\nid: H\nevidence: {words}\n-->\n\nWords.\n"
    assert len(read({"hazards.md": text}).claims) == 1


def test_comments_that_are_never_closed_cost_no_more_than_their_length() -> None:
    open_ones = "<!-- agentlore " * 30_000
    (claim,) = read({"hazards.md": f"# Hazards\n\n## X\n{open_ones}\nid: H1\n-->\n\nWords.\n"}).claims
    assert claim.mark == "H1"
