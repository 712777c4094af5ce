"""PowerShell text, as far as separators and quotes go: enough to see its commands and their files.

Best effort: PowerShell's escape is a backtick and its backslash an ordinary character, so the POSIX
lexer would misread every Windows path.  The text is rewritten to the POSIX form and read as that.
"""

from __future__ import annotations


def as_posix_text(text: str) -> str:
    """The same commands with POSIX quoting: words quoted whole, ``\\`` kept, here-strings dropped."""
    out: list[str] = []
    at, size = 0, len(text)
    while at < size:
        char = text[at]
        if text.startswith(("@'", '@"'), at):
            end = text.find("\n" + text[at + 1] + "@", at)
            out.append("''")
            at = size if end < 0 else end + 3
        elif text.startswith("<#", at):
            end = text.find("#>", at)
            at = size if end < 0 else end + 2
        elif char in "'\"":
            end = _closing(text, at)
            out.append(_quote(text[at + 1 : end].replace(char * 2, char)))
            at = end + 1
        elif char == "`":
            following = text[at + 1 : at + 2]
            out.append("" if following in "\r\n" else _quote(following))
            at += 2
        else:
            out.append("\\\\" if char == "\\" else char)
            at += 1
    return "".join(out)


def _closing(text: str, start: int) -> int:
    """The place of the quote that closes the one at ``start``; a doubled quote does not."""
    quote, at = text[start], start + 1
    while True:
        end = text.find(quote, at)
        if end < 0:
            return len(text)
        if quote == '"' and text[end - 1] == "`" and end - 1 > start:
            at = end + 1
        elif text.startswith(quote * 2, end):
            at = end + 2
        else:
            return end


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
