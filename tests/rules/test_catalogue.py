"""Every code that can be printed is explained, and every explanation has its parts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memwarden
from memwarden.errors import ERROR, WARNING, Finding, UsageError
from memwarden.rules import RULES, Rule, already_there, identity, rule_of

SOURCE = Path(memwarden.__file__).parent
CODE = re.compile(r"\"(M\d{3})\"")


def test_every_code_in_the_source_has_a_rule() -> None:
    used = {code for file in SOURCE.rglob("*.py") for code in CODE.findall(file.read_text(encoding="utf-8"))}
    assert used - {rule.code for rule in RULES} == set()


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_says_what_why_how_and_gives_an_example(rule: Rule) -> None:
    assert rule.title.endswith(".") or rule.title.endswith(").")
    for part in ("Why: ", "Fix: ", "Example: "):
        assert f"\n\n{part}" in rule.text


def test_an_unknown_code_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="M4055") as caught:
        rule_of("M4055")
    assert "M405" in caught.value.next_step


def test_a_rule_is_found_by_code_in_any_case_and_by_name() -> None:
    assert rule_of("m301") is rule_of("key-has-one-owner")


def test_a_finding_keeps_its_identity_when_lines_move_and_its_note_is_renamed() -> None:
    before = Finding("M201", ERROR, "no", "memory/decisions/a.md", 3, 1, "evidence", "n-4f7k2m9q")
    assert identity(before) == identity(before._replace(path="memory/debts/b.md", line=9))


def test_a_second_finding_of_one_identity_is_new_where_the_base_had_one() -> None:
    one = Finding("M701", ERROR, "a secret", "a.md", 3)
    other = Finding("M103", WARNING, "x", "b.md")
    assert already_there([one, one._replace(line=5), other], [one], [other]) == [True, False, True]
    assert already_there([one]) == [False]
