"""The manifest's protocol, read before anything else is believed.

A later protocol may change any rule of the format, also how frontmatter is read.  So this looks for
one line by itself, and refuses before a reader that knows only today's rules can misread the rest.
"""

from __future__ import annotations

from memwarden.core.manifest import PATH, PROTOCOL
from memwarden.errors import NewerProtocol


def require_protocol(data: bytes) -> None:
    """Raise :class:`NewerProtocol` where the manifest ``data`` declares a newer protocol than ours."""
    declared, line = protocol_of(data)
    if declared > PROTOCOL:
        raise NewerProtocol(
            f"{PATH}:{line}: protocol {declared} is newer than this program reads ({PROTOCOL})",
            "install a newer memwarden; nothing was read or written",
        )


def protocol_of(data: bytes) -> tuple[int, int]:
    """The protocol that a manifest declares and its line; (0, 0) where it declares none."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[0].rstrip() != b"---":
        return 0, 0
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == b"---":
            break
        key, colon, value = line.partition(b":")
        if colon and key.strip(b" \t'\"") == b"protocol" and key[:1] not in b" \t":
            digits = value.partition(b" #")[0].strip(b" \t\r'\"")
            if digits.isdigit():  # cut short: a hundred digits are as much newer as eighteen
                return int(digits.lstrip(b"0")[:18] or b"0"), number
    return 0, 0
