"""Cursor's hook dialect, as its documentation stood in autumn 2026.

``ask`` is accepted but not enforced before a file tool, and not reliable before a shell, so it is never
printed.  The model reads ``additional_context`` on sessionStart and postToolUse, and ``agent_message`` of a
denial.  Every event of it is answered with JSON.
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
    mapping_of,
    text_of,
)

NAME = "cursor"
TITLE = "Cursor"
ACTOR = "cursor"
# Whether what belongs after a compaction has to wait for the next prompt.
BRIEF_WITH_PROMPT = False

EVENTS = {
    "sessionStart": START,
    "beforeSubmitPrompt": PROMPT,
    "preToolUse": BEFORE,
    "beforeShellExecution": BEFORE,
    "beforeReadFile": BEFORE,
    "postToolUse": RAN,
    "afterShellExecution": RAN,
    "afterFileEdit": RAN,
    "postToolUseFailure": FAILED,
    "stop": CLOSE,
    "subagentStart": SUB_START,
    "subagentStop": SUB_CLOSE,
    "preCompact": COMPACTION,
    "sessionEnd": END,
    "beforeMCPExecution": NOTHING,
    "afterMCPExecution": NOTHING,
    "beforeTabFileRead": NOTHING,
    "afterTabFileEdit": NOTHING,
    "afterAgentResponse": NOTHING,
    "afterAgentThought": NOTHING,
}
# Events that carry the path or the command at their top, not in tool_input.
FLAT = ("beforeShellExecution", "afterShellExecution", "beforeReadFile", "afterFileEdit")
READ_TOOLS = ("Read", "Grep")
WRITE_TOOLS = ("Write", "Edit", "StrReplace", "MultiEdit", "Delete", "EditNotebook", "NotebookEdit")
PATH_KEYS = ("file_path", "path", "target_file", "target_notebook", "notebook_path")

CANNOT = (
    "an ask is not enforced before a file tool: on_no_ask decides before a write",
    "warnings arrive after the tool has run",
    "nothing can be said with a prompt, or after a compaction",
    "edits made by Tab completion are not announced to the agent",
)


def read(payload: dict[str, object]) -> Request | None:
    """The request in a payload, or None where the event is not one of this host's."""
    event = text_of(payload, "hook_event_name")
    kind = EVENTS.get(event)
    if kind is None:
        return None
    session = text_of(payload, "conversation_id") or text_of(payload, "session_id")
    request = Request(kind, event, _folder(payload), session, text_of(payload, "subagent_id"))
    if event in FLAT:
        request.command = text_of(payload, "command")
        paths = _paths(payload)
        request.reads, request.writes = (paths, ()) if kind == BEFORE else ((), paths)
    elif kind in (BEFORE, RAN, FAILED):
        _read_tool(request, payload)
    elif event == "subagentStop":
        request.writes = _changed(payload)
    return request


def _folder(payload: dict[str, object]) -> str:
    """Where it happened: the call's folder, else the first folder of the workspace."""
    folder = text_of(payload, "cwd")
    roots = payload.get("workspace_roots")
    if not folder and isinstance(roots, list) and roots and isinstance(roots[0], str):
        folder = roots[0]
    return folder


def _read_tool(request: Request, payload: dict[str, object]) -> None:
    request.tool = tool = text_of(payload, "tool_name")
    request.call = text_of(payload, "tool_use_id")
    given = mapping_of(payload, "tool_input")
    if tool == "Shell":
        request.command = text_of(given, "command")
        request.kind = RAN if request.kind == FAILED else request.kind
        folder = text_of(given, "cwd") or text_of(given, "working_directory")
        request.cwd = folder if folder.startswith("/") else request.cwd
    elif tool in READ_TOOLS:
        request.reads = _paths(given)
    elif tool in WRITE_TOOLS:
        request.writes = _paths(given)


def _paths(given: dict[str, object]) -> tuple[str, ...]:
    for key in PATH_KEYS:
        path = text_of(given, key)
        if path:
            return (path,)
    return ()


def _changed(payload: dict[str, object]) -> tuple[str, ...]:
    files = payload.get("modified_files")
    return tuple(f for f in files if isinstance(f, str)) if isinstance(files, list) else ()


def asks(request: Request) -> bool:
    """Never: the host would run the tool without asking."""
    return False


def refuses(request: Request) -> bool:
    """Whether this tool call can be refused."""
    return request.event in ("preToolUse", "beforeShellExecution")


def tells(request: Request) -> bool:
    """Whether the model would read what we say to this event."""
    return request.event in ("postToolUse", "sessionStart")


def render(request: Request, answer: Answer) -> dict[str, object]:
    """The answer as Cursor reads it."""
    if refuses(request) and answer.refuse:
        return {"permission": "deny", "user_message": answer.refuse, "agent_message": answer.refuse}
    if tells(request) and answer.context:
        return {"additional_context": answer.context}
    return {}


def least(event: str) -> str:
    """Every hook of this host prints JSON; to what is none of its events nothing is said."""
    return "{}" if event in EVENTS else ""
