"""A touch as plain as most are: notes out of a fresh index, file conditions, warnings that are told or not.

The full way (``touching``) loads some fifty modules to decide everything that a touch can come to.  Here
are the few decisions of a tool call that names its files, whose notes only warn: who is owed, who was told
already, in what order and within what budget.  A payment, an ask, a debt that came back, a condition of
another kind, whatever is not plain is the full way's, before anything is written.  What is said and noted
here is the same to the byte (``tests/property/test_plain_touch.py``).
"""

import os

from memwarden.core.turn.lines import decode, encode
from memwarden.core.turn.telling import DEBT, FRAMING, WARN, framed, told_text
from memwarden.edge.git_read import common_dir_of, head_of, operation_in
from memwarden.edge.index_read import WILD, Damaged, glob_matches
from memwarden.edge.turn.appending import LockedLines, read_lines
from memwarden.edge.turn.counting import add_fires
from memwarden.edge.turn.plain_judging import NotPlain, PlainFiles, PlainJudge, read_plain
from memwarden.edge.turn.session_file import MOST_BYTES, session_key, session_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from memwarden.core.turn.lines import Line
    from memwarden.edge.index_read import IndexReader, Row

    Packed: TypeAlias = tuple[Any, ...]
    # The note, its standing, its anchors that are touched, and whether one of them is written.
    Match: TypeAlias = tuple[Packed, Packed, list[str], bool]
    Heard: TypeAlias = set[tuple[str, str]]

# Where the index has the fields of a note, a standing, an event and the settings that matter here.
ID, TITLE, LIFECYCLE, CONDITION, ANCHORS, CREATED, BODY_LINE = 1, 2, 5, 6, 8, 14, 17
NAME, MISSES, PAID, AWAITS_RED = 0, 1, 2, 6
FACTS = 8
ASK_AFTER, DELIVER_TOKENS = 0, 3

# Words of standings, conditions, ledgers and pending state, whose own modules a touch does not load.
LIVE, OWED, SETTLED, DECLARED = ("active", "owed"), "owed", "paid", "declared"
PLAIN_KINDS = ("PathTest", "TextTest")
EVENT, TOLD, RAN, WROTE, COMPACTED = "event", "told", "ran", "wrote", "compacted"
KINDS = ("path", "rule path")
VERDICTS, MISSED, RECORDED = ("paid", "failed"), "missed", "recorded"


class Caller:
    """Who touches: a host's session, its subagent ("" for none), the event and the tool call's ID; ``ran``:
    the tool has run; ``tells``: the model would read what is said."""

    __slots__ = ("agent", "call", "event", "ran", "session", "tells")

    def __init__(self, session: str, agent: str, event: str, call: str, ran: bool, tells: bool) -> None:
        self.session = session
        self.agent = agent
        self.event = event
        self.call = call
        self.ran = ran
        self.tells = tells


class Anchor:
    """A path anchor that is touched."""

    __slots__ = ("text",)
    kind = "path"

    def __init__(self, text: str) -> None:
        self.text = text


class Owed:
    """A note that has something to say: what a telling needs of it, and what judging it has seen."""

    __slots__ = (
        "condition",
        "created",
        "globs",
        "id",
        "lifecycle",
        "line",
        "misses",
        "path",
        "seen",
        "title",
    )

    def __init__(self, note: "Packed", globs: list[str], misses: int = 0, seen: str = "") -> None:
        self.path: str = note[0]
        self.id: str = note[ID]
        self.title: str = note[TITLE]
        self.lifecycle: str = note[LIFECYCLE]
        self.condition = None if note[CONDITION] is None else _plainly(note[CONDITION])
        self.created: str = note[CREATED]
        self.line: int = note[BODY_LINE]
        self.globs = globs
        self.misses = misses
        self.seen = seen

    def how(self) -> str:
        """The kind of its anchors as a ledger has it, where only a debt's delivery can be charged."""
        return KINDS[self.lifecycle != DEBT]


class PlainTouch:
    """One tool call upon ``writes`` and ``reads``, paths of the repository at ``root``."""

    def __init__(self, root: str, git_dir: str, writes: list[str], reads: list[str], caller: Caller) -> None:
        self._root = root
        self._git_dir = git_dir
        self._private = git_dir + "/mem"
        self._writes = writes
        self._reads = [path for path in reads if path not in writes]
        self._caller = caller
        self._files = PlainFiles(root)

    def answer(self, reader: "IndexReader", rows: "list[Row]", today: str, most: int) -> str | None:
        """What the model is to read; None where the full way has to say, as it has to of more than ``most``
        characters.  ``rows`` are the notes near by, in the order of their paths, out of a fresh index."""
        try:
            if not reader.head["from"] <= today <= reader.head["to"]:
                return None
            settings, unfit = reader.file.get("touch")
            matched = self._matched(reader, rows, unfit)
            if settings is None:
                return None
            if not matched:
                return ""
            owed = self._owed(matched, settings[ASK_AFTER])
            return self._tell(owed, settings[DELIVER_TOKENS], most)
        except (NotPlain, Damaged):
            return None

    def _matched(self, reader: "IndexReader", rows: "list[Row]", unfit: frozenset[str]) -> "list[Match]":
        """The notes that may be delivered, each with its anchors that are touched, those written first."""
        found: list[Match] = []
        for row in rows:
            if row[3] is None or not reader.current(row, self._root):
                raise NotPlain
            if row[0] in unfit:
                continue
            paths = [text for kind, text in row[2][ANCHORS] if kind == "path"]
            written = [text for text in paths if any(glob_matches(text, path) for path in self._writes)]
            read = [text for text in paths if text not in written]
            read = [text for text in read if any(glob_matches(text, path) for path in self._reads)]
            if written or read:
                found.append((row[2], row[3], written + read, bool(written)))
        return found

    def _owed(self, matched: "list[Match]", ask_after: int) -> list[Owed]:
        """The notes that have something to say: rules that are live, and debts as the files stand."""
        waiting = self._waiting({note[ID] for note, *_ in matched})
        judge = PlainJudge(self._files, self._private)
        owed = []
        for note, standing, globs, write in matched:
            name = standing[NAME]
            if note[LIFECYCLE] != DEBT:
                owed += [Owed(note, globs)] if name in LIVE else []
                continue
            misses = standing[MISSES] + waiting.get(note[ID], 0)
            if name == SETTLED:
                if _may_come_back(note, standing) and not self._judged(judge, note)[0]:
                    raise NotPlain
                continue
            if name != OWED:
                continue
            seen = ""
            if note[CONDITION] is not None:
                holds, seen = self._judged(judge, note)
                if holds or standing[AWAITS_RED]:
                    raise NotPlain
            if write and misses >= ask_after:
                raise NotPlain
            owed.append(Owed(note, globs, misses, seen))
        return owed

    def _judged(self, judge: PlainJudge, note: "Packed") -> tuple[bool, str]:
        odd = operation_in(self._git_dir) or os.path.exists(self._git_dir + "/info/sparse-checkout")
        if odd or not _is_plain(note[CONDITION]):
            raise NotPlain
        return judge.judge(_plainly(note[CONDITION]))

    def _waiting(self, notes: set[str]) -> dict[str, int]:
        """The misses that wait to be recorded, by note; a verdict that waits is not for here."""
        misses: dict[str, int] = {}
        for line in read_lines(self._private + "/pending"):
            if line[0] == MISSED and len(line) >= 5:
                misses[line[1]] = misses.get(line[1], 0) + 1
            elif line[0] == RECORDED or (line[0] in VERDICTS and len(line) == 11 and line[1] in notes):
                raise NotPlain
        return misses

    def _tell(self, owed: list[Owed], budget: int, most: int) -> str | None:
        """Say what was not said yet, and note it, under the ledger's lock."""
        caller = self._caller
        try:
            ledger = LockedLines(session_path(self._private, caller.session)).__enter__()
        except OSError:
            return None
        try:
            if ledger.size() > MOST_BYTES:
                return None
            data = ledger.read_bytes()
            claim: list[Line] = [(EVENT, caller.agent, caller.event, caller.call)] if caller.call else []
            if claim and b"\n" + encode(claim) in b"\n" + data:
                return ""
            told, omitted = self._new(owed, _heard(data, caller.agent), budget) if caller.tells else ([], 0)
            text = framed([text for _, text in told], omitted)
            if (len(text) if text.isascii() else 2 * len(text)) > most - FRAMING:
                return None  # something may have to be left out
            ledger.append([*claim, *self._told_lines(ledger, [one for one, _ in told]), *self._ran_lines()])
        except OSError:  # a full disk
            return None
        finally:
            ledger.__exit__()
        self._count([one.id for one, _ in told])
        return text

    def _new(self, owed: list[Owed], heard: "Heard", budget: int) -> tuple[list[tuple[Owed, str]], int]:
        """What is told now, in order and within the budget, and how many notes found no room."""
        said = []
        for one in owed:
            unheard = [glob for glob in one.globs if (one.id, glob) not in heard]
            if unheard:
                body = self._body(one)
                said.append((one, told_text(one, WARN, Anchor(unheard[0]), one.misses, body, one.seen)))
        said.sort(key=lambda pair: (pair[0].lifecycle != DEBT, -pair[0].misses, pair[0].path, pair[0].id))
        if sum(len(text) or 1 for _, text in said) <= budget:
            return said, 0  # no character is more than a token
        from memwarden.core.tokens import estimate

        kept = []
        for one, text in said:
            tokens = estimate(text)
            if tokens <= budget:
                budget -= tokens
                kept.append((one, text))
        return kept, len(said) - len(kept)

    def _body(self, one: Owed) -> str:
        data = read_plain(f"{self._root}/{one.path}")
        if not isinstance(data, bytes):
            raise NotPlain
        text = data.decode("utf-8", "replace").removeprefix("\ufeff")
        for _ in range(one.line - 1):
            text = text.partition("\n")[2]
        return text

    def _told_lines(self, ledger: LockedLines, told: list[Owed]) -> "list[Line]":
        if not told:
            return []
        caller = self._caller
        head = head_of(self._git_dir, common_dir_of(self._git_dir))
        if head is None:
            raise NotPlain
        spots = [(one, glob, self._stand(glob)) for one in told for glob in one.globs]
        at = str(ledger.now())
        return [
            (TOLD, caller.agent, WARN, one.id, one.how(), glob, caller.call, at, head[0], *stand)
            for one, glob, stand in spots
        ]

    def _stand(self, glob: str) -> list[str]:
        """How the files of an anchor stand: those that are touched, and the one that it names outright."""
        touched = [*self._writes, *self._reads]
        paths = dict.fromkeys(path for path in touched if glob_matches(glob, path))
        if "/" in glob and glob not in paths and ("\\" in glob or WILD.isdisjoint(glob)):
            from memwarden.core.glob import is_literal, literal_prefix

            if is_literal(glob) and literal_prefix(glob):
                paths[literal_prefix(glob)] = None
        return [field for path in paths for field in (path, self._files.digest(path))]

    def _ran_lines(self) -> "list[Line]":
        caller = self._caller
        if not caller.ran:
            return []
        ran: list[Line] = [(RAN, caller.agent, caller.call)] if caller.call else []
        return ran + [(WROTE, path) for path in self._writes]

    def _count(self, notes: list[str]) -> None:
        try:
            add_fires(self._private, notes, session_key(self._caller.session)[:12])
        except OSError:  # a hook speaks also where it can count nothing
            return


def _heard(data: bytes, agent: str) -> "Heard":
    """The notes' anchors that the agent was warned of, as ``core.turn.session`` folds a ledger."""
    heard: Heard = set()
    wanted = [line for line in data.split(b"\n")[:-1] if line.startswith((b"told\t", b"compacted\t"))]
    for line in decode(b"".join([line + b"\n" for line in wanted])):
        if line[0] == COMPACTED:
            if len(line) == 2 and line[1] in ("", agent):
                heard = set()
        elif len(line) < 9 or not len(line) % 2 or not line[7].isdecimal():
            continue
        elif line[1:3] == (agent, WARN) and line[4] in KINDS:
            heard.add((line[3], line[5]))
    return heard


def _may_come_back(note: "Packed", standing: "Packed") -> bool:
    """Whether files may tell that a payment no longer holds."""
    paid = standing[PAID]
    return paid is not None and note[CONDITION] is not None and paid[FACTS].get("how") != DECLARED


def _is_plain(condition: "Packed") -> bool:
    """Whether the judge of plain conditions has a word for every part."""
    if condition[0] == "Combined":
        return all(_is_plain(part) for part in condition[2])
    return condition[0] in PLAIN_KINDS


def _plainly(condition: "Packed") -> "Packed":
    """A condition as its record's fields, without the names of types that the index has."""
    if condition[0] == "Combined":
        return condition[1], tuple([_plainly(part) for part in condition[2]])
    return tuple(condition[1:])
