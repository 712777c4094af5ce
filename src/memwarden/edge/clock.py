"""The only clock: UTC, to the second, and pinned by ``--now``."""

from __future__ import annotations

from time import gmtime, strftime

from memwarden.errors import UsageError


def moment(pinned: str = "") -> str:
    """Now as RFC 3339 UTC text (``2026-11-30T16:40:12Z``), or the moment that ``pinned`` names.

    ``pinned`` is a date, which means its first second, or an RFC 3339 time; anything else raises
    :class:`UsageError`.
    """
    if not pinned:
        return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
    from datetime import UTC, datetime  # most commands take the moment as it is

    try:
        when = datetime.fromisoformat(pinned)
    except ValueError:
        raise UsageError(f"--now {pinned}: not a date", "write it as 2026-11-30") from None
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")
