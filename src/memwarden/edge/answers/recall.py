"""Answers given again: the same question about the same files on the same day has the same answer.

The commands that only read are pure functions of the command line, the files that they look at and the
date.  So what one of them printed is kept in private state, together with how everything stood that a
:mod:`witness` saw it look at, and while all of that stands as it did it is printed again in place of
loading the program.  An answer is never the authority: it is given only after a look at every file it
rests on, and it may be deleted at any time.
"""

import os
import sys
import time

from memwarden.edge.index_read import ANSWERS as FOLDER
from memwarden.edge.index_read import (
    Damaged,
    folder_at,
    open_keyed,
    program_mark,
    stamp_of,
)
from memwarden.edge.index_read import name_of_answer as name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERBS = ("route", "why", "list", "search", "status", "check")
# What may change the answer that is in no file: git's own variables and how output is to look.
TELLING = (
    "GIT_",
    "MEM_",
    "LC_",
    "LANG",
    "PYTHON",
    "XDG_",
    "HOME",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "TERM",
)
# What an error of the system is about that came up while an answer was written.
OUTPUT = "cannot write standard output"
UNKNOWN_TO_US = ("--root", "--help", "-h", "--allow-commands", "--install-completion", "--show-completion")


def question(words: list[str]) -> str:
    """Everything that tells one question from another but the files; "" for what is never answered here:
    other verbs, what is meant for a terminal, and a folder that is not the one we are in."""
    if not words or words[0] not in VERBS or any(word.startswith(UNKNOWN_TO_US) for word in words):
        return ""
    try:
        if os.isatty(1) or os.isatty(2):
            return ""
        here = os.getcwd()
    except OSError:
        return ""
    told = sorted((key, value) for key, value in os.environ.items() if key.startswith(TELLING))
    return repr((words, here, today(), told))


def today() -> str:
    """The date in UTC."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def recall(asked: str, root: str, private: str) -> int | None:
    """Print the answer that is kept for the question and give its exit code; None where there is none
    or something that it rests on has changed."""
    kept = kept_answer(asked, root, private)
    if kept is None:
        return None
    code, said = kept
    for number, data in said:
        say(number, data)
    return code


def kept_answer(asked: str, root: str, private: str) -> "tuple[int, Any] | None":
    """The exit code and what was said, where all that they rest on stands as it did."""
    path = f"{private}/{FOLDER}/{name_of(asked)}"
    file = open_keyed(path, program_mark(FOLDER))
    if file is None:
        return None
    try:
        kept = file.get("rests on")
        if kept["asked"] != asked or not _stands(kept, root, private):
            return None
        said = file.get("said")
    except Damaged:
        return None
    _use(path)
    return kept["code"], said


def _stands(kept: "dict[str, Any]", root: str, private: str) -> bool:
    if not kept["tree"]:
        return _others_stand(kept)
    from memwarden.edge.reading.full_look import begin  # only for an answer about the memory

    look = begin(root, private)
    if look is None:
        return False
    try:
        is_the_one = bool(look.reader.head["id"] == kept["tree"])
        return is_the_one and _others_stand(kept) and look.holds()
    finally:
        look.close()


def _others_stand(kept: "dict[str, Any]") -> bool:
    """Whether what lies outside ``memory/`` is as it was."""
    for path in kept["absent"]:
        if os.path.lexists(path):
            return False
    for path, real in kept["links"]:
        if os.path.realpath(path) != real:
            return False
    if any(folder_at(path) != inode for path, inode in kept["folders"]):
        return False
    try:
        return bool(list(map(stamp_of, map(os.lstat, kept["paths"]))) == kept["stamps"])
    except OSError:
        return False


def _use(path: str) -> None:
    """An answer that is asked for stays longest."""
    try:
        os.utime(path)
    except OSError:
        return


def say(number: int, data: bytes) -> None:
    """Write all of it to standard output (1) or error (2); a reader that went away wants no more, and that
    nobody can be told a message changes nothing of how a command ends."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(number, view) :]
        except BlockingIOError:
            wait_to_write(number)
        except BrokenPipeError:
            sys.stdout = sys.stderr = None
            return
        except OSError as refused:
            if number == 2:
                return
            refused.filename = OUTPUT
            raise


def wait_to_write(number: int) -> None:
    """Wait until a stream that somebody made non-blocking, and that is full, takes something again."""
    import select

    select.select([], [number], [])
