"""Where the history of HEAD moved paths, asked of git once for each HEAD: on a long one the answer takes a
second, and a check wants it for every anchor that matches nothing."""

from __future__ import annotations

from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.fates import old_fates
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.index_read import Damaged, open_keyed, program_mark
from memwarden.edge.reading.keyed_file import put_private

if TYPE_CHECKING:
    from memwarden.edge.place import Place

FILE = "index-fates"


def kept_fates(place: Place, rev: str) -> dict[str, str]:
    """:func:`old_fates`, out of what was kept of it where that is for the same commit."""
    asked = (rev, is_shallow(place))
    file = open_keyed(f"{place.private}/{FILE}", program_mark(FILE))
    if file is not None:
        with suppress(Damaged):
            kept, found = file.get("fates")
            if kept == asked:
                return dict(found)
    found = old_fates(place, rev)
    put_private(place, FILE, [("fates", (asked, found))], 1)
    return found
