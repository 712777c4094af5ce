"""When a note stops applying, told from its standing."""

from __future__ import annotations

import pytest

from memwarden.core.condition import PathTest
from memwarden.core.note import DEBT, Note
from memwarden.core.route.why import ends
from memwarden.core.standing import Standing

RULE = Note("memory/decisions/a.md", "n-00000001", "A", "project", "workflow")
OWED = RULE._replace(lifecycle=DEBT)


@pytest.mark.parametrize(
    ("note", "standing", "told"),
    [
        (RULE, Standing("active"), ("when it is superseded, revoked, archived or forgotten",)),
        (
            RULE._replace(expires="2027-01-01"),
            Standing("active"),
            ("after 2027-01-01", "when it is superseded, revoked, archived or forgotten"),
        ),
        (OWED, Standing("owed"), ("when it is declared paid (mem pay)",)),
        (
            OWED._replace(condition=PathTest("file_exists", "a")),
            Standing("owed"),
            ("when its condition holds",),
        ),
        (OWED, Standing("paid"), ("it has: paid; a condition that fails again brings it back",)),
        (RULE, Standing("superseded", by="n-2"), ("it has: superseded by n-2",)),
        (RULE, Standing("revoked", reason="wrong"), ("it has: revoked, wrong",)),
        (RULE._replace(expires="2026-01-01"), Standing("expired"), ("it has: expired after 2026-01-01",)),
        (RULE, Standing("archived"), ("it has: archived, kept for reading",)),
        (RULE, Standing("candidate"), ("it has not begun: mem admit makes it active, mem reject ends it",)),
    ],
)
def test_a_notes_end_is_told(note: Note, standing: Standing, told: tuple[str, ...]) -> None:
    assert ends(note, standing) == told


def test_a_note_whose_time_has_not_come_says_when_it_does() -> None:
    told = ends(RULE._replace(not_before="2027-01-01"), Standing("not-yet"))
    assert told[0] == "it has not begun: not before 2027-01-01"
