"""Codex CLI's hook dialect, as its source and documentation stood in autumn 2026.

There is no ask: ``permissionDecision: ask`` is parsed, marked as failed, and the tool runs anyway, so it is
never printed.  Warnings ride on PostToolUse, because builds before the one that learnt PreToolUse's
``additionalContext`` reject the whole answer.  Output objects are closed: no extra fields.  A Stop hook
must print JSON.
"""

from memwarden.hosts import (
    BEFORE,
    BYPASS,
    CLOSE,
    COMPACTION,
    END,
    NOTHING,
    PLAN,
    PROMPT,
    RAN,
    START,
    SUB_CLOSE,
    SUB_START,
    Answer,
    Request,
    patched_paths,
    text_of,
)

NAME = "codex"
TITLE = "Codex CLI"
ACTOR = "codex"
# Whether what belongs after a compaction has to wait for the next prompt.
BRIEF_WITH_PROMPT = False

EVENTS = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": BEFORE,
    "PostToolUse": RAN,
    "Stop": CLOSE,
    "SubagentStart": SUB_START,
    "SubagentStop": SUB_CLOSE,
    "PreCompact": COMPACTION,
    "PostCompact": COMPACTION,
    "SessionEnd": END,
    "PermissionRequest": NOTHING,
    "Interrupt": NOTHING,
}
MODES = {"plan": PLAN, "bypassPermissions": BYPASS, "dontAsk": BYPASS}

CANNOT = (
    "there is no ask: on_no_ask decides before a write",
    "warnings arrive after the tool has run",
    "each hook must be trusted once, in /hooks, and again when its command changes",
    "some shell calls (unified_exec) and web tools run without hooks",
)


def read(payload: dict[str, object]) -> Request | None:
    """The request in a payload, or None where the event is not one of this host's."""
    event = text_of(payload, "hook_event_name")
    kind = EVENTS.get(event)
    if kind is None:
        return None
    request = Request(
        kind,
        event,
        text_of(payload, "cwd"),
        text_of(payload, "session_id"),
        text_of(payload, "agent_id"),
    )
    request.mode = MODES.get(text_of(payload, "permission_mode"), "")
    request.source = text_of(payload, "source")
    if kind in (BEFORE, RAN):
        _read_tool(request, payload)
    return request


def _read_tool(request: Request, payload: dict[str, object]) -> None:
    """Shell and patch both carry ``tool_input.command``; some builds give a list of words."""
    request.tool = tool = text_of(payload, "tool_name")
    request.call = text_of(payload, "tool_use_id")
    given = payload.get("tool_input")
    text = _command(given) if isinstance(given, dict) else given if isinstance(given, str) else ""
    if tool == "apply_patch" or text.startswith("*** Begin Patch"):
        request.writes = patched_paths(text)
    elif tool in ("Edit", "Write"):
        path = text_of(given, "file_path") if isinstance(given, dict) else ""
        request.writes = patched_paths(text) or ((path,) if path else ())
    elif tool in ("Bash", "shell", "unified_exec", "exec_command", "local_shell"):
        request.command = text


def _command(given: dict[str, object]) -> str:
    value = given.get("command", given.get("cmd", given.get("input", given.get("patch"))))
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return ""
    words = [word for word in value if isinstance(word, str)]
    if len(words) == 3 and words[1] in ("-c", "-lc"):
        return words[2]
    if len(words) == 2 and words[0] == "apply_patch":
        return words[1]
    return " ".join(words)


def asks(request: Request) -> bool:
    """Never: an ask would let the call through."""
    return False


def refuses(request: Request) -> bool:
    """Whether this tool call can be refused."""
    return request.event == "PreToolUse"


def tells(request: Request) -> bool:
    """Whether the model would read what we say to this event."""
    return request.event in ("PostToolUse", "SessionStart", "UserPromptSubmit")


def render(request: Request, answer: Answer) -> dict[str, object]:
    """The answer as Codex reads it."""
    special: dict[str, object] = {"hookEventName": request.event}
    if refuses(request) and answer.refuse:
        special["permissionDecision"] = "deny"
        special["permissionDecisionReason"] = answer.refuse
    elif tells(request) and answer.context:
        special["additionalContext"] = answer.context
    return {"hookSpecificOutput": special} if len(special) > 1 else {}


def least(event: str) -> str:
    """A Stop hook that ends well must print JSON."""
    return "{}" if event in ("Stop", "SubagentStop") else ""
