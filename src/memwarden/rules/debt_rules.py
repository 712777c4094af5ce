"""M4xx: debts, their conditions and their anchors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memwarden.core.condition import Combined, DataTest, TextTest
from memwarden.core.note import Note
from memwarden.errors import WARNING, Finding
from memwarden.rules.scene import Scene

if TYPE_CHECKING:
    from memwarden.core.condition import Condition


def anchors_match_something(scene: Scene) -> Iterator[Finding]:
    """An anchor or condition path matches nothing (warning).

    Why: an anchor that matches nothing never comes up, and a condition that looks at a file that is not
    there cannot tell. A file that is still to come is fine: the anchor fires once the path is touched.

    Fix: correct the path. Where git saw a rename, `mem subject rename path:OLD path:NEW` rewrites anchors,
    evidence, conditions and subjects in one plan.

    Example: `anchors: [src/retyr.py]`.
    """
    for note in scene.live:
        for at, anchor in enumerate(note.anchors):
            if anchor.kind == "path" and not scene.tree.matches(anchor.text):
                key = f"anchors[{at}]"
                yield _orphan(scene, note, anchor.text, f"the anchor {anchor.text} matches nothing", key)
        for field, condition in (("condition", note.condition), ("verify", note.verify)):
            for key, path in looked_at(condition, field) if condition is not None else ():
                if not scene.tree.matches(path):
                    message = f"the condition looks at {path}, which matches nothing"
                    yield _orphan(scene, note, path, message, key)


def looked_at(condition: Condition, key: str) -> Iterator[tuple[str, str]]:
    """Every path that the condition reads the content of, with its key path.  ``file_exists`` and
    ``file_absent`` ask whether a path is there; they may name what is not."""
    if isinstance(condition, TextTest | DataTest):
        yield f"{key}.{condition.kind}.path", condition.path
    elif isinstance(condition, Combined):
        for at, part in enumerate(condition.parts):
            step = f"{key}.not" if condition.kind == "not" else f"{key}.{condition.kind}[{at}]"
            yield from looked_at(part, step)


def _orphan(scene: Scene, note: Note, path: str, message: str, key: str) -> Finding:
    moved = scene.context.renamed(path) if scene.context.renamed else ""
    fix = "correct the path, or leave it for a file that is still to come"
    if moved:
        message += f"; git saw it renamed to {moved}"
        fix = f"mem subject rename path:{path} path:{moved}"
    return Finding("M405", WARNING, message, note.path, key=key, note=note.id, fix=fix)
