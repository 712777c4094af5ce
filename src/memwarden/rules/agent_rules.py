"""M8xx: the block in the agents' own files that points them at the memory."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.workspace import FILE, Unreadable
from memwarden.edit.agent_block import Block, find_block
from memwarden.edit.starter import AGENT_BLOCK, AGENT_FILES
from memwarden.errors import ERROR, WARNING, Finding
from memwarden.rules.scene import Scene


def agent_block_is_whole(scene: Scene) -> Iterator[Finding]:
    """The memory block of an agent file is broken or there twice.

    Why: between the markers the text is ours, outside it is yours; with broken markers neither can be
    changed safely, and an agent may read half an instruction.

    Fix: leave one `<!-- memwarden:begin -->` line and one `<!-- memwarden:end -->` line after it, or remove
    both and run `mem init --agent NAME`.

    Example: a merge that kept the block of both branches in `CLAUDE.md`.
    """
    for path, block in _blocks(scene):
        if block.fault:
            fix = "leave one begin and one end marker, or remove both and run mem init --agent"
            yield Finding("M801", ERROR, block.fault, path, block.line, 1, fix=fix)


def agent_block_is_fresh(scene: Scene) -> Iterator[Finding]:
    """The memory block of an agent file is not what this version writes (warning).

    Why: an agent reads the block before it knows anything else; an old one may name commands that changed.

    Fix: run `mem init --agent NAME`, which rewrites the block and nothing else. Your own words belong
    outside the markers.

    Example: a block that was edited by hand.
    """
    for path, block in _blocks(scene):
        if block.found and block.body.strip() != AGENT_BLOCK.strip():
            name = next(name for name, file in AGENT_FILES.items() if file == path)
            yield Finding(
                "M802",
                WARNING,
                "the memory block is not the one that this version writes",
                path,
                block.line,
                1,
                fix=f"run mem init --agent {name}",
            )


def _blocks(scene: Scene) -> Iterator[tuple[str, Block]]:
    for path in AGENT_FILES.values():
        try:
            entry = scene.memory.workspace.entry(path)
            if entry is not None and entry.kind == FILE:
                yield path, find_block(scene.memory.workspace.read(path))
        except Unreadable:
            continue
