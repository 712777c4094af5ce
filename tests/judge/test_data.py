"""Text at a dotted key of a data file, as it was written."""

from __future__ import annotations

import pytest

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, Combined, DataTest
from memwarden.judge.data import parse_key
from memwarden.judge.judge import judge

from .ground import Files

TOML = """
[tool.ruff]
line-length = 110
select = ["E", "F"]
preview = true
since = 2026-11-30
[tool."x.y"]
ratio = 1.10
[[tool.mypy.overrides]]
module = "re2"
"""
JSON = (
    '{"name": "@s/x", "scripts": {"build": "tsc"}, "engines": null, "v": [1.10, {"a": "b"}], "deep.key": "d"}'
)
YAML = """on: push
version: 1.10
sha: 0123456
jobs:
  - name: a
  - name: b
anchor: &x yes
alias: *x
---
second: doc
"""
FILES = {
    "p.toml": TOML,
    "p.json": JSON,
    "p.yaml": YAML,
    "p.yml": "a: [",
    "bad.toml": "a = ",
    "bad.json": "{",
    "note.txt": "a: 1",
    "x.lock": 'v = "1"',
    "y.lock": '{"v": "1"}',
    "deep.json": "[" * 100_000,
}


@pytest.mark.parametrize(
    ("path", "key", "pattern", "expected"),
    [
        ("p.toml", "tool.ruff.line-length", "^110$", HOLDS),
        ("p.toml", "tool.ruff.line-length", "^11$", FAILS),
        ("p.toml", "tool.ruff.select", "^F$", HOLDS),
        ("p.toml", "tool.ruff.select[0]", "^E$", HOLDS),
        ("p.toml", "tool.ruff.select.1", "^F$", HOLDS),
        ("p.toml", "tool.ruff.select[2]", ".+", FAILS),
        ("p.toml", "tool.ruff.preview", "^true$", HOLDS),
        ("p.toml", "tool.ruff.since", "^2026-11-30$", HOLDS),
        ("p.toml", 'tool."x.y".ratio', r"^1\.10$", HOLDS),
        ("p.toml", r"tool.x\.y.ratio", r"^1\.10$", HOLDS),
        ("p.toml", "tool.mypy.overrides[0].module", "re2", HOLDS),
        ("p.toml", "tool.ruff", "110", FAILS),
        ("p.toml", "tool.black.x", "y", FAILS),
        ("p.json", "name", "^@s/", HOLDS),
        ("p.json", "scripts.build", "tsc", HOLDS),
        ("p.json", "engines", "null", HOLDS),
        ("p.json", "missing", "null", FAILS),
        ("p.json", "v", r"^1\.10$", HOLDS),
        ("p.json", "v[1].a", "b", HOLDS),
        ("p.json", "'deep.key'", "d", HOLDS),
        ("p.yaml", "on", "^push$", HOLDS),
        ("p.yaml", "version", r"^1\.10$", HOLDS),
        ("p.yaml", "sha", "^0123456$", HOLDS),
        ("p.yaml", "jobs[1].name", "b", HOLDS),
        ("p.yaml", "alias", "^yes$", HOLDS),
        ("p.yaml", "second", "doc", HOLDS),
        ("x.lock", "v", "1", HOLDS),
        ("y.lock", "v", "1", HOLDS),
        ("p.yml", "a", "b", CANNOT_TELL),
        ("bad.toml", "a", "b", CANNOT_TELL),
        ("bad.json", "a", "b", CANNOT_TELL),
        ("deep.json", "a", "b", CANNOT_TELL),
        ("note.txt", "a", "1", CANNOT_TELL),
        ("gone.json", "a", "1", FAILS),
        ("p.json", "a..b", "1", CANNOT_TELL),
        ("p.json", "name", "(", CANNOT_TELL),
        ("*.toml", "tool.ruff.preview", "true", HOLDS),
    ],
)
def test_a_value_under_a_key_gets_its_verdict(path, key, pattern, expected):
    assert judge(DataTest("data_matches", path, key, pattern), Files(FILES)).state == expected


def test_evidence_shows_what_was_there_instead():
    verdict = judge(DataTest("data_matches", "p.json", "name", "^left-pad$"), Files(FILES))
    assert verdict.why == "p.json: name is '@s/x'"
    assert verdict.items[0]["key"] == "name"


def test_an_explosion_of_aliases_is_bounded():
    lines = ["a0: &a0 [x, x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    files = Files({"bomb.yaml": "\n".join(lines)})
    assert judge(DataTest("data_matches", "bomb.yaml", "a59", "x"), files).state == FAILS


def test_yaml_tags_construct_nothing():
    files = Files({"x.yaml": "a: !!python/object/apply:os.system ['exit 1']\nb: c\n"})
    assert judge(DataTest("data_matches", "x.yaml", "b", "c"), files).state == HOLDS


def test_yaml_of_more_than_a_mebibyte_cannot_be_told():
    files = Files({"x.yaml": "a: b\n" + "# x\n" * 300_000})
    assert judge(DataTest("data_matches", "x.yaml", "a", "b"), files).state == CANNOT_TELL


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a", ("a",)),
        ("a.b", ("a", "b")),
        ('a."b.c".d', ("a", "b.c", "d")),
        (r"a\.b.c", ("a.b", "c")),
        ("a[0][1].b", ("a", "0", "1", "b")),
        ("[2].a", ("2", "a")),
        ("a.''", ("a", "")),
        ("a[b]", ("a[b]",)),
    ],
)
def test_a_key_is_read_in_steps(text, steps):
    assert parse_key(text) == steps


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b", "a\\", 'a."b'])
def test_a_key_that_cannot_be_one_is_refused(text):
    with pytest.raises(ValueError, match="key"):
        parse_key(text)


@pytest.mark.parametrize("shape", ["not", "not all", "not any", "not not not"])
def test_a_data_file_that_is_gone_does_not_pay_a_negation(shape: str) -> None:
    test = DataTest("data_matches", "p.toml", "tool.ruff.preview", "true")
    condition: DataTest | Combined = test
    for word in reversed(shape.split()):
        condition = Combined(word, (condition,))
    verdict = judge(condition, Files({}))
    assert verdict.state == CANNOT_TELL
    assert "anchor gone: p.toml is not there" in verdict.why
    assert judge(condition, Files(FILES)).state == FAILS
    assert judge(condition, Files({"p.toml": "[tool.ruff]\npreview = false\n"})).state == HOLDS
    assert judge(test, Files({})).state == FAILS
