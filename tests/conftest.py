"""Sealed ground for every test: no setting, variable or file of the machine leaks in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SEALED = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_NOSYSTEM": "1",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
}
KEPT = ("PATH", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV", "COVERAGE_PROCESS_START")
# Most processes are started elsewhere, where PYTHONPATH=src would name nothing.
SOURCES = os.pathsep.join(
    map(os.path.abspath, filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))
)


@pytest.fixture(autouse=True)
def sealed_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """HOME, XDG, GIT_*, agent and CI variables are the test's own; the user is Ada."""
    home = tmp_path_factory.mktemp("home")
    for key in list(os.environ):
        if key not in KEPT and not key.startswith("PYTEST"):
            monkeypatch.delenv(key)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ada\n\temail = ada@example.org\n"
        "[init]\n\tdefaultBranch = main\n[commit]\n\tgpgsign = false\n"
    )
    for key, value in SEALED.items():
        monkeypatch.setenv(key, value)
    if SOURCES:
        monkeypatch.setenv("PYTHONPATH", SOURCES)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", "ada")
    for kind in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
    return home


class Repo(NamedTuple):
    """A real git repository in a folder of its own."""

    root: Path

    def write(self, path: str, content: str | bytes) -> Path:
        """Write one file, making its folders; text is written as UTF-8 with its newlines as they are."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, check=False)
        if check and done.returncode:
            raise AssertionError(f"git {arguments}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode(errors="surrogateescape")

    def commit(self, message: str = "change") -> str:
        """Commit everything and give the commit's object ID."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty git repository."""
    root = tmp_path / "repo"
    root.mkdir()
    found = Repo(root)
    found.git("init", "-q", "-b", "main")
    return found


class Ran(NamedTuple):
    """How one run of ``mem`` ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Mem = Callable[..., Ran]


@pytest.fixture
def mem(repo: Repo) -> Mem:
    """Runs ``mem`` as a real process in the repository: ``mem("route", "--task", "plan")``."""

    def run(
        *arguments: str, stdin: str | bytes = b"", env: dict[str, str] | None = None, cwd: Path | None = None
    ) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "memwarden", *arguments],
            cwd=cwd or repo.root,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env={**os.environ, **(env or {})},
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


MANIFEST = """---
protocol: 1
project: p-7q2m4x9k
---
# Memory manifest

## Always load
- brief.md

## Tasks

### plan
Also: planning, architecture
- decisions/
- constraints/
- do-not-use/

### implement
Also: debug
- decisions/
- constraints/
- do-not-use/
- debts/
- preferences/ (if present)

## Areas
- areas/sync/: `src/sync/**`, `tests/sync/**`

## Profiles
- profiles/release/: cutting and publishing a release

## Explicit only
- inbox/
- archive/

## Budgets
- total: 4000
"""


def is_a_child(pid: int) -> bool:
    """Whether a process that we started still runs, or was never waited for."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def note_text(title: str, body: str = "Because it is so.", **fields: str) -> str:
    """A note's text; fields are raw YAML (``anchors="[a.py]"``); sensible defaults make it active."""
    given: dict[str, str] = {
        "id": "n-4f7k2m9q",
        "subject": "project",
        "facet": "workflow",
        "evidence": "[{user: 'Ada, 2026-11-30'}]",
        "created": "2026-11-30",
    }
    given.update(fields)
    lines = [f"{key}: {value}" for key, value in given.items() if value]
    return "---\n" + "\n".join(lines) + f"\n---\n# {title}\n\n{body}\n"


@pytest.fixture
def memory_repo(repo: Repo) -> Repo:
    """A repository with a manifest and a brief, committed."""
    repo.write("memory/manifest.md", MANIFEST)
    repo.write(
        "memory/brief.md",
        note_text("The project", "A small program.", id="n-br1ef000", facet="overview"),
    )
    repo.commit("start")
    return repo
