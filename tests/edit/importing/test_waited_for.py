"""What the words of a comment seem to wait for."""

from __future__ import annotations

from typing import Any

import pytest

from memwarden.edit.condition_reader import read_condition
from memwarden.edit.importing.waited_for import waited_for

MONTH = {"after": "2027-01-01"}


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("drop this when python >= 3.12", {"version": {"of": "python", "is": ">=3.12"}}),
        ("simplify once Python 3.13 is required", {"version": {"of": "python", "is": ">=3.13"}}),
        ("remove once we drop Python 3.11", {"version": {"of": "python", "is": ">=3.12"}}),
        ("when support for 3.11 is dropped", None),
        ("remove when we drop 3.11", None),
        ("use the pool when requests>=2.32", {"version": {"of": "requests", "is": ">=2.32"}}),
        ("remove after 2026-12-01", {"after": "2026-12-01"}),
        ("keep until 2027-01-31, then go", {"after": "2027-01-31"}),
        ("move once foo.py exists", {"file_exists": "foo.py"}),
        ("use it when src/new/pool.py lands", {"file_exists": "src/new/pool.py"}),
        ("keep until `old.py` is gone", {"file_absent": "old.py"}),
        ("remove in v2.0", {"any": [{"git_tag": "v2.0"}, {"git_tag": "v2.0.*"}]}),
        ("after v2", {"any": [{"git_tag": "v2"}, {"git_tag": "v2.*"}]}),
        ("after v1.2.3 is out, rename", {"git_tag": "v1.2.3"}),
        ("ask Bob", None),
        ("until #123 is closed", None),
        ("written on 2026-13-40", None),
        ("see 2026-12-01 minutes", None),
        ("once ../../etc/passwd.txt exists", None),
        ("when memory > 3 we swap", None),
    ],
)
def test_condition_is_what_the_words_name(words: str, condition: dict[str, Any] | None) -> None:
    assert waited_for(words)[0] == condition
    assert condition is None or read_condition(condition, "condition")[0] is not None


@pytest.mark.parametrize(
    "words",
    [
        "remove after 2027-01-01",
        "remove this by 2027-01-01",
        "must be removed by 2027-01-01",
        "needed by 2027-01-01",
        "switch on 2027-01-01",
        "to be switched off on 2027-01-01",
        "keep until 2027-01-01",
        "keep until the freeze of 2027-01-01.",
        "rotate the key before 2027-01-01!",
        "not before 2027-01-01",
        "no later than the day 2027-01-01 (before 2027-01-01)",
        "due 2027-01-01",
        "due: 2027-01-01",
        "deadline=2027-01-01",
        "certificate expires on 2027-01-01",
        "expiry date: 2027-01-01",
        "from 2027-01-01 the old name is off",
        "effective 2027-01-01",
        "drop the shim (2027-01-01)",
        "2027-01-01: drop it",
        "2027-01-01",
        "[2027-01-01] drop it",
        "until 2027-02-30, or rather until 2027-01-01",
        "from 2026-12-24 until 2027-01-01",
    ],
)
def test_iso_date_that_is_waited_for_is_the_condition(words: str) -> None:
    assert waited_for(words) == (MONTH, "2027-01-01 has come")


@pytest.mark.parametrize(
    "words",
    [
        "drop after 01/02/2027",
        "drop after 2027",
        "drop after 2027-03",
        "drop after 2027-1-1",
        "drop after 2027-02-30",
        "drop after 2027-00-10",
        "drop after 20270101",
        "drop after \u0662\u0660\u0662\u0667-01-01",
        "drop after March 2027",
        "drop after 2027-01-01T00:00:00Z",
        "once docs/2027-01-01-notes.md is read",
        "id until 2027-01-01-7",
        "reported on 2027-01-01",
        "copied from the wiki on 2027-01-01",
        "this was so on 2027-01-01",
    ],
)
def test_other_writing_of_a_day_is_guessed_at_by_nobody(words: str) -> None:
    assert waited_for(words) == (None, "")


def test_bare_name_means_the_file_beside_the_comment_too() -> None:
    either = {"any": [{"file_exists": "src/new.py"}, {"file_exists": "new.py"}]}
    assert waited_for("once new.py exists", "", "src/a.py")[0] == either
    both = {"all": [{"file_absent": "src/old.py"}, {"file_absent": "old.py"}]}
    assert waited_for("until old.py is gone", "", "src/a.py") == (both, "src/old.py and old.py are gone")
    assert waited_for("until lib/old.py is gone", "", "src/a.py")[0] == {"file_absent": "lib/old.py"}
