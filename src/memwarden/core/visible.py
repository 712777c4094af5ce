"""Text made safe to show: control, ANSI and bidirectional-override characters become visible escapes."""

# Unicode's bidirectional controls (UAX 9) and the invisible ones that can hide text (UTS 39).
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
INVISIBLE = "\u200b\u2028\u2029\u2060\ufeff\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0"


def is_hidden(char: str) -> bool:
    """Whether ``char`` is a control, bidirectional-override or invisible character (not tab, newline)."""
    code = ord(char)
    if code < 0x20:
        return char not in "\t\n"
    if code < 0x7F:
        return False
    return (
        code < 0xA0
        or char in BIDI
        or char in INVISIBLE
        or 0xE0000 <= code <= 0xE0FFF
        or 0xD800 <= code <= 0xDFFF
    )


def visible(text: str) -> str:
    """``text`` with every hidden character written as ``\\x1b`` or ``\\u202e``; lines are kept."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(_escape(char) if is_hidden(char) else char for char in text)


def plain(text: str) -> str:
    """``text`` as one visible line: newlines and tabs are escaped too."""
    if text.isascii() and text.isprintable():
        return text
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
