"""Any text at all, read as another tool's memory."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.edit.importing import agentlore, claude_topics, custodian, todo_comments, trigger_table
from memwarden.edit.importing.harvest import as_mapping, from_mapping, safe
from memwarden.edit.importing.manifest_text import with_entries
from memwarden.edit.manifest_reader import read_manifest
from memwarden.edit.starter import MANIFEST
from memwarden.errors import UsageError

LINES = st.sampled_from(
    [
        "# Title",
        "## MC-DEC-20260926-00000002 — T",
        "## 2026-06-30 - Words",
        "## Words",
        "Status: active",
        "Evidence:",
        "- user-confirmed",
        "Decision:",
        "- a",
        "  - b",
        "```",
        "~~~memory-custodian-body-v1",
        "<!-- agentlore",
        "id: X",
        "anchors: src/**, ../x",
        "-->",
        "---",
        "name: x",
        "| ID | Path | Note |",
        "|----|------|------|",
        "| ~~1~~ | `a.py` | Words |",
        "- [x](y.md)",
        "// FIX" + "ME: when python >= 3.12",
        "",
        "words",
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(LINES, max_size=25).map("\n".join))
HEAD = "## MemoryCustodian Protocol\n- protocol_version: 0.8\n"


@pytest.mark.property
@settings(deadline=None, max_examples=150, derandomize=True)
@given(TEXTS)
def test_any_text_is_read_or_refused_and_what_is_read_can_be_kept(text: str) -> None:
    for read in (
        lambda: custodian.read(
            {"manifest.md": HEAD, "decisions.md": text, "subjects.md": text, "inbox.md": text}
        ),
        lambda: custodian.read({"manifest.md": HEAD + text}),
        lambda: claude_topics.read({"MEMORY.md": text, "a.md": text}),
        lambda: agentlore.read({"hazards.md": text}),
        lambda: trigger_table.read({"t.md": text}),
        lambda: todo_comments.read({"a.py": text, "a.js": text}),
    ):
        try:
            harvest = safe(read())
        except UsageError:
            continue
        ids = iter(range(10_000))
        said = json.loads(json.dumps(as_mapping(harvest, lambda ids=ids: f"n-{next(ids)}")))  # type: ignore[misc]
        assert from_mapping(said)[0] == harvest
        assert all(claim.title.strip() for claim in harvest.claims)


@pytest.mark.property
@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.lists(LINES, max_size=8), st.sampled_from(["Areas", "Profiles", "Explicit only", "Always load"]))
def test_entry_is_added_and_every_line_of_the_manifest_stays(prose: list[str], section: str) -> None:
    start = MANIFEST.format(project="p-7q2m4x9k").replace(
        "## Explicit only", "\n".join([*prose, "## Explicit only"])
    )
    before, findings = read_manifest("memory/manifest.md", start.encode())
    if before is None or findings:
        return
    module = {"Areas": "areas/new/", "Profiles": "profiles/new/"}.get(section, "new/")
    try:
        data = with_entries(start.encode(), section, [module])
    except UsageError:
        assert any(line in prose for line in ("```", "~~~memory-custodian-body-v1", "<!-- agentlore"))
        return
    after, findings = read_manifest("memory/manifest.md", data)
    assert after is not None
    assert not findings
    assert module in after.modules()
    lines = iter(data.decode().split("\n"))
    assert all(line in lines for line in start.split("\n") if line)
