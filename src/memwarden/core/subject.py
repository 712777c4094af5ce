"""A subject: the project entity that notes are about, with one stable ID and many spellings."""

from __future__ import annotations

from memwarden.core.record import NamedTuple

KINDS = ("dependency", "path", "area", "api", "service", "feature", "concept")
FACETS = (
    "adoption-policy",
    "version-policy",
    "architecture",
    "behavior",
    "compatibility",
    "security",
    "performance",
    "data-model",
    "interface",
    "workflow",
    "lifecycle",
    "overview",
)
PROJECT = "project"


class Subject(NamedTuple):
    """One file of ``memory/subjects/``: ``id`` is the file's stable slug."""

    path: str
    id: str
    name: str = ""
    kind: str = ""
    ref: str = ""
    aliases: tuple[str, ...] = ()
    merged_into: str = ""
