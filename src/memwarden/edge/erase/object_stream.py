"""Every object that the repository stores, in two passes of one git process each.

Reachable or not: what nothing names any more is still there until git prunes it.  The first pass lists
objects as they lie in the packs, and the second one gives contents in that order, which spares git most
of its work.  Nothing that is searched for is ever told to git.
"""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git.plumbing import clean_env, finish, refusal, run, spawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memwarden.edge.place import Place

COMMIT, TREE, BLOB, TAG = b"commit", b"tree", b"blob", b"tag"
_CHUNK = 1 << 20


class Stored(NamedTuple):
    """The objects of each type, as hexadecimal IDs in the order of storage; ``large`` are blobs beyond
    the size that was asked for."""

    commits: list[bytes]
    trees: list[bytes]
    blobs: list[bytes]
    tags: list[bytes]
    large: list[bytes]


def stored_objects(place: Place, most_bytes: int) -> Stored:
    """Everything in the object store; a partial clone is never completed for it."""
    out = run(
        place,
        "cat-file",
        "--batch-check=%(objectname) %(objecttype) %(objectsize)",
        "--batch-all-objects",
        "--unordered",
    )
    found = Stored([], [], [], [], [])
    lists = {COMMIT: found.commits, TREE: found.trees, BLOB: found.blobs, TAG: found.tags}
    for line in out.splitlines():
        oid, kind, size = line.split()
        if kind == BLOB and int(size) > most_bytes:
            found.large.append(oid)
        elif kind in lists:
            lists[kind].append(oid)
    return found


def contents(place: Place, oids: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Each object's ID and content; one that is not here (any more) is left out."""
    if not oids:
        return
    child = spawn(place, ("cat-file", "--batch", "--buffer"), clean_env(place))
    _widen(child.stdout)
    writer = threading.Thread(target=_ask, args=(child.stdin, oids), daemon=True)
    writer.start()
    count = 0
    try:
        for answer in _answers(child.stdout):
            count += 1
            if answer is not None:
                yield answer
    finally:
        os.close(child.stdout)
        writer.join()
        with os.fdopen(child.stderr, "rb") as complaints:
            told = complaints.read()
        status = finish(child.pid)
    if count < len(oids):
        raise refusal(status, told)


def _answers(pipe: int) -> Iterator[tuple[bytes, bytes] | None]:
    """What git says of one object after the other: its ID and content, or None where it is missing.
    Cutting large pieces up costs half of what a buffered file's two calls for each object do."""
    data, at = b"", 0
    while True:
        end = data.find(b"\n", at)
        if end < 0:
            piece = os.read(pipe, _CHUNK)
            if not piece:
                return
            data, at = data[at:] + piece, 0
            continue
        header = data[at:end]
        at = end + 1
        if header.endswith(b" missing"):
            yield None
            continue
        oid, _, size = header.split(b" ")
        length = int(size)
        if len(data) <= at + length:
            parts = [data[at:]]
            left = length + 1 - len(parts[0])
            while left > 0:
                piece = os.read(pipe, max(left, _CHUNK))
                if not piece:
                    return
                parts.append(piece)
                left -= len(piece)
            data, at = b"".join(parts), 0
        yield oid, data[at : at + length]
        at += length + 1


def _widen(pipe: int) -> None:
    """Let git write ahead of us, where the system allows it."""
    wider = getattr(fcntl, "F_SETPIPE_SZ", None)
    if wider is not None:
        with suppress(OSError):
            fcntl.fcntl(pipe, wider, _CHUNK)


def _ask(stdin: int, oids: Iterable[bytes]) -> None:
    """Write the IDs; git may be gone before the last one is written."""
    with os.fdopen(stdin, "wb", _CHUNK) as asked:
        try:
            asked.write(b"\n".join(oids) + b"\n")
            asked.flush()
        except BrokenPipeError:
            pass
