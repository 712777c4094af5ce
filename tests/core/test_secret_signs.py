"""The quick look for secrets misses none that the patterns would find, and takes no path for one."""

from __future__ import annotations

import pytest

from memwarden.core.secret_signs import ANYWHERE, FORMS, INSIDE, PIECES, may_hold_secret
from memwarden.core.secrets import _EDGE, PATTERNS

LAB_KINDS = ("pat", "dt", "rt", "cbt", "ptt", "ft", "soat", "agent", "imt", "oas")


@pytest.mark.parametrize(("piece", "pattern"), [(piece, pattern) for _, piece, pattern in PATTERNS])
def test_every_pattern_has_its_piece_where_the_quick_look_expects_it(piece: str, pattern: str) -> None:
    assert piece in (*PIECES, *ANYWHERE)
    begins = pattern.startswith((_EDGE + piece, _EDGE + piece.replace(".", "\\.")))
    assert begins or piece in (*INSIDE, *ANYWHERE)


@pytest.mark.parametrize(
    ("piece", "kinds"),
    [
        ("gh", [f"gh{kind}_" for kind in "opsur"]),
        ("gl", [f"gl{kind}-" for kind in LAB_KINDS]),
        ("gl", ["glsa_", "glc_"]),
        ("sntr", ["sntryu_", "sntrys_"]),
        ("shp", ["shpat_", "shpca_", "shppa_", "shpss_"]),
        ("xo", ["xox"]),
    ],
)
def test_every_kind_of_an_issuers_token_is_seen(piece: str, kinds: list[str]) -> None:
    assert set(kinds) <= set(FORMS[piece])
    for kind in kinds:
        assert may_hold_secret(f"a {kind}{'x' * 20} b")
        assert may_hold_secret(f"key={kind}{'x' * 20}")


def test_long_words_of_paths_hold_no_secret() -> None:
    for text in (
        "memory/debts/task-queue-needs-a-right-weigh-in-4f7k2m9q.md",
        "memory/decisions/the-global-glossary-is-high-quality.md",
        "MAX_TASK_RETRIES_PER_WORKER and half_open_connections",
    ):
        assert not may_hold_secret(text), text
