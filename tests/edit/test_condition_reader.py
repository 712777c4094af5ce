"""Conditions: what each predicate takes, and every refusal by its key."""

from __future__ import annotations

from typing import Any

import pytest

from memwarden.core.condition import (
    Combined,
    CommandTest,
    DataTest,
    DateTest,
    PathTest,
    TagTest,
    TextTest,
    VersionTest,
    as_mapping,
)
from memwarden.edit.condition_reader import read_condition

AFTER = {"after": "2026-12-01"}


@pytest.mark.parametrize(
    ("raw", "condition"),
    [
        ({"file_exists": "a/b"}, PathTest("file_exists", "a/b")),
        ({"file_absent": "./a//b/"}, PathTest("file_absent", "a/b")),
        ({"file_contains": {"path": "a.py", "pattern": "x+"}}, TextTest("file_contains", "a.py", "x+")),
        ({"file_lacks": {"path": "**/*.py", "text": "a.b"}}, TextTest("file_lacks", "**/*.py", "a.b", True)),
        (
            {"data_matches": {"path": "p.toml", "key": "a.b", "pattern": "^3"}},
            DataTest("data_matches", "p.toml", "a.b", "^3"),
        ),
        ({"version": {"of": "requests", "is": ">=2.32,<3"}}, VersionTest("version", "requests", ">=2.32,<3")),
        ({"git_tag": "v2.*"}, TagTest("git_tag", "v2.*")),
        (AFTER, DateTest("after", "2026-12-01")),
        ({"command": {"run": ["a", "b c"]}}, CommandTest("command", ("a", "b c"))),
        (
            {"command": {"run": "a 'b c'", "timeout": "5", "runs": "3", "expect": "1"}},
            CommandTest("command", ("a", "b c"), 5, 3, 1),
        ),
        (
            {"all": [AFTER, {"file_exists": "x"}]},
            Combined("all", (DateTest("after", "2026-12-01"), PathTest("file_exists", "x"))),
        ),
        ({"not": {"file_exists": "x"}}, Combined("not", (PathTest("file_exists", "x"),))),
    ],
)
def test_condition_reads_as_its_record(raw: dict[str, Any], condition: object) -> None:
    assert read_condition(raw, "condition") == (condition, [])


@pytest.mark.parametrize(
    "raw",
    [{"any": [AFTER, {"not": {"all": [AFTER]}}]}, {"command": {"run": ["x"], "runs": 2}}, {"git_tag": "v*"}],
)
def test_canonical_mapping_reads_back_as_itself(raw: dict[str, Any]) -> None:
    condition, problems = read_condition(raw, "condition")
    assert condition is not None
    assert not problems
    assert as_mapping(condition) == raw


@pytest.mark.parametrize(
    ("raw", "key", "said"),
    [
        ("", "", "one predicate"),
        ({}, "", "one predicate"),
        ("exists:x", "", "one predicate"),
        ({"file_exists": "a", "after": "2026-12-01"}, "", "not 2"),
        ({"file_contians": {}}, "", "unknown predicate"),
        ({"file_exists": ""}, ".file_exists", "empty"),
        ({"file_exists": ["a"]}, ".file_exists", "text"),
        ({"file_exists": "src/*.py"}, ".file_exists", "not a glob"),
        ({"file_exists": "memory/x.md"}, ".file_exists", "memory/"),
        ({"file_absent": "Memory"}, ".file_absent", "memory/"),
        ({"file_contains": "a"}, ".file_contains", "mapping"),
        ({"file_contains": {"pattern": "x"}}, ".file_contains", "lacks path"),
        ({"file_contains": {"path": "a"}}, ".file_contains", "pattern"),
        ({"file_contains": {"path": "a", "pattern": "x", "text": "y"}}, ".file_contains", "one of pattern"),
        ({"file_contains": {"path": "a", "patern": "x"}}, ".file_contains.patern", "no key"),
        ({"file_contains": {"path": "a", "pattern": ""}}, ".file_contains.pattern", "empty"),
        ({"file_contains": {"path": "a", "pattern": ".*"}}, ".file_contains.pattern", "matches everything"),
        ({"file_contains": {"path": "a", "pattern": "|x"}}, ".file_contains.pattern", "matches everything"),
        ({"file_lacks": {"path": "a", "pattern": "["}}, ".file_lacks.pattern", "not a valid RE2"),
        ({"file_lacks": {"path": "a", "text": " "}}, ".file_lacks.text", "empty"),
        ({"file_contains": {"path": "memory/**", "text": "x"}}, ".file_contains.path", "memory/"),
        ({"data_matches": {"path": "a", "pattern": "x"}}, ".data_matches", "lacks key"),
        (
            {"data_matches": {"path": "a.txt", "key": "a", "text": "x"}},
            ".data_matches.path",
            "not by its name",
        ),
        (
            {"data_matches": {"path": "x/*.py", "key": "a", "text": "x"}},
            ".data_matches.path",
            "not by its name",
        ),
        ({"version": {"of": "x", "is": "latest"}}, ".version.is", "PEP 440"),
        ({"version": {"of": "x", "is": ""}}, ".version.is", "empty"),
        ({"git_tag": "*"}, ".git_tag", "every tag"),
        ({"after": "2026-02-30"}, ".after", "not a date"),
        ({"after": "soon"}, ".after", "not a date"),
        ({"command": "pytest"}, ".command", "mapping"),
        ({"command": {"run": []}}, ".command.run", "list of words"),
        ({"command": {"run": "a 'b"}}, ".command.run", "split"),
        ({"command": {"run": "a", "runs": "0"}}, ".command.runs", "outside"),
        ({"command": {"run": "a", "timeout": "99999"}}, ".command.timeout", "outside"),
        ({"command": {"run": "a", "expect": "-1"}}, ".command.expect", "whole number"),
        ({"command": {"run": "a", "expect": "1.0"}}, ".command.expect", "whole number"),
        ({"all": []}, ".all", "at least one"),
        ({"any": AFTER}, ".any", "list"),
        ({"not": [AFTER]}, ".not", "one predicate"),
        ({"not": {"file_contains": {"path": "a", "text": "x"}}}, ".not.file_contains", "missing file"),
        (
            {"not": {"all": [{"file_lacks": {"path": "a", "text": "x"}}]}},
            ".not.all[0].file_lacks",
            "missing file",
        ),
        (
            {"all": [{"any": [{"all": [{"any": [{"all": [AFTER]}]}]}]}]},
            ".all[0].any[0].all[0].any[0].all",
            "4 deep",
        ),
    ],
)
def test_refusal_names_its_key(raw: object, key: str, said: str) -> None:
    condition, problems = read_condition(raw, "condition")
    assert condition is None
    assert [(problem.code, problem.key) for problem in problems] == [("M106", "condition" + key)]
    assert said in problems[0].message


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../x", "a/../../x", "a\\b", "C:/x", ".git/config", "%2e%2e/x"]
)
def test_path_that_leaves_is_its_own_code(path: str) -> None:
    for raw in ({"file_exists": path}, {"file_contains": {"path": path, "text": "x"}}):
        condition, problems = read_condition(raw, "verify")
        assert condition is None
        assert [problem.code for problem in problems] == ["M108"]


def test_every_problem_is_told_not_only_the_first() -> None:
    raw = {"all": [{"file_exists": "/x"}, {"after": "x"}, {"file_contains": {"path": "a", "pattern": "("}}]}
    assert [problem.key for problem in read_condition(raw, "c")[1]] == [
        "c.all[0].file_exists",
        "c.all[1].after",
        "c.all[2].file_contains.pattern",
    ]


def test_opposite_and_nearest_are_named() -> None:
    assert "file_lacks" in read_condition({"not": {"file_contains": {}}}, "c")[1][0].fix
    assert read_condition({"file-contain": {}}, "c")[1][0].fix == "did you mean file_contains?"
