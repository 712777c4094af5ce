"""Whether git keeps a file's line ends as LF: ``core.autocrlf`` and the ``text`` attribute, read by hand.

A working tree may hold CRLF where the repository holds LF; the blob ID that an event records must be the
repository's, or the same content would look changed on the next machine.  Other filters (LFS, ident,
working-tree-encoding) are not applied here: for those, ask git itself.
"""

from __future__ import annotations

import os

from memwarden.core.glob import matches
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable

if TYPE_CHECKING:
    from memwarden.core.workspace import Workspace

NAME = ".gitattributes"


def stores_lf(workspace: Workspace, root: str, path: str) -> bool:
    """Whether git would turn the CRLF of ``path`` into LF when it stores the file."""
    told = _text_attribute(workspace, path)
    if told is None:
        return _autocrlf(root)
    return told


def _text_attribute(workspace: Workspace, path: str) -> bool | None:
    """What the nearest ``.gitattributes`` line says: the last match wins, deeper files after."""
    told: bool | None = None
    folders = [""]
    for part in path.split("/")[:-1]:
        folders.append(folders[-1] + part + "/")
    for folder in folders:
        try:
            lines = workspace.read(folder + NAME).decode(errors="replace").splitlines()
        except Unreadable:
            continue
        for line in lines:
            pattern, *attributes = line.split() or ["#"]
            if pattern[0] in "#[!" or not matches(pattern, path[len(folder) :]):
                continue
            for attribute in attributes:
                if attribute in ("text", "text=auto") or attribute.startswith("eol="):
                    told = True
                elif attribute in ("-text", "binary"):
                    told = False
                elif attribute == "!text":
                    told = None
    return told


def _autocrlf(root: str) -> bool:
    """``core.autocrlf`` of the repository's own configuration (true and input both store LF)."""
    from memwarden.edge.place import find_place

    place = find_place(root)
    try:
        with open(os.path.join(place.common_dir, "config"), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return False
    section, told = "", False
    for line in lines:
        bare = line.split("#")[0].split(";")[0].strip()
        if bare.startswith("["):
            section = bare.strip("[] ").lower()
        elif section == "core":
            name, _, value = bare.partition("=")
            if name.strip().lower() == "autocrlf":
                told = value.strip().lower() in ("true", "input", "yes", "on", "1", "")
    return told
