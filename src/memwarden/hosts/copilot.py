"""Copilot CLI's hook dialect, and the older one of VS Code's local agents, as documented in autumn 2026.

A camelCase event name brings a camelCase payload without the event's name in it, which the hook's own line
then gives (``mem hook copilot --event preToolUse``); a PascalCase name brings the snake_case payload with
``hook_event_name``.  Copilot reads its decision at the top level; VS Code's local harness reads Claude's
shape.  A hook that crashes denies the tool call, so failing silently matters most here.
"""

from memwarden.hosts import (
    BEFORE,
    CLOSE,
    COMPACTION,
    END,
    FAILED,
    NOTHING,
    PROMPT,
    RAN,
    START,
    SUB_CLOSE,
    SUB_START,
    Answer,
    Request,
    patched_paths,
    scan,
    text_of,
)

NAME = "copilot"
TITLE = "Copilot CLI"
ACTOR = "copilot-cli"
# Whether what belongs after a compaction has to wait for the next prompt.
BRIEF_WITH_PROMPT = True

EVENTS = {
    "sessionStart": START,
    "userPromptSubmitted": PROMPT,
    "preToolUse": BEFORE,
    "postToolUse": RAN,
    "postToolUseFailure": FAILED,
    "agentStop": CLOSE,
    "subagentStart": SUB_START,
    "subagentStop": SUB_CLOSE,
    "preCompact": COMPACTION,
    "sessionEnd": END,
    "permissionRequest": NOTHING,
    "notification": NOTHING,
    "errorOccurred": NOTHING,
}
# The PascalCase names that also come from Claude-format files and from VS Code.
PASCAL = {
    "SessionStart": "sessionStart",
    "UserPromptSubmit": "userPromptSubmitted",
    "UserPromptSubmitted": "userPromptSubmitted",
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "PostToolUseFailure": "postToolUseFailure",
    "Stop": "agentStop",
    "AgentStop": "agentStop",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
    "PreCompact": "preCompact",
    "SessionEnd": "sessionEnd",
    "PermissionRequest": "permissionRequest",
    "Notification": "notification",
    "ErrorOccurred": "errorOccurred",
}
READ_TOOLS = ("view", "grep", "Read", "Grep", "read_file", "readFile")
WRITE_TOOLS = (
    "edit",
    "create",
    "str_replace",
    "insert",
    "Edit",
    "Write",
    "MultiEdit",
    "editFiles",
    "createFile",
    "create_file",
    "insert_edit_into_file",
    "replace_string_in_file",
    "multi_replace_string_in_file",
)
SHELLS = (
    "bash",
    "powershell",
    "Bash",
    "PowerShell",
    "runInTerminal",
    "run_in_terminal",
    "runTerminalCommand",
)

COPILOT, VS_CODE, EITHER = "", "vscode", "either"

CANNOT = (
    "nothing is sent after a compaction: the pack comes again with the next prompt",
    "with -p, hooks of the repository run only where the folder is trusted",
    "releases before 1.0.24 drop what is said before a tool runs",
)


def read(payload: dict[str, object], event: str = "") -> Request | None:
    """The request in a payload, or None where the event is not one of this host's."""
    named = text_of(payload, "hook_event_name") or text_of(payload, "hookEventName") or event
    name = PASCAL.get(named, named)
    kind = EVENTS.get(name)
    if kind is None:
        return None
    session = text_of(payload, "session_id") or text_of(payload, "sessionId")
    agent = text_of(payload, "agent_id") or text_of(payload, "agentId")
    request = Request(kind, named, text_of(payload, "cwd"), session, agent)
    request.source = text_of(payload, "source")
    request.text = _shape(payload)
    if kind in (BEFORE, RAN, FAILED):
        read_tool(request, payload)
    return request


def read_tool(request: Request, payload: dict[str, object]) -> None:
    """What a tool of Copilot or VS Code touches."""
    request.tool = tool = text_of(payload, "tool_name") or text_of(payload, "toolName")
    call = text_of(payload, "tool_use_id") or text_of(payload, "toolUseId")
    request.call = call or text_of(payload, "toolCallId")
    given = payload.get("tool_input", payload.get("toolArgs"))
    if isinstance(given, str) and given.startswith("{"):  # Copilot sends the arguments as JSON text
        given = _object(given)
    if tool == "apply_patch":
        text = given if isinstance(given, str) else _text(given, ("patch", "input", "command"))
        request.writes = patched_paths(text)
    elif tool in READ_TOOLS:
        request.reads = _paths(given)
    elif tool in WRITE_TOOLS:
        request.writes = _paths(given)
    elif tool in SHELLS:
        request.command = _text(given, ("command",))
        request.kind = RAN if request.kind == FAILED else request.kind


def _shape(payload: dict[str, object]) -> str:
    """Whose answer is read: Copilot's own, VS Code's, or, where the names fit both, each finds its own."""
    if "hookEventName" in payload:
        return VS_CODE
    return EITHER if "hook_event_name" in payload else COPILOT


def _object(text: str) -> object:
    try:
        return scan(text)
    except (ValueError, RecursionError):
        return text


def _text(given: object, keys: tuple[str, ...]) -> str:
    if isinstance(given, dict):
        for key in keys:
            value = text_of(given, key)
            if value:
                return value
    return ""


def _paths(given: object) -> tuple[str, ...]:
    if not isinstance(given, dict):
        return ()
    one = _text(given, ("file_path", "filePath", "path"))
    if one:
        return (one,)
    found = []
    for key in ("files", "replacements", "edits"):
        several = given.get(key)
        for item in several if isinstance(several, list) else ():
            found.append(item if isinstance(item, str) else _text(item, ("filePath", "file_path", "path")))
    return tuple(dict.fromkeys(path for path in found if path))


def asks(request: Request) -> bool:
    """Whether a person can be asked before this tool runs."""
    return refuses(request)


def refuses(request: Request) -> bool:
    """Whether this tool call can be refused."""
    return request.kind == BEFORE


def tells(request: Request) -> bool:
    """Whether the model would read what we say to this event."""
    return request.kind in (BEFORE, START, PROMPT)


def render(request: Request, answer: Answer) -> dict[str, object]:
    """The answer as Copilot reads it, or in Claude's shape for VS Code."""
    said: dict[str, object] = {}
    if refuses(request) and answer.refuse:
        said["permissionDecision"] = "deny"
        said["permissionDecisionReason"] = answer.refuse
    elif asks(request) and answer.ask:
        said["permissionDecision"] = "ask"
        said["permissionDecisionReason"] = answer.ask
    if tells(request) and answer.context:
        said["additionalContext"] = answer.context
    if not said or request.text == COPILOT:
        return said
    special = {"hookEventName": request.event, **said}
    return (
        {"hookSpecificOutput": special}
        if request.text == VS_CODE
        else {**said, "hookSpecificOutput": special}
    )


def least(event: str) -> str:
    """Nothing at all is a fine answer here."""
    return ""
