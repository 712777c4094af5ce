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


def _whys(text: str) -> list[tuple[int, str]]:
    return [(loss.line, loss.why) for loss in read({"hazards.md": text}).lost]


def test_what_stands_before_the_first_entry_is_lost_and_named() -> None:
    assert _whys("# Hazards\n\nMind the gap.\n\n- and the step\n\n<!-- a remark -->\n\n## X\n\nWords.\n") == [
        (3, "what stands before the first entry: 'Mind the gap.'"),
        (5, "what stands before the first entry: 'and the step'"),
    ]


def test_every_field_is_said_or_lost() -> None:
    fields = (
        "id: H1\nauthor: Ada\nsuperseded_by: H2\ncreated: 2026-13-45\nvalue: 7\nseverity: high\n"
        "author: Bo\nno field at all\nowner:\n# a remark"
    )
    text = f"# Hazards\n\n## X\n<!-- rmem\n{fields}\n-->\n\nWords.\n"
    (claim,) = read({"hazards.md": text}).claims
    assert "Author in the source: Ada." in claim.body
    assert "Superseded in the source by: H2." in claim.body
    assert _whys(text) == [
        (3, "'author: Bo' is no field of its own"),
        (3, "'no field at all' is no field of its own"),
        (3, "the field created is no date: '2026-13-45'"),
        (3, "a value without a key: '7'"),
        (3, "the field 'severity' means nothing here: 'high'"),
    ]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "first",
    [
        "## One\n<!-- rmem\nid: H1\n\nFirst words.\n\n",
        "## One\n<!-- rmem\nid: H1\n",
        "## One\n<!-- agentlore\nid: H1\n\n<!-- a remark -->\n\nFirst words.\n\n",
    ],
)
@pytest.mark.parametrize("second", ["## Two\n<!-- rmem\nid: H2\n-->\n\nWords.\n", "## Two\n\nWords.\n"])
def test_comment_that_is_never_closed_swallows_no_entry_and_is_told(
    first: str, second: str, ending: str
) -> None:
    text = ("# Hazards\n\n" + first + second).replace("\n", ending)
    harvest = read({"hazards.md": text})
    assert [claim.title for claim in harvest.claims] == ["One", "Two"]
    assert [claim.line for claim in harvest.claims] == [3, 3 + first.count("\n")]
    assert harvest.claims[0].mark == "H1"
    if "First words" in first:
        assert "First words" in harvest.claims[0].body
    whys = [(loss.line, loss.why) for loss in harvest.lost if "never closed" in loss.why]
    assert whys == [(4, "the comment of fields is never closed: read as if it ended with its fields")]


def test_words_that_an_arrow_takes_for_fields_are_lost_and_named() -> None:
    text = "# Hazards\n\n## X\n<!-- rmem\nid: H1\n\nFrom here --> there.\n\n## Y\n\nWords.\n"
    assert _whys(text) == [(3, "'From here' is no field of its own")]


def test_comment_with_blank_lines_and_remarks_is_closed_where_it_says_so() -> None:
    text = "# Hazards\n\n## X\n<!-- rmem\nid: H1\n\n# a remark\nowner: ops\n-->\n\nWords.\n"
    harvest = read({"hazards.md": text.replace("# a remark\n", "#a remark\n")})
    assert "Owner: ops." in harvest.claims[0].body
    assert harvest.lost == ()


@pytest.mark.parametrize(
    "words", ["<!-- rmem\n\n" * 10_000, "<!-- rmem\nid: x\n" * 10_000, "\n\n# x" * 20_000]
)
def test_comments_of_many_shapes_cost_no_more_than_their_length(words: str) -> None:
    assert read({"hazards.md": f"# Hazards\n\n## X\n<!-- rmem\n{words}"}).claims
