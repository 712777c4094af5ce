"""A command that ends at once has said all, with its exit code, and left its index behind; what cannot take
all at once is waited for, and what can take no more is told in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Repo, note_text

CANNOT_SAY = (2, b"mem: cannot write standard output: Bad file descriptor\n")
RUN = "import sys; from memwarden.__main__ import run; sys.exit(run())"


def test_a_check_that_ends_at_once_has_said_all(memory_repo: Repo) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("a", facet="mood"))
    index = memory_repo.root / ".git/mem/index"
    told = []
    for words in (["-c", RUN], ["-m", "memwarden"]):
        index.unlink(missing_ok=True)
        asked = [sys.executable, *words, "check"]
        done = subprocess.run(asked, cwd=memory_repo.root, capture_output=True)
        told.append((done.returncode, done.stdout, done.stderr, index.exists()))
    assert told[0] == told[1]
    assert (told[0][0], told[0][3]) == (1, True)
    assert b"M103" in told[0][1]


QUESTIONS = (["list", "--json"], ["route", "--task", "plan"], ["check", "--json"], ["export"])


@pytest.fixture
def much(memory_repo: Repo) -> Repo:
    """A memory whose every answer is longer than a page, which is the least that a pipe holds."""
    for number in range(40):
        text = note_text(f"Note {number}", "long " * 40, id=f"n-{number:08}", anchors="[src/much.py]")
        memory_repo.write(f"memory/decisions/{number}.md", text)
    return memory_repo


def through_a_full_pipe(words: list[str], root: Path, unbuffered: str = "", given: bytes = b"") -> bytes:
    """What comes through a pipe that is non-blocking, and full when the program starts."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    filled = 0
    try:
        while True:
            filled += os.write(into, b" " * 512)
    except BlockingIOError:
        pass
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-c", RUN, *words]
    with subprocess.Popen(command, cwd=root, env=env, stdin=subprocess.PIPE, stdout=into) as process:
        os.close(into)
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.close()
        with os.fdopen(out, "rb") as said:
            told = said.read()[filled:]
    assert process.returncode in (0, 1)
    return told


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_slow_reader_of_a_pipe_that_does_not_wait_gets_all(
    words: list[str], unbuffered: str, much: Repo
) -> None:
    told = {through_a_full_pipe(words, much.root, unbuffered) for _ in ("worked out", "remembered")}
    told.add(subprocess.run([sys.executable, "-c", RUN, *words], cwd=much.root, capture_output=True).stdout)
    assert len(told) == 1
    assert len(told.pop()) > 4096


def test_hooks_answer_is_whole_for_a_slow_reader(much: Repo) -> None:
    call = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Write"}
    given = json.dumps({**call, "tool_input": {"file_path": "src/much.py"}}).encode()
    told = through_a_full_pipe(["hook", "claude"], much.root, given=given)
    assert "Note 1\n" in json.loads(told)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [*QUESTIONS, ["--version"]], ids=" ".join)
def test_what_cannot_be_said_is_told_in_one_line(
    words: list[str], unbuffered: str, memory_repo: Repo
) -> None:
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-c", RUN, *words]
    for mode in ("rb", "wb", "rb"):  # worked out in vain, worked out, remembered
        with open(os.devnull, mode) as out:
            done = subprocess.run(command, cwd=memory_repo.root, env=env, stdout=out, stderr=subprocess.PIPE)
        if mode == "rb":
            assert (done.returncode, done.stderr) == (
                2,
                b"mem: cannot write standard output: Bad file descriptor\n",
            )


@pytest.mark.parametrize("words", [*QUESTIONS, ["--version"], ["--help"], ["search", "a"]], ids=" ".join)
def test_a_reader_that_went_away_wants_no_more(words: list[str], memory_repo: Repo) -> None:
    for _ in range(2):  # worked out, and where it is remembered
        out, into = os.pipe()
        os.close(out)
        command = [sys.executable, "-c", RUN, *words]
        done = subprocess.run(command, cwd=memory_repo.root, stdout=into, stderr=subprocess.PIPE)
        os.close(into)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "words", [["--help"], ["list", "--help"], ["subject", "-h"], ["--version"]], ids=" ".join
)
def test_help_that_cannot_be_said_is_told_in_one_line(words: list[str], memory_repo: Repo) -> None:
    with open(os.devnull, "rb") as out:
        command = [sys.executable, "-c", RUN, *words]
        done = subprocess.run(command, cwd=memory_repo.root, stdout=out, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == CANNOT_SAY


WRONG = [
    (2, ["nosuch"]),
    (2, ["list", "--bogus"]),
    (2, ["show", "nope", "--json"]),
    (2, ["hook", "install", "nope"]),
    (1, ["check"]),
    (1, ["check"]),  # remembered
    (5, ["log", "--root", os.sep]),
    (5, ["status", "--json", "--root", os.sep]),
]


@pytest.mark.parametrize("redirected", ["2>/dev/full", "2>&-", ">&-", ">&- 2>&-", ">&- 2>/dev/full"])
def test_an_error_that_nobody_can_be_told_keeps_its_exit_code(redirected: str, memory_repo: Repo) -> None:
    if "full" in redirected and not os.path.exists("/dev/full"):
        redirected = redirected.replace("/dev/full", "&-")
    memory_repo.write("memory/decisions/a.md", note_text("a", facet="mood"))
    for code, words in WRONG:
        command = ["sh", "-c", f'"$@" {redirected}', "sh", sys.executable, "-c", RUN, *words]
        done = subprocess.run(command, cwd=memory_repo.root, capture_output=True)
        assert (words, done.returncode) == (words, code)


@pytest.mark.parametrize(("code", "words"), [*WRONG[:4], *WRONG[6:]])
def test_an_error_whose_readers_went_away_keeps_its_exit_code(
    code: int, words: list[str], memory_repo: Repo
) -> None:
    out, into = os.pipe()
    os.close(out)
    command = [sys.executable, "-c", RUN, *words]
    done = subprocess.run(command, cwd=memory_repo.root, stdout=into, stderr=into)
    os.close(into)
    assert done.returncode == code


def test_a_current_folder_that_is_gone_is_told_with_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'cd "$1" && rmdir "$1" && shift && exec "$@"', "sh", tmp_path,
         sys.executable, "-c", RUN, "list"],
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        2, "mem: the current folder is gone\n  next: go to a folder that is there\n"
    )  # fmt: skip
