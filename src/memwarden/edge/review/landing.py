"""Where a payment landed: the commit that paid, computed from history and never stored.

A receipt holds the commit that HEAD was at.  After a squash or a rebase that commit is gone, and what is
left is the condition, the blobs and the commit that brought the event file.
"""

from __future__ import annotations

from memwarden.core.condition import HOLDS
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.standing import DECLARED
from memwarden.edge.git.git_workspace import PastTree
from memwarden.edge.git.objects import Objects
from memwarden.edge.git.plumbing import run
from memwarden.edge.review.blame import Blame
from memwarden.errors import MemError
from memwarden.judge.judge import judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.condition import Condition
    from memwarden.core.event import Event
    from memwarden.edge.place import Place

WITH_EVENT = "added with the event"
BY_BLAME = "found by blame"


class Landing(NamedTuple):
    """``commit`` is the commit that paid and ``how`` says how it was found; "" where it was not.

    ``recorded`` is the commit in the receipt, ``reachable`` whether HEAD's history still has it, and
    ``blobs_found`` whether this clone still has every blob that the receipt names.  ``added`` is the commit
    that brought the receipt's file, "" where none did yet.
    """

    commit: str
    how: str
    recorded: str
    reachable: bool
    blobs_found: bool
    added: str = ""


def landed(
    place: Place,
    payment: Event,
    condition: Condition | None,
    history: Blame | None,
    taken_back: bool = False,
) -> Landing:
    """Where one payment landed.

    The commit that added the event's file, if the condition holds there and did not hold before; the flip
    from which on it holds, as ``history`` (the blame of the same condition) has it, where the record came
    later.  Where the condition fails at that commit, it is the flip from which on it has held until now; but
    neither a payment that was ``taken_back`` nor one that was only declared landed with somebody's later fix.
    """
    added = _added_by(place, payment.path)
    commit, how = added, WITH_EVENT
    if commit and condition is not None:
        with Objects(place) as objects:
            if judge(condition, PastTree(place, commit, objects)).state != HOLDS:
                commit = ""
    began = _began(place, commit, history)
    if began:
        commit, how = began, BY_BLAME
    if not commit and not taken_back and payment.facts.get("how") != DECLARED:
        paid_by = history.paid_by if history is not None else None
        commit, how = (paid_by.commit, BY_BLAME) if paid_by is not None else ("", "")
    blobs = blobs_of(payment)
    missing = _missing(place, blobs)
    how = how if commit else ""
    return Landing(commit, how, payment.commit, _is_reachable(place, payment.commit), not missing, added)


def _began(place: Place, added: str, history: Blame | None) -> str:
    """The flip before ``added`` from which on the condition holds there; "" where it began with it."""
    for flip in reversed(history.flips if added and history is not None else ()):
        if flip.commit == added:
            return ""
        if _is_ancestor(place, flip.commit, added):
            return flip.commit if flip.holds else ""
    return ""


def blobs_of(payment: Event) -> frozenset[str]:
    """The blob IDs that a receipt's evidence names."""
    evidence = payment.facts.get("evidence")
    items = evidence.get("items") if isinstance(evidence, dict) else None
    found = [item.get("blob") for item in items or () if isinstance(item, dict)]
    return frozenset(blob for blob in found if isinstance(blob, str) and blob.isalnum())


def _added_by(place: Place, path: str) -> str:
    """The oldest commit of HEAD's history that added a file; "" where none did."""
    if not path:
        return ""
    # -m: the commit of a conflicted merge may itself bring the file, and shows no difference without it.
    arguments = ("-m", "--format=%H", "--diff-filter=A", "--no-renames", "--reverse", "HEAD", "--", path)
    try:
        return run(place, "log", *arguments).decode("ascii").split("\n")[0]
    except MemError:
        return ""  # before the first commit


def _missing(place: Place, oids: Iterable[str]) -> frozenset[str]:
    asked = sorted(oids)
    if not asked:
        return frozenset()
    out = run(place, "cat-file", "--batch-check", stdin="\n".join(asked).encode("ascii", "replace") + b"\n")
    lines = out.decode("ascii", "replace").splitlines()
    return frozenset(line.split(" ")[0] for line in lines if line.endswith(" missing"))


def _is_reachable(place: Place, commit: str) -> bool:
    return bool(commit) and commit.isalnum() and _is_ancestor(place, commit, "HEAD")


def _is_ancestor(place: Place, commit: str, of: str) -> bool:
    try:
        run(place, "merge-base", "--is-ancestor", commit, of)
    except MemError:
        return False
    return True
