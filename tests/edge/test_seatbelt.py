"""What macOS is told of a command: the profile as text, and which endings are not the command's own.

No Mac is needed: the profile is read as the expressions that it is made of.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, CommandTest, Verdict
from memwarden.core.manifest import Settings
from memwarden.edge.command import sandbox, seatbelt
from memwarden.edge.command.sandbox import command_runner
from memwarden.edge.command.trust import Everyone
from memwarden.edge.place import find_place
from tests.conftest import Repo

Rule = list[Any]


def read(text: str) -> list[Rule]:
    """The expressions of a profile; a string keeps its quotes."""
    stack: list[Rule] = [[]]
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    assert len(stack) == 1, "a bracket is not closed"
    return stack[0]


def decided(rules: list[Rule], operation: str) -> list[tuple[str, list[Any]]]:
    """What the rules say of an operation, in their order: the last that fits decides."""
    return [(rule[0], rule[2:]) for rule in rules if rule[1] in ("default", operation)]


def test_profile_is_made_of_whole_expressions_and_allows_what_it_does_not_name() -> None:
    rules = read(seatbelt.profile("/private/tmp/x"))
    assert rules[:2] == [["version", "1"], ["allow", "default"]]
    assert {rule[0] for rule in rules[1:]} == {"allow", "deny"}


def test_nothing_is_written_outside_the_scratch_folder_but_to_streams_and_devices_that_forget() -> None:
    said = decided(read(seatbelt.profile("/private/tmp/x")), "file-write*")
    assert [(word, bool(filters)) for word, filters in said] == [
        ("allow", False),
        ("deny", False),
        ("allow", True),
    ]
    opened = said[-1][1]
    assert opened[0] == ["subpath", '"/private/tmp/x"']
    assert all(path.startswith('"/dev/') for _, path in opened[1:])
    assert ["subpath", '"/dev/fd"'] in opened


@pytest.mark.parametrize(
    "operation", ["file-link", "lsopen", "appleevent-send", "job-creation", "user-preference-write"]
)
def test_nobody_else_is_made_to_write(operation: str) -> None:
    assert decided(read(seatbelt.profile("/private/tmp/x")), operation)[-1] == ("deny", [])


def test_only_the_command_and_what_it_started_are_signalled() -> None:
    said = decided(read(seatbelt.profile("/private/tmp/x")), "signal")
    assert said[1:] == [("deny", []), ("allow", [["target", "same-sandbox"]])]


@pytest.mark.parametrize(
    ("folder", "quoted"),
    [('/private/tmp/a"b', '"/private/tmp/a\\"b"'), ("/private/tmp/a\\b", '"/private/tmp/a\\\\b"')],
)
def test_no_folder_closes_the_string_that_it_is_named_in(folder: str, quoted: str) -> None:
    opened = decided(read(seatbelt.profile(folder)), "file-write*")[-1][1]
    assert opened[0] == ["subpath", quoted]


@pytest.mark.parametrize(
    ("code", "said", "why"),
    [
        (0, "sandbox-exec: hello\n", ""),
        (1, "sandbox-exec: hello\n", ""),
        (71, "it failed\n", ""),
        (None, "sandbox-exec: hello\n", ""),
        (
            71,
            "sandbox-exec: execvp() of 'x' failed: No such file or directory\n",
            "No such file or directory",
        ),
        (65, "sandbox-exec: <input string>:1:12: unbound variable: x\n", "unbound variable: x"),
        (
            71,
            "sandbox-exec: sandbox_apply: Operation not permitted\n",
            "macOS starts no sandbox inside another",
        ),
    ],
)
def test_an_ending_of_sandbox_exec_itself_is_told_from_one_of_the_command(
    code: int | None, said: str, why: str
) -> None:
    found = seatbelt.refused(code, said)
    assert why in found
    assert bool(found) == bool(why)


class Mac:
    """A Mac whose supervisor answers what the test wants, and keeps what it was given to do."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, code: int, tail: str) -> None:
        self.tasks: list[dict[str, Any]] = []
        self.said = {
            "exit": code, "tail": tail, "bytes": len(tail), "failed": "", "timed_out": False, "left": 0,
            "stuck": 0, "seconds": 0.1, "landlock": 0,
        }  # fmt: skip
        monkeypatch.setattr(sandbox.sys, "platform", "darwin")
        monkeypatch.setattr(sandbox, "_supervise", self._supervise)
        monkeypatch.setattr(seatbelt, "PROGRAM", "/bin/sh")

    def _supervise(self, task: dict[str, Any], timeout: float) -> dict[str, Any]:
        self.tasks.append(task)
        return self.said


def judge(repo: Repo) -> Verdict:
    place = find_place(str(repo.root))
    run = command_runner(place, Everyone(), "p-7q2m4x9k", "n-4f7k2m9q", Settings(), str, dict(os.environ))
    return run(CommandTest("command", ("true", "a b"), 60, 1, 0))


def test_command_is_run_by_sandbox_exec_with_the_real_path_of_its_scratch_folder(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.setattr(sandbox.tempfile, "tempdir", str(tmp_path / "link"))
    mac = Mac(monkeypatch, 0, "")
    verdict = judge(repo)
    task = mac.tasks[0]
    assert verdict.state == HOLDS
    assert "read-only by sandbox-exec" in verdict.items[0]["enforced"]
    assert (task["program"], task["argv"][:2]) == ("/bin/sh", ["sandbox-exec", "-p"])
    assert task["argv"][3].endswith("/true")
    assert task["argv"][4:] == ["a b"]
    assert task["env"]["TMPDIR"].startswith(str(tmp_path / "real"))
    assert f'(subpath "{task["env"]["TMPDIR"]}")' in task["argv"][2]


def test_inside_another_sandbox_the_command_cannot_tell(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    Mac(monkeypatch, 71, "sandbox-exec: sandbox_apply: Operation not permitted\n")
    verdict = judge(repo)
    assert verdict.state == CANNOT_TELL
    assert verdict.why == (
        "true: sandbox-exec did not start it: sandbox_apply: Operation not permitted; "
        "macOS starts no sandbox inside another one, so run this outside of it"
    )


def test_a_command_that_fails_with_the_same_number_still_fails(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    Mac(monkeypatch, 71, "no such thing\n")
    assert judge(repo).state == FAILS
