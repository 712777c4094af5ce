"""Everything that keeps a commit alive: branches, tags, stashes, reflogs, heads of worktrees, the rest.

Heads and reflogs are read from their files, worktree by worktree.  Where refs are kept in tables (git 2.45
and later), git is asked for them, and what it cannot tell is unknown.
"""

from __future__ import annotations

import os

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.erase.private_traces import MAIN, worktree_name, worktree_places
from memwarden.edge.git.plumbing import run
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.edge.place import Place

BRANCHES, REMOTES, TAGS, STASHES = "branches", "remotes", "tags", "stashes"
REFLOGS, OTHER_REFS = "reflogs", "other refs"
KINDS = (BRANCHES, REMOTES, TAGS, STASHES, REFLOGS, OTHER_REFS)
STASH = "refs/stash"

_BELOW = {"refs/heads/": BRANCHES, "refs/remotes/": REMOTES, "refs/tags/": TAGS}
_HEX = frozenset("0123456789abcdef")
# Folders in which git keeps what it needs to go on with, or to give up, a rebase or the like.
_UNDER_WAY = ("rebase-merge", "rebase-apply", "sequencer")


class Tip(NamedTuple):
    """A name from which history is reached.  ``oids`` are hexadecimal; ``told`` is what it says in words
    (a reflog's messages)."""

    kind: str
    name: str
    oids: tuple[bytes, ...]
    told: str = ""


def is_ref(tip: Tip) -> bool:
    """Whether git sees to it that what a name leads to is here."""
    return tip.kind in (BRANCHES, REMOTES, TAGS, STASHES) or (tip.kind == OTHER_REFS and "refs/" in tip.name)


class Names(NamedTuple):
    """All tips, sorted by kind and name, and the kinds of which there may be more."""

    tips: list[Tip]
    unlisted: frozenset[str]


def names(place: Place) -> Names:
    """Everything from which history is reached; a constant number of git processes."""
    places = worktree_places(place)
    found = [] if _in_tables(place) else list(_refs(place))
    unlisted: set[str] = set()
    for one in places:
        prefix = "" if worktree_name(one) == MAIN else f"worktrees/{worktree_name(one)}/"
        found += _heads(one.git_dir, prefix)
        found += _reflogs(one, prefix)
    if _in_tables(place):
        found += _asked(place, unlisted)
        if len(places) > 1:
            unlisted |= {BRANCHES, OTHER_REFS}  # what the others have for themselves
    logged = {oid for tip in found if tip.kind == STASHES and tip.name != STASH for oid in tip.oids}
    # A stash without a reflog is there all the same; one with it is told there.
    rest = [tip for tip in found if tip.name != STASH or not logged.issuperset(tip.oids)]
    return Names(sorted(rest), frozenset(unlisted))


def _in_tables(place: Place) -> bool:
    return os.path.isdir(os.path.join(place.common_dir, "reftable"))


def _refs(place: Place, *more: str) -> Iterator[Tip]:
    out = run(place, "for-each-ref", *more, "--format=%(objectname) %(symref) %(refname)")
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        oid, symbolic, name = line.split(" ", 2)
        if name == STASH:
            yield Tip(STASHES, STASH, (oid.encode(),))
        elif name == "HEAD":
            if not symbolic:
                yield Tip(BRANCHES, f"{name} (detached)", (oid.encode(),))
        else:
            folder = next((folder for folder in _BELOW if name.startswith(folder)), "")
            yield Tip(_BELOW.get(folder, OTHER_REFS), name.removeprefix(folder), (oid.encode(),))


def _asked(place: Place, unlisted: set[str]) -> list[Tip]:
    """Refs, heads and reflogs as git tells them where they are in tables; it leaves out what the first
    entry of a reflog went away from."""
    try:
        found = list(_refs(place, "--include-root-refs"))
    except MemError:
        unlisted |= {BRANCHES, OTHER_REFS}
        found = list(_refs(place))
    try:
        out = run(place, "log", "--walk-reflogs", "--all", "--format=%H%x00%gD%x00%gn %ge %gs")
    except MemError:
        unlisted |= {REFLOGS, STASHES}
        return found
    logs: dict[str, list[tuple[tuple[bytes, ...], str]]] = {}
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        oid, name, told = line.split("\0", 2)
        logs.setdefault(name.rpartition("@")[0], []).append(((oid.encode(),), told))
    ours = "" if worktree_name(place) == MAIN else f"worktrees/{worktree_name(place)}/"
    for ref, entries in sorted(logs.items()):
        prefix = "" if "/" in ref else ours
        found += _logged(prefix, ref.removeprefix("main-worktree/"), entries[::-1])
    return found


def _heads(git_dir: str, prefix: str) -> Iterator[Tip]:
    """A detached HEAD, and what git remembers of an operation: ``ORIG_HEAD``, ``FETCH_HEAD`` and others."""
    listed = [name for name in _listed(git_dir) if name == name.upper()]
    for folder in _UNDER_WAY:
        listed += [f"{folder}/{name}" for name in _listed(os.path.join(git_dir, folder))]
    for name in listed:
        text = _text(os.path.join(git_dir, name))
        oids = tuple(dict.fromkeys(_ids(text)))
        if oids:
            kind = BRANCHES if name == "HEAD" else OTHER_REFS
            told = text if name == "FETCH_HEAD" else ""
            yield Tip(kind, f"{prefix}{name}" + (" (detached)" if name == "HEAD" else ""), oids, told)
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


def _reflogs(place: Place, prefix: str) -> Iterator[Tip]:
    """Each reflog of a worktree, and each stash, which is an entry in one."""
    logs = os.path.join(place.git_dir, "logs")
    for folder, folders, files in os.walk(logs):
        folders.sort()
        for name in sorted(files):
            full = os.path.join(folder, name)
            ref = os.path.relpath(full, logs).replace(os.sep, "/")
            entries = [entry for line in _text(full).splitlines() if (entry := _entry(line))]
            yield from _logged(prefix, ref, entries)


def _logged(prefix: str, ref: str, entries: list[tuple[tuple[bytes, ...], str]]) -> Iterator[Tip]:
    """A reflog by its entries, the oldest first."""
    if ref == STASH:
        for number, (oids, told) in enumerate(reversed(entries)):
            yield Tip(STASHES, f"stash@{{{number}}}", oids[-1:], told)
        # What an entry went away from is kept too, though the entry that brought it expired.
        before = {oids[0] for oids, _ in entries} - {oids[-1] for oids, _ in entries}
        known = sorted(oid for oid in before if oid.strip(b"0"))
        if known:
            yield Tip(REFLOGS, prefix + ref, tuple(known))
    elif entries:
        known = sorted({oid for some, _ in entries for oid in some if oid.strip(b"0")})
        yield Tip(REFLOGS, prefix + ref, tuple(known), "\n".join(told for _, told in entries))


def _entry(line: str) -> tuple[tuple[bytes, ...], str] | None:
    """What a line of a reflog names, and what it says; None where it is no such line."""
    facts, _, told = line.partition("\t")
    words = facts.split()[:2]
    if len(words) < 2 or not all(len(word) in (40, 64) and _HEX.issuperset(word) for word in words):
        return None
    # Who did it is told too.
    return tuple(word.encode() for word in words), f"{' '.join(facts.split()[2:])} {told}"


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
