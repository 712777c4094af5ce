"""A quick door for ``mem search``: a text that is looked for in a memory that is indexed.

Its words are taken apart by hand, and only the notes that have the text are looked up.  Whatever is not
plainly right here (help, a mistake, another way of printing, a memory that changed) is left to the parser and
the plain way, which gives the same bytes.
"""

from __future__ import annotations

from memwarden.core.containing import compared
from memwarden.core.dates import is_date
from memwarden.core.fitness import unfit_among
from memwarden.core.memory import Memory
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.secrets import redact
from memwarden.core.visible import plain
from memwarden.edge.answers.answer_file import open_answers
from memwarden.edge.answers.recall import say, today
from memwarden.edge.index_read import Damaged, stamp_at
from memwarden.edge.reading.index_codec import (
    unpack_finding,
    unpack_manifest,
    unpack_note,
    unpack_standing,
)
from memwarden.edge.reading.text_search import rows_with
from memwarden.edge.tree.checkout import working_tree
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edge.writing.journal import journal_file

if TYPE_CHECKING:
    from memwarden.edge.index_read import IndexReader, Row
    from memwarden.edge.place import Place
    from memwarden.edge.reading.full_look import FullLook


class Words(NamedTuple):
    """What a command line asks for; ``now`` is a date, or "" for today."""

    text: str
    now: str = ""
    json: bool = False
    quiet: bool = False
    color: bool = True


def quick_search(asked: str, words: list[str], begun: FullLook) -> int | None:
    """The exit code of ``mem WORDS``, which begin with ``search``; None where the plain way must answer.

    ``begun`` is a look at the memory of the repository that we are in."""
    given = taken_apart(words[1:])
    if given is None:
        return None
    opened = open_answers(asked)
    if opened is None:
        return None
    place, file = opened
    try:
        journal = journal_file(place)
        if stamp_at(journal) is not None or type(working_tree(place)) is not WorkingTree:
            return None
        said = _said(place, given, begun)
        if said is None:
            return None
        for number, data in said:
            say(number, data)
        file.keep(begun.reader.head["id"], {journal: None}, {}, {}, 0, said)
    finally:
        file.close()
    return 0


def _said(place: Place, given: Words, begun: FullLook) -> list[tuple[int, bytes]] | None:
    """What goes to standard output (1) and error (2)."""
    reader = begun.reader
    if not reader.head["notes"] or not reader.is_of(given.now or today()):
        return None
    try:
        manifest = unpack_manifest(reader.file.get("manifest"))
        if manifest is None or reader.file.get("touch")[0] is None:
            return None  # the plain way says what is wrong with it
        text, told = _answer(place, given, reader)
    except Damaged:
        return None
    if not begun.holds():
        return None
    both = [(1, text), (2, told)] if not given.quiet else [(1, text)]
    return [(number, words.encode("utf-8", "backslashreplace")) for number, words in both if words]


def _answer(place: Place, given: Words, reader: IndexReader) -> tuple[str, str]:
    rows = rows_with(reader, place.root, compared(given.text))
    memory = Memory(
        WorkingTree(place.root),
        unpack_manifest(reader.file.get("manifest")),
        tuple([unpack_note(row[2]) for row in rows]),
        reader.file.get("broken"),
    )
    standings = {row[0]: unpack_standing(row[3] or ()) for row in rows}
    if given.json:
        from memwarden.render.json_text import json_text
        from memwarden.render.note_fields import brief_fields

        notes = [brief_fields(note, standings[note.path], memory.modules) for note in memory.notes]
        return json_text({"schema": "mem.search/1", "notes": notes}, indent=2), ""
    from memwarden.render.notes import note_table

    faults = unfit_among(_with_findings(memory, reader), memory.notes) if _any_unfit(rows, reader) else {}
    told = ""
    if not rows:
        told = redact(f"no note contains {plain(given.text)!r}") + "\n"
    if memory.broken:
        told += f"{len(memory.broken)} could not be read: mem check\n"
    return redact(note_table(memory.notes, standings, given.color, faults)), told


def _any_unfit(rows: list[Row], reader: IndexReader) -> bool:
    return not {row[0] for row in rows}.isdisjoint(reader.file.get("touch")[1])


def _with_findings(memory: Memory, reader: IndexReader) -> Memory:
    return memory._replace(findings=tuple(map(unpack_finding, reader.file.get("findings"))))


def taken_apart(words: list[str]) -> Words | None:
    """What the words ask for; None for words that are not plainly those of a search."""
    given = Words("")
    texts: list[str] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        name, _, date = word.partition("=")
        if word == "--json":
            given = given._replace(json=True)
        elif word in ("--quiet", "-q"):
            given = given._replace(quiet=True)
        elif word == "--no-color":
            given = given._replace(color=False)
        elif name == "--now":
            date = rest.pop() if word == name and rest else date
            if not is_date(date):
                return None
            given = given._replace(now=date)
        elif word.startswith("-"):
            return None
        else:
            texts.append(word)
    return given._replace(text=texts[0]) if len(texts) == 1 and compared(texts[0]) else None
