"""Everything that keeps a commit alive: branches, tags, stashes, reflogs, heads of worktrees, the rest."""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.erase.private_traces import MAIN, worktree_name, worktree_places
from memwarden.edge.git.plumbing import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.edge.place import Place

BRANCHES, REMOTES, TAGS, STASHES = "branches", "remotes", "tags", "stashes"
REFLOGS, OTHER_REFS = "reflogs", "other refs"
KINDS = (BRANCHES, REMOTES, TAGS, STASHES, REFLOGS, OTHER_REFS)
STASH = "refs/stash"

_BELOW = {"refs/heads/": BRANCHES, "refs/remotes/": REMOTES, "refs/tags/": TAGS}
_HEX = frozenset("0123456789abcdef")


class Tip(NamedTuple):
    """A name from which history is reached.  ``oids`` are hexadecimal; ``told`` is what it says in words
    (a reflog's messages)."""

    kind: str
    name: str
    oids: tuple[bytes, ...]
    told: str = ""


def tips(place: Place) -> list[Tip]:
    """All of them, sorted by kind and name; one git process."""
    found = list(_refs(place))
    for one in worktree_places(place):
        prefix = "" if worktree_name(one) == MAIN else f"worktrees/{worktree_name(one)}/"
        found += _heads(one.git_dir, prefix)
    found += _reflogs(place)
    return sorted(found)


def _refs(place: Place) -> Iterator[Tip]:
    out = run(place, "for-each-ref", "--format=%(objectname) %(refname)")
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        oid, _, name = line.partition(" ")
        if name == STASH:
            continue  # its reflog names every stash, this one too
        for folder, kind in _BELOW.items():
            if name.startswith(folder):
                yield Tip(kind, name.removeprefix(folder), (oid.encode(),))
                break
        else:
            yield Tip(OTHER_REFS, name, (oid.encode(),))


def _heads(git_dir: str, prefix: str) -> Iterator[Tip]:
    """A detached HEAD, and what git remembers of an operation: ``ORIG_HEAD``, ``FETCH_HEAD`` and others."""
    for name in _listed(git_dir):
        if name.endswith("HEAD") and name == name.upper():
            oids = tuple(dict.fromkeys(_ids(_text(os.path.join(git_dir, name)))))
            if oids:
                kind = BRANCHES if name == "HEAD" else OTHER_REFS
                yield Tip(kind, f"{prefix}{name}" + (" (detached)" if name == "HEAD" else ""), oids)
    if prefix:  # refs of this worktree alone (bisect, rewritten); those of our own were listed by git
        yield from _loose(os.path.join(git_dir, "refs"), prefix + "refs")


def _loose(folder: str, name: str) -> Iterator[Tip]:
    for inner in _listed(folder):
        path = os.path.join(folder, inner)
        if os.path.isdir(path):
            yield from _loose(path, f"{name}/{inner}")
        else:
            oids = tuple(_ids(_text(path)))
            if oids:
                yield Tip(OTHER_REFS, f"{name}/{inner}", oids)


def _reflogs(place: Place) -> Iterator[Tip]:
    """Each reflog, and each stash, which is an entry in one."""
    for one in worktree_places(place):
        prefix = "" if worktree_name(one) == MAIN else f"worktrees/{worktree_name(one)}/"
        logs = os.path.join(one.git_dir, "logs")
        for folder, folders, names in os.walk(logs):
            folders.sort()
            for name in sorted(names):
                full = os.path.join(folder, name)
                ref = os.path.relpath(full, logs).replace(os.sep, "/")
                lines = _text(full).splitlines()
                if ref == STASH:
                    for number, line in enumerate(reversed(lines)):
                        yield Tip(STASHES, f"stash@{{{number}}}", (line.split()[1].encode(),), line)
                    continue
                oids = {oid for line in lines for oid in line.split()[:2] if oid.strip("0")}
                told = "\n".join(line.partition("\t")[2] for line in lines)
                yield Tip(REFLOGS, prefix + ref, tuple(sorted(oid.encode() for oid in oids)), told)


def _ids(text: str) -> Iterator[bytes]:
    for line in text.splitlines():
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if len(word) in (40, 64) and _HEX.issuperset(word):
            yield word.encode()


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
