"""What the action makes of the words that a runner gives it: the event, the inputs, the files to write to.

The program is a stand-in that tells what it was asked, so that only the script is tested.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.action_runner import Runner
from tests.conftest import Repo

ZERO = "0" * 40
GONE = "1" * 40
ASKED = 'echo "asked: $*"; case "$*" in diff*) echo "# difference" ;; esac'


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path / "runner").install(ASKED)


@pytest.fixture
def there(repo: Repo, tmp_path: Path) -> Repo:
    """A checkout of the branch ``work``, two commits after the default branch was left."""
    for name in ("first", "second"):
        repo.write(name, name)
        repo.commit(name)
    repo.git("switch", "-qc", "work")
    for name in ("third", "fourth"):
        repo.write(name, name)
        repo.commit(name)
    repo.git("switch", "-q", "main")
    repo.git("clone", "-q", f"file://{repo.root}", str(tmp_path / "clone"))
    found = Repo(tmp_path / "clone")
    found.git("checkout", "-q", "--detach", "origin/work")
    return found


BROKEN = {
    b"": "is no JSON",
    b"not json": "is no JSON",
    b'{"before": ': "is no JSON",
    b"[" * 100_000: "is no JSON",
    b"[]": "holds no JSON object",
    b"null": "holds no JSON object",
    b'"text"': "holds no JSON object",
    b"7": "holds no JSON object",
    b'{"before": "\xff\xfe"}': "is no UTF-8 text",
    b"\xff\xfe{\x00}\x00": "is no UTF-8 text",
}


@pytest.mark.parametrize("data", BROKEN, ids=lambda data: repr(data[:12]))
def test_event_that_cannot_be_understood_is_named_and_the_branches_tell_the_range(
    there: Repo, runner: Runner, data: bytes
) -> None:
    job = runner.review(there, data)
    assert f"::warning title=memwarden::the event file {BROKEN[data]}, so the range" in job.log
    assert (job.code, job.outputs["range"], job.outputs["exit-code"]) == (0, "origin/HEAD...HEAD", "0")
    assert "Traceback" not in job.log


@pytest.mark.parametrize(
    ("name", "told"),
    [("", "GITHUB_EVENT_PATH is not set"), ("nowhere", "is not there"), ("folder", "is no file")],
)
def test_event_file_that_is_none_is_named(
    there: Repo, runner: Runner, tmp_path: Path, name: str, told: str
) -> None:
    (tmp_path / "folder").mkdir()
    path = str(tmp_path / name) if name else ""
    job = runner.review(there, b"", {"GITHUB_EVENT_PATH": path})
    assert told in job.log
    assert (job.code, job.outputs["range"]) == (0, "origin/HEAD...HEAD")


def test_event_file_with_a_byte_order_mark_is_read(there: Repo, runner: Runner) -> None:
    before = there.git("rev-parse", "HEAD~1").strip()
    job = runner.review(there, b"\xef\xbb\xbf" + json.dumps({"before": before}).encode())
    assert job.outputs["range"] == f"{before}..HEAD"
    assert "::warning" not in job.log


@pytest.mark.parametrize(
    "event",
    [
        {"before": 7},
        {"before": ["a"]},
        {"before": "main\nexit-code=0"},
        {"before": "--help"},
        {"before": "abc123"},
        {"pull_request": {"base": {"sha": {"a": "b"}}}},
        {"pull_request": {"base": {"sha": "x\nrange=y"}}},
        {"merge_group": {"base_sha": "x:y:z"}},
        {"repository": {"default_branch": "main\nexit-code=0"}},
        {"repository": {"default_branch": 7}},
        {"ref": "refs/heads/a:b"},
        {"ref": ["main"]},
    ],
)
def test_word_of_another_form_is_named_and_passed_over(
    there: Repo, runner: Runner, event: dict[str, Any]
) -> None:
    job = runner.review(there, {"repository": {}, **event})
    assert "of the event is no " in job.log
    assert (job.code, job.outputs["range"], job.outputs["exit-code"]) == (0, "origin/HEAD...HEAD", "0")
    assert set(job.outputs) == {"range", "exit-code", "sarif-file", "diff-file"}


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"pull_request": None},
        {"pull_request": []},
        {"pull_request": {"base": "main"}},
        {"schedule": "0 0 * * *"},
        {"inputs": None, "ref": "refs/heads/work"},
        {"ref": "refs/tags/v1", "before": ZERO, "created": True},
        {"before": ZERO + "0" * 24},
        {"before": GONE, "forced": True},
    ],
)
def test_event_that_names_no_start_is_judged_from_the_default_branch(
    there: Repo, runner: Runner, event: dict[str, Any]
) -> None:
    job = runner.review(there, event)
    assert (job.code, job.outputs["range"]) == (0, "origin/main...HEAD")
    assert "::warning" not in job.log


@pytest.mark.parametrize(
    ("at", "ref"),
    [("main", ""), ("main", "refs/heads/main"), ("main~1", "refs/heads/main"), ("work", "refs/heads/main")],
)
def test_default_branch_itself_is_judged_from_nothing(there: Repo, runner: Runner, at: str, ref: str) -> None:
    there.git("checkout", "-q", f"origin/{at}")
    job = runner.review(there, {"schedule": "0 0 * * *"}, {"GITHUB_REF": ref})
    assert job.outputs["range"] == "4b825dc642cb6eb9a060e54bf8d69288fbee4904..HEAD"


def test_ref_of_the_runner_is_read_before_that_of_the_event(there: Repo, runner: Runner) -> None:
    """The event of a new branch tells its short name."""
    there.git("checkout", "-q", "origin/main")
    job = runner.review(there, {"ref": "main"}, {"GITHUB_REF": "refs/heads/new"})
    assert (job.outputs["range"], "::warning" in job.log) == ("origin/main...HEAD", False)


@pytest.mark.parametrize("event", [b"nonsense", {"pull_request": {"base": {"sha": GONE}}}])
def test_pull_request_whose_base_is_not_known_is_judged_from_the_branch_it_goes_to(
    there: Repo, runner: Runner, event: Any
) -> None:
    job = runner.review(there, event, {"GITHUB_BASE_REF": "main"})
    assert (job.code, job.outputs["range"]) == (0, "origin/main...HEAD")


def test_checkout_of_the_base_itself_is_told(there: Repo, runner: Runner) -> None:
    event = {"pull_request": {"base": {"sha": there.git("rev-parse", "HEAD").strip(), "ref": "main"}}}
    job = runner.review(there, event)
    assert "::warning title=memwarden::the checkout is the base itself" in job.log
    assert "asked: check --at=HEAD" in job.log
    assert job.code == 0


def test_base_that_is_nowhere_fails_with_the_fix_and_its_name_stays_one_word(
    there: Repo, runner: Runner
) -> None:
    name = "x%0A::set-output name=a::b"
    runner.install('echo "no such commit" >&2; exit 2')
    job = runner.review(there, b"{}", {"GITHUB_BASE_REF": name + "\nexit-code=0"})
    assert (job.code, job.outputs["exit-code"]) == (2, "2")
    assert "::error title=memwarden::origin/x%250A::set-output" in job.log
    assert "fetch-depth: 0" in job.log


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("true", "--strict"),
        ("True", "--strict"),
        ("TRUE", "--strict"),
        ("false", ""),
        ("False", ""),
        ("", ""),
    ],
)
def test_input_is_true_or_false_as_github_reads_it(
    there: Repo, runner: Runner, given: str, options: str
) -> None:
    job = runner.review(there, {}, strict=given)
    assert (job.code, "--strict" in job.log) == (0, bool(options))
    assert runner.review(there, {}, summary=given).summary.count("# difference") == (given.lower() != "false")


@pytest.mark.parametrize("name", ["strict", "allow-commands", "summary"])
@pytest.mark.parametrize("given", ["yes", "1", "tru", " true"])
def test_input_that_is_neither_true_nor_false_fails_and_is_named(
    there: Repo, runner: Runner, name: str, given: str
) -> None:
    inputs: dict[str, Any] = {name: given}
    job = runner.review(there, {}, **inputs)
    assert (job.code, job.outputs) == (2, {"range": "origin/main...HEAD", "exit-code": "2"})
    assert f"::error title=memwarden::the input {name} is neither true nor false" in job.log
    assert "asked:" not in job.log


@pytest.mark.parametrize("name", ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"])
@pytest.mark.parametrize("path", ["", "nowhere/deep", "folder"])
def test_file_of_the_runner_that_cannot_be_written_is_named_and_changes_no_verdict(
    there: Repo, runner: Runner, tmp_path: Path, name: str, path: str
) -> None:
    (tmp_path / "folder").mkdir()
    runner.install(f"{ASKED}; exit 1")
    job = runner.review(there, {}, {name: str(tmp_path / path) if path else ""})
    assert job.code == 1
    assert f"::warning title=memwarden::{name} cannot be written" in job.log
    assert job.outputs.get("exit-code", "1") == "1"
    assert bool(job.outputs) == (name != "GITHUB_OUTPUT")


def test_second_review_of_a_job_leaves_the_files_of_the_first(there: Repo, runner: Runner) -> None:
    first, second = (runner.review(there, {}).outputs for _ in range(2))
    assert first["sarif-file"] != second["sarif-file"]
    assert Path(first["diff-file"]).is_file()
    assert Path(second["diff-file"]).is_file()
