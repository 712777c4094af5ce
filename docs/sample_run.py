"""A small memory with something of everything in it, played through the program itself.

The reference takes the shape of every command's JSON from here, and the pictures what they show: neither
is written by hand, so neither can promise what the program does not do.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memwarden.cli.app import run

RETRY = "import time\n\n\ndef test_backoff():\n    time.sleep(0.1)\n"
FIXED = "def test_backoff(frozen_clock):\n    frozen_clock.advance(0.1)\n"
FILES = {
    "config/app.yaml": "port: 8080\n",
    "tests/test_retry.py": RETRY,
    "src/client.py": "import legacy_http  # TODO: move to httpx\n",
    "requirements.txt": "requests==2.31.0\n",
    "docs/adr.md": "# Storage\n",
    "old/triggers.md": "| ID | When | Remember |\n|---|---|---|\n| T1 | `src/client.py` | Slow. |\n",
}


@contextmanager
def sample_repository() -> Iterator[Path]:
    """A throw-away repository that the process stands in, sealed from the settings of this machine."""
    here, before = os.getcwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        root = Path(folder, "shop")
        home.mkdir()
        root.mkdir()
        tools = Path(folder, "bin")
        try:
            os.environ.clear()
            os.environ.update(HOME=str(home), TZ="UTC", LANG="C.UTF-8")
            # A program called mem is always there for the doctor to find.
            os.environ["PATH"] = f"{tools}{os.pathsep}{before['PATH']}"
            write(str(tools / "mem"), f"#!{sys.executable}\nfrom memwarden.__main__ import main\nmain()\n")
            Path(tools, "mem").chmod(0o755)
            os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
            os.chdir(root)
            git("config", "--global", "user.name", "Ada")
            git("config", "--global", "user.email", "ada@example.org")
            git("init", "-q", "-b", "main")
            for path, text in FILES.items():
                write(path, text)
            yield root
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(before)


def git(*words: str) -> None:
    """Run git, quietly."""
    subprocess.run(["git", *words], check=True, capture_output=True)


def commit(message: str) -> None:
    """Commit everything."""
    git("add", "-A")
    git("commit", "-q", "-m", message)


def write(path: str, text: str) -> None:
    """Write a file, making its folders."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def said(*words: str, given: str = "") -> str:
    """What ``mem WORDS`` prints on standard output; a failure of the sample is an error."""
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    sys.stdout, sys.stderr = (io.TextIOWrapper(one, encoding="utf-8") for one in (out, err))
    try:
        code = run(list(words))
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            stream.detach()  # a stream that is collected closes the buffer below it
        sys.stdin, sys.stdout, sys.stderr = streams
    text, complaint = out.getvalue().decode(), err.getvalue().decode()
    if code not in (0, 1):
        raise SystemExit(f"mem {' '.join(words)}: exit {code}: {complaint}")
    return text


class Answers:
    """The JSON that each command gave."""

    def __init__(self) -> None:
        self.by_command: dict[str, list[Any]] = {}

    def ask(self, *words: str, given: str = "") -> Any:
        """Run a command with ``--json`` and keep its answer."""
        answer = json.loads(said(*words, "--json", given=given))
        if "error" in answer:
            raise SystemExit(f"mem {' '.join(words)}: {answer['error']['message']}")
        command = " ".join(words[:2] if words[0] == "subject" else words[:1])
        self.by_command.setdefault(command, []).append(answer)
        return answer

    def note(self, *words: str, given: str = "") -> str:
        """The ID of the note that a command was about."""
        return str(self.ask(*words, given=given)["notes"][0])


def play() -> dict[str, list[Any]]:
    """Every command's answers, by command."""
    with sample_repository():
        answers = Answers()
        commit("Start")
        answers.ask("init", "--agent", "claude")
        commit("Keep a memory")
        _notes(answers)
        _questions(answers)
        _ladder(answers)
        _changes(answers)
        _forgetting(answers)
        return answers.by_command


def _notes(answers: Answers) -> None:
    ask = answers.ask
    ask("subject", "add", "pypi:requests", "--apply")
    answers.note("add", "Generated: edit the template", "--anchor", "config/app.yaml", "--apply")
    answers.note("add", "Flaky", "--anchor", "tests/test_retry.py", "--until",
                 "contains:tests/test_retry.py:frozen_clock", "--apply")  # fmt: skip
    answers.note("add", "The client needs httpx", "--anchor", "src/client.py", "--until",
                 "lacks:src/client.py:legacy_http", "--evidence", "doc:docs/adr.md", "--apply")  # fmt: skip
    answers.note("add", "Lint is slow", "--debt", "--on-command", "^make lint", "--until",
                 "command:test -e fast", "--apply")  # fmt: skip
    answers.note("add", "Perhaps cache", "--candidate", "--evidence", "agent:claude")
    answers.note("add", "Perhaps shard", "--candidate")
    ask("add", "requests stays below 3", "--subject", "pypi:requests", "--facet", "version-policy")
    commit("Write down what is known")


def _questions(answers: Answers) -> None:
    ask = answers.ask
    ask("export")
    ask("list")
    ask("search", "httpx")
    ask("show", "httpx")
    ask("show", "perhaps-cache")
    ask("status")
    ask("why", "httpx")
    ask("why", "perhaps-cache", "--task", "plan")
    ask("route", "--task", "plan", "--path", "src/client.py")
    ask("explain", "M401")
    ask("inbox")
    ask("subject", "list")
    ask("subject", "show", "pypi:requests")
    ask("doctor")
    ask("recover")
    ask("trust", "--list")
    ask("hook", "install", "claude")


def _ladder(answers: Answers) -> None:
    ask = answers.ask
    ask("touch", "tests/test_retry.py", "--write", "--session", "one")
    write("tests/test_retry.py", RETRY + "# one\n")
    ask("touch", "tests/test_retry.py", "--write", "--session", "one", "--ran")
    ask("close", "--session", "one", "--wrote", "tests/test_retry.py")
    ask("debts")
    ask("stats")
    commit("Edit a test")
    write("tests/test_retry.py", FIXED)
    ask("check")
    ask("touch", "tests/test_retry.py")
    commit("Freeze the clock")
    ask("blame", "flaky")
    ask("debts", "--all")
    ask("log")
    ask("show", "flaky")
    ask("diff", "HEAD~1..HEAD")
    write("tests/test_retry.py", RETRY)
    commit("Lose the fix")
    ask("settle")
    ask("check")


def _changes(answers: Answers) -> None:
    ask = answers.ask
    ask("admit", "perhaps-cache", "--evidence", "user:Ada", "--apply")
    ask("reject", "perhaps-shard", "--reason", "one machine is enough", "--apply")
    ask("pay", "flaky", "--reason", "the test is gone", "--apply")
    ask("reinstate", "flaky", "--reason", "it is not", "--apply")
    path = ask("show", "httpx")["path"]
    ask("edit", "httpx", "--apply", given=Path(path).read_text(encoding="utf-8") + "\nFor HTTP/2.\n")
    newer = answers.note("add", "requests stays below 4", "--subject", "pypi:requests", "--facet",
                         "version-policy", "--apply")  # fmt: skip
    latest = answers.note("add", "requests stays below 5", "--subject", "pypi:requests", "--facet",
                          "version-policy", "--supersedes", newer, "--apply")  # fmt: skip
    ask("supersede", newer, latest)
    ask("revoke", latest, "--reason", "wrong", "--apply")
    ask("move", "perhaps-cache", "archive/", "--apply")
    ask("subject", "alias", "requests", "Requests HTTP", "--apply")
    ask("subject", "rename", "requests", "Requests", "--apply")
    ask("subject", "add", "urllib", "--kind", "concept", "--apply")
    ask("subject", "merge", "urllib", "requests", "--apply")
    plan = ask("add", "Ports stay below 9000", "--subject", "project#ports")["plan"]["id"]
    ask("apply", plan)
    ask("import", "table", "old/triggers.md")
    ask("import", "todo", "src/")
    commit("Change everything")


def _forgetting(answers: Answers) -> None:
    ask = answers.ask
    ask("forget", "the-client-needs", "--apply")
    commit("Forget")
    git("tag", "v1")
    git("init", "-q", "--bare", "../origin.git")
    git("remote", "add", "origin", "../origin.git")
    git("push", "-q", "origin", "main")
    git("worktree", "add", "-q", "../other")
    write("docs/adr.md", "# Storage in httpx\n")
    git("stash")
    plan = ask("purge", "--match", "httpx")["plan"]["id"]
    ask("apply", plan)
