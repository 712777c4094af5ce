"""Shell text cut into simple commands, so that a command anchor meets commands and never mere text.

A small lexer of the POSIX shell language with the common bash forms.  It cuts at ``&& || ; | &`` and
newlines, looks into subshells, ``$(...)``, backticks and process substitutions, takes quotes, escapes,
comments and redirections for what they are, and skips here-document bodies.  It never raises, whatever
the text, and its time is linear in the text.  What the commands mean is for ``core.shell.shellcommand``.
"""

from __future__ import annotations

from memwarden.core.shell.shellword import (
    ARITHMETIC,
    ARRAY,
    COMMANDS,
    PARAMETER,
    Builder,
    Frame,
    Script,
    ansi_end,
)

_SPECIAL = frozenset(" \t\r\n;&|()<>'\"\\`$#{}*?[]")
_SPECIAL_IN_QUOTES = frozenset('"\\`$')
_REDIRECTS = ("<<<", "<<-", "<<", "<>", "<&", ">>", ">|", ">&", "<", ">")


def lex(text: str) -> Script:
    """The simple commands of a shell text; never raises."""
    reader = _Reader(text)
    reader.read()
    return Script(tuple(reader.commands), tuple(reader.parents))


class _Reader(Builder):
    """What the characters of a text mean, where it is read at ``at``."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.at = 0

    def read(self) -> None:
        text, size = self.text, len(self.text)
        while self.at < size:
            frame = self.stack[-1]
            if self.in_quotes[-1]:
                self._read_quoted(frame)
            elif frame.kind == PARAMETER:
                self._read_parameter(frame)
            elif frame.kind == ARITHMETIC:
                self._read_arithmetic(frame)
            else:
                self._read_plain(frame, text[self.at])
        self.end()

    # -- unquoted text ---------------------------------------------------------------------------

    def _read_plain(self, frame: Frame, char: str) -> None:
        if char not in _SPECIAL:
            self._read_run(frame)
        elif char in " \t\r":
            self.end_word(frame)
            self.at += 1
        elif char == "\n":
            self.at += 1
            self.end_command(frame)
            self._skip_bodies()
        elif char == "'":
            self._read_single(frame)
        elif char == '"':
            self._open_quotes(frame)
        elif char == "\\":
            self._read_escape(frame)
        elif char == "$":
            self._read_dollar(frame)
        elif char == "`":
            self._read_backticks(frame)
        elif char == "#":
            self._read_hash(frame)
        elif char in "<>":
            self._read_angle(frame)
        elif char in "*?[]{}":
            frame.glob = frame.glob or char in "*?["
            frame.add(char)
            self.at += 1
        elif char == "(":
            self._read_open(frame)
        elif char == ")":
            self._read_close(frame)
        else:  # ; & |
            self._read_separator(frame, char)

    def _read_run(self, frame: Frame) -> None:
        """A run of ordinary characters, in one go."""
        text, start, end, size = self.text, self.at, self.at + 1, len(self.text)
        while end < size and text[end] not in _SPECIAL:
            end += 1
        run = text[start:end]
        frame.add(run)
        frame.assigned = run[-1] == "="
        self.at = end

    def _read_single(self, frame: Frame) -> None:
        end = self.text.find("'", self.at + 1)
        end = len(self.text) if end < 0 else end
        frame.add(self.text[self.at + 1 : end], quoted=True)
        self.at = end + 1

    def _read_escape(self, frame: Frame) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if self.text.startswith("\r\n", self.at + 1):
            self.at += 3
        elif following == "\n":
            self.at += 2
        else:
            frame.add(following)
            self.at += 2

    def _read_hash(self, frame: Frame) -> None:
        if frame.started:
            frame.add("#")
            self.at += 1
            return
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _read_separator(self, frame: Frame, char: str) -> None:
        if char == "&" and self.text.startswith(">", self.at + 1) and not frame.tested:
            self.end_word(frame)
            self.at += 1
            self._read_angle(frame)
            return
        if frame.tested and self.text.startswith(char * 2, self.at):
            self.end_word(frame)  # && and || inside [[ ]] join tests, not commands
            self.at += 2
            return
        self.at += 1
        self.end_command(frame)

    def _read_open(self, frame: Frame) -> None:
        text = self.text
        if frame.assigned and frame.started:
            self.at += 1
            self.enter(Frame(ARRAY, ")", frame.scope))
            return
        if frame.started or frame.words or frame.tested:
            rest = text[self.at + 1 : self.at + 64].lstrip(" \t")
            if rest.startswith(")") and not frame.tested:  # name () { a function's body }
                frame.begin_word()
                frame.words.clear()
                self.at = text.index(")", self.at) + 1
                return
            self.end_word(frame)  # a pattern of case, an extended glob: what follows is a list
            if frame.tested:
                self.at += 1
                return
            self.end_command(frame)
        if text.startswith("((", self.at):
            self.at += 2
            self.enter(Frame(ARITHMETIC, "))", frame.scope))
            return
        self.at += 1
        self.enter_commands(")")

    def _read_close(self, frame: Frame) -> None:
        self.at += 1
        if frame.closer == ")" and len(self.stack) > 1 and not frame.cases:
            self.leave()
        elif frame.tested:
            self.end_word(frame)
        elif frame.kind == COMMANDS:
            self.end_word(frame)  # `pattern)` of case, or a stray one: what stands before is no command
            frame.words.clear()
            frame.redirects.clear()

    # -- expansions ------------------------------------------------------------------------------

    def _read_dollar(self, frame: Frame) -> None:
        text, quoted = self.text, self.in_quotes[-1]
        following = text[self.at + 1 : self.at + 2]
        if following == "(":
            frame.add("$()", quoted=quoted)
            frame.plain = False
            if text.startswith("((", self.at + 1):
                self.at += 3
                self.enter(Frame(ARITHMETIC, "))", frame.scope))
            else:
                self.at += 2
                self.enter_commands(")")
        elif following == "{":
            self.at += 2
            frame.add("${}", quoted=quoted)
            frame.plain = False
            self.enter(Frame(PARAMETER, "}", frame.scope))
        elif following == "'" and not quoted:
            self._read_ansi(frame)
        elif following == '"' and not quoted:
            self.at += 1
        else:
            if following.isalnum() or (following and following in "_?$!#@*-"):
                frame.plain = False
            frame.add("$", quoted=quoted)
            self.at += 1

    def _read_ansi(self, frame: Frame) -> None:
        start = self.at + 2
        end = ansi_end(self.text, start)
        inner = self.text[start:end]
        frame.plain = frame.plain and "\\" not in inner
        frame.add(inner, quoted=True)
        self.at = end + 1

    def _read_backticks(self, frame: Frame) -> None:
        if frame.closer == "`":
            self.at += 1
            self.leave()
            return
        frame.add("$()", quoted=self.in_quotes[-1])
        frame.plain = False
        self.at += 1
        self.enter_commands("`")

    def _read_parameter(self, frame: Frame) -> None:
        """Inside ``${ ... }``: only its end and what can hold commands matter."""
        char = self.text[self.at]
        if char == "}":
            self.at += 1
            self.leave()
        elif char == "$":
            self._read_dollar(frame)
        elif char == "`":
            self._read_backticks(frame)
        elif char == "'" and not any(self.in_quotes):
            self._read_single(frame)
        elif char == '"':
            self._open_quotes(frame)
        else:
            self.at += 2 if char == "\\" else 1

    def _read_arithmetic(self, frame: Frame) -> None:
        char = self.text[self.at]
        if char == "$":
            self._read_dollar(frame)
        elif char == "`":
            self._read_backticks(frame)
        elif char == "(":
            frame.depth += 1
            self.at += 1
        elif char == ")" and frame.depth:
            frame.depth -= 1
            self.at += 1
        elif char == ")":
            self.at += 2 if self.text.startswith("))", self.at) else 1
            self.leave()
        else:
            self.at += 1

    # -- double quotes ---------------------------------------------------------------------------

    def _open_quotes(self, frame: Frame) -> None:
        frame.add("", quoted=True)
        self.in_quotes[-1] = True
        self.at += 1

    def _read_quoted(self, frame: Frame) -> None:
        text, start, end, size = self.text, self.at, self.at, len(self.text)
        while end < size and text[end] not in _SPECIAL_IN_QUOTES:
            end += 1
        if end > start:
            frame.add(text[start:end], quoted=True)
            self.at = end
            return
        char = text[start]
        if char == '"':
            self.in_quotes[-1] = False
            self.at += 1
        elif char == "$":
            self._read_dollar(frame)
        elif char == "`":
            self._read_backticks(frame)
        else:
            following = text[start + 1 : start + 2]
            if following != "\n":
                frame.add(following if following in '"\\`$' else "\\" + following, quoted=True)
            self.at += 2

    # -- redirections and here-documents -----------------------------------------------------------

    def _read_angle(self, frame: Frame) -> None:
        text = self.text
        if frame.tested:
            self.end_word(frame)
            self.at += 1
            return
        if text.startswith("(", self.at + 1):  # <(commands) and >(commands)
            frame.add("$()")
            frame.plain = False
            self.at += 2
            self.enter_commands(")")
            return
        if frame.started and not frame.quoted and "".join(frame.parts).isdigit():
            frame.begin_word()  # a file descriptor, not a word
        self.end_word(frame)
        frame.operator = next(operator for operator in _REDIRECTS if text.startswith(operator, self.at))
        self.at += len(frame.operator)

    def _skip_bodies(self) -> None:
        """Skip the here-documents that were announced on the line just ended."""
        for mark, tabs in self.waiting:
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end].rstrip("\r")
                self.at = end + 1
                if (line.lstrip("\t") if tabs else line) == mark:
                    break
        self.waiting.clear()
        self.at = min(self.at, len(self.text))
