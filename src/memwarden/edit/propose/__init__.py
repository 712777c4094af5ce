"""What each mutating command proposes: one pure function a command, from the memory and an intent.

An intent is a JSON object whose ``command`` names the function.  It holds all that the person said and
everything that must not change between preview and apply: minted IDs, the date, who gave evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from memwarden.core.record import TYPE_CHECKING
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from typing import Any

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Proposal, Surroundings

    Propose = Callable[[Memory, Mapping[str, Any], Surroundings], Proposal]

# The module of each command; its function has the command's name.
PROPOSALS = {
    "add": "adding",
    "admit": "admitting",
    "reject": "admitting",
    "revoke": "judging",
    "reinstate": "judging",
    "pay": "paying",
    "supersede": "placing",
    "move": "placing",
    "edit": "editing",
    "inbox": "triage",
    "subject-add": "subjects",
    "subject-alias": "subjects",
    "subject-rename": "subjects",
    "subject-merge": "subjects",
    "path-rename": "renaming",
    "forget": "forgetting",
    "forget-hard": "erasing",
    "purge": "erasing",
    "import": "importing",
}


def proposal_for(intent: Mapping[str, Any]) -> Propose:
    """The function that an intent's command names; raises :class:`UsageError` for an unknown one."""
    command = str(intent.get("command", ""))
    if command not in PROPOSALS:
        raise UsageError(f"a plan of an unknown command {command!r}", "it may be of a newer program")
    module = import_module(f"memwarden.edit.propose.{PROPOSALS[command]}")
    propose: Propose = getattr(module, "propose_" + command.replace("-", "_"))
    return propose
