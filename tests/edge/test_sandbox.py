"""A condition's command changes nothing, leaves nothing running, and does not pay when it misbehaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, CommandTest, Verdict
from memwarden.core.manifest import Settings
from memwarden.edge.command import landlock, sandbox
from memwarden.edge.command.sandbox import command_env, command_runner
from memwarden.edge.command.trust import Everyone, TrustStore
from memwarden.edge.place import find_place
from tests.conftest import Repo


def judge(repo: Repo, *argv: str, timeout: int = 60, runs: int = 1, expect: int = 0) -> Verdict:
    place = find_place(str(repo.root))
    run = command_runner(place, Everyone(), "p-7q2m4x9k", "n-4f7k2m9q", Settings(), str)
    return run(CommandTest("command", argv, timeout, runs, expect))


def shell(repo: Repo, script: str, **how: int) -> Verdict:
    return judge(repo, "sh", "-c", script, **how)


def processes_saying(mark: str) -> list[str]:
    """Command lines of living processes that hold ``mark``."""
    listed = subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if mark in line]


@pytest.fixture
def tracked(repo: Repo) -> Repo:
    repo.write("a.txt", "a\n")
    repo.commit("one")
    return repo


def test_command_that_succeeds_holds_and_says_what_was_enforced(tracked: Repo) -> None:
    verdict = judge(tracked, "true")
    assert verdict.state == HOLDS
    assert verdict.items[0]["exit"] == 0
    assert "own session" in verdict.items[0]["enforced"]
    assert verdict.items[0]["note"] == "run 1 of 1"


def test_command_that_fails_does_not_hold_and_shows_its_tail(tracked: Repo) -> None:
    verdict = shell(tracked, "echo out; echo err >&2; exit 3")
    assert verdict.state == FAILS
    assert verdict.why == "exit 3, expected 0"
    assert verdict.items[0]["tail"] == "out\nerr\n"


def test_expected_exit_code_other_than_zero_holds(tracked: Repo) -> None:
    assert shell(tracked, "exit 3", expect=3).state == HOLDS


def test_every_one_of_the_runs_must_pass(tracked: Repo) -> None:
    verdict = judge(tracked, "true", runs=3)
    assert verdict.state == HOLDS
    assert [item["note"] for item in verdict.items] == ["run 1 of 3", "run 2 of 3", "run 3 of 3"]
    assert len(judge(tracked, "false", runs=3).items) == 1


def test_command_that_is_not_endorsed_is_not_run(tracked: Repo, tmp_path: Path) -> None:
    place = find_place(str(tracked.root))
    run = command_runner(place, TrustStore(str(tmp_path / "empty")), "p", "n", Settings(), str)
    verdict = run(CommandTest("command", ("touch", "ran")))
    assert verdict.state == CANNOT_TELL
    assert "not endorsed" in verdict.why
    assert not (tracked.root / "ran").exists()


def test_missing_tool_cannot_tell(tracked: Repo) -> None:
    verdict = judge(tracked, "no-such-tool-anywhere")
    assert verdict.state == CANNOT_TELL
    assert verdict.why == "no-such-tool-anywhere: no such command"


def test_file_that_is_not_a_program_cannot_tell(tracked: Repo) -> None:
    assert judge(tracked, "./a.txt").state == CANNOT_TELL


def test_command_runs_at_the_top_of_the_repository_without_a_shell(tracked: Repo) -> None:
    verdict = judge(
        tracked, sys.executable, "-c", "import sys; print(sys.argv[1:])", "$HOME", "*", "a b", "; x"
    )
    assert verdict.items[0]["tail"] == "['$HOME', '*', 'a b', '; x']\n"
    assert shell(tracked, "test -f a.txt").state == HOLDS


def test_standard_input_is_at_its_end(tracked: Repo) -> None:
    assert shell(tracked, 'test -z "$(cat)"').state == HOLDS


@pytest.mark.parametrize("target", ["a.txt", "new.txt", "/tmp/mem-escaped", ".git/HEAD", "memory/x.md"])
def test_writing_command_changes_nothing_and_does_not_pay(tracked: Repo, target: str) -> None:
    before = tracked.git("status", "--porcelain"), tracked.read("a.txt"), tracked.read(".git/HEAD")
    verdict = shell(tracked, f"echo changed >> {target}")
    assert verdict.state != HOLDS
    assert (tracked.git("status", "--porcelain"), tracked.read("a.txt"), tracked.read(".git/HEAD")) == before
    assert not os.path.exists("/tmp/mem-escaped")


@pytest.mark.parametrize(
    "script",
    ["rm a.txt", "mv a.txt b.txt", "ln -s /etc e", "mkdir d", "truncate -s 0 a.txt", "git commit -qam x"],
)
def test_no_way_of_changing_the_tree_is_open(tracked: Repo, script: str) -> None:
    head = tracked.git("rev-parse", "HEAD")
    assert shell(tracked, script).state != HOLDS
    assert tracked.git("status", "--porcelain") == ""
    assert tracked.git("rev-parse", "HEAD") == head


def test_change_that_the_kernel_does_not_govern_is_seen_and_cannot_tell(tracked: Repo) -> None:
    verdict = shell(tracked, "chmod 600 a.txt")
    assert verdict.state == CANNOT_TELL
    assert verdict.why == "the command changed tracked files: a.txt"


def test_without_the_kernel_a_changed_tracked_file_cannot_tell(
    tracked: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox.sys, "platform", "plan9")
    verdict = shell(tracked, "echo changed >> a.txt")
    assert verdict.state == CANNOT_TELL
    assert verdict.why == "the command changed tracked files: a.txt"
    assert verdict.items[0]["enforced"] == [
        "own session",
        "no input",
        "allow-listed environment",
        "tracked files compared",
    ]


def test_scratch_folder_is_writable_and_gone_afterwards(tracked: Repo) -> None:
    verdict = shell(
        tracked, 'echo x > "$TMPDIR/f" && mkdir "$TMPDIR/d" && mv "$TMPDIR/f" "$TMPDIR/d" && echo "$TMPDIR"'
    )
    assert verdict.state == HOLDS
    assert verdict.items[0]["tail"] == "$TMPDIR\n"


def test_null_device_is_writable(tracked: Repo) -> None:
    assert shell(tracked, "echo x > /dev/null").state == HOLDS


def test_child_left_in_the_background_is_killed_and_does_not_pay(tracked: Repo) -> None:
    verdict = shell(tracked, "sleep 604801 & exit 0")
    assert verdict.state == CANNOT_TELL
    assert verdict.why == "left 1 process running, now killed"
    assert processes_saying("sleep 604801") == []


def test_child_that_escapes_its_session_is_killed_and_does_not_pay(tracked: Repo) -> None:
    verdict = shell(tracked, "(setsid sh -c 'setsid sleep 604802 & sleep 604802' >/dev/null 2>&1 &) ; exit 0")
    assert verdict.state == CANNOT_TELL
    assert "running, now killed" in verdict.why
    assert processes_saying("sleep 604802") == []


def test_timeout_kills_grandchildren_that_ignore_the_signal(tracked: Repo) -> None:
    verdict = shell(
        tracked, "trap '' TERM INT HUP; (trap '' TERM; setsid sleep 604803) & sleep 604803", timeout=1
    )
    assert verdict.state == CANNOT_TELL
    assert verdict.why == "timed out after 1 s"
    assert processes_saying("sleep 604803") == []


def test_endless_output_is_bounded(tracked: Repo) -> None:
    verdict = judge(tracked, "yes", timeout=1)
    assert verdict.state == CANNOT_TELL
    assert len(verdict.items[0]["tail"]) <= 1000


def test_child_that_closes_its_output_and_stays_is_killed(tracked: Repo) -> None:
    verdict = shell(tracked, "exec >&- 2>&-; sleep 604804", timeout=1)
    assert verdict.why == "timed out after 1 s"
    assert processes_saying("sleep 604804") == []


def test_supervisor_cannot_be_killed_by_what_it_supervises(tracked: Repo) -> None:
    if landlock.abi() >= 6:
        assert shell(tracked, "kill -9 $PPID").state == FAILS
    else:
        assert shell(tracked, "kill -9 $PPID; sleep 1").state != HOLDS


def test_environment_is_an_allow_list(tracked: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_THING", "x")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    verdict = judge(tracked, "env")
    names = {line.partition("=")[0] for line in verdict.items[0]["tail"].splitlines()}
    assert "PATH" in names
    assert not names & {"SECRET_THING", "GIT_DIR", "PYTHONPATH", "LD_PRELOAD"}


def test_path_holds_absolute_folders_only() -> None:
    assert command_env({"PATH": ".:bin:/usr/bin::/bin"}, "/s")["PATH"] == "/usr/bin:/bin"
    assert command_env({}, "/s")["PATH"] == "/usr/local/bin:/usr/bin:/bin"


def test_repository_path_and_secrets_stay_out_of_the_evidence(tracked: Repo) -> None:
    place = find_place(str(tracked.root))
    token = "ghp_" + "a1B2" * 9
    from memwarden.core.secrets import redact

    run = command_runner(place, Everyone(), "p", "n", Settings(), redact)
    verdict = run(CommandTest("command", ("sh", "-c", f"pwd; echo {token}; exit 1")))
    tail = verdict.items[0]["tail"]
    assert token not in tail
    assert place.root not in tail
    assert tail.startswith(".\n")


def test_working_folder_that_is_gone_cannot_tell(tmp_path: Path) -> None:
    run = sandbox.run_once(("true",), str(tmp_path / "gone"), 2, os.environ)
    assert run.code != 0 or run.trouble
