"""Modules as people name them: which names a manifest may route, and which one an argument means."""

from __future__ import annotations

from memwarden.core.note import module_of
from memwarden.core.paths import check_path
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from memwarden.core.memory import Memory

RESERVED = ("manifest.md", "subjects/", "events/")


def check_module(text: str) -> str | None:
    """Why ``text`` cannot name a module, as the end of a sentence; None where it can."""
    reason = check_path(text)
    if reason:
        return reason
    if any(char in text for char in "*?[]"):
        return "is a glob; a route names one folder or file"
    parts = text.removesuffix("/").split("/")
    if "" in parts or "." in parts:
        return "has an empty or a . part"
    if parts[0] == "memory":
        return "starts at memory/ itself; write it without"
    if not text.endswith(("/", ".md")):
        return "is neither a folder (with its closing slash) nor an .md file"
    if text in RESERVED or f"{parts[0]}/" in RESERVED or parts[-1] == "README.md":
        return "is not for notes"
    return None


def known_modules(memory: Memory) -> tuple[str, ...]:
    """The modules of the manifest in its order, then those that only have notes, by name."""
    declared = memory.manifest.modules() if memory.manifest else ()
    paths = [note.path for note in memory.notes] + list(memory.broken)
    found = {module_of(path, declared) for path in paths}
    return (*declared, *sorted(found.difference(declared)))


def resolve_module(text: str, known: tuple[str, ...]) -> str:
    """The known module that ``text`` means (``decisions``, ``decisions/``, ``memory/decisions/``), or ""."""
    name = text.removeprefix("./").removeprefix("memory/").rstrip("/")
    return next((module for module in (f"{name}/", name) if module in known), "")
