"""The GitHub Action, run as a runner runs it, in repositories as they come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.action_runner import ACTION, STEPS, Runner
from tests.conftest import MANIFEST, Repo, note_text

ZERO = "0" * 40
NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
CODE = "a.py"


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path / "runner").install()


def debt(note: str, pattern: str) -> str:
    condition = f"{{file_contains: {{path: {CODE}, pattern: {pattern}}}}}"
    return note_text("It is flaky", id=note, lifecycle="debt", condition=condition, anchors=f"[{CODE}]")


@pytest.fixture
def origin(repo: Repo) -> Repo:
    """What the host has: main, and a branch with a debt that is born paid."""
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    repo.write(CODE, "broken\n")
    repo.commit("start")
    repo.write("b.py", "x\n")
    repo.commit("second")
    repo.git("switch", "-qc", "good")
    repo.write("memory/debts/d.md", debt("n-0000g00d", "fixed"))
    repo.commit("a debt")
    repo.git("switch", "-qc", "bad", "main")
    repo.write("memory/debts/born.md", debt("n-0000b0rn", "broken"))
    repo.commit("a slip")
    repo.git("switch", "-q", "main")
    return repo


def checkout(origin: Repo, path: Path, branch: str, *options: str) -> Repo:
    origin.git("clone", "-q", *options, f"file://{origin.root}", str(path))
    found = Repo(path)
    found.git("checkout", "-q", "--detach", f"origin/{branch}")
    return found


def pull_request(origin: Repo, ref: str = "main") -> dict[str, Any]:
    return {"pull_request": {"base": {"sha": origin.git("rev-parse", ref).strip(), "ref": ref}}}


def test_no_word_of_anybody_else_stands_in_a_script() -> None:
    for step in STEPS:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
    assert all(value.startswith("${{ inputs.") for step in STEPS for value in step["env"].values())


def test_no_module_of_the_pull_request_is_imported() -> None:
    for step in STEPS:
        for line in step["run"].splitlines():
            if "PYTHON" in line or "bin/python" in line:
                assert " -I " in line


def test_every_input_and_output_is_documented() -> None:
    for word in (*ACTION["inputs"].values(), *ACTION["outputs"].values()):
        assert word["description"]
    used = " ".join(value for step in STEPS for value in step["env"].values())
    used += str(STEPS[1]["working-directory"])
    assert all(f"inputs.{name} " in used for name in ACTION["inputs"])
    written = STEPS[1]["run"]
    assert all(f"{name}=$" in written or f"{name}=" in written for name in ACTION["outputs"])


def test_a_pull_request_in_order_is_summed_up(origin: Repo, runner: Runner, tmp_path: Path) -> None:
    job = runner.review(checkout(origin, tmp_path / "c", "good"), pull_request(origin))
    assert job.code == 0, job.log
    assert "**Debts opened** (1)" in job.summary
    base = origin.git("rev-parse", "main").strip()
    assert (job.outputs["range"], job.outputs["exit-code"]) == (f"{base}...HEAD", "0")
    assert job.sarif["version"] == "2.1.0"
    assert Path(job.outputs["diff-file"]).read_text(encoding="utf-8") == job.summary


def test_a_merge_commit_made_for_a_pull_request_is_judged_too(
    origin: Repo, runner: Runner, tmp_path: Path
) -> None:
    event = pull_request(origin)
    origin.write("later.py", "main goes on\n")
    origin.commit("main goes on")
    there = checkout(origin, tmp_path / "c", "main")
    there.git("merge", "-q", "--no-edit", "origin/bad")
    job = runner.review(there, event)
    assert job.code == 1
    line = there.read("memory/debts/born.md").split("condition:")[0].count("\n") + 1
    assert f"::error file=memory/debts/born.md,line={line},col=1,title=M401::" in job.log


def test_an_error_fails_the_job_with_an_annotation_and_sarif(
    origin: Repo, runner: Runner, tmp_path: Path
) -> None:
    there = checkout(origin, tmp_path / "c", "bad")
    job = runner.review(there, pull_request(origin))
    assert (job.code, job.outputs["exit-code"]) == (1, "1")
    line = there.read("memory/debts/born.md").split("condition:")[0].count("\n") + 1
    assert f"::error file=memory/debts/born.md,line={line},col=1,title=M401::" in job.log
    assert "M401" in [found["ruleId"] for found in job.sarif["runs"][0]["results"]]
    assert "n-0000b0rn" in job.summary


def test_a_push_is_judged_from_what_the_branch_was(origin: Repo, runner: Runner, tmp_path: Path) -> None:
    before = origin.git("rev-parse", "main").strip()
    job = runner.review(checkout(origin, tmp_path / "c", "bad"), {"before": before})
    assert (job.code, job.outputs["range"]) == (1, f"{before}..HEAD")


@pytest.mark.parametrize("before", [ZERO, "1" * 40, None])
def test_a_first_or_forced_push_is_judged_from_the_default_branch(
    origin: Repo, runner: Runner, tmp_path: Path, before: str | None
) -> None:
    job = runner.review(checkout(origin, tmp_path / "c", "bad"), {"before": before})
    assert (job.code, job.outputs["range"]) == (1, "origin/main...HEAD")


@pytest.mark.parametrize("ref", ["", "refs/heads/main"])
def test_the_first_push_of_all_is_judged_whole(
    origin: Repo, runner: Runner, tmp_path: Path, ref: str
) -> None:
    origin.git("merge", "-q", "bad")
    job = runner.review(checkout(origin, tmp_path / "c", "main"), {"before": ZERO, "ref": ref})
    assert (job.code, job.outputs["range"]) == (1, f"{NOTHING}..HEAD")
    assert "M401" in job.log


def test_a_repository_of_one_commit_is_judged_whole_and_told_whole(
    repo: Repo, runner: Runner, tmp_path: Path
) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    repo.write("memory/debts/born.md", debt("n-0000b0rn", "broken"))
    repo.write(CODE, "broken\n")
    repo.commit("all at once")
    job = runner.review(checkout(repo, tmp_path / "c", "main"), {"before": ZERO})
    assert job.code == 1
    assert "M401" in job.log
    assert "`nothing` \u2192 `HEAD`" in job.summary
    assert "**Debts opened** (1)" in job.summary


@pytest.fixture
def twice_owned(origin: Repo) -> Repo:
    """A default branch on which a question was decided twice, some commits ago."""
    for name in ("one", "two"):
        origin.write(f"memory/decisions/{name}.md", note_text(name, id=f"n-00000{name}", facet="security"))
        origin.commit(name)
    origin.write("later.py", "main goes on\n")
    origin.commit("main goes on")
    return origin


@pytest.mark.parametrize("ref", ["refs/heads/new", "refs/tags/v1"])
def test_a_new_branch_or_a_tag_at_the_default_branch_brings_nothing(
    twice_owned: Repo, runner: Runner, tmp_path: Path, ref: str
) -> None:
    event = {"ref": ref, "before": ZERO, "created": True}
    job = runner.review(checkout(twice_owned, tmp_path / "c", "main"), event)
    assert (job.code, job.outputs["range"]) == (0, "origin/main...HEAD")
    assert "M301" in job.log
    assert "The memory says the same." in job.summary


@pytest.mark.parametrize("event", [{"schedule": "0 0 * * *"}, {"inputs": None}])
def test_a_job_that_no_change_started_judges_the_default_branch_whole(
    twice_owned: Repo, runner: Runner, tmp_path: Path, event: dict[str, Any]
) -> None:
    job = runner.review(
        checkout(twice_owned, tmp_path / "c", "main"), event, {"GITHUB_REF": "refs/heads/main"}
    )
    assert (job.code, job.outputs["range"]) == (1, f"{NOTHING}..HEAD")


def test_a_merge_group_is_judged_from_its_base(origin: Repo, runner: Runner, tmp_path: Path) -> None:
    base = origin.git("rev-parse", "main").strip()
    job = runner.review(checkout(origin, tmp_path / "c", "bad"), {"merge_group": {"base_sha": base}})
    assert (job.code, job.outputs["range"]) == (1, f"{base}...HEAD")


@pytest.mark.parametrize("event", ["pull_request", "push"])
def test_a_shallow_checkout_fails_with_the_fix(
    origin: Repo, runner: Runner, tmp_path: Path, event: str
) -> None:
    there = checkout(origin, tmp_path / "c", "bad", "--depth", "1", "--branch", "bad")
    job = runner.review(there, pull_request(origin) if event == "pull_request" else {"before": ZERO})
    assert (job.code, job.outputs["exit-code"]) == (2, "2")
    assert "fetch-depth: 0" in job.log
    assert job.summary == ""
    assert "diff-file" not in job.outputs
    (ended,) = job.sarif["runs"][0]["invocations"]
    assert (ended["executionSuccessful"], ended["exitCode"]) == (False, 2)
    assert "shallow" in ended["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.parametrize("event", ["pull_request", "push"])
def test_where_git_answers_nothing_history_is_not_blamed(
    origin: Repo, runner: Runner, tmp_path: Path, event: str
) -> None:
    there = checkout(origin, tmp_path / "c", "good")
    (there.root / ".git/HEAD").write_text("nonsense")
    job = runner.review(there, pull_request(origin) if event == "pull_request" else {"before": ZERO})
    assert (job.code, job.outputs["exit-code"]) == (5, "5")
    assert "fetch-depth" not in job.log


def test_a_range_cannot_write_another_output(origin: Repo, runner: Runner, tmp_path: Path) -> None:
    job = runner.review(checkout(origin, tmp_path / "c", "bad"), {}, range="main..HEAD\nexit-code=0")
    assert job.outputs["exit-code"] == "2"
    assert job.outputs["range"] == "main..HEAD exit-code=0"


def test_a_range_of_ones_own_and_strictness(origin: Repo, runner: Runner, tmp_path: Path) -> None:
    there = checkout(origin, tmp_path / "c", "good")
    there.write(
        "memory/decisions/w.md", note_text("W", id="n-0000000w", facet="security", anchors="[gone.py]")
    )
    there.commit("a warning")
    assert runner.review(there, {}, range="HEAD~1..HEAD").code == 0
    assert runner.review(there, {}, range="HEAD~1..HEAD", strict="true").code == 1
    job = runner.review(there, {}, range="nowhere..HEAD", summary="false")
    assert (job.code, job.summary) == (2, "")
    assert "no commit is named 'nowhere'" in job.log
    (ended,) = job.sarif["runs"][0]["invocations"]
    assert (ended["executionSuccessful"], ended["exitCode"]) == (False, 2)


def test_hostile_words_stay_words(origin: Repo, runner: Runner, tmp_path: Path) -> None:
    there = checkout(origin, tmp_path / "c", "good")
    for name in ("json", "os", "memwarden", "site", "sitecustomize"):
        there.write(f"{name}.py", "raise SystemExit('imported')\n")
    title = "x\\n::set-output name=a::b $(touch pwned) `touch pwned` <img src=x> @all"
    there.write("memory/decisions/x.md", note_text(title, id="n-0000000x", facet="mood"))
    there.git("rm", "-q", "--cached", "json.py", check=False)
    there.commit("hostile")
    event = {**pull_request(origin), "before": "$(touch pwned)"}
    job = runner.review(there, event, range="$(touch pwned)..HEAD")
    assert job.code == 2
    job = runner.review(there, {"before": "; touch pwned #", "repository": {"default_branch": "main"}})
    assert job.code == 1
    assert not (there.root / "pwned").exists()
    commands = [line for line in job.log.splitlines() if line.startswith("::")]
    assert {line.split(" ")[0] for line in commands} <= {"::error", "::warning", "::notice"}
    assert "`x\\n::set-output" in job.summary
