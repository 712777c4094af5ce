"""Who acts: a person, an agent, or a build, as the environment tells."""

from __future__ import annotations

from memwarden.core.actor import AGENT, CI, HUMAN, Actor
from memwarden.core.record import TYPE_CHECKING
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

# The variable that each agent host sets for the commands that it runs, and the name we record.
AGENT_MARKS = (
    ("CLAUDECODE", "claude-code"),
    ("CLAUDE_CODE_ENTRYPOINT", "claude-code"),
    ("CODEX_", "codex"),
    ("GEMINI_CLI", "gemini-cli"),
    ("CURSOR_", "cursor"),
    ("COPILOT_CLI", "copilot-cli"),
    ("COPILOT_AGENT", "copilot-cli"),
    ("OPENCODE", "opencode"),
    ("AIDER_", "aider"),
    ("AI_AGENT", "agent"),
)
RANKS = (AGENT, CI, HUMAN)  # who may do less stands first
FALSE_WORDS = ("", "0", "false", "no", "off")


def actor_from(env: Mapping[str, str], user: str = "") -> Actor:
    """The actor that the environment describes.

    An agent's variable makes an agent, else ``CI`` makes ci, else it is a human named by git or the
    system (``user``).  ``MEM_ACTOR=kind:name`` names the actor but never raises its kind: an agent stays
    one, as a build may do what an agent may not, and neither becomes a human.  Raises
    :class:`UsageError` for a ``MEM_ACTOR`` of another form.
    """
    found = _found(env, user)
    wish = env.get("MEM_ACTOR", "")
    if not wish:
        return found
    kind, colon, name = wish.partition(":")
    if not colon or kind not in (HUMAN, AGENT, CI) or not name.strip() or not name.isprintable():
        raise UsageError(
            f"MEM_ACTOR is {wish!r}; it must be kind:name",
            "kinds are human, agent and ci, for example MEM_ACTOR=agent:reviewer",
        )
    return Actor(min(kind, found.kind, key=RANKS.index), name.strip())


def _found(env: Mapping[str, str], user: str) -> Actor:
    for mark, name in AGENT_MARKS:
        if mark.endswith("_"):
            if any(key.startswith(mark) and value for key, value in env.items()):
                return Actor(AGENT, name)
        elif env.get(mark, "").lower() not in FALSE_WORDS:
            return Actor(AGENT, name)
    if env.get("CI", "").lower() not in FALSE_WORDS:
        return Actor(CI, env.get("GITHUB_ACTOR") or "ci")
    return Actor(HUMAN, user or env.get("USER") or env.get("USERNAME") or "someone")
