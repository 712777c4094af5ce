"""The ask, and what replaces it where nobody can answer."""

from __future__ import annotations

import pytest

from tests.conftest import Repo
from tests.hook.calling import call, log_of, payload


def missed(repo: Repo, times: int) -> None:
    for number in range(times):
        session = f"m{number}"
        call({**payload(repo, tool="Edit", path="b.py", call=f"c{number}"), "session_id": session})
        repo.write("b.py", f"b{number}\n")
        call(
            {
                **payload(repo, "PostToolUse", tool="Edit", path="b.py", call=f"c{number}"),
                "session_id": session,
            }
        )
        call({**payload(repo, "Stop"), "session_id": session})


def test_ask_reaches_the_person_and_the_model(noted: Repo) -> None:
    missed(noted, 3)
    special = call(payload(noted, tool="Edit", path="b.py")).special
    assert special["permissionDecision"] == "ask"
    assert "b.py waits" in special["permissionDecisionReason"]
    assert "b.py waits" in special["additionalContext"]
    assert log_of(noted) == []


@pytest.mark.parametrize("mode", ["bypassPermissions", "dontAsk"])
def test_mode_in_which_nobody_is_asked_refuses_once_then_lets_through_and_is_logged_as_degraded(
    noted: Repo, mode: str
) -> None:
    missed(noted, 3)
    first = call(payload(noted, tool="Edit", path="b.py", permission_mode=mode)).special
    assert first["permissionDecision"] == "deny"
    assert "made again, is let through" in first["permissionDecisionReason"]
    second = call(payload(noted, tool="Edit", path="b.py", call="t2", permission_mode=mode))
    assert "permissionDecision" not in second.special
    assert any("n-debt0000: degraded, no ask here" in line for line in log_of(noted))


@pytest.mark.parametrize("host", ["codex", "gemini", "cursor"])
def test_host_without_an_ask_refuses_in_its_own_words(noted: Repo, host: str) -> None:
    missed(noted, 3)
    names = {
        "codex": (
            "PreToolUse",
            "apply_patch",
            {"command": "*** Begin Patch\n*** Update File: b.py\n*** End Patch"},
        ),
        "gemini": ("BeforeTool", "replace", {"file_path": "b.py"}),
        "cursor": ("preToolUse", "Write", {"file_path": "b.py"}),
    }
    event, tool, given = names[host]
    asked = {
        "hook_event_name": event,
        "session_id": "z",
        "conversation_id": "z",
        "cwd": str(noted.root),
        "tool_name": tool,
        "tool_use_id": "1",
        "tool_input": given,
    }
    said = call(asked, host)
    text = said.out.decode()
    assert '"ask"' not in text
    assert '"deny"' in text
    assert "b.py waits" in text
    again = call({**asked, "tool_use_id": "2"}, host)
    assert '"deny"' not in again.out.decode()
    ran = {"codex": "PostToolUse", "gemini": "AfterTool", "cursor": "postToolUse"}[host]
    after = call({**asked, "tool_use_id": "2", "hook_event_name": ran}, host)
    assert "b.py waits" not in after.out.decode()  # the model has read it as the refusal's reason
