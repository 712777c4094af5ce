"""Whether what a payment rests on is still here: its commit, or the blobs that its condition read."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import DECLARED
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.git.plumbing import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memwarden.core.event import Event
    from memwarden.edge.place import Place


def lost_payments(place: Place, events: Sequence[Event]) -> frozenset[str]:
    """The paths of the payments whose commit no ref reaches and whose blobs are not found.

    Two git processes for all of them.  In a shallow clone nobody can tell, so nothing is lost.
    """
    if is_shallow(place):
        return frozenset()
    blobs = {event.path: _blobs(event) for event in events}
    doubtful = [event for event in events if event.commit and event.facts.get("how") != DECLARED]
    wanted = {event.commit for event in doubtful} | {blob for found in blobs.values() for blob in found}
    here = _present(place, wanted)
    reached = _reached(place, [event.commit for event in doubtful if event.commit in here])
    return frozenset(
        event.path
        for event in doubtful
        if event.commit not in reached and not any(blob in here for blob in blobs[event.path])
    )


def _blobs(event: Event) -> list[str]:
    """The blobs that the payment's evidence names."""
    evidence = event.facts.get("evidence")
    items = evidence.get("items") if isinstance(evidence, dict) else None
    found = [item.get("blob") for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [blob for blob in found if isinstance(blob, str) and _is_id(blob)]


def _present(place: Place, names: Iterable[str]) -> frozenset[str]:
    """Which object IDs are in this repository."""
    asked = sorted(name for name in names if _is_id(name))
    if not asked:
        return frozenset()
    out = run(
        place, "cat-file", "--batch-check", stdin="".join(name + "\n" for name in asked).encode("ascii")
    )
    answers = zip(asked, out.decode("ascii", "replace").splitlines(), strict=False)
    return frozenset(name for name, answer in answers if not answer.endswith(" missing"))


def _reached(place: Place, commits: Sequence[str]) -> frozenset[str]:
    """Which of some commits are reachable from HEAD or a ref."""
    if not commits:
        return frozenset()
    asked = "".join(commit + "\n" for commit in dict.fromkeys(commits)).encode("ascii")
    out = run(place, "rev-list", "--stdin", "--not", "--all", "HEAD", stdin=asked)
    unreached = frozenset(out.decode("ascii").split())
    return frozenset(commits) - unreached


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and all(char in "0123456789abcdef" for char in text)
