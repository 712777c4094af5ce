"""Writing a file of keyed values; ``index_read`` has its layout and reads it, with less."""

from __future__ import annotations

import marshal
import os
from contextlib import suppress

from memwarden.edge.index_read import MAGIC, NUMBER, PAGE, SLOTS, checksum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memwarden.edge.place import Place


def keyed_bytes(values: Mapping[str, Any], mark: bytes) -> bytes:
    """The bytes of a keyed file (its layout is ``index_read``'s).

    Raises ValueError where a value is none that ``marshal`` knows, or two keys have one hash.
    """
    count = max(1, len(values) * 2 // SLOTS)
    pages: list[list[bytes]] = [[] for _ in range(count)]
    body: list[bytes] = []
    offset = len(MAGIC) + 5 * NUMBER + count * PAGE
    taken = set()
    for key, value in values.items():
        name = checksum(key.encode("utf-8", "surrogatepass"))
        if name in taken:
            raise ValueError(f"two keys with one hash: {key!r}")
        taken.add(name)
        blob = marshal.dumps(value)
        number = int.from_bytes(name, "little") % count
        while len(pages[number]) == SLOTS:
            number = (number + 1) % count
        pages[number].append(name + _number(offset) + _number(len(blob)))
        body += (checksum(blob), blob)
        offset += NUMBER + len(blob)
    head = MAGIC + mark + _number(count) + _number(offset) + _number(0)
    return b"".join((head, checksum(head), *map(_page, pages), *body))


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
