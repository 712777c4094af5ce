"""Claude Code's index, as it is read."""

from __future__ import annotations

import pytest

from memwarden.edit.importing.claude_topics import read


@pytest.mark.parametrize("words", ["[" * 30_000, "[a](" * 15_000, "[a](b.md#" * 15_000])
def test_line_of_brackets_costs_no_more_than_its_length(words: str) -> None:
    harvest = read({"MEMORY.md": f"# Index\n\n{words}\n"})
    assert [claim.source for claim in harvest.claims] == ["MEMORY.md"]
