"""Keeping what a touch has to say about one path, for :mod:`known_touch` to say it again.

What is kept is what the notes say to a session that has heard nothing yet, with everything that this rests
on: each file and folder that was looked at, the index, the date and HEAD.  Only the plainest outcome is
kept: warnings alone, of rules and of owed debts whose conditions ask nothing but single files.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memwarden.core.note import DEBT
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import OWED, SETTLED
from memwarden.core.turn.ladder import decide
from memwarden.core.turn.session import WARN
from memwarden.core.turn.speech import FRAME
from memwarden.edge.answers.answer_file import AnswerFile
from memwarden.edge.git.gitstate import head
from memwarden.edge.index_read import Damaged, folder_at, stamp_at, touch_question
from memwarden.edge.reading.indexed_notes import IndexedNotes
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edge.turn.baseline import baseline_of
from memwarden.edge.turn.pending import pending_path, read_pending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memwarden.core.condition import Verdict
    from memwarden.core.note import Note
    from memwarden.core.turn.ladder import Match, World
    from memwarden.edge.index_read import Stamp
    from memwarden.edge.place import Place
    from memwarden.edge.turn.known_touch import Telling


def keep_touch(
    place: Place,
    source: IndexedNotes,
    matched: Sequence[Match],
    world: World,
    path: str,
    write: bool,
    today: str,
) -> None:
    """Keep what ``matched``, the notes of a path, have to say before it is read or written; nothing where
    that cannot be vouched for."""
    with suppress(OSError, ValueError, Damaged):
        file = AnswerFile(place.private, touch_question(place.root, path, write))
        try:
            looks = _Looks(place)
            said = _said(looks, source, matched, world, path, today)
            if said is not None and looks.sound:
                file.keep("", looks.paths, looks.folders, {}, 0, said)
        finally:
            file.close()


class _Looks:
    """How everything stood; ``sound``: all of it was as plain as the short way can compare."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.paths: dict[str, Stamp | None] = {}
        self.folders: dict[str, int] = {}
        self.sound = True

    def saw(self, path: str) -> Stamp | None:
        """Look at an absolute path."""
        if path not in self.paths:
            self.paths[path] = stamp_at(path)
        return self.paths[path]

    def saw_file(self, path: str) -> None:
        """Look at a file, or at where none is, of this repository; it is no link, nor below one."""
        parts = path.split("/")
        for end in range(1, len(parts)):
            folder = f"{self.place.root}/{'/'.join(parts[:end])}"
            self.folders[folder] = folder_at(folder)
            self.sound &= bool(self.folders[folder]) and self.saw(folder + "/.git") is None
        whole = f"{self.place.root}/{path}"
        if self.saw(whole) is not None:
            self.sound &= os.lstat(whole).st_mode & 0o170000 == 0o100000

    def saw_head(self) -> str:
        """The commit that is checked out, and the files that say so."""
        git_dir, common = self.place.git_dir, self.place.common_dir
        self.saw(git_dir + "/HEAD")
        self.sound &= self.saw(common + "/reftable") is None
        with open(git_dir + "/HEAD", encoding="utf-8") as file:
            text = file.read(4096).strip()
        if text.startswith("ref:"):
            name = text[len("ref:") :].strip()
            self.saw(common + "/packed-refs")
            for ref in dict.fromkeys((f"{git_dir}/{name}", f"{common}/{name}")):
                if self.saw(ref) is not None:
                    with open(ref, "rb") as found:
                        self.sound &= not found.read(4).startswith(b"ref:")
        return head(self.place).commit


def _said(
    looks: _Looks, source: IndexedNotes, matched: Sequence[Match], world: World, path: str, today: str
) -> list[object] | None:
    """What is to be kept, or None where the full way has more to do than to warn."""
    place = looks.place
    if not _are_plain(matched) or looks.saw(place.git_dir + "/info/sparse-checkout") is not None:
        return None
    for note_path, stamp, note, _, events in source.rows_of(path):
        seen = (
            looks.saw(f"{place.root}/{note_path}"),
            note[1] and looks.saw(f"{place.root}/memory/events/{note[1]}"),
        )
        if seen != (stamp, note[1] and events):
            return None
    for folder in ("memory", "memory/events"):
        looks.saw(f"{place.root}/{folder}")
        looks.sound &= not os.path.islink(f"{place.root}/{folder}")
    looks.saw(pending_path(place))
    looks.saw_file(path)
    commit = looks.saw_head()
    pending = read_pending(place)
    if pending or not looks.sound:
        return None
    judging = _Judging(looks, today)
    decision = decide(matched, source.settings, pending, world._replace(judge=judging.judge), today)
    if decision.payments or decision.failures or decision.omitted or decision.degraded or not judging.plain:
        return None
    by_id = {match.note.id: match for match in matched}
    tellings: list[Telling] = []
    for delivery in decision.deliveries:
        match = by_id[delivery.id]
        if delivery.level != WARN or not delivery.id:
            return None
        spots = []
        for anchor in match.anchors:
            files = baseline_of(place, 0, (anchor,), (path,)).files
            for name, _ in files:
                looks.saw_file(name)
            spots.append((anchor.kind, anchor.text, tuple(field for pair in files for field in pair)))
        tellings.append((delivery.id, delivery.text, match.note.lifecycle == DEBT, spots))
    return [source.index_id, today, commit, FRAME, tellings]


def _are_plain(matched: Sequence[Match]) -> bool:
    """Whether nothing of git's history has to be asked about these notes, and each has a name of its own."""
    return len({match.note.id for match in matched}) == len(matched) and not any(
        match.note.lifecycle == DEBT
        and (match.standing.name == SETTLED or (match.standing.name == OWED and match.standing.awaits_red))
        for match in matched
    )


class _Judging:
    """Judging by files alone, each of which is looked at."""

    def __init__(self, looks: _Looks, today: str) -> None:
        self.plain = True
        self._looks = looks
        self._today = today
        self._tree = WorkingTree(looks.place.root)

    def judge(self, note: Note) -> Verdict:
        from memwarden.judge.judge import judge_closely
        from memwarden.judge.reader import Surroundings

        assert note.condition is not None
        judged = judge_closely(note.condition, self._tree, Surroundings(self._today, blobs=False))
        self.plain &= judged.timeless and not judged.listed
        for path in judged.reads:
            self._looks.saw_file(path)
        return judged.verdict
