"""Writing a file of keyed values; ``index_read`` has its layout and reads it, with less."""

from __future__ import annotations

import marshal
import os
from contextlib import suppress
from io import BytesIO

from memwarden.edge.index_read import MAGIC, NUMBER, PAGE, SLOTS, checksum, program_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import IO, Any

    from memwarden.edge.place import Place


def keyed_bytes(values: Mapping[str, Any], mark: bytes) -> bytes:
    """The bytes of a keyed file (its layout is ``index_read``'s).

    Raises ValueError where a value is none that ``marshal`` knows, or two keys have one hash.
    """
    file = BytesIO()
    write_keyed(file, values.items(), mark, len(values))
    return file.getvalue()


def write_keyed(file: IO[bytes], values: Iterable[tuple[str, Any]], mark: bytes, most: int) -> None:
    """Write a keyed file of at most ``most`` keys.  Each value is asked for when its turn comes, and need be
    kept by nobody.  Raises ValueError as :func:`keyed_bytes`, and for more keys."""
    count = max(1, most * 2 // SLOTS)
    place = start = len(MAGIC) + 5 * NUMBER + count * PAGE
    pages: list[list[bytes]] = [[] for _ in range(count)]
    taken: set[bytes] = set()
    file.seek(start)
    for key, value in values:
        name = checksum(key.encode("utf-8", "surrogatepass"))
        if name in taken or len(taken) == most:
            raise ValueError(f"two keys with one hash, or too many: {key!r}")
        taken.add(name)
        blob = marshal.dumps(value)
        number = int.from_bytes(name, "little") % count
        while len(pages[number]) == SLOTS:
            number = (number + 1) % count
        pages[number].append(name + _number(place) + _number(len(blob)))
        file.write(checksum(blob))
        file.write(blob)
        place += NUMBER + len(blob)
    head = MAGIC + mark + _number(count) + _number(place) + _number(0)
    file.seek(0)
    file.writelines((head, checksum(head), *map(_page, pages)))


def put_private(place: Place, name: str, values: Iterable[tuple[str, Any]], most: int) -> None:
    """Put a keyed file of private state in place of the old one; a place that cannot be written has none, nor
    have values that cannot."""
    path = f"{place.private}/{name}"
    temporary = f"{path}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        with suppress(OSError, ValueError):
            os.makedirs(place.private, mode=0o700, exist_ok=True)
            with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
                write_keyed(file, values, program_mark(name), most)
            os.rename(temporary, path)
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _page(slots: list[bytes]) -> bytes:
    inner = b"".join(slots).ljust(PAGE - NUMBER, b"\0")
    return checksum(inner) + inner


def _number(value: int) -> bytes:
    return value.to_bytes(NUMBER, "little")
