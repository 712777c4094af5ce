"""git, spoken in this room only.

Plumbing commands through GitPython's command runner, with pinned options and a scrubbed environment:
no inherited ``GIT_DIR``, ``GIT_INDEX_FILE`` or ``GIT_WORK_TREE`` reaches a child, no pager, colour,
external diff, hook or optional lock.  (An index named by the environment is honoured where the staged
content is what is asked about, see ``staged_env``.)
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from git import Git
from git.exc import GitCommandError, GitCommandNotFound

from memwarden.edge.place import Place
from memwarden.errors import NoMemory

PINNED = (
    "-c", "core.quotePath=false",
    "-c", "color.ui=never",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "diff.external=",
    "-c", "log.showSignature=false",
)  # fmt: skip


class GitFailed(Exception):
    """git ran and refused; ``status`` is its exit code and the text its last line of complaint."""

    def __init__(self, status: int, complaint: str) -> None:
        super().__init__(complaint)
        self.status = status


def clean_env(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without anything that would point git elsewhere."""
    source = os.environ if env is None else env
    kept = {key: value for key, value in source.items() if not key.startswith("GIT_")}
    kept.update(GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_PAGER="cat", LC_ALL="C")
    for key in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"):
        if key in source:
            kept[key] = source[key]
    return kept


def run(place: Place, *arguments: str, stdin: bytes = b"", staged: bool = False) -> bytes:
    """The bytes that one git command prints.  Raises :class:`GitFailed`, or :class:`NoMemory` where
    git is missing or refuses the repository (``safe.directory``)."""
    raise NotImplementedError


def config_value(place: Place, key: str) -> str:
    """One value of git's configuration, or "" where it is not set."""
    return ""
