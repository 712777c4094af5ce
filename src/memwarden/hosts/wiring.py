"""What each agent host's settings must say so that it calls ``mem hook``, as plain records.

Times are in each host's own unit.  The command does nothing where ``mem`` is not installed: a colleague
without it, and a host that takes a failed hook for a refusal, must not notice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from memwarden.core.record import NamedTuple

SECONDS = 10


class Wiring(NamedTuple):
    """One host: its settings file in a project and below the home folder, what a new file starts with,
    whether an event holds matcher groups (else handlers at once), the (event, matcher) pairs, and the
    handler of one event for a given ``Caller``."""

    host: str
    project_file: str
    user_file: str
    start: dict[str, Any]
    grouped: bool
    events: tuple[tuple[str, str], ...]
    handler: Callable[[Caller, str], dict[str, Any]]
    home_variable: str = ""
    advice: str = ""


class Caller(NamedTuple):
    """How a hook's line names the program: by a word on PATH or, where the settings are one person's on
    one machine, by its own place."""

    program: str

    def line(self, *words: str) -> str:
        """A POSIX shell line that runs ``mem`` with ``words``, or nothing where it is missing."""
        quoted = "'" + self.program.replace("'", "'\\''") + "'" if "/" in self.program else self.program
        return f"command -v {quoted} >/dev/null 2>&1 || exit 0; exec {quoted} {' '.join(words)}"

    def windows(self, *words: str) -> str:
        """The same for PowerShell."""
        quoted = "'" + self.program.replace("'", "''") + "'"
        run = f"& {quoted} {' '.join(words)}"
        return f"if (Get-Command {quoted} -ErrorAction SilentlyContinue) {{ {run} }}; exit 0"


def _claude(caller: Caller, event: str) -> dict[str, Any]:
    return {"type": "command", "command": caller.line("hook", "claude"), "timeout": SECONDS}


def _codex(caller: Caller, event: str) -> dict[str, Any]:
    return {
        "type": "command",
        "command": caller.line("hook", "codex"),
        "commandWindows": caller.windows("hook", "codex"),
        "timeout": SECONDS,
    }


def _gemini(caller: Caller, event: str) -> dict[str, Any]:
    return {
        "type": "command",
        "name": "memwarden",
        "command": caller.line("hook", "gemini"),
        "timeout": SECONDS * 1000,
    }


def _cursor(caller: Caller, event: str) -> dict[str, Any]:
    return {"command": caller.line("hook", "cursor"), "timeout": SECONDS}


def _copilot(caller: Caller, event: str) -> dict[str, Any]:
    words = ("hook", "copilot", "--event", event)
    return {
        "type": "command",
        "bash": caller.line(*words),
        "powershell": caller.windows(*words),
        "timeoutSec": SECONDS,
    }


WIRINGS = {
    "claude": Wiring(
        "claude",
        ".claude/settings.json",
        ".claude/settings.json",
        {},
        True,
        (
            ("SessionStart", ""),
            ("UserPromptSubmit", ""),
            ("PreToolUse", "Read|Grep|Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell"),
            ("PostToolUse", "Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell"),
            ("PostToolUseFailure", "Bash|PowerShell"),
            ("PreCompact", ""),
            ("SubagentStop", ""),
            ("Stop", ""),
            ("SessionEnd", ""),
        ),
        _claude,
        "CLAUDE_CONFIG_DIR",
        "Claude Code runs a project's hooks once the workspace is trusted; start a new session to load them",
    ),
    "codex": Wiring(
        "codex",
        ".codex/hooks.json",
        ".codex/hooks.json",
        {},
        True,
        (
            ("SessionStart", ""),
            ("UserPromptSubmit", ""),
            ("PreToolUse", "Bash|apply_patch|Edit|Write"),
            ("PostToolUse", "Bash|apply_patch|Edit|Write"),
            ("PreCompact", ""),
            ("SubagentStop", ""),
            ("Stop", ""),
        ),
        _codex,
        "CODEX_HOME",
        "Codex skips a new or changed hook until you trust it: run /hooks in a session",
    ),
    "gemini": Wiring(
        "gemini",
        ".gemini/settings.json",
        ".gemini/settings.json",
        {},
        True,
        (
            ("SessionStart", ""),
            ("BeforeAgent", ""),
            ("BeforeTool", "replace|write_file|run_shell_command"),
            ("AfterTool", "replace|write_file|read_file|read_many_files|run_shell_command"),
            ("PreCompress", ""),
            ("AfterAgent", ""),
            ("SessionEnd", ""),
        ),
        _gemini,
        "",
        "Gemini CLI warns once about a project's new hooks; start a new session to load them",
    ),
    "cursor": Wiring(
        "cursor",
        ".cursor/hooks.json",
        ".cursor/hooks.json",
        {"version": 1},
        False,
        (
            ("sessionStart", ""),
            ("beforeSubmitPrompt", ""),
            ("preToolUse", "Shell|Write|Delete"),
            ("postToolUse", "Shell|Read|Grep|Write|Delete"),
            ("preCompact", ""),
            ("subagentStop", ""),
            ("stop", ""),
            ("sessionEnd", ""),
        ),
        _cursor,
        "",
        "Cursor reloads hooks.json when it is saved; a workspace must be trusted for project hooks to run",
    ),
    "copilot": Wiring(
        "copilot",
        ".github/hooks/memwarden.json",
        ".copilot/hooks/memwarden.json",
        {"version": 1},
        False,
        (
            ("sessionStart", ""),
            ("userPromptSubmitted", ""),
            ("preToolUse", ""),
            ("postToolUse", ""),
            ("postToolUseFailure", ""),
            ("preCompact", ""),
            ("subagentStop", ""),
            ("agentStop", ""),
            ("sessionEnd", ""),
        ),
        _copilot,
        "COPILOT_HOME",
        "Copilot CLI loads repository hooks once the folder is trusted; start a new session to load them",
    ),
}


def is_ours(handler: object, host: str) -> bool:
    """Whether a handler, of this release or an earlier one, calls ``mem hook HOST``."""
    if not isinstance(handler, dict):
        return False
    lines = [handler.get(key) for key in ("command", "commandWindows", "bash", "powershell")]
    return any(isinstance(line, str) and _calls(line, host) for line in lines)


def _calls(line: str, host: str) -> bool:
    return re.search(rf"(?:^|[\s/\\'\"])mem(?:warden)?(?:\.exe)?['\"]?\s+hook\s+{host}\b", line) is not None
