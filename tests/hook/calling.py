"""Calling ``mem hook`` as a host does: a process, a payload on its standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from memwarden.edge.turn.hooklog import lines as log_lines
from tests.conftest import Repo

AGENTS = ("claude", "codex", "gemini", "cursor", "copilot")


class Said:
    """What one call of ``mem hook`` printed."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def json(self) -> Any:
        return json.loads(self.out) if self.out else {}

    @property
    def special(self) -> Any:
        return self.json.get("hookSpecificOutput", {})


def call(
    payload: object,
    *words: str,
    cwd: Path | str = "/",
    env: dict[str, str] | None = None,
) -> Said:
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    done = subprocess.run(
        [sys.executable, "-m", "memwarden", "hook", *(words or ("claude",))],
        input=data,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        check=False,
    )
    return Said(done)


def payload(
    repo: Repo, event: str = "PreToolUse", tool: str = "Read", path: str = "a.py", **more: Any
) -> Any:
    """What Claude Code sends."""
    return {
        "session_id": "s1",
        "cwd": str(repo.root),
        "hook_event_name": event,
        "tool_name": tool,
        "tool_use_id": more.pop("call", "t1"),
        "tool_input": {"file_path": str(repo.root / path)},
        **more,
    }


def silent(said: Said) -> bool:
    return (said.code, said.out, said.err) == (0, b"", b"")


def log_of(repo: Repo) -> list[str]:
    return log_lines(str(repo.root / ".git" / "mem"))
