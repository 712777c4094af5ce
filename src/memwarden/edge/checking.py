"""Checking one state of the repository: the working tree, the index, a commit or a range of commits."""

from __future__ import annotations

from memwarden.core.memory import Memory
from memwarden.rules import Context, check
from memwarden.rules.report import Report


def check_tree(memory: Memory, today: str) -> Report:
    """The memory as the working tree has it."""
    return Report(tuple(check(memory, Context(today))))
