"""Where a recorded payment stands in history: in HEAD's tree, and on HEAD's line of commits."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.gitstate import head
from memwarden.edge.git.plumbing import run
from memwarden.errors import MemError

if TYPE_CHECKING:
    from memwarden.core.standing import Standing
    from memwarden.edge.place import Place


def is_committed(place: Place, standing: Standing) -> bool:
    """Whether the file of the payment is in HEAD's tree."""
    paid = standing.paid
    return paid is not None and bool(paid.path) and _succeeds(place, "cat-file", "-e", f"HEAD:{paid.path}")


def stands_in_history(place: Place, standing: Standing) -> bool:
    """Whether a payment that cannot be judged again is this branch's own: its file is in HEAD's tree, or
    it is not committed yet and HEAD has gone on from where it was made."""
    paid = standing.paid
    if paid is None:
        return False
    if is_committed(place, standing):
        return True
    here = head(place).commit
    if not paid.commit or paid.commit == here:
        return paid.commit == here
    return _succeeds(place, "merge-base", "--is-ancestor", paid.commit, "HEAD")


def _succeeds(place: Place, *arguments: str) -> bool:
    try:
        run(place, *arguments)
    except MemError:
        return False
    return True
