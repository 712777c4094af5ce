"""The rules of the memory: one small function each, run by preview, apply, pre-commit and check alike."""

from __future__ import annotations

from memwarden.rules.catalogue import RULES, Rule, rule_of
from memwarden.rules.checking import already_there, check, identity
from memwarden.rules.scene import Context

__all__ = ["RULES", "Context", "Rule", "already_there", "check", "identity", "rule_of"]
