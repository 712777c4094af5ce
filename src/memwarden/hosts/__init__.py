"""What every agent host's payload comes down to: one neutral request, in one small class.

This package is on the path of every tool call of an agent, so the class is plain: no records, no typing.
Each host has a module of its own, with ``read`` (payload to request), ``asks``, ``refuses`` and ``tells``
(what the host can do with this request), ``render`` (answer to the host's dialect) and ``least`` (what
the host demands when there is nothing to say).
"""

# What happened, as the rest of the program knows it.
START = "session-start"
PROMPT = "prompt"
BEFORE = "before"  # a tool is about to run
RAN = "ran"  # a tool has run
FAILED = "failed"  # a tool was announced and did nothing
CLOSE = "turn-close"
COMPACTION = "compaction"
SUB_START = "subagent-start"
SUB_CLOSE = "subagent-close"
END = "session-end"
NOTHING = ""  # known to the host's module, of no interest here

# The modes that matter: PLAN must not write in the tree, BYPASS has nobody to answer an ask.
PLAN = "plan"
BYPASS = "bypass"

HOSTS = ("claude", "codex", "gemini", "cursor", "copilot", "git")

# Every host cuts, or moves to a file, what is longer than this.
MOST_CHARACTERS = 10_000


class Request:
    """One event of a host.  A field that the payload lacks is ``""`` or ``()``.

    ``event`` is the host's own name for it, ``agent`` the subagent's ID, ``call`` the tool call's ID,
    ``source`` why a session started.  ``reads`` and ``writes`` are paths as the host wrote them;
    ``command`` is shell text.  ``text`` keeps what only the host's own module understands.
    """

    __slots__ = (
        "agent",
        "call",
        "command",
        "cwd",
        "event",
        "kind",
        "mode",
        "reads",
        "session",
        "source",
        "text",
        "tool",
        "writes",
    )

    def __init__(self, kind: str, event: str, cwd: str = "", session: str = "", agent: str = "") -> None:
        self.kind = kind
        self.event = event
        self.cwd = cwd
        self.session = session
        self.agent = agent
        self.mode = ""
        self.call = ""
        self.tool = ""
        self.source = ""
        self.command = ""
        self.text = ""
        self.reads: tuple[str, ...] = ()
        self.writes: tuple[str, ...] = ()

    def touches(self) -> bool:
        """Whether a path or a command is in it."""
        return bool(self.reads or self.writes or self.command)


class Answer:
    """What we say: ``context`` for the model, ``ask`` for the person who decides, ``refuse`` in place of
    an ask where the host or its mode has none."""

    __slots__ = ("ask", "context", "refuse")

    def __init__(self, context: str = "", ask: str = "", refuse: str = "") -> None:
        self.context = context
        self.ask = ask
        self.refuse = refuse


def text_of(payload: dict[str, object], key: str) -> str:
    """The payload's text under ``key``; anything else there is as good as nothing."""
    value = payload.get(key)
    return value if isinstance(value, str) else ""


def mapping_of(payload: dict[str, object], key: str) -> dict[str, object]:
    """The payload's object under ``key``, or an empty one."""
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def patched_paths(patch: str) -> tuple[str, ...]:
    """The files that an ``apply_patch`` text names, in its order."""
    found = []
    for line in patch.split("\n"):
        if line.startswith("*** "):
            for mark in ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "):
                if line.startswith(mark):
                    found.append(line[len(mark) :].strip())
    return tuple(found)


def scan(text: str) -> object:
    """The JSON value of a text; raises :class:`ValueError` or :class:`RecursionError`.

    The standard library's own scanner is used without the module ``json``, whose import costs more than
    all the rest of a hook; where it is missing, ``json`` is what it is.
    """
    try:
        from _json import make_scanner

        scanner = make_scanner(_Decoding)  # type: ignore[arg-type]
    except (ImportError, AttributeError):  # AttributeError: a later Python asks _Decoding for more
        import json

        return json.loads(text, parse_int=_whole)
    start = len(text) - len(text.lstrip(" \t\r\n"))
    try:
        value, end = scanner(text, start)
    except (StopIteration, SystemError):  # SystemError: the scanner finds its error's class in json only
        raise ValueError("not JSON") from None
    if text[end:].strip(" \t\r\n"):
        raise ValueError("more than one value")
    return value


def _whole(text: str) -> float:
    """A whole number, or what comes near it where it has more digits than Python takes."""
    try:
        return int(text)
    except ValueError:
        return float(text)


class _Decoding:
    """What ``json.JSONDecoder`` tells the scanner by default, but for whole numbers of any length."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = _whole
    parse_constant = float
    memo: dict[str, str] = {}


def encode(value: object) -> str:
    """JSON without the module ``json``, which would cost as much as the answer."""
    try:
        from _json import encode_basestring
    except ImportError:
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _encode(value, encode_basestring)


def _encode(value: object, quote: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{_encode(key, quote)}:{_encode(item, quote)}" for key, item in value.items())
        return "{" + ",".join(pairs) + "}"
    return quote(str(value))  # type: ignore[operator, no-any-return]
