"""A quick door for ``mem route``: a question that is new, about a memory that is indexed.

Its words are taken apart by hand and answered out of the index.  Whatever is not plainly right here (help,
a mistake, another way of printing, a memory that changed) is left to the parser and the plain way, which
gives the same bytes.
"""

from __future__ import annotations

from memwarden.core.dates import is_date
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.route.request import Request
from memwarden.edge.answers.answer_file import leads, open_answers
from memwarden.edge.answers.recall import say, today
from memwarden.edge.index_read import folder_at, stamp_at
from memwarden.edge.reading.shelf_index import pack_from_index
from memwarden.edge.tree.checkout import working_tree
from memwarden.edge.tree.given_path import given_path
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.errors import MemError

if TYPE_CHECKING:
    from memwarden.edge.index_read import Stamp
    from memwarden.edge.place import Place
    from memwarden.edge.reading.full_look import FullLook

LISTS = {"--area": "areas", "--profile": "profiles", "--path": "paths", "--include": "modules"}
MOST_BUDGET_DIGITS = 9
JOURNAL = "journal"  # the file of ``edge.writing.journal``, which would load a JSON parser


class Words(NamedTuple):
    """What a command line asks for; ``now`` is a date, or "" for today."""

    request: Request
    now: str = ""


def quick_route(asked: str, words: list[str], begun: FullLook) -> int | None:
    """The exit code of ``mem WORDS``, which begin with ``route``; None where the plain way must answer.

    ``begun`` is a look at the memory of the repository that we are in."""
    given = taken_apart(words[1:])
    if given is None:
        return None
    opened = open_answers(asked)
    if opened is None:
        return None
    place, file = opened
    looks: dict[str, Stamp | None] = {}
    folders: dict[str, int] = {}

    def look(path: str, as_folder: bool) -> None:
        if as_folder and (inode := folder_at(path)):
            folders[path] = inode
        elif path not in looks:
            looks[path] = stamp_at(path)

    WorkingTree.watcher = look
    try:
        found = _pack(place, given, looks, begun)
        if found is None:
            return None
        text, index = found
        data = text.encode("utf-8", "backslashreplace")
        say(1, data)
        outside = {
            path: stamp for path, stamp in looks.items() if not path.startswith(place.root + "/memory/")
        }
        file.keep(index, outside, folders, leads(words), 0, [(1, data)])
    finally:
        WorkingTree.watcher = None
        file.close()
    return 0


def _pack(
    place: Place, given: Words, looks: dict[str, Stamp | None], begun: FullLook
) -> tuple[str, str] | None:
    journal = f"{place.private}/{JOURNAL}"
    looks[journal] = stamp_at(journal)
    if looks[journal] is not None or type(working_tree(place)) is not WorkingTree:
        return None
    try:
        paths = [
            given_path(place, text) + ("/" if text.endswith("/") else "") for text in given.request.paths
        ]
        asked = given.request._replace(paths=tuple(paths))
        return pack_from_index(place, asked, given.now or today(), begun)
    except MemError:
        return None


def taken_apart(words: list[str]) -> Words | None:
    """What the words ask for; None for words that are not plainly those of a pack."""
    lists: dict[str, list[str]] = {name: [] for name in LISTS.values()}
    task = now = budget = ""
    rest = list(reversed(words))
    while rest:
        name, equals, value = rest.pop().partition("=")
        if name not in LISTS and name not in ("--task", "--budget", "--now"):
            return None
        if not equals:
            if not rest or rest[-1].startswith("-"):
                return None
            value = rest.pop()
        if name in LISTS:
            lists[LISTS[name]].append(value)
        elif name == "--task":
            task = value
        elif name == "--now":
            now = value
        else:
            budget = value
    if not task or (now and not is_date(now)) or not _is_number(budget or "0"):
        return None
    asked = {name: tuple(values) for name, values in lists.items()}
    return Words(Request(task, budget=int(budget) if budget else None, **asked), now)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MOST_BUDGET_DIGITS
