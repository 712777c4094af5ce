"""Names that are given once: a note's ID, and the file name that a title suggests."""

from __future__ import annotations

from memwarden.core.note import ID_ALPHABET, ID_LENGTH
from memwarden.core.paths import DEVICES
from memwarden.core.record import TYPE_CHECKING
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Callable, Container

MOST_DRAWS = 1000
LONGEST_SLUG = 60
MOST_SLUG_BYTES = 120  # with the ID and .md still far from the 255 bytes of a file name


def mint_id(rng: Callable[[int], bytes], taken: Container[str]) -> str:
    """A new note ID from random bytes; one that is taken is drawn again."""
    for _ in range(MOST_DRAWS):
        minted = "n-" + "".join(ID_ALPHABET[byte & 31] for byte in rng(ID_LENGTH))
        if minted not in taken:
            return minted
    raise MemError("no free note ID was drawn", "the source of randomness is broken: it repeats itself")


def slug(title: str) -> str:
    """A title as a file name that every system takes: lower case, letters and digits, dashes between.

    Accents fall off Latin letters; other scripts keep their letters.  A title without any letter or
    digit is ``note``.
    """
    words = "".join(char if char.isalnum() else " " for char in _plain_letters(title)).split()
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word
        if len(longer) > LONGEST_SLUG or len(longer.encode()) > MOST_SLUG_BYTES:
            break
        name = longer
    if not name and words:
        name = words[0][:LONGEST_SLUG].encode()[:MOST_SLUG_BYTES].decode(errors="ignore")
    if not name:
        return "note"
    return name + "-note" if name in DEVICES else name


def note_file_name(title: str, note_id: str) -> str:
    """``retry-policy-4f7k2m9q.md``: readable, and unique by the ID's characters."""
    return f"{slug(title)}-{note_id.removeprefix('n-')}.md"


def _plain_letters(text: str) -> str:
    text = text.replace("'", "").replace("\u2019", "")  # don't is one word
    if text.isascii():
        return text.lower()
    from unicodedata import combining, normalize  # only titles beyond ASCII pay for it

    kept: list[str] = []
    base = ""
    for char in normalize("NFKD", normalize("NFKC", text).casefold()):
        if not combining(char):
            base = char
        elif base.isascii():
            continue
        kept.append(char)
    return normalize("NFC", "".join(kept))
