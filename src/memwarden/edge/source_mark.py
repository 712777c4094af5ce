"""How the program's own sources stand, for a working copy of it: they change under one version."""

from __future__ import annotations

import os


def source_mark(folder: str) -> str:
    """Text that changes whenever a module in ``folder`` or below does."""
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            if name.endswith(".py"):
                info = os.stat(os.path.join(parent, name))
                found.append(f"{name} {info.st_mtime_ns} {info.st_size}")
    return "\n".join(found)
