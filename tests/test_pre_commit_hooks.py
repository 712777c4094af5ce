"""The hooks that the pre-commit framework and prek read from this repository, run as git runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import MANIFEST, Mem, Repo, note_text

HOOKS = yaml.safe_load((Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
DEBT = "n-00debt00"
CODE = "test_retry.py"
RED, GREEN = "def test_backoff(): ...\n", "def test_backoff(frozen_clock): ...\n"


def debt(note: str = DEBT, pattern: str = "frozen_clock") -> str:
    condition = f"{{file_contains: {{path: {CODE}, pattern: {pattern}}}}}"
    return note_text("It is flaky", id=note, lifecycle="debt", condition=condition, anchors=f"[{CODE}]")


class Hooked:
    """A repository whose pre-commit hook runs the entries of both hooks, all of them, as frameworks do."""

    def __init__(self, repo: Repo, *options: str) -> None:
        self.repo = repo
        program = repo.root.parent / "bin" / "mem"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memwarden "$@"\n')
        program.chmod(0o755)
        lines = ["#!/bin/sh", f'PATH="{program.parent}:$PATH"', "failed=0"]
        for hook in HOOKS:
            more = " ".join(options) if hook["id"] == "mem-settle" else ""
            lines.append(f"{hook['entry']} {more} || failed=1")
        lines.append("exit $failed")
        file = repo.root / ".git/hooks/pre-commit"
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(lines) + "\n")
        file.chmod(0o755)

    def commit(
        self, *arguments: str, cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", "commit", "-q", "-m", "change", *arguments],
            cwd=cwd or self.repo.root, env={**os.environ, **env}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def all(self, **env: str) -> subprocess.CompletedProcess[str]:
        self.repo.git("add", "-A")
        return self.commit(**env)


@pytest.fixture
def start(repo: Repo) -> Repo:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    repo.write("memory/debts/d.md", debt())
    repo.write(CODE, RED)
    return repo


@pytest.fixture
def hooked(start: Repo) -> Hooked:
    start.commit("start")
    return Hooked(start)


def test_both_hooks_run_once_over_the_whole_memory() -> None:
    assert [hook["id"] for hook in HOOKS] == ["mem-check", "mem-settle"]
    for hook in HOOKS:
        assert hook["language"] == "python"
        assert (hook["pass_filenames"], hook["always_run"]) == (False, True)


def test_every_entry_is_a_command_of_ours(repo: Repo, mem: Mem) -> None:
    repo.write("a.py", "x")
    repo.git("add", "-A")
    for hook in HOOKS:
        program, *words = hook["entry"].split()
        assert program == "mem"
        assert mem(*words).code == 0


def test_files_named_by_a_framework_only_narrow_what_is_shown(hooked: Hooked, mem: Mem) -> None:
    hooked.repo.write("memory/decisions/x.md", note_text("X", id="n-0000000x", facet="mood"))
    hooked.repo.git("add", "-A")
    assert mem("check", "--staged", CODE).code == 0
    assert mem("check", "--staged", CODE, "memory/decisions/x.md").code == 1


def test_first_commit_of_all_is_checked(start: Repo) -> None:
    hooked = Hooked(start)
    start.write("memory/decisions/x.md", note_text("X", id="n-0000000x", facet="mood"))
    assert "M103" in hooked.all().stderr
    start.git("rm", "-qf", "memory/decisions/x.md")
    assert hooked.all().returncode == 0


def test_debt_that_already_holds_is_rejected_and_gets_no_receipt(hooked: Hooked) -> None:
    hooked.repo.write("memory/debts/born.md", debt("n-0000b0rn", "test_backoff"))
    ran = hooked.all()
    assert ran.returncode == 1
    assert "M401" in ran.stderr
    assert not (hooked.repo.root / "memory/events").exists()


def test_commit_that_pays_is_stopped_until_its_receipt_is_in_it(hooked: Hooked) -> None:
    hooked.repo.write(CODE, GREEN)
    hooked.repo.git("add", CODE)
    first, again = hooked.commit(), hooked.commit()
    for ran in (first, again):
        assert ran.returncode == 1
        (line,) = (line for line in ran.stderr.splitlines() if line.startswith("next: "))
    added = subprocess.run(line.removeprefix("next: "), shell=True, cwd=hooked.repo.root, check=False)
    assert added.returncode == 0
    assert hooked.commit().returncode == 0
    assert hooked.repo.git("status", "--porcelain") == ""


def test_with_stage_exactly_the_receipt_is_added(start: Repo) -> None:
    start.commit("start")
    hooked = Hooked(start, "--stage")
    start.write(CODE, GREEN)
    start.git("add", CODE)
    start.write("memory/brief.md", note_text("Half done", id="n-br1ef000", facet="overview"))
    start.write("stray.txt", "x")
    assert hooked.commit().returncode == 0
    names = start.git("show", "--name-only", "--format=", "HEAD").split()
    assert [name.rpartition("/")[0] for name in names] == [f"memory/events/{DEBT}", ""]
    assert start.git("status", "--porcelain").splitlines() == [" M memory/brief.md", "?? stray.txt"]


def test_commit_of_everything_takes_the_receipt_along(start: Repo) -> None:
    start.commit("start")
    hooked = Hooked(start, "--stage")
    start.write(CODE, GREEN)
    assert hooked.commit("-a").returncode == 0
    assert start.git("status", "--porcelain") == ""
    assert len(start.git("ls-files", "memory/events").splitlines()) == 1


def test_commit_of_named_paths_is_judged_by_them_alone(start: Repo) -> None:
    start.commit("start")
    hooked = Hooked(start, "--stage")
    start.write(CODE, GREEN)
    start.write("memory/decisions/x.md", note_text("X", id="n-0000000x", facet="mood"))
    start.git("add", "-A")
    ran = hooked.commit("--", CODE)
    assert ran.returncode == 1
    assert "M103" not in ran.stderr
    assert "name these paths in the commit too" in ran.stderr
    start.git("rm", "-qf", "memory/decisions/x.md")
    start.git("add", "memory")
    assert hooked.commit("--", CODE, "memory").returncode == 0
    assert start.git("status", "--porcelain") == ""


def test_announced_note_is_not_in_the_commit(hooked: Hooked) -> None:
    hooked.repo.write("memory/decisions/x.md", note_text("X", id="n-0000000x", facet="mood"))
    hooked.repo.git("add", "-N", "memory/decisions/x.md")
    hooked.repo.write("a.py", "a\n")
    hooked.repo.git("add", "a.py")
    assert hooked.commit().returncode == 0


def test_merge_brings_a_payment_and_its_receipt(hooked: Hooked) -> None:
    repo = hooked.repo
    repo.git("switch", "-qc", "fix")
    repo.write(CODE, GREEN)
    assert hooked.all().returncode == 1
    assert hooked.all().returncode == 0
    repo.git("switch", "-q", "main")
    repo.write("shared.txt", "main\n")
    assert hooked.all().returncode == 0
    repo.git("merge", "-q", "--no-commit", "--no-ff", "fix")
    assert hooked.commit().returncode == 0
    assert repo.git("status", "--porcelain") == ""


def test_each_worktree_is_judged_by_its_own_index(hooked: Hooked, tmp_path: Path) -> None:
    repo = hooked.repo
    repo.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    other = Repo(tmp_path / "other")
    other.write("memory/debts/born.md", debt("n-0000b0rn", "test_backoff"))
    other.git("add", "-A")
    assert "M401" in hooked.commit(cwd=other.root).stderr
    repo.write("a.py", "a\n")
    assert hooked.all().returncode == 0


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
def test_variables_that_point_elsewhere_are_not_believed(
    hooked: Hooked, mem: Mem, tmp_path: Path, variable: str
) -> None:
    other = Repo(tmp_path / "elsewhere")
    other.root.mkdir()
    other.git("init", "-q")
    points = {
        "GIT_DIR": ".git",
        "GIT_WORK_TREE": "",
        "GIT_INDEX_FILE": ".git/index",
        "GIT_OBJECT_DIRECTORY": ".git/objects",
    }
    hooked.repo.write("memory/debts/born.md", debt("n-0000b0rn", "test_backoff"))
    hooked.repo.write(CODE, GREEN.replace("frozen", "test_backoff frozen"))
    hooked.repo.git("add", "-A")
    env = {variable: str(other.root / points[variable])}
    assert mem("check", "--staged", env=env).code == 1
    assert mem("settle", "--staged", "--stage", env=env).code == 0
    assert other.git("ls-files") == ""
    assert hooked.repo.git("ls-files", "memory/events").count("\n") == 1


def test_branch_without_a_memory_passes(hooked: Hooked) -> None:
    hooked.repo.git("switch", "-q", "--orphan", "empty")
    hooked.repo.write("a.py", "a\n")
    assert hooked.all().returncode == 0
