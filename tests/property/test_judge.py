"""Laws that every verdict obeys, whatever the condition, the files and the pattern."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.core.condition import (
    CANNOT_TELL,
    FAILS,
    HOLDS,
    Combined,
    CommandTest,
    DataTest,
    DateTest,
    PathTest,
    TagTest,
    TextTest,
    VersionTest,
)
from memwarden.judge.data import parse_key
from memwarden.judge.judge import judge, judge_closely
from memwarden.judge.reader import Surroundings
from memwarden.judge.vacuity import shortcuts
from tests.judge.ground import Files

pytestmark = pytest.mark.property

ORDER = [FAILS, CANNOT_TELL, HOLDS]
paths = st.one_of(
    st.sampled_from(
        [
            "a",
            "a/b",
            "*",
            "**",
            "*.py",
            "a/**",
            "memory/x",
            ".git/y",
            "..",
            "",
            "/",
            "[",
            "a\\",
            "uv.lock",
            "x.json",
        ]
    ),
    st.text(max_size=8),
)
patterns = st.one_of(
    st.sampled_from(["x", "(a+)+$", "(", "[", "\\", "^", "a|", "(?i)x", "\\pL+", "\0"]), st.text(max_size=12)
)
contents = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [b"x", b"", b"\0", b"\xff\xfex", b"a" * 5000, b'{"a": 1}', b"[package]\n", b"a: [", b"-r a\n"]
    ),
)
files = st.dictionaries(
    st.sampled_from(
        ["a", "a/b", "b.py", "memory/x", "uv.lock", "pyproject.toml", "package.json", "x.json", "y.yaml"]
    ),
    contents,
    max_size=5,
).filter(lambda found: not ("a" in found and "a/b" in found))
text_tests = st.builds(
    TextTest, st.sampled_from(["file_contains", "file_lacks"]), paths, patterns, st.booleans()
)
leaves = st.one_of(
    text_tests,
    st.builds(PathTest, st.sampled_from(["file_exists", "file_absent"]), paths),
    st.builds(DataTest, st.just("data_matches"), paths, st.text(max_size=6), patterns, st.booleans()),
    st.builds(VersionTest, st.just("version"), st.sampled_from(["x", "python", ""]), st.text(max_size=6)),
    st.builds(TagTest, st.just("git_tag"), st.text(max_size=4)),
    st.builds(DateTest, st.just("after"), st.sampled_from(["2026-01-01", "2030-01-01"])),
    st.builds(CommandTest, st.just("command"), st.just(("true",))),
)
conditions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(
            Combined, st.sampled_from(["all", "any"]), st.lists(inner, min_size=1, max_size=3).map(tuple)
        ),
        st.builds(Combined, st.just("not"), st.tuples(inner)),
    ),
    max_leaves=5,
)
AROUND = Surroundings(today="2026-11-30", tags=lambda: ("v1",))


def state(condition, given_files):
    return judge(condition, Files(given_files), AROUND).state


@given(conditions, files)
def test_judging_never_raises_and_always_has_a_reason(condition, given_files):
    verdict = judge(condition, Files(given_files), AROUND)
    assert verdict.state in ORDER
    assert verdict.why
    assert all("path" in item or "note" in item for item in verdict.items)
    assert len(verdict.items) <= 20


@given(conditions, conditions, files)
def test_de_morgan_holds_also_for_what_cannot_be_told(left, right, given_files):
    both = Combined("not", (Combined("all", (left, right)),))
    either = Combined("any", (Combined("not", (left,)), Combined("not", (right,))))
    assert state(both, given_files) == state(either, given_files)


@given(st.lists(conditions, min_size=1, max_size=4), files)
def test_all_is_the_least_and_any_the_greatest(parts, given_files):
    ranks = [ORDER.index(state(part, given_files)) for part in parts]
    assert ORDER.index(state(Combined("all", tuple(parts)), given_files)) == min(ranks)
    assert ORDER.index(state(Combined("any", tuple(parts)), given_files)) == max(ranks)
    assert state(Combined("not", (Combined("not", (parts[0],)),)), given_files) == ORDER[ranks[0]]


@given(text_tests, files)
def test_contains_and_lacks_never_both_hold(test, given_files):
    states = [state(test._replace(kind=kind), given_files) for kind in ("file_contains", "file_lacks")]
    assert states != [HOLDS, HOLDS]


@given(conditions, files, st.text(max_size=20))
def test_what_stands_under_memory_changes_no_verdict(condition, given_files, text):
    without = {path: data for path, data in given_files.items() if not path.startswith("memory/")}
    assert judge(condition, Files(without), AROUND) == judge(
        condition, Files({**without, "memory/debts/n.md": text.encode("utf-8", "replace")}), AROUND
    )


@given(conditions, files)
def test_a_timeless_verdict_rests_only_on_what_it_names(condition, given_files):
    judged = judge_closely(condition, Files(given_files), AROUND)
    if judged.timeless and not judged.listed:
        kept = {path: data for path, data in given_files.items() if path in judged.reads}
        folders = [
            p for p in given_files if any(p.startswith(r.rstrip("/") + "/") for r in judged.reads if r)
        ]
        kept.update({path: given_files[path] for path in folders})
        assert judge(condition, Files(kept), AROUND).state == judged.verdict.state


@settings(deadline=2000)
@given(st.text(alphabet="ab()|*+?{}0123456789^$.\\[]", max_size=30), st.integers(0, 20_000))
def test_a_hostile_pattern_takes_bounded_time(pattern, size):
    judge(TextTest("file_contains", "a", pattern), Files({"a": "a" * size + "!"}))


@given(conditions, files)
def test_looking_for_shortcuts_never_raises(condition, given_files):
    for shortcut in shortcuts(condition, Files(given_files)):
        assert shortcut.how


@given(st.lists(st.text(min_size=1, max_size=5).filter(lambda step: '"' not in step), min_size=1, max_size=4))
def test_a_quoted_key_is_read_back(steps):
    assert parse_key(".".join(f'"{step}"' for step in steps)) == tuple(steps)
