"""Who acts, as every event records it."""

from __future__ import annotations

from memwarden.core.record import NamedTuple

HUMAN = "human"
AGENT = "agent"
CI = "ci"


class Actor(NamedTuple):
    """``kind`` is ``human``, ``agent`` or ``ci``; ``name`` is free text."""

    kind: str
    name: str
