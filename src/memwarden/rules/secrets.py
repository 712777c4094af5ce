"""Secrets, for those who check and those who show: the catalogue itself is ``core.secrets``, where the
judge, which may not import rules, reaches it too."""

from __future__ import annotations

from memwarden.core.secrets import Secret, find_secrets, redact

__all__ = ["Secret", "find_secrets", "redact"]
