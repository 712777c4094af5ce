"""Running ``mem`` inside the test's own process: quick, for tests that are about what a command decides."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from memwarden.cli.app import run as run_mem
from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import split
from tests.cli.purge_ground import OTHER, RULE
from tests.conftest import Mem, Ran, Repo, note_text


@pytest.fixture
def inside(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Mem:
    """``inside("add", "a claim", "--apply")``, in the repository, without a process of its own."""

    def run(
        *arguments: str,
        stdin: str | bytes = b"",
        env: dict[str, str] | None = None,
        cwd: str | os.PathLike[str] = "",
    ) -> Ran:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = io.BytesIO(), io.BytesIO()
        with monkeypatch.context() as patch:
            patch.chdir(cwd or repo.root)
            for key, value in (env or {}).items():
                patch.setenv(key, value)
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
            patch.setattr("sys.stdout", io.TextIOWrapper(out, encoding="utf-8", write_through=True))
            patch.setattr("sys.stderr", io.TextIOWrapper(err, encoding="utf-8", write_through=True))
            code = run_mem(list(arguments))
            # A stream that is collected closes the buffer below it: take them apart first.
            import sys

            for stream in (sys.stdout, sys.stderr):
                stream.flush()
                stream.detach()
        return Ran(code, out.getvalue().decode(), err.getvalue().decode())

    return run


Snapshot = Callable[[], dict[str, bytes]]


@pytest.fixture
def tree(repo: Repo) -> Snapshot:
    """Every file of the working tree with its bytes."""

    def snapshot() -> dict[str, bytes]:
        return {
            path.relative_to(repo.root).as_posix(): path.read_bytes()
            for path in sorted(repo.root.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(repo.root).parts
        }

    return snapshot


@pytest.fixture
def worked_on(memory_repo: Repo) -> Repo:
    """A memory, a document and a test, committed."""
    memory_repo.write("docs/adr.md", "# Decision\n")
    memory_repo.write("tests/test_retry.py", "def test_backoff(sleep):\n    pass\n")
    memory_repo.commit("files")
    return memory_repo


Added = Callable[..., dict[str, Any]]


@pytest.fixture
def added(worked_on: Repo, inside: Mem) -> Added:
    """Add and apply; the note's fields, with ``path``, ``body`` and its ``events``."""

    def add(*arguments: str, **how: Any) -> dict[str, Any]:
        ran = inside("add", "--apply", "--json", *arguments, **how)
        assert ran.code == 0, ran.err
        (note,) = ran.json["notes"]
        paths = [change["path"] for change in ran.json["plan"]["changes"]]
        (path,) = [one for one in paths if "/events/" not in one and "/subjects/" not in one]
        parts = split((worked_on.root / path).read_bytes())
        events = [json.loads(worked_on.read(one)) for one in paths if "/events/" in one]
        assert fields_of(parts).values["id"] == note
        return {**fields_of(parts).values, "path": path, "body": parts.text[parts.body :], "events": events}

    return add


@pytest.fixture
def purgeable(memory_repo: Repo) -> Repo:
    """Two rules in a repository, of which one is to go."""
    memory_repo.write(RULE, note_text("Frobnicate daily", id="n-aaaaaaaa", subject="path:src/a.py"))
    memory_repo.write(
        OTHER, note_text("Something else", "It stands alone.", id="n-bbbbbbbb", subject="path:b")
    )
    memory_repo.write("src/a.py", "a = 1\n")
    memory_repo.write("b", "b\n")
    memory_repo.commit("rules")
    return memory_repo
