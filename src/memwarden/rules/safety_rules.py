"""M7xx: what must not be in a memory that is read to agents and kept for good."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.errors import Finding
from memwarden.rules.scene import Scene


def no_secret_is_kept(scene: Scene) -> Iterator[Finding]:
    """Something looks like a secret.

    Why: what is committed stays in every clone, and a memory is read to agents. Secrets are told by the
    prefix that their issuer gave them, so object IDs, digests and UUIDs never fire. The text of every file
    of the memory, its name, and the values of its frontmatter are looked at.

    Fix: take it out and revoke it where it was issued; if it was committed, it is known. The message never
    shows it.

    Example: a personal access token in a note's body.
    """
    yield from scene.read("M701")


def no_character_hides(scene: Scene) -> Iterator[Finding]:
    """A control, bidirectional-override or invisible character is in the text.

    Why: such characters make a text look other than it is, to a reviewer, on a terminal, or in a diff.
    Overrides and control characters are errors; other invisible ones are warnings. In frontmatter and
    events the value counts, so an escape of YAML or JSON hides nothing.

    Fix: remove the character; in prose, name it instead, as in U+202E.

    Example: a right-to-left override inside a command that a note recommends.
    """
    yield from scene.read("M702")
