"""Modules as people name them: which names a manifest may route, and which one an argument means."""

from __future__ import annotations

from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.note import module_of
from memwarden.core.paths import check_path
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import Unreadable
from memwarden.errors import ERROR, Finding

if TYPE_CHECKING:
    from memwarden.core.manifest import Manifest
    from memwarden.core.memory import Memory
    from memwarden.core.workspace import Workspace

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
        return f"is neither an .md file nor a folder, which ends in a slash: write {text}/"
    if text in RESERVED or f"{parts[0]}/" in RESERVED or parts[-1] == "README.md":
        return "is not for notes"
    return None


def linked_routes(manifest: Manifest, workspace: Workspace) -> tuple[Finding, ...]:
    """The routes that pass through a symbolic link: what lies behind one is not the memory's own, and
    may be outside the repository, so nothing behind it is read."""
    found = []
    for module in manifest.modules():
        parts = module.rstrip("/").split("/")
        for depth in range(1, len(parts) + 1):
            path = "memory/" + "/".join(parts[:depth])
            try:
                entry = workspace.entry(path)
                reason = f"{path} is a symbolic link" if entry is not None and entry.link else ""
            except Unreadable as error:
                reason = f"{path}: {error}"
            if reason:
                line = next((line for name, line in manifest.lines() if name == module), 0)
                fix = "put the files themselves below memory/"
                found.append(
                    Finding("M505", ERROR, f"{module}: {reason}", MANIFEST, line, key=module, fix=fix)
                )
                break
    return tuple(found)


class Layout(NamedTuple):
    """Which module each note file is in (``of``, by path, broken files too), and every module there is:
    those of the manifest in its order, then those that only have notes, by name."""

    known: tuple[str, ...]
    of: dict[str, str]


def layout(memory: Memory) -> Layout:
    """How the memory's files fall into modules; each folder is looked at once, whatever it holds."""
    declared = memory.modules
    files = frozenset(module for module in declared if not module.endswith("/"))
    folders: dict[str, str] = {}
    found: dict[str, str] = {}
    for path in (*(note.path for note in memory.notes), *memory.broken):
        folder = path.rpartition("/")[0]
        if folder == "memory" or path[len("memory/") :] in files:
            found[path] = module_of(path, declared)
            continue
        module = folders.get(folder)
        if module is None:
            module = folders[folder] = module_of(path, declared)
        found[path] = module
    others = set(found.values()).difference(declared)
    return Layout((*declared, *sorted(others)), found)


def resolve_module(text: str, known: tuple[str, ...]) -> str:
    """The known module that ``text`` means (``decisions``, ``decisions/``, ``memory/decisions/``), or ""."""
    name = text.removeprefix("./").removeprefix("memory/").rstrip("/")
    return next((module for module in (f"{name}/", name) if module in known), "")
