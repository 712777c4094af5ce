"""The ground that rule tests stand on: a memory on disk, and what the rules say about it."""

from __future__ import annotations

from memwarden.core.memory import Memory
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.memory_reader import load
from memwarden.errors import Finding
from memwarden.rules import Context, check
from tests.conftest import Repo

TODAY = "2026-11-30"
# Said about every hand-made note; most tests are about something else.
QUIET = ("M204",)


def read(repo: Repo) -> Memory:
    return load(WorkingTree(str(repo.root)))


def findings(repo: Repo, context: Context | None = None) -> list[Finding]:
    return check(read(repo), context or Context(TODAY))


def told(
    repo: Repo, context: Context | None = None, *, quiet: tuple[str, ...] = QUIET
) -> list[tuple[str, str]]:
    """(code, path) of every finding but the ones every test has."""
    return [(f.code, f.path) for f in findings(repo, context) if f.code not in quiet]


def only(repo: Repo, code: str, context: Context | None = None) -> Finding:
    """The one finding with this code."""
    (found,) = [f for f in findings(repo, context) if f.code == code]
    return found
