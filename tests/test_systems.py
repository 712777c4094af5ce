"""Where the program does not run it says so in one line, and its hooks stay silent."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.conftest import Repo

WINDOWS = "sys.platform = 'win32'"
NO_LOCKS = "sys.modules['fcntl'] = None"  # importing it is a ModuleNotFoundError


def run(repo: Repo, how: str, *words: str) -> subprocess.CompletedProcess[str]:
    """``mem`` on a system that is told apart by one thing only."""
    # All of Python's own is loaded as it is here.
    code = (
        "import sys, os, json, subprocess, tempfile, pathlib, typing\n"
        f"{how}\n"
        "from memwarden.__main__ import main\n"
        "sys.exit(main())\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=repo.root,
        input="{}",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [("list",), ("--version",), ("check",), ("add", "x", "--apply"), ("hook", "install", "claude"), ()],
)
def test_on_windows_every_command_says_where_it_runs(memory_repo: Repo, words: tuple[str, ...]) -> None:
    ran = run(memory_repo, WINDOWS, *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.splitlines()[0].startswith("mem: memwarden runs on Linux and macOS")
    assert "WSL" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_on_windows_a_hook_is_silent_and_json_one_object(memory_repo: Repo) -> None:
    ran = run(memory_repo, WINDOWS, "hook", "claude")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert json.loads(run(memory_repo, WINDOWS, "list", "--json").stdout)["error"]["exit"] == 2


@pytest.mark.parametrize("words", [("add", "A claim", "--apply"), ("settle",), ("init",)])
def test_without_the_locks_of_unix_nothing_is_written_and_no_traceback_shown(
    memory_repo: Repo, words: tuple[str, ...]
) -> None:
    ran = run(memory_repo, NO_LOCKS, *words)
    assert (ran.returncode, "memwarden runs on Linux and macOS" in ran.stderr) == (2, True), ran.stderr
    assert "Traceback" not in ran.stderr
    assert memory_repo.git("status", "--porcelain") == ""
