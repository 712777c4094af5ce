"""Two people, two branches, one memory: git merges what both did, and the check has nothing to say."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mem, Repo

AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def shared(memory_repo: Repo, inside: Mem) -> Repo:
    """A memory with a rule and two candidates, committed."""
    assert inside("add", "Old rule", "--subject", "path:src/old.py", "--apply").code == 0
    for title in ("First idea", "Second idea"):
        assert inside("add", title, "--anchor", f"src/{title[:3]}.py", env=AGENT).code == 0
    memory_repo.commit("shared")
    return memory_repo


def ids(inside: Mem) -> dict[str, str]:
    return {note["title"]: note["id"] for note in inside("list", "--json").json["notes"]}


def test_branches_that_add_admit_supersede_and_reject_merge_without_a_conflict(
    shared: Repo, inside: Mem
) -> None:
    note = ids(inside)

    def on(branch: str, *commands: tuple[str, ...]) -> None:
        shared.git("checkout", "-q", "-b", branch, "main")
        for command in commands:
            ran = inside(*command, "--apply")
            assert ran.code == 0, ran.err
        shared.commit(branch)

    on("left", ("add", "Left rule", "--anchor", "src/left.py"), ("admit", note["First idea"]))
    on(
        "right",
        ("add", "New rule", "--supersedes", note["Old rule"]),
        ("reject", note["Second idea"], "--reason", "no"),
        ("reinstate", note["Old rule"]),
    )
    shared.git("merge", "-q", "--no-edit", "left")
    assert shared.git("ls-files", "-u") == ""
    found = {one["title"]: one["standing"] for one in inside("list", "--json").json["notes"]}
    assert found == {
        "The project": "active",
        "Old rule": "superseded",
        "New rule": "active",
        "Left rule": "active",
        "First idea": "active",
        "Second idea": "rejected",
    }
    ran = inside("check", "--json")
    assert [one for one in ran.json["findings"] if one["severity"] == "error"] == []


def test_both_branches_may_record_about_one_note(shared: Repo, inside: Mem) -> None:
    note = ids(inside)["Old rule"]
    for branch in ("left", "right"):
        shared.git("checkout", "-q", "-b", branch, "main")
        assert inside("revoke", note, "--reason", branch, "--apply").code == 0
        shared.commit(branch)
    shared.git("merge", "-q", "--no-edit", "left")
    events = inside("show", note, "--json").json["events"]
    assert [(event["seq"], event["kind"]) for event in events] == [
        (1, "admitted"),
        (2, "revoked"),
        (2, "revoked"),
    ]
    assert inside("reinstate", note, "--apply").code == 0
    assert inside("show", note, "--json").json["events"][-1]["seq"] == 3
    assert inside("check").code == 0


@pytest.mark.slow
def test_two_first_inits_at_once_leave_one_memory(repo: Repo, mem: Mem) -> None:
    import os
    import sys

    command = [sys.executable, "-m", "memwarden", "init"]
    running = [subprocess.Popen(command, cwd=repo.root, env={**os.environ}) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert mem("check").code == 0
    assert len(list((repo.root / "memory").glob("*.md"))) == 2


def test_names_and_contents_survive_a_checkout_with_crlf(shared: Repo, inside: Mem, tmp_path: Path) -> None:
    other = tmp_path / "windows"
    subprocess.run(
        ["git", "clone", "-q", "-c", "core.autocrlf=true", str(shared.root), str(other)], check=True
    )
    shown: Callable[..., Any] = lambda **where: inside("list", "--json", **where).json["notes"]  # noqa: E731
    assert shown(cwd=other) == shown()
    assert inside("check", cwd=other).code == 0
