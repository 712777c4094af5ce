"""The block that points agents at the memory, kept inside a file that belongs to someone else.

Between two marker lines of ``CLAUDE.md``, ``AGENTS.md`` or ``GEMINI.md`` the text is ours; every byte
outside stays as it is.  A marker counts only as a line of its own outside code fences, and a file whose
markers are broken or doubled is refused rather than guessed at.
"""

from __future__ import annotations

from memwarden.core.record import NamedTuple
from memwarden.errors import Refused

BEGIN = "<!-- memwarden:begin -->"
END = "<!-- memwarden:end -->"
_BOM = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Where a file's block is: ``data[start:end]`` from the first byte of the begin marker's line to the
    last of the end marker's, with its newline.  ``line`` counts from 1; ``body`` is what stands between,
    with ``\\n`` for every line end.  Without a block ``start`` is -1; ``fault`` says what is wrong."""

    start: int = -1
    end: int = -1
    line: int = 0
    body: str = ""
    fault: str = ""

    @property
    def found(self) -> bool:
        return self.start >= 0 and not self.fault


def find_block(data: bytes) -> Block:
    """The block of an agent file, none, or the fault that keeps it from being found."""
    if BEGIN.encode() not in data and END.encode() not in data:
        return Block()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Block(line=1, fault="the file is not UTF-8")
    markers = _markers(text)
    kinds = [kind for kind, _ in markers]
    if not markers:
        return Block()
    if kinds != [BEGIN, END]:
        return Block(line=markers[0][1] + 1, fault=_fault(kinds))
    lines = text.split("\n")
    first, last = markers[0][1], markers[1][1]
    start = len("\n".join(lines[:first]).encode()) + (1 if first else 0)
    end = min(len("\n".join(lines[: last + 1]).encode()) + 1, len(data))
    if first == 0 and data.startswith(_BOM):
        start = len(_BOM)
    body = "".join(line.rstrip("\r") + "\n" for line in lines[first + 1 : last])
    return Block(start, end, first + 1, body)


def put_block(data: bytes, body: str, path: str = "") -> bytes:
    """The file with ``body`` as its block: replaced where there is one, else appended after a blank line.

    The file's own line ends are used.  Raises :class:`Refused` where the markers are broken or doubled,
    or ``body`` has a marker in it.  Applied twice it gives the same bytes.
    """
    if any(marker in body for marker in (BEGIN, END)):
        raise Refused("the block's text holds its own marker", "take the marker out of the text")
    found = find_block(data)
    if found.fault:
        raise Refused(
            f"{path or 'the agent file'}:{found.line}: {found.fault}",
            f"leave one `{BEGIN}` line and one `{END}` line after it, or none",
        )
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    lines = [BEGIN, *body.rstrip("\n").split("\n"), END]
    block = newline.join(line.encode() for line in lines) + newline
    if found.found:
        if not data[found.start : found.end].endswith(b"\n"):
            block = block.removesuffix(newline)
        if found.body == "\n".join(lines[1:-1]) + "\n":
            return data
        return data[: found.start] + block + data[found.end :]
    gap = b"" if data in (b"", _BOM) else newline if data.endswith(b"\n") else newline * 2
    written = data + gap + block
    if not find_block(written).found:
        raise Refused(
            f"{path or 'the agent file'}: what is appended here would be read as code",
            "close the code fence (``` or ~~~) that is open at the end of the file",
        )
    return written


def _fault(kinds: list[str]) -> str:
    if kinds.count(BEGIN) > 1 or kinds.count(END) > 1:
        return "the memory block is there twice"
    if BEGIN not in kinds:
        return "the memory block's end marker has no begin marker"
    if END not in kinds:
        return "the memory block is never closed"
    return "the memory block's end marker stands before its begin marker"


def _markers(text: str) -> list[tuple[str, int]]:
    """Every marker line outside code, with its line from 0."""
    lines = text.removeprefix("\ufeff").split("\n")
    found = [(line.strip(), at) for at, line in enumerate(lines) if line.strip() in (BEGIN, END)]
    if found and any(sign in text for sign in ("```", "~~~", "    ", "\t")):
        from memwarden.edit.markdown import blocks  # only a file that has code pays for the parser

        opaque: set[int] = set()
        for token in blocks(text.replace("\r\n", "\n")):
            if token.type in ("fence", "code_block") and token.map:
                opaque.update(range(*token.map))
        found = [(marker, at) for marker, at in found if at not in opaque]
    return found
