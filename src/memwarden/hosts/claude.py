"""Claude Code's hook dialect, as its reference documented it on 2026-08-22.

Warnings ride on PreToolUse's ``additionalContext``, which the model reads beside the tool's result.  An
``ask`` shows its reason to the person only, so the model's copy goes into ``additionalContext``; a
``deny`` shows its reason to the model.  VS Code runs the same settings with tools of its own.
"""

from memwarden.hosts import (
    BEFORE,
    BYPASS,
    CLOSE,
    COMPACTION,
    END,
    FAILED,
    NOTHING,
    PLAN,
    PROMPT,
    RAN,
    START,
    SUB_CLOSE,
    SUB_START,
    Answer,
    Request,
    mapping_of,
    text_of,
)

NAME = "claude"
TITLE = "Claude Code"
ACTOR = "claude-code"
# Whether what belongs after a compaction has to wait for the next prompt.
BRIEF_WITH_PROMPT = False

EVENTS = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": BEFORE,
    "PostToolUse": RAN,
    "PostToolUseFailure": FAILED,
    "FileChanged": RAN,
    "Stop": CLOSE,
    "SubagentStart": SUB_START,
    "SubagentStop": SUB_CLOSE,
    "PreCompact": COMPACTION,
    "PostCompact": COMPACTION,
    "SessionEnd": END,
    "PostToolBatch": NOTHING,
    "Notification": NOTHING,
    "PermissionRequest": NOTHING,
    "PermissionDenied": NOTHING,
    "StopFailure": NOTHING,
    "Setup": NOTHING,
    "CwdChanged": NOTHING,
    "InstructionsLoaded": NOTHING,
    "ConfigChange": NOTHING,
    "TaskCreated": NOTHING,
    "TaskCompleted": NOTHING,
    "TeammateIdle": NOTHING,
    "WorktreeCreate": NOTHING,
    "WorktreeRemove": NOTHING,
}
MODES = {"plan": PLAN, "bypassPermissions": BYPASS, "dontAsk": BYPASS}
# The tools that name a file: which key of tool_input holds it, and whether it is written.
READERS = {"Read": "file_path", "NotebookRead": "notebook_path", "Grep": "path"}
WRITERS = {
    "Edit": "file_path",
    "Write": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
}
SHELLS = ("Bash", "PowerShell")

CANNOT = (
    "under bypassPermissions and dontAsk nobody can answer an ask: on_no_ask decides",
    "with -p an ask ends as the host's own denial, and the payload does not say so",
    "files that the person mentions with @ or runs with ! are not seen until the next tool call",
    "project hooks load from the folder that the session was started in, not from its parents",
)


def read(payload: dict[str, object]) -> Request | None:
    """The request in a payload, or None where the event is not one of this host's."""
    event = text_of(payload, "hook_event_name") or text_of(payload, "hookEventName")
    kind = EVENTS.get(event)
    if kind is None:
        return None
    session = text_of(payload, "session_id") or text_of(payload, "sessionId")
    request = Request(kind, event, text_of(payload, "cwd"), session, text_of(payload, "agent_id"))
    request.mode = MODES.get(text_of(payload, "permission_mode"), "")
    request.source = text_of(payload, "source")
    if event == "FileChanged":
        request.writes = _paths(payload, "file_path")
    elif kind in (BEFORE, RAN, FAILED):
        _read_tool(request, payload)
    return request


def _read_tool(request: Request, payload: dict[str, object]) -> None:
    request.tool = tool = text_of(payload, "tool_name")
    request.call = text_of(payload, "tool_use_id")
    given = mapping_of(payload, "tool_input")
    if tool in READERS:
        request.reads = _paths(given, READERS[tool])
    elif tool in WRITERS:
        request.writes = _paths(given, WRITERS[tool])
    elif tool in SHELLS:
        request.command = text_of(given, "command")
        if request.kind == FAILED:  # a command that ended badly has still run
            request.kind = RAN
    elif tool:
        from memwarden.hosts.copilot import read_tool  # only where another host runs this one's settings

        read_tool(request, payload)


def _paths(given: dict[str, object], key: str) -> tuple[str, ...]:
    path = text_of(given, key)
    return (path,) if path else ()


def asks(request: Request) -> bool:
    """Whether a person can be asked before this tool runs."""
    return request.event == "PreToolUse" and request.mode != BYPASS


def refuses(request: Request) -> bool:
    """Whether this tool call can be refused."""
    return request.event == "PreToolUse"


def tells(request: Request) -> bool:
    """Whether the model would read what we say to this event."""
    return request.event in ("PreToolUse", "SessionStart", "UserPromptSubmit")


def render(request: Request, answer: Answer) -> dict[str, object]:
    """The answer as Claude Code reads it."""
    special: dict[str, object] = {"hookEventName": request.event}
    if refuses(request) and answer.refuse:
        special["permissionDecision"] = "deny"
        special["permissionDecisionReason"] = answer.refuse
    elif asks(request) and answer.ask:
        special["permissionDecision"] = "ask"
        special["permissionDecisionReason"] = answer.ask
    if tells(request) and answer.context:
        special["additionalContext"] = answer.context
    return {"hookSpecificOutput": special} if len(special) > 1 else {}


def least(event: str) -> str:
    """Nothing at all is a fine answer here."""
    return ""
