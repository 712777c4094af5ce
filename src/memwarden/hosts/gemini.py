"""Gemini CLI's hook dialect, as its reference and code stood on 2026-08-21.

Context reaches the model on SessionStart, BeforeAgent and AfterTool only.  ``decision: ask`` exists in the
code but replaces a policy's deny by a question, so it is never printed: a refusal stands in for it.  No
session starts after a compression, so what belongs there rides on the next BeforeAgent.
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
    Answer,
    Request,
    mapping_of,
    text_of,
)

NAME = "gemini"
TITLE = "Gemini CLI"
ACTOR = "gemini-cli"
# Whether what belongs after a compaction has to wait for the next prompt.
BRIEF_WITH_PROMPT = True

EVENTS = {
    "SessionStart": START,
    "BeforeAgent": PROMPT,
    "BeforeTool": BEFORE,
    "AfterTool": RAN,
    "AfterAgent": CLOSE,
    "PreCompress": COMPACTION,
    "SessionEnd": END,
    "BeforeModel": NOTHING,
    "AfterModel": NOTHING,
    "BeforeToolSelection": NOTHING,
    "Notification": NOTHING,
}
READERS = {"read_file": ("file_path", "absolute_path"), "read_many_files": ("paths", "include")}
WRITERS = {
    "replace": ("file_path",),
    "edit": ("file_path",),
    "write_file": ("file_path",),
}

CANNOT = (
    "an ask would overrule a policy's deny here, so on_no_ask decides before a write",
    "warnings arrive after the tool has run",
    "there is no event after a compression: the pack comes again with the next prompt",
)


def read(payload: dict[str, object]) -> Request | None:
    """The request in a payload, or None where the event is not one of this host's."""
    event = text_of(payload, "hook_event_name")
    kind = EVENTS.get(event)
    if kind is None:
        return None
    request = Request(kind, event, text_of(payload, "cwd"), text_of(payload, "session_id"))
    request.source = text_of(payload, "source") or text_of(payload, "trigger")
    if kind in (BEFORE, RAN):
        _read_tool(request, payload)
    return request


def _read_tool(request: Request, payload: dict[str, object]) -> None:
    request.tool = tool = text_of(payload, "tool_name")
    request.call = text_of(payload, "tool_use_id") or text_of(payload, "call_id")
    given = mapping_of(payload, "tool_input")
    if tool in READERS:
        request.reads = _paths(given, READERS[tool])
    elif tool in WRITERS:
        request.writes = _paths(given, WRITERS[tool])
        if request.kind == RAN and mapping_of(payload, "tool_response").get("error"):
            request.kind = FAILED
    elif tool == "run_shell_command":
        request.command = text_of(given, "command")
        folder = text_of(given, "dir_path") or text_of(given, "directory")
        if folder:
            request.cwd = folder if folder.startswith("/") else request.cwd.rstrip("/") + "/" + folder


def _paths(given: dict[str, object], keys: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for key in keys:
        value = given.get(key)
        if isinstance(value, str) and value:
            found.append(value)
        elif isinstance(value, list):
            found.extend(item for item in value if isinstance(item, str) and item)
    return tuple(found)


def asks(request: Request) -> bool:
    """Never: it could turn another rule's deny into a question."""
    return False


def refuses(request: Request) -> bool:
    """Whether this tool call can be refused."""
    return request.event == "BeforeTool"


def tells(request: Request) -> bool:
    """Whether the model would read what we say to this event."""
    return request.event in ("AfterTool", "SessionStart", "BeforeAgent")


def render(request: Request, answer: Answer) -> dict[str, object]:
    """The answer as Gemini CLI reads it."""
    if refuses(request) and answer.refuse:
        return {"decision": "deny", "reason": answer.refuse}
    if tells(request) and answer.context:
        special = {"hookEventName": request.event, "additionalContext": answer.context}
        return {"hookSpecificOutput": special}
    return {}


def least(event: str) -> str:
    """Nothing at all is a fine answer here."""
    return ""
