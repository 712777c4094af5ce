"""Standard input to standard output for ``mem hook HOST``: the room that every tool call passes through.

Most calls have nothing to hear, so this room is built to find that out with as little as it can: it loads
the host's module, the index's reader and nothing else of the program, starts no process and writes no
file.  Only when a note may have something to say is the rest loaded (``hosts.speaking``).  Whatever goes
wrong is silence, exit 0, and one line in the log: a hook must never break the agent that calls it.
"""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from memwarden.edge.index_read import IndexReader, Row
    from memwarden.hosts import Request

AGENTS = ("claude", "codex", "gemini", "cursor", "copilot")

# Hosts send tool inputs and outputs whole; what is longer than this is not read to its end.
MOST_INPUT = 64 * 1024 * 1024
CHUNK = 1 << 20

# A glance at a shell text: what it may hold at most, what separates its words, the characters with which a
# path is made of something else, and the commands that join a path out of two words, move the folder, or
# take a folder away with all that is in it.
LONGEST_GLANCE = 2000
MOST_WORDS = 40
SEPARATORS = " \t\r\n;|&<>()"
MAKERS = "\\$`*?[{~"
JOINERS = (
    *("cd", "pushd", "popd", "chdir", "-C", "mv", "cp", "ln", "install", "rsync", "scp", "gcp", "ssh", "ren"),
    *("Copy-Item", "copy", "xcopy", "Move-Item", "move", "Rename-Item", "Set-Location"),
    *("rm", "trash", "Remove-Item", "del", "erase"),
)

# The kinds of ``hosts`` that this room tells apart.
BEFORE, RAN, FAILED, CLOSE = "before", "ran", "failed", "turn-close"


class BadInput(Exception):
    """The payload is not what a host sends; the text says why, without a word of the payload."""


def main(words: list[str]) -> int | None:
    """Run ``mem hook`` with the words after it, or give None where they ask for something else."""
    if not words or words[0] not in AGENTS:
        return None
    event = now = ""
    rest = words[1:]
    while len(rest) >= 2 and rest[0] in ("--event", "--now"):
        event, now = (rest[1], now) if rest[0] == "--event" else (event, rest[1])
        rest = rest[2:]
    if now and not (len(now) == 10 and now.replace("-", "").isdecimal()):
        return None
    return None if rest else answer(words[0], event, now and now + "T00:00:00Z")


def answer(host: str, event: str = "", now: str = "") -> int:
    """Read one payload, write one answer; always exit 0.  ``now`` is RFC 3339 text; "": the present."""
    call = _Call(host, event, now or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    try:
        said = call.respond()
    except BadInput as problem:
        said = call.fail(str(problem))
    except Exception as error:
        said = call.fail(_what_broke(error))
    except KeyboardInterrupt:
        return 0
    if said:
        _write(said)
    return 0


def _what_broke(error: Exception) -> str:
    """The kind of an error and where it was raised; its own words may hold words of the payload.  Only of a
    memory that cannot be used as it is they say what a person has to mend, and name none."""
    if type(error).__name__ in ("NeedsRecovery", "NewerProtocol"):
        return str(error)
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f" at {os.path.basename(at.tb_frame.f_code.co_filename)}:{at.tb_lineno}" if at else ""
    why = f", {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    return f"{type(error).__name__}{why}{where}"


class _Call:
    """One call of a host, with what is known of it so far, for the log."""

    def __init__(self, host: str, event: str, moment: str) -> None:
        self.host = host
        self.event = event
        self.moment = moment
        self.module: ModuleType | None = None
        self.cwd = ""

    def respond(self) -> str:
        payload = parse(_read_input())
        self.module = _module_of(self.host)
        read = self.module.read
        request: Request | None = read(payload, self.event) if self.host == "copilot" else read(payload)
        self.cwd = _folder(payload, request)
        if request is None:
            raise BadInput("an unknown event")
        request.cwd = self.cwd
        self.event = request.event
        found = near(self.cwd)
        glance = None if found is None else look(request, *found)
        if found is None or glance is None:
            least: str = self.module.least(self.event)
            return least
        plain = self._plainly(request, glance, *found)
        if plain is not None:
            return plain
        from memwarden.hosts.speaking import speak

        spoken: str = speak(self.module, request, found[0], self.moment)
        return spoken

    def _plainly(self, request: "Request", glance: "Glance", root: str, git_dir: str) -> str | None:
        """The answer to a touch that is as plain as most; None for all else."""
        host = self.module
        if host is None or glance.reader is None:
            return None
        from memwarden.edge.turn.plain_touch import Caller, PlainTouch
        from memwarden.hosts import MOST_CHARACTERS, Answer, encode

        ran, tells = request.kind != BEFORE, host.tells(request)
        caller = Caller(request.session, request.agent, request.event, request.call, ran, tells)
        touch = PlainTouch(root, git_dir, glance.writes, glance.reads, caller)
        told = touch.answer(glance.reader, glance.rows, self.moment[:10], MOST_CHARACTERS)
        if told is None:
            return None
        said = host.render(request, Answer(told))
        answer: str = encode(said) if said else host.least(request.event)
        return answer

    def fail(self, message: str) -> str:
        """One line in the log of the repository that the call came from, and the host's least."""
        try:
            found = near(self.cwd or os.getcwd())
            if found is not None and os.path.isdir(found[0] + "/memory"):
                from memwarden.edge.turn.hooklog import record

                record(found[1] + "/mem", self.moment, self.host, self.event, message)
        except Exception:  # noqa: S110 - there is nowhere left to tell
            pass
        return self.module.least(self.event) if self.module is not None else ""


def _read_input() -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        part = os.read(0, CHUNK)
        if not part:
            return b"".join(parts)
        size += len(part)
        if size > MOST_INPUT:
            raise BadInput("more input than a hook reads")
        parts.append(part)


def parse(data: bytes) -> dict[str, object]:
    """The payload's object; raises :class:`BadInput`."""
    from memwarden.hosts import scan

    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise BadInput("input that is not UTF-8") from None
    if not text.strip(" \t\r\n"):
        raise BadInput("empty input")
    try:
        value = scan(text)
    except (ValueError, RecursionError):
        raise BadInput("input that is not JSON") from None
    if not isinstance(value, dict):
        raise BadInput("input that is not an object")
    return value


def _module_of(host: str) -> "ModuleType":
    # Not importlib.import_module: importlib is three modules, and a hook counts them.
    module: ModuleType = __import__("memwarden.hosts." + host, fromlist=("read",))
    return module


def _folder(payload: dict[str, object], request: "Request | None") -> str:
    cwd = request.cwd if request is not None else payload.get("cwd")
    if isinstance(cwd, str) and cwd and "\0" not in cwd:
        return _as_here(cwd, "")
    try:
        return os.getcwd()
    except OSError:
        raise BadInput("a working folder that is gone") from None


def near(folder: str) -> tuple[str, str] | None:
    """The top of the working tree around ``folder`` and its private git directory, or None.

    The short form of ``edge.place.find_place``: ``GIT_DIR`` is not looked at, and what only looks like a
    git directory is passed by.
    """
    try:
        top = os.path.realpath(folder)
    except (OSError, ValueError):
        return None
    while True:
        git_dir = top.rstrip("/") + "/.git"
        if os.path.isfile(git_dir):
            git_dir = _named_in(git_dir, top)
        if git_dir and os.path.lexists(git_dir + "/HEAD"):
            return top, git_dir
        parent = os.path.dirname(top)
        if parent == top:
            return None
        top = parent


def _named_in(file: str, top: str) -> str:
    """Where a ``.git`` file of a linked worktree or submodule leads."""
    try:
        with open(file, "rb") as opened:
            text = os.fsdecode(opened.read(4096))
    except OSError:
        return ""
    if not text.startswith("gitdir:"):
        return ""
    return os.path.normpath(os.path.join(top, text[len("gitdir:") :].strip()))


def paths_of(root: str, cwd: str, text: str) -> list[str]:
    """The repository-relative paths that ``text`` may mean in ``cwd``: where it really leads and, through
    a link, the link's own; none outside.  ``edge.tree.touched_paths.spellings`` for those in a hurry;
    ``root`` is a real path."""
    if not text or "\0" in text:
        return []
    if text.startswith("~"):
        text = os.path.expanduser(text)
    lead = root.rstrip("/") + "/"
    try:
        start = os.path.realpath(cwd)
        if not (start + "/").startswith(lead):
            start = root
        real = os.path.realpath(os.path.join(start, _as_here(text, start)))
        named = dict.fromkeys((real, os.path.normpath(os.path.join(cwd, _as_here(text, cwd)))))
    except (OSError, ValueError):
        return []
    found = [path[len(lead) :] for path in named if path.startswith(lead)]
    found = [path for path in found if path.partition("/")[0].lower() != ".git"]
    if all(path.isascii() for path in found):
        return found
    from memwarden.core.paths import forms

    return [form for path in found for form in forms(path)]


def _as_here(text: str, folder: str) -> str:
    """The short form of ``edge.tree.given_path.as_here``."""
    if os.sep == "\\" or not ("\\" in text or text[1:2] == ":"):
        return text
    if os.path.lexists(os.path.join(folder, text)):
        return text
    from memwarden.core.paths import without_drive

    return without_drive(text)


class Glance:
    """That a request may have something to hear; of a call that touches files and nothing else also the
    paths, and the notes near by out of a ``reader`` of a fresh index, by path."""

    __slots__ = ("reader", "reads", "rows", "writes")

    def __init__(self) -> None:
        self.reader: IndexReader | None = None
        self.rows: list[Row] = []
        self.writes: list[str] = []
        self.reads: list[str] = []


def look(request: "Request", root: str, git_dir: str) -> Glance | None:
    """Whether anything in this repository's memory may have to hear of the request; None where not."""
    if not request.kind or not os.path.isdir(root + "/memory"):
        return None
    glance = Glance()
    if request.kind not in (BEFORE, RAN):
        return None if request.kind == FAILED or _is_quiet_close(request, git_dir + "/mem") else glance
    if not request.touches():
        return None
    from memwarden.edge.index_read import mark_stale, open_index

    private = git_dir + "/mem"
    writes = [path for text in request.writes for path in paths_of(root, request.cwd, text)]
    wrote_notes = any(path.startswith("memory/") for path in writes) or "memory" in request.command
    if request.kind == RAN and wrote_notes:
        mark_stale(private)
    reader = open_index(private)
    if reader is None or not reader.fresh(root):
        return glance
    reads = [path for text in request.reads for path in paths_of(root, request.cwd, text)]
    named = None
    if request.command:
        if reader.head.get("commands") or request.tool.lower() == "powershell":
            return glance
        named = words_of(request.command)
        if named is None:
            return glance
    near_by = [path for text in named or () for path in paths_of(root, request.cwd, text)]
    rows: dict[str, Row] = {}
    for path in dict.fromkeys(writes + reads + near_by):
        found = reader.candidates(path)
        if found is None:
            return glance
        for row in found:
            rows[row[0]] = row
    if not rows:
        return None
    if request.session and not request.command and not any(p.startswith("memory/") for p in writes + reads):
        glance.reader, glance.rows = reader, [rows[path] for path in sorted(rows)]
        glance.writes, glance.reads = list(dict.fromkeys(writes)), list(dict.fromkeys(reads))
    return glance


def _is_quiet_close(request: "Request", private: str) -> bool:
    """Whether a turn ends in which nothing was told and nothing waits."""
    if request.kind != CLOSE:
        return False
    return not os.path.exists(private + "/sessions") and not os.path.exists(private + "/pending")


def words_of(command: str) -> list[str] | None:
    """Every piece of a shell text that could be a path which it touches, or None where only the lexer
    (``core.shell.shellpaths``) can tell: it has too many words, or something in it makes a path out of
    several.

    Most commands name no file that a note is anchored to; a glance at their words spares them the lexer.
    """
    if len(command) > LONGEST_GLANCE or any(char in command for char in MAKERS):
        return None
    found: list[str] = []
    waiting = [command]
    while waiting:
        text = waiting.pop()
        plain, quoted = _split_quotes(text)
        if plain is None:
            return None
        for word in plain.split():
            parts = word.split("=")
            found += [word, *parts[1:], *(["=".join(parts[1:])] if len(parts) > 2 else ())]
        waiting += quoted
        found += quoted
    if len(found) > MOST_WORDS or any(word.rpartition("/")[2] in JOINERS for word in found):
        return None
    return found


def _split_quotes(text: str) -> tuple[str | None, list[str]]:
    """A text with its operators and quoted parts blanked, and the quoted parts; None in place of the text
    where a quoted part is glued to something, or has no end."""
    plain, quoted, at = "", [], 0
    while at < len(text):
        char = text[at]
        if char in "'\"":
            end = text.find(char, at + 1)
            glued = plain[-1:].strip() or (text[end + 1 : end + 2].strip(SEPARATORS))
            if end < 0 or glued:
                return None, []
            if end - at > 1:
                quoted.append(text[at + 1 : end])
            plain += " "
            at = end + 1
        else:
            plain += " " if char in SEPARATORS else char
            at += 1
    return plain, quoted


def _write(text: str) -> None:
    """All of it, as UTF-8; a host that has gone away is not our affair."""
    data = text.encode("utf-8", "backslashreplace")
    while data:
        try:
            data = data[os.write(1, data) :]
        except BlockingIOError:  # half an answer is none
            from memwarden.edge.answers.recall import wait_to_write

            wait_to_write(1)
        except OSError:
            return
