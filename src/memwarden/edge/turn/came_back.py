"""Paid debts that came back: what a session's start tells before anything is touched."""

from __future__ import annotations

from memwarden.core.condition import FAILS
from memwarden.core.note import DEBT, Anchor
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.turn.ladder import is_old, rests_on_files
from memwarden.core.turn.session import WARN
from memwarden.core.turn.speech import Delivery, order_key
from memwarden.core.turn.telling import told_text
from memwarden.edge.command.judging import judge_now

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from memwarden.core.manifest import Settings
    from memwarden.core.note import Note
    from memwarden.core.standing import Standing
    from memwarden.edge.place import Place
    from memwarden.edge.reading.whole_memory import Found

    class Paid(Protocol):
        """Notes that may have been paid, and what is asked about them."""

        settings: Settings

        def all(self) -> Iterable[Found]:
            """Every debt that may have been paid, by path; others may be among them."""

        def body(self, note: Note) -> str:
            """The note's text."""


def is_watched(note: Note, standing: Standing, today: str, settings: Settings) -> bool:
    """Whether a payment is young enough to be judged again."""
    paid = standing.paid
    return paid is not None and rests_on_files(note, standing) and not is_old(paid.at[:10], today, settings)


def came_back(place: Place, source: Paid, today: str) -> tuple[Delivery, ...]:
    """The debts whose payment is young and whose file condition fails now, the most pressing first.

    Nothing is written: a regression is recorded where it shows on HEAD's own blobs, when a turn closes
    or by ``mem settle``.
    """
    from memwarden.core.tokens import estimate

    found = []
    for note, standing in source.all():
        paid = standing.paid
        if paid is None or not is_watched(note, standing, today, source.settings):
            continue
        day = paid.at[:10]
        verdict = judge_now(place, note, today)
        if verdict.state != FAILS:
            continue
        anchor = note.anchors[0] if note.anchors else Anchor("path", note.path)
        text = told_text(note, WARN, anchor, standing.misses, source.body(note), verdict.why, day)
        found.append(
            Delivery(
                note.id, WARN, anchor, note.title, text, note.path, DEBT, standing.misses, estimate(text)
            )
        )
    return tuple(sorted(found, key=order_key))
