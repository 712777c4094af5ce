"""Where patterns were found in texts, kept so that a touch need not load RE2 to find them again.

The key is a digest of the pattern and of the file's content, so that what is kept is true for ever; it
holds no word of either.
"""

from memwarden.core.turn.lines import decode
from memwarden.edge.turn.appending import append_lines
from memwarden.edge.turn.session_file import content_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memwarden.core.turn.lines import Line

# With the other answers that are dropped whole when anything is erased (``edge.answers``).
FILE = "answers/found"
MOST_BYTES = 1 << 16
# RE2 is linear, but in the product of text and compiled program; as ``judge.files`` has it.
MOST_WORK = 4_000_000_000


def line_of(private: str, pattern: str, content: str, text: str) -> int | None:
    """The line of the first match in a text whose file's content has that digest; 0 where there is none,
    None where that is not for a touch to find out."""
    key = content_digest(f"{content} {pattern}".encode("utf-8", "surrogatepass"))
    known = _known(private).get(key)
    if known is not None:
        return known
    line = _searched(pattern, text)
    if line is not None:
        try:
            append_lines(f"{private}/{FILE}", [(key, str(line))], MOST_BYTES, _newer)
        except OSError:  # it is found again next time
            return line
    return line


def _known(private: str) -> dict[str, int]:
    try:
        with open(f"{private}/{FILE}", "rb") as file:
            lines = list(decode(file.read(2 * MOST_BYTES)))
    except OSError:
        return {}
    return {line[0]: int(line[1]) for line in lines if len(line) == 2 and line[1].isdecimal()}


def _newer(lines: "list[Line]") -> "list[Line]":
    return lines[len(lines) // 2 :]


def _searched(pattern: str, text: str) -> int | None:
    from memwarden.edit.pattern import BadPattern, compiled  # RE2 costs half of Python's start

    try:
        regex = compiled(pattern)
    except BadPattern:
        return None
    if regex.programsize * len(text) > MOST_WORK:
        return None
    found = regex.search(text)
    return 0 if found is None else text.count("\n", 0, found.start()) + 1
