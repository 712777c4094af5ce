"""Path globs by git's own rules for ``.gitignore``, without ``re``: every touch by an agent asks here.

A glob without a slash matches at any depth, one with a slash is anchored at the top of the repository,
``**`` spans folders, a trailing slash means a folder, and whatever matches a folder matches everything
below it.  A path is matched folder by folder with all possible positions in the glob kept at once, so
the time is at most the product of the two lengths, whatever the glob.
"""

TYPE_CHECKING = False  # on the path of every touch that a glob is near to: this module imports nothing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    # One step of a segment: a character, ANY_ONE, ANY_RUN, or a bracket's test of a character.
    Step: TypeAlias = str | Callable[[str], bool]
    # One segment: literal text, or its steps; None stands for ``**``.
    Segment: TypeAlias = str | tuple[Step, ...] | None
    # A glob taken apart: its segments, and whether it ended in a slash (it means folders only).
    Pattern: TypeAlias = tuple[tuple[Segment, ...], bool]

_ANY_ONE = "?any"
_ANY_RUN = "*any"


# A name that no glob spells out, so that only a wildcard for every name matches it.
_NO_NAME = "\0"
_NEVER: "Pattern" = ((), False)
_patterns: "dict[str, Pattern]" = {}


def matches(glob: str, path: str) -> bool:
    """Whether the gitignore pattern ``glob`` matches the repository-relative ``path``.

    ``path`` is a file, or a folder when it ends with a slash.  A glob that :func:`check_glob` would
    refuse matches nothing.
    """
    pattern = _patterns.get(glob)
    if pattern is None:
        pattern = _patterns[glob] = _compile(glob)
    segments, only_folder = pattern
    last = len(segments) - 1
    if last < 0:
        return False
    parts = path.rstrip("/").split("/")
    folders = len(parts) if path.endswith("/") else len(parts) - 1
    reach = folders if only_folder else len(parts)
    positions = {0}
    for part in parts[:reach]:
        following: set[int] = set()
        for start in positions:
            at = start
            while segments[at] is None:
                if at == last:
                    return True
                following.add(at)
                at += 1
            if _fits(segments[at], part):
                if at == last:
                    return True
                following.add(at + 1)
        positions = following
    return False


def check_glob(text: str) -> str | None:
    """Why ``text`` cannot be a path glob of a note or an area, in a few words; None where it can."""
    if not text.strip():
        return "an empty glob"
    if any(char < " " or char == "\x7f" for char in text):
        return "a control character in a glob"
    if text.startswith("!"):
        return "a negated glob: say what matches (a name that begins with ! is written \\!)"
    if text.startswith("#"):
        return "gitignore reads a leading # as a comment: write \\#"
    if ".." in text.split("/"):
        return "a glob that climbs with .. leaves the repository"
    if text.startswith(("~/", "//")) or (text[1:3] in (":/", ":\\") and text[0].isalpha()):
        return "an absolute path: write it relative to the top of the repository"
    if not _compile(text)[0]:
        return "not a gitignore glob: an unclosed [ or a lone \\ (or nothing but a slash)"
    return None


def is_literal(glob: str) -> bool:
    """Whether the glob has no wildcard, so that it names one file, folder or file name."""
    segments = _compile(glob)[0]
    named = segments[1:] if segments and segments[0] is None else segments
    return bool(named) and all(isinstance(segment, str) for segment in named) and "**" not in glob


def literal_prefix(glob: str) -> str:
    """The leading folders (or the whole path) that every match starts with: ``src`` of ``src/**/*.py``.

    ``""`` where a match may be anywhere, as for a bare file name.
    """
    leading = []
    for segment in _compile(glob)[0]:
        if not isinstance(segment, str):
            break
        leading.append(segment)
    return "/".join(leading)


def stands_below(glob: str, folder: str) -> bool:
    """Whether what lies below ``folder`` (with its closing slash) is what the glob is about: the glob
    matches all of it, or starts there or below.  A glob that may match anywhere is about no folder."""
    return matches(glob, folder + _NO_NAME) or f"{literal_prefix(glob)}/".startswith(folder)


def _compile(glob: str) -> "Pattern":
    text = _without_trailing_blanks(glob)
    if not text or text[0] in "#!" or text == "/":
        return _NEVER
    only_folder = text.endswith("/")
    inner = text[:-1] if only_folder else text
    anchored = "/" in inner
    names = inner.removeprefix("/").split("/")
    segments: list[Segment] = [] if anchored else [None]
    for name in names:
        if name == "**" and anchored:
            if not segments or segments[-1] is not None:
                segments.append(None)
            continue
        segment = _read_segment(name)
        if segment is None:
            return _NEVER
        segments.append(segment)
    return tuple(segments), only_folder


def _without_trailing_blanks(glob: str) -> str:
    """Blanks at the end are dropped unless the first of them is escaped."""
    text = glob.rstrip(" ")
    if len(text) < len(glob) and (len(text) - len(text.rstrip("\\"))) % 2:
        return text + " "
    return text


def _read_segment(name: str) -> "str | tuple[Step, ...] | None":
    """The steps of one segment, as text where it is literal; None where git would never match it."""
    if not name:
        return None
    if not ("*" in name or "?" in name or "[" in name or "\\" in name):
        return name
    steps: list[Step] = []
    at = 0
    while at < len(name):
        char = name[at]
        at += 1
        if char == "\\":
            if at == len(name):
                return None
            steps.append(name[at])
            at += 1
        elif char == "*":
            if not steps or steps[-1] is not _ANY_RUN:
                steps.append(_ANY_RUN)
        elif char == "?":
            steps.append(_ANY_ONE)
        elif char == "[":
            bracket = _read_bracket(name, at)
            if bracket is None:
                return None
            test, at = bracket
            steps.append(test)
        else:
            steps.append(char)
    if all(isinstance(step, str) and len(step) == 1 for step in steps):
        return "".join(step for step in steps if isinstance(step, str))
    return tuple(steps)


def _read_bracket(name: str, at: int) -> "tuple[Callable[[str], bool], int] | None":
    """The test of a bracket whose inside starts at ``at``, and where the segment goes on."""
    negated = name[at : at + 1] in ("!", "^") and at < len(name)
    at += negated
    ranges: list[tuple[str, str]] = []
    classes: list[Callable[[str], bool]] = []
    previous = ""
    first = True
    while True:
        char = name[at : at + 1]
        if not char:
            return None
        if char == "]" and not first:
            break
        first = False
        if char == "[" and name[at + 1 : at + 2] == ":" and (end := name.find(":]", at + 2)) > 0:
            test = _CLASSES.get(name[at + 2 : end])
            if test is None:
                return None
            classes.append(test)
            at, previous = end + 2, ""
            continue
        if char == "-" and previous and name[at + 1 : at + 2] not in ("", "]"):
            at += 2 if name[at + 1] == "\\" else 1
            if at >= len(name):
                return None
            ranges.append((previous, name[at]))
            at, previous = at + 1, ""
            continue
        if char == "\\":
            at += 1
            char = name[at : at + 1]
            if not char:
                return None
        ranges.append((char, char))
        at, previous = at + 1, char

    def test_char(char: str) -> bool:
        hit = any(low <= char <= high for low, high in ranges) or any(test(char) for test in classes)
        return hit != negated

    return test_char, at + 1


_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_CLASSES: "dict[str, Callable[[str], bool]]" = {
    "alnum": lambda c: c.isascii() and c.isalnum(),
    "alpha": lambda c: c.isascii() and c.isalpha(),
    "blank": lambda c: c in " \t",
    "cntrl": lambda c: c < " " or c == "\x7f",
    "digit": lambda c: "0" <= c <= "9",
    "graph": lambda c: "!" <= c <= "~",
    "lower": lambda c: "a" <= c <= "z",
    "print": lambda c: " " <= c <= "~",
    "punct": lambda c: c in _PUNCTUATION,
    "space": lambda c: c in " \t\n\r\x0b\x0c",
    "upper": lambda c: "A" <= c <= "Z",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}


def _fits(segment: "Segment", part: str) -> bool:
    """Whether one segment of a glob matches one name; only the last run is ever tried again."""
    if isinstance(segment, str):
        return segment == part
    if segment is None:
        return True
    step = at = 0
    run = -1
    resume = 0
    while at < len(part):
        if step < len(segment):
            wanted = segment[step]
            if wanted is _ANY_RUN:
                run, resume = step, at
                step += 1
                continue
            if _one(wanted, part[at]):
                step += 1
                at += 1
                continue
        if run < 0:
            return False
        resume += 1
        step, at = run + 1, resume
    while step < len(segment) and segment[step] is _ANY_RUN:
        step += 1
    return step == len(segment)


def _one(step: "Step", char: str) -> bool:
    if isinstance(step, str):
        return step is _ANY_ONE or step == char
    return step(char)
