"""Writing a file of keyed values; ``index_read`` has its layout and reads it, with less."""

from __future__ import annotations

import marshal
import os
from contextlib import suppress

from memwarden.edge.index_read import MAGIC, NUMBER, PAGE, SLOTS, checksum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from memwarden.edge.place import Place


def keyed_bytes(values: Mapping[str, Any], mark: bytes) -> bytes:
    """The bytes of a keyed file (its layout is ``index_read``'s).

    Raises ValueError where a value is none that ``marshal`` knows, or two keys have one hash.
    """
    return b"".join(keyed_pieces(values.items(), mark))


def keyed_pieces(values: Iterable[tuple[str, Any]], mark: bytes) -> list[bytes]:
    """:func:`keyed_bytes` piece by piece, for whoever has much to write: each value is asked for when its
    turn comes, and need not be kept."""
    slots: list[tuple[bytes, int, int]] = []
    body: list[bytes] = []
    size = 0
    taken = set()
    for key, value in values:
        name = checksum(key.encode("utf-8", "surrogatepass"))
        if name in taken:
            raise ValueError(f"two keys with one hash: {key!r}")
        taken.add(name)
        blob = marshal.dumps(value)
        slots.append((name, size, len(blob)))
        body += (checksum(blob), blob)
        size += NUMBER + len(blob)
    count = max(1, len(slots) * 2 // SLOTS)
    start = len(MAGIC) + 5 * NUMBER + count * PAGE
    pages: list[list[bytes]] = [[] for _ in range(count)]
    for name, offset, length in slots:
        number = int.from_bytes(name, "little") % count
        while len(pages[number]) == SLOTS:
            number = (number + 1) % count
        pages[number].append(name + _number(start + offset) + _number(length))
    head = MAGIC + mark + _number(count) + _number(start + size) + _number(0)
    return [head, checksum(head), *map(_page, pages), *body]


def put_private(place: Place, name: str, data: bytes) -> None:
    """Put a file of private state in place of the old one; a place that cannot be written has none."""
    path = f"{place.private}/{name}"
    temporary = f"{path}.{os.getpid()}"
    with suppress(OSError):
        os.makedirs(place.private, mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(data)
        os.rename(temporary, path)
    with suppress(OSError):
        os.unlink(temporary)


def _page(slots: list[bytes]) -> bytes:
    inner = b"".join(slots).ljust(PAGE - NUMBER, b"\0")
    return checksum(inner) + inner


def _number(value: int) -> bytes:
    return value.to_bytes(NUMBER, "little")
