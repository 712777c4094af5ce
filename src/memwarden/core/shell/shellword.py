"""What the shell lexer builds: words, commands, and the levels of nesting that they stand in."""

from __future__ import annotations

from memwarden.core.record import NamedTuple

# What a frame of the lexer's stack is inside of.
COMMANDS = "commands"  # a list of commands: the whole text, a subshell, a substitution
ARRAY = "array"  # name=( words )
PARAMETER = "parameter"  # ${ ... }
ARITHMETIC = "arithmetic"  # $(( ... )) and (( ... ))
MOST_NESTED = 64


def word_set(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


_WORDS_BEFORE_A_COMMAND = word_set("if then else elif do while until ! { coproc")
# The ends of compound commands, and their heads, whose substitutions were read already.
_NO_COMMANDS = word_set("fi done esac } for select case function")


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


class Builder:
    """The commands that were found so far, and the stack of frames that the text is in the middle of."""

    def __init__(self) -> None:
        self.commands: list[Simple] = []
        self.parents = [0]
        self.stack = [Frame(COMMANDS, "", 0)]
        self.in_quotes: list[bool] = [False]  # for each frame: is its word inside double quotes?
        self.waiting: list[tuple[str, bool]] = []  # here-documents whose bodies start at the next line

    def end_word(self, frame: Frame) -> None:
        """What was read since the last word ended is a word: of the command, a target, or a mark."""
        if not frame.started:
            return
        word = Word("".join(frame.parts), "".join(frame.bare), frame.plain, frame.glob, frame.quoted)
        operator, frame.operator = frame.operator, ""
        frame.begin_word()
        if operator in ("<<", "<<-"):
            self.waiting.append((word.text, operator == "<<-"))
        elif operator:
            is_copy = operator[-1] == "&" and (word.text.isdigit() or word.text == "-")  # of a descriptor
            if not is_copy:
                frame.redirects.append(Redirect(operator, word))
        elif frame.words or word.quoted or word.text not in _WORDS_BEFORE_A_COMMAND:
            self._add_word(frame, word)

    def _add_word(self, frame: Frame, word: Word) -> None:
        """Take a word of a command, and note the reserved words that change how what follows is read."""
        if word.text == "{" and frame.words and frame.words[0].text == "function":
            frame.words.clear()
            return
        frame.words.append(word)
        if word.text == "]]":
            frame.tested = False
        elif len(frame.words) > 1:
            return
        elif word.text == "[[" and not word.quoted:
            frame.tested = True
        elif word.text == "case" and not word.quoted:
            frame.cases += 1
        elif word.text == "esac" and frame.cases:
            frame.cases -= 1

    def end_command(self, frame: Frame) -> None:
        """The words and redirections since the last command ended are a command, if there are any."""
        self.end_word(frame)
        frame.operator = ""
        frame.tested = False
        words, redirects = tuple(frame.words), tuple(frame.redirects)
        frame.words.clear()
        frame.redirects.clear()
        if frame.kind != COMMANDS:
            return
        if words and not words[0].quoted and words[0].text in _NO_COMMANDS:
            words = ()
        if words or redirects:
            self.commands.append(Simple(words, redirects, frame.scope))

    def enter_commands(self, closer: str) -> None:
        """Enter a list of commands, unless so deep already that no person wrote it."""
        if len(self.stack) > MOST_NESTED:
            self.end_command(self.stack[-1])
            return
        self.parents.append(self.stack[-1].scope)
        self.enter(Frame(COMMANDS, closer, len(self.parents) - 1))

    def enter(self, frame: Frame) -> None:
        """Go one level deeper."""
        if len(self.stack) > MOST_NESTED:
            return
        self.stack.append(frame)
        self.in_quotes.append(False)

    def leave(self) -> None:
        """End the innermost level, and with it its last command."""
        frame = self.stack.pop()
        self.in_quotes.pop()
        self.end_command(frame)

    def end(self) -> None:
        """The text is over, however many levels are open."""
        while len(self.stack) > 1:
            self.leave()
        self.end_command(self.stack[0])


def ansi_end(text: str, start: int) -> int:
    """Where the quote of ``$'...'`` closes: a backslash keeps one from it."""
    end, size = start, len(text)
    while end < size and text[end] != "'":
        end += 2 if text[end] == "\\" else 1
    return end
