"""M6xx: the log, one file per event, appended and never edited."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.errors import Finding
from memwarden.rules.scene import Scene


def event_is_well_formed(scene: Scene) -> Iterator[Finding]:
    """An event's file is malformed, or its content does not agree with its name.

    Why: the log is what a note's standing rests on. The name holds a digest of the content, so an edited
    event shows; layout and line ends may change.

    Fix: restore the file with `git checkout -- memory/events/...`. To change a note's standing, use
    `mem reinstate`, `mem revoke` or `mem pay`, which append.

    Example: `0003-paid-9f2c61aa.json` whose `at` was changed by hand.
    """
    yield from scene.read("M601")
