"""Whole conversations, host by host: what is said at each step of them.

``ask_after`` is 1 here, so that one turn that leaves the debt on b.py unpaid makes the next write an ask, or
what replaces it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mem, Repo
from tests.hook.calling import AGENTS, Said, call

CONVERSATIONS = Path(__file__).parent.parent / "golden" / "conversations"


@pytest.mark.parametrize("host", AGENTS)
def test_conversation_goes_as_recorded(noted: Repo, mem: Mem, host: str) -> None:
    manifest = noted.read("memory/manifest.md")
    noted.write("memory/manifest.md", manifest.replace("protocol: 1", "protocol: 1\nask_after: 1", 1))
    noted.commit("ask soon")
    recorded = json.loads((CONVERSATIONS / f"{host}.json").read_text())
    assert recorded["read_from"]
    for number, step in enumerate(recorded["steps"], 1):
        for path, content in step.get("write", {}).items():
            noted.write(path, content)
        asked = json.loads(json.dumps(step["payload"]).replace("{root}", str(noted.root)))
        words = (host, "--event", step["event"]) if "event" in step else (host,)
        check(f"{number}. {step['does']}", call(asked, *words), step["says"])
    paid = [debt["state"] for debt in mem("debts", "--all", "--json").json["debts"]]
    assert paid == ["paid"]
    assert mem("check").code == 0


def check(step: str, said: Said, expected: Any) -> None:
    """Compare one answer with what the recording says of it."""
    assert (said.code, said.err) == (0, b""), step
    if expected == "any":
        return
    if expected == "silent":
        assert said.out == b"", step
        return
    if expected == "least":
        assert said.out == b"{}", step
        return
    answer = said.json.get("hookSpecificOutput", said.json)
    decision = answer.get("permissionDecision") or answer.get("permission") or answer.get("decision")
    assert decision == expected.get("decision"), step
    reason = (
        answer.get("permissionDecisionReason") or answer.get("agent_message") or answer.get("reason") or ""
    )
    context = answer.get("additionalContext") or answer.get("additional_context") or ""
    for text in (*expected.get("person", ()), *expected.get("reason", ())):
        assert text in reason, step
    for text in expected.get("model", ()):
        assert text in context, step
    assert bool(context) == ("model" in expected), step
