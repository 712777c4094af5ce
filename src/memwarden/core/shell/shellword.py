"""The words, commands and nesting levels that the shell lexer builds."""

from __future__ import annotations

from memwarden.core.record import NamedTuple

# What a frame of the lexer's stack is inside of.
COMMANDS = "commands"  # a list of commands: the whole text, a subshell, a substitution
ARRAY = "array"  # name=( words )
PARAMETER = "parameter"  # ${ ... }
ARITHMETIC = "arithmetic"  # $(( ... )) and (( ... ))


class Word(NamedTuple):
    """One word: ``text`` without its quotes, ``bare`` only what stood outside quotes.

    ``plain`` says that the word holds no variable and no substitution, ``glob`` that the shell expands
    it to file names, ``quoted`` that some of it stood inside quotes.
    """

    text: str
    bare: str
    plain: bool = True
    glob: bool = False
    quoted: bool = False


class Redirect(NamedTuple):
    """``operator`` without its file descriptor (``>``, ``>>``, ``<``...) and the target word."""

    operator: str
    target: Word


class Simple(NamedTuple):
    """One simple command; ``scope`` names the group (subshell, substitution) that it stands in."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    scope: int = 0


class Script(NamedTuple):
    """The simple commands of a text, inner ones before the command that holds them; ``parents`` gives
    each scope's enclosing scope (the outermost is 0, its own parent)."""

    commands: tuple[Simple, ...]
    parents: tuple[int, ...]


class Frame:
    """One level of nesting: the command that it is in the middle of, and the word."""

    __slots__ = (
        "assigned", "bare", "cases", "closer", "depth", "glob", "kind", "operator", "parts", "plain",
        "quoted", "redirects", "scope", "started", "tested", "words",
    )  # fmt: skip

    def __init__(self, kind: str, closer: str, scope: int) -> None:
        self.kind = kind
        self.closer = closer
        self.scope = scope
        self.depth = 0
        self.words: list[Word] = []
        self.redirects: list[Redirect] = []
        self.operator = ""
        self.cases = 0  # open case statements, whose patterns end in a ) of their own
        self.tested = False  # inside [[ ]], where < and > compare
        self.begin_word()

    def begin_word(self) -> None:
        self.parts: list[str] = []
        self.bare: list[str] = []
        self.started = False
        self.plain = True
        self.glob = False
        self.quoted = False
        self.assigned = False  # the last thing read was an unquoted =

    def add(self, text: str, *, quoted: bool = False) -> None:
        self.started = True
        self.parts.append(text)
        self.assigned = False
        if quoted:
            self.quoted = True
        else:
            self.bare.append(text)


def word_set(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


def ansi_end(text: str, start: int) -> int:
    """Where the quote of ``$'...'`` closes: a backslash keeps one from it."""
    end, size = start, len(text)
    while end < size and text[end] != "'":
        end += 2 if text[end] == "\\" else 1
    return end
