"""How anchored files stood when a note was delivered, and whether they were written since.

A shell edit that no tool call announced is seen by its content, unless HEAD moved in between by anything
but a commit: what a pull or a checkout brings is nobody's edit here.
"""

from __future__ import annotations

import os

from memwarden.core.glob import is_literal, literal_prefix, matches
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.turn.session import Baseline
from memwarden.core.workspace import Unreadable
from memwarden.edge.git.gitstate import head
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edge.turn.ledger import content_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.note import Anchor
    from memwarden.core.workspace import Workspace
    from memwarden.edge.place import Place

MOST_LOOKED_AT = 20_000
LOG_TAIL = 1 << 16
# How git's own log of HEAD names what a commit does to it.
COMMITS = ("commit:", "commit (initial):", "commit (amend):")


def baseline_of(place: Place, at: int, anchors: Iterable[Anchor], touched: Iterable[str]) -> Baseline:
    """How things stand now: HEAD, and the content of the touched files and of those that the anchors
    name outright."""
    paths = dict.fromkeys(touched)
    paths.update(
        dict.fromkeys(
            literal_prefix(anchor.text)
            for anchor in anchors
            if anchor.kind == "path" and is_literal(anchor.text) and literal_prefix(anchor.text)
        )
    )
    tree = WorkingTree(place.root)
    files = tuple((path, _digest(tree, path)) for path in paths if not path.startswith("memory/"))
    return Baseline(at, head(place).commit, files)


def changed_files(place: Place, anchor: Anchor, before: Baseline) -> tuple[str, ...]:
    """The files of a path anchor that have another content than they had, by an edit made here."""
    if anchor.kind != "path" or not only_commits_since(place, before.head):
        return ()
    tree = WorkingTree(place.root)
    known = dict(before.files)
    changed = [
        path for path, digest in known.items() if matches(anchor.text, path) and _digest(tree, path) != digest
    ]
    if not (is_literal(anchor.text) and literal_prefix(anchor.text)):
        newer = [path for path in _newer(place, anchor.text, before.at) if path not in known]
        changed += _differing(place, before.head, newer, tree)
    return tuple(sorted(changed))


def only_commits_since(place: Place, commit: str) -> bool:
    """Whether HEAD is where it was, or went on from there by commits alone."""
    here = head(place)
    if here.commit == commit:
        return True
    moves = _moves_since(place, commit)
    return bool(moves) and all(message.startswith(COMMITS) for message in moves)


def _moves_since(place: Place, commit: str) -> list[str]:
    """What the log of HEAD says of each move since it was at ``commit``; [] where it does not tell."""
    try:
        with open(os.path.join(place.git_dir, "logs", "HEAD"), "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - LOG_TAIL))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return []
    moves: list[str] = []
    for line in reversed(text.split("\n")):
        ids, _, message = line.partition("\t")
        words = ids.split(" ", 2)
        if len(words) < 3:
            continue
        moves.append(message)
        if words[0] == commit or (not commit and set(words[0]) == {"0"}):
            return moves
    return []


def _digest(tree: WorkingTree, path: str) -> str:
    """A file's content, digested; "" where there is none, what stat says where it cannot be read."""
    try:
        found = tree.entry(path)
        if found is None:
            return ""
        return content_digest(tree.read(path))
    except Unreadable as reason:
        return str(reason)


def _newer(place: Place, glob: str, at: int) -> list[str]:
    """The files that a glob matches and that were written after a moment; a bounded look."""
    found = []
    waiting = [literal_prefix(glob)]
    looked = 0
    while waiting and looked < MOST_LOOKED_AT:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(place.root, folder)) as entries:
                listing = list(entries)
        except OSError:
            continue
        for entry in listing:
            looked += 1
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name == ".git" or path == "memory":
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif entry.stat(follow_symlinks=False).st_mtime_ns > at and matches(glob, path):
                found.append(path)
    return found


def _differing(place: Place, commit: str, paths: list[str], tree: WorkingTree) -> list[str]:
    """Those of ``paths`` that are not what they were in a commit: a restored file is not an edit."""
    if not commit or not paths:
        return paths
    from memwarden.edge.git.git_workspace import CommitTree

    before = CommitTree(place, commit)
    try:
        return [path for path in paths if _blob(tree, path) != _blob(before, path)]
    finally:
        before.close()


def _blob(tree: Workspace, path: str) -> str:
    try:
        return tree.blob(path)
    except Unreadable as reason:
        return f"{tree.name}: {reason}"
