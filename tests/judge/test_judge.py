"""One function judges every condition, and never calls paid what it cannot see."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memwarden.core.condition import (
    CANNOT_TELL,
    FAILS,
    HOLDS,
    Combined,
    CommandTest,
    DateTest,
    PathTest,
    TagTest,
    TextTest,
    Verdict,
)
from memwarden.core.workspace import MOST_BYTES, Overlay, Unreadable
from memwarden.judge.judge import judge, judge_closely, paths_of
from memwarden.judge.reader import Surroundings

from .ground import Files

TODAY = Surroundings(today="2026-11-30")
HERE = PathTest("file_exists", "here")
GONE = PathTest("file_exists", "gone")
UNKNOWN = CommandTest("command", ("make",))
PARTS = {HOLDS: HERE, FAILS: GONE, CANNOT_TELL: UNKNOWN}


def state(condition, files, surroundings=TODAY):
    return judge(condition, Files(files), surroundings).state


def contains(pattern, path="a.txt", literal=False):
    return TextTest("file_contains", path, pattern, literal)


def lacks(pattern, path="a.txt", literal=False):
    return TextTest("file_lacks", path, pattern, literal)


@pytest.mark.parametrize(
    ("condition", "files", "expected"),
    [
        (PathTest("file_exists", "a.txt"), {"a.txt": ""}, HOLDS),
        (PathTest("file_exists", "dir"), {"dir/a.txt": ""}, HOLDS),
        (PathTest("file_exists", "dir/"), {"dir/a.txt": ""}, HOLDS),
        (PathTest("file_exists", "a"), {"a.txt": ""}, FAILS),
        (PathTest("file_absent", "a.txt"), {}, HOLDS),
        (PathTest("file_absent", "dir"), {"dir/a.txt": ""}, FAILS),
        (PathTest("file_absent", "old/**"), {"old/a": ""}, FAILS),
        (PathTest("file_absent", "old/**"), {"new/a": ""}, HOLDS),
        (PathTest("file_absent", "memory"), {}, CANNOT_TELL),
        (PathTest("file_absent", ".git/hooks/x"), {}, CANNOT_TELL),
        (PathTest("file_exists", "sub/.GIT/config"), {"sub/.GIT/config": ""}, CANNOT_TELL),
        (contains("foo$"), {"a.txt": "x\r\nfoo\r\nbar"}, HOLDS),
        (contains("foo$"), {"a.txt": "foobar"}, FAILS),
        (contains("^b.r"), {"a.txt": "foo\nbar"}, HOLDS),
        (contains("a.b", literal=True), {"a.txt": "axb"}, FAILS),
        (contains("a.b", literal=True), {"a.txt": "a.b"}, HOLDS),
        (contains("two\r\nlines", literal=True), {"a.txt": "two\nlines"}, HOLDS),
        (contains("foo"), {}, FAILS),
        (contains("foo", "src/*.py"), {"src/a/b.py": "foo"}, FAILS),
        (contains("foo", "src/**/*.py"), {"src/a/b.py": "foo"}, HOLDS),
        (contains("foo", "*.py"), {"src/a/b.py": "foo"}, HOLDS),
        (contains("foo", "app/[id]/page.tsx"), {"app/[id]/page.tsx": "foo"}, HOLDS),
        (contains("foo", "dir"), {"dir/a": "foo"}, CANNOT_TELL),
        (contains("foo", "**"), {"memory/debts/a.md": "foo", "b": "bar"}, FAILS),
        (contains("foo", "memory/debts/a.md"), {"memory/debts/a.md": "foo"}, CANNOT_TELL),
        (contains("foo", "Memory/debts/a.md"), {"Memory/debts/a.md": "foo"}, CANNOT_TELL),
        (contains("("), {"a.txt": "("}, CANNOT_TELL),
        (contains(""), {"a.txt": "x"}, CANNOT_TELL),
        (lacks("foo"), {"a.txt": "bar"}, HOLDS),
        (lacks("foo"), {"a.txt": ""}, HOLDS),
        (lacks("foo"), {"a.txt": "foo"}, FAILS),
        (lacks("foo"), {}, FAILS),
        (lacks("foo", "*.py"), {"a.txt": ""}, FAILS),
        (lacks("foo", "dir"), {"dir/a": "bar"}, CANNOT_TELL),
        (lacks("["), {"a.txt": "x"}, CANNOT_TELL),
        (lacks("foo", "**"), {"a": "bar", "memory/debts/x.md": "foo"}, HOLDS),
        (lacks("foo", "*"), {"a.txt": "bar", "b.png": b"\0"}, CANNOT_TELL),
        (contains("foo", "*"), {"a.txt": "foo", "b.png": b"\0"}, HOLDS),
        (contains("foo"), {"a.txt": "\ufefffoo".encode()}, HOLDS),
        (contains("^foo"), {"a.txt": "\ufefffoo".encode("utf-16-le")}, HOLDS),
        (contains("^foo"), {"a.txt": "\ufefffoo".encode("utf-32-be")}, HOLDS),
        (lacks("foo"), {"a.txt": b"caf\xe9"}, CANNOT_TELL),
        (lacks("foo"), {"a.txt": b"PK\0\1"}, CANNOT_TELL),
        (lacks("foo"), {"a.txt": "version https://git-lfs.github.com/spec/v1\noid sha256:1\n"}, CANNOT_TELL),
        (DateTest("after", "2026-11-30"), {}, HOLDS),
        (DateTest("after", "2026-12-01"), {}, FAILS),
        (UNKNOWN, {}, CANNOT_TELL),
        (TagTest("git_tag", "v1.*"), {}, CANNOT_TELL),
    ],
)  # fmt: skip
def test_a_condition_gets_its_verdict(condition, files, expected):
    assert state(condition, files) == expected


def test_a_deleted_file_is_not_payment_and_says_so():
    verdict = judge(lacks("foo"), Files({}))
    assert verdict == Verdict(
        FAILS, "anchor gone: a.txt is not there", ({"path": "a.txt", "note": "is not there"},)
    )


def test_a_match_in_a_comment_counts_and_the_evidence_shows_the_line():
    verdict = judge(contains("frozen_clock"), Files({"a.txt": "x = 1\n  # later: frozen_clock\n"}))
    assert verdict.holds
    assert verdict.items == (
        {
            "path": "a.txt",
            "line": 2,
            "excerpt": "# later: frozen_clock",
            "blob": "2822fae7efd8e8f85be8aadc3e497d36c2f978e7",
        },
    )


def test_evidence_never_shows_a_secret():
    token = "ghp_" + "a1B2" * 9
    verdict = judge(contains("TOKEN"), Files({"a.txt": f"TOKEN = '{token}'\n"}))
    assert token not in str(verdict)
    assert "redacted" in verdict.items[0]["excerpt"]


def test_evidence_from_inside_a_private_key_is_masked():
    block = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nneedle1234\n-----END RSA PRIVATE KEY-----\n"
    verdict = judge(contains("needle"), Files({"a.txt": block}))
    assert "needle1234" not in str(verdict)


def test_evidence_makes_control_characters_visible_and_stays_short():
    verdict = judge(contains("needle"), Files({"a.txt": "\x1b[31m" + "x" * 5000 + "needle" + "y" * 5000}))
    [item] = verdict.items
    assert len(item["excerpt"]) <= 200
    assert "needle" in item["excerpt"]
    assert "\x1b" not in item["excerpt"]


@pytest.mark.parametrize("surroundings", [Surroundings(), TODAY])
def test_a_clock_or_a_tag_at_a_past_commit_cannot_be_told(surroundings):
    past = surroundings._replace(today="")
    assert state(DateTest("after", "2020-01-01"), {}, past) == CANNOT_TELL
    assert state(TagTest("git_tag", "*1*"), {}, past) == CANNOT_TELL
    assert state(Combined("not", (DateTest("after", "2020-01-01"),)), {}, past) == CANNOT_TELL


@pytest.mark.parametrize(
    ("glob", "shallow", "expected"),
    [("v1.*", False, HOLDS), ("v2*", False, FAILS), ("v2*", True, CANNOT_TELL), ("rel*", False, HOLDS)],
)
def test_a_tag_is_found_by_its_glob(glob, shallow, expected):
    around = Surroundings(tags=lambda: ("v1.0", "release/2"), shallow=shallow)
    assert state(TagTest("git_tag", glob), {}, around) == expected


@pytest.mark.parametrize("left", PARTS)
@pytest.mark.parametrize("right", PARTS)
def test_combinations_follow_kleene(left, right):
    order = [FAILS, CANNOT_TELL, HOLDS]
    parts = (PARTS[left], PARTS[right])
    files = {"here": ""}
    assert state(Combined("all", parts), files) == min(left, right, key=order.index)
    assert state(Combined("any", parts), files) == max(left, right, key=order.index)


@pytest.mark.parametrize(("given", "expected"), [(HOLDS, FAILS), (FAILS, HOLDS), (CANNOT_TELL, CANNOT_TELL)])
def test_not_keeps_the_unknown_unknown(given, expected):
    assert state(Combined("not", (PARTS[given],)), {"here": ""}) == expected


def test_nothing_is_run_for_an_answer_that_cannot_change():
    ran = []
    around = TODAY._replace(run_command=lambda test: ran.append(test) or Verdict(HOLDS))
    assert state(Combined("all", (GONE, UNKNOWN)), {}, around) == FAILS
    assert state(Combined("any", (HERE, UNKNOWN)), {"here": ""}, around) == HOLDS
    assert ran == []
    assert state(UNKNOWN, {}, around) == HOLDS


def test_a_timed_out_command_is_not_payment():
    late = Verdict(CANNOT_TELL, "timed out after 60 s", ({"note": "timed out"},))
    around = TODAY._replace(run_command=lambda test: late)
    assert judge(UNKNOWN, Files({}), around) == late
    assert state(Combined("not", (UNKNOWN,)), {}, around) == CANNOT_TELL


def test_a_command_that_nobody_runs_cannot_tell_and_says_what_would_run_it():
    verdict = judge(UNKNOWN, Files({}), TODAY)
    assert verdict.state == CANNOT_TELL
    for word in ("not endorsed", "--run", "mem trust"):
        assert word in verdict.why


class Hostile:
    """Every question fails."""

    name = "hostile"

    def __init__(self, error):
        self.error = error

    def entry(self, path):
        raise self.error

    read = resolved = blob = entry

    def paths(self, under="", passing=frozenset()):
        raise self.error


@pytest.mark.parametrize(
    "error", [Unreadable("permission denied"), OSError(5, "I/O error"), RecursionError()]
)
@pytest.mark.parametrize("condition", [contains("x"), lacks("x", "**"), HERE, PathTest("file_absent", "x")])
def test_what_cannot_be_read_cannot_be_told(error, condition):
    assert judge(condition, Hostile(error)).state == CANNOT_TELL


def test_a_huge_file_is_not_read():
    class Huge(Overlay):
        def read(self, path):
            raise Unreadable("larger than 8 MiB")

    assert judge(lacks("x"), Huge(Files({"a.txt": "y"}), {})).state == CANNOT_TELL


def test_a_hostile_pattern_on_a_large_file_is_given_up():
    text = "ab é" * (MOST_BYTES // 5)
    verdict = judge(contains(r"(x|.){0,900}y$"), Files({"a.txt": text}))
    assert verdict.state == CANNOT_TELL
    assert "too large for so complex a pattern" in verdict.why


def test_the_verdict_names_what_it_rests_on():
    judged = judge_closely(Combined("all", (contains("foo", "src/*.py"), HERE)), Files({"src/a.py": "foo"}))
    assert judged.verdict.state == FAILS
    assert set(judged.reads) == {"src/*.py", "src/a.py", "here"}
    assert judged.listed == ("src",)
    assert judged.timeless
    assert not judge_closely(Combined("any", (DateTest("after", "2020-01-01"),)), Files({})).timeless


def test_the_paths_of_a_condition_are_named_once():
    condition = Combined("all", (contains("a", "x"), lacks("b", "x"), PathTest("file_exists", "y")))
    assert paths_of(condition) == ("x", "y")


def test_plain_text_needs_no_regex_engine_and_no_parser():
    script = (
        "import sys; from memwarden.judge.judge import judge; from memwarden.core.workspace import Overlay;"
        "from memwarden.core.condition import TextTest, PathTest;"
        "N=type('N',(),{'entry':lambda s,p:None,'resolved':lambda s,p:p,'paths':lambda s,u='':iter(())});"
        "w=Overlay(N(),{'a':b'x'});"
        "judge(TextTest('file_lacks','a','plain'),w); judge(PathTest('file_exists','a'),w);"
        "print(sorted(set(sys.modules) & {'re','re2','typing','yaml','json','tomllib',"
        "'packaging','subprocess','pathlib','dataclasses','enum'}))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.strip() == "[]", done.stderr
