"""The path law: which repository-relative paths a note, a command or a file name may hold.

A path from a note is untrusted.  It must mean one file inside the repository on every operating
system, so that what is refused on one machine is not a device, a stream or another folder on the next.
"""

from __future__ import annotations

from memwarden.core.visible import is_hidden

DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"]
)
# NTFS knows a folder's 8.3 name too.
GIT_NAMES = frozenset([".git", "git~1"])
# Characters that HFS+ leaves out of a name: with one of them in it, .git is still .git.
_IGNORED = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])
ENCODED = ("%2e", "%2f", "%5c", "%00", "%3a")


def check_path(text: str) -> str | None:
    """Why ``text`` is refused as a path or a path glob, as the end of a sentence; None where it is fine."""
    if _is_plain(text):
        return None
    if not text or text.isspace():
        return "is empty"
    if any(is_hidden(char) or char in "\t\n" for char in text) and not _only_odd_bytes(text):
        return "has a control or invisible character"
    if text.startswith(("/", "~/")) or text == "~":
        return "is absolute; paths start at the top of the repository"
    if "\\" in text:
        return "has a backslash; separate folders with /"
    if text[1:2] == ":" and text[0].isascii() and text[0].isalpha():
        return "names a drive; paths start at the top of the repository"
    if "%" in text and any(code in text.lower() for code in ENCODED):
        return "hides a separator or a dot behind a percent code"
    for part in text.split("/"):
        reason = _check_part(part)
        if reason:
            return reason
    if not normal(text):
        return "names the whole repository; name a file or a folder in it"
    return None


def without_drive(text: str) -> str:
    """A path as Windows writes it in the words of a system that has no drives: a host, or a shell in
    between, may name a file of this machine in that way."""
    text = text.replace("\\", "/")
    return text[2:] if text[1:3] == ":/" and text[0].isascii() and text[0].isalpha() else text


def _is_plain(text: str) -> bool:
    """Whether nothing in the text can break the law: true of nearly every path, and cheap to see."""
    return (
        text.isascii()
        and text.isprintable()
        and text[:1] not in "/~. "
        and text[-1:] not in "/. "
        # One by one: a loop over them costs more than all of them.
        and "./" not in text
        and " /" not in text
        and "//" not in text
        and ".." not in text
        and "\\" not in text
        and ":" not in text
        and "%" not in text
        and ".g" not in text
        and ".G" not in text
        and "~" not in text
        and DEVICES.isdisjoint(text.lower().split("/"))
    )


def _check_part(part: str) -> str | None:
    if part in ("", "."):
        return None
    if part == "..":
        return "leaves its folder through .."
    if part.translate(_IGNORED).lower().rstrip(". ") in GIT_NAMES:
        return "enters .git"
    if part[-1] in ". ":
        return "has a name that ends in a dot or a blank, which not every system keeps"
    if ":" in part and "[:" not in part:
        return "has a colon, which names a hidden stream on some systems"
    if part.lower() in DEVICES:
        return f"names a device ({part}) on some systems"
    return None


def _only_odd_bytes(text: str) -> bool:
    """Undecodable bytes of a real file name arrive as lone surrogates: odd, but no control character."""
    return all(0xDC80 <= ord(char) <= 0xDCFF for char in text if is_hidden(char) or char in "\t\n")


def normal(text: str) -> str:
    """The one spelling of a path: no ``./``, no doubled or closing slash."""
    if "//" not in text and "./" not in text and not text.endswith(("/", ".")) and not text.startswith("/"):
        return text
    return "/".join(part for part in text.split("/") if part not in ("", "."))


def forms(path: str) -> tuple[str, ...]:
    """The path as it is given and as other systems spell the same letters: an accent may be part of its
    letter (NFC) or stand behind it (NFD), and a note may name either."""
    if path.isascii():
        return (path,)
    from unicodedata import normalize  # few paths come here

    return tuple(dict.fromkeys((path, normalize("NFC", path), normalize("NFD", path))))


def folded(path: str) -> str:
    """The spelling under which two paths are one file on some system: case and Unicode form ignored."""
    if path.isascii():
        return path.lower()
    from unicodedata import normalize  # only names beyond ASCII pay for it

    return normalize("NFC", normalize("NFC", path).casefold())
