"""The commits that touch some paths, oldest first, with what each changed: one git process, no checkout.

Along first parents one ``git log`` tells all.  Along all parents ``rev-list`` gives the graph and
``diff-tree`` what every commit changed against its first parent.
"""

from __future__ import annotations

import os

from memwarden.core.glob import literal_prefix
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git.plumbing import run
from memwarden.judge.reader import is_glob

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.edge.place import Place

ABSENT = "000000"
MARK = b"\x01"


class Change(NamedTuple):
    """What one commit did to one path; a mode of ``ABSENT`` means that nothing is there."""

    path: str
    old_mode: str
    old_blob: str
    mode: str
    blob: str
    copied: bool = False


class Authorship(NamedTuple):
    """Who made a commit, when (RFC 3339 UTC), and its subject line."""

    author: str
    at: str
    summary: str


class Step(NamedTuple):
    """One commit, its parents, its changes against the first of them, and who made it.

    Along first parents the parent is the step before: what lies between changed none of the paths.
    """

    commit: str
    parents: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    facts: str = ""

    @property
    def by(self) -> Authorship:
        """Who made the commit, and when."""
        from time import gmtime, strftime

        seconds, author, summary = (*self.facts.split("\x01", 2), "", "")[:3]
        at = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(int(seconds))) if seconds else ""
        return Authorship(author, at, summary)


# What is told of each commit: its ID, then the facts of ``Step.by``.
FORMAT = "--format=%x01%H%x01%at%x01%aN%x01%s"


def first_parent_steps(place: Place, rev: str, paths: Iterable[str]) -> list[Step]:
    """The commits on the first-parent line of ``rev`` that change one of ``paths``, oldest first."""
    out = run(
        place, "log", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff",
        "--no-textconv", "--ignore-submodules=none", FORMAT, "--reverse", "--end-of-options", rev,
        "--", *pathspecs(paths),
    )  # fmt: skip
    steps: list[Step] = []
    for step in _parse(out):
        steps.append(step._replace(parents=(steps[-1].commit,) if steps else ()))
    return steps


def followed_steps(place: Place, rev: str, path: str) -> list[Step] | None:
    """The first-parent commits that change one file, under whatever name git saw it have, oldest first.

    A rename shows as a removal and an addition in one step.  None where git took the file for a copy of
    another that stayed: whose history to tell is then not proven.
    """
    out = run(
        place, "log", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "--follow", "--no-ext-diff",
        "--no-textconv", "--ignore-submodules=none", FORMAT, "--end-of-options", rev, "--", path,
    )  # fmt: skip
    steps: list[Step] = []
    for step in reversed(list(_parse(out))):
        if any(change.copied for change in step.changes):
            return None
        steps.append(step._replace(parents=(steps[-1].commit,) if steps else ()))
    return steps


def all_steps(place: Place, rev: str, paths: Iterable[str]) -> list[Step]:
    """Every commit that ``rev`` reaches, parents before children."""
    listed = run(place, "rev-list", "--parents", "--topo-order", "--reverse", "--end-of-options", rev, "--")
    graph = [line.split() for line in listed.decode("ascii").splitlines()]
    asked = "".join(" ".join(line[:2]) + "\n" for line in graph).encode("ascii")
    out = run(
        place, "diff-tree", "--stdin", "--root", "-r", "--raw", "-z", "--no-abbrev", "--no-renames",
        "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", FORMAT, "--",
        *pathspecs(paths), stdin=asked,
    )  # fmt: skip
    changed = {step.commit: step for step in _parse(out)}
    return [changed.get(line[0], Step(line[0], ()))._replace(parents=tuple(line[1:])) for line in graph]


def renamed_from(place: Place, commit: str, path: str) -> Change | None:
    """The removal that ``commit`` made when it renamed a file to ``path``, as git's own detection has it;
    None where the file is new."""
    out = run(
        place, "log", "-1", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "-M", "--diff-filter=R",
        "--no-ext-diff", "--no-textconv", FORMAT, "--end-of-options", commit, "--",
    )  # fmt: skip
    changes = [change for step in _parse(out) for change in step.changes]
    for removal, addition in zip(changes[::2], changes[1::2], strict=True):
        if addition.path == path:
            return removal
    return None


def is_touched(place: Place, rev: str, path: str) -> bool:
    """Whether any commit on the first-parent line of ``rev`` changed ``path``."""
    return bool(run(place, "rev-list", "--first-parent", "-1", "--end-of-options", rev, "--", path))


def boundary(place: Place) -> frozenset[str]:
    """The commits at which a shallow clone was cut: what they seem to add was there before."""
    try:
        with open(os.path.join(place.common_dir, "shallow"), encoding="ascii") as file:
            return frozenset(file.read().split())
    except OSError:
        return frozenset()


def pathspecs(paths: Iterable[str]) -> list[str]:
    """What to limit git to: each path itself, for a glob the folder that all of its matches share;
    nothing where a glob may match anywhere."""
    found: list[str] = []
    for path in paths:
        spec = literal_prefix(path) if is_glob(path) else path.rstrip("/")
        if not spec:
            return []
        found.append(spec)
        if is_glob(path):
            found.append(path)  # a file may really be called app/[id]/page.tsx
    return found


def _parse(out: bytes) -> Iterator[Step]:
    """Commits, without parents, and their raw changes from NUL-separated output."""
    told = ""
    changes: list[Change] = []
    tokens = iter(out.split(b"\0"))
    for token in tokens:
        word = token.lstrip(b"\n")
        if word.startswith(MARK):
            if told:
                yield _step(told, changes)
            head, _, rest = word[1:].partition(b"\n")
            told, changes = head.decode("utf-8", "replace"), []
            word = rest.lstrip(b"\n")
        if word.startswith(b":"):
            changes += _changes(word[1:].decode("ascii"), tokens)
    if told:
        yield _step(told, changes)


def _changes(header: str, names: Iterator[bytes]) -> list[Change]:
    """One raw entry: a change, or for a rename or copy the removal and the addition."""
    old_mode, mode, old_blob, blob, status = header.split(" ")
    path = next(names).decode("utf-8", "surrogateescape")
    if status[0] not in "RC":
        return [Change(path, old_mode, old_blob, mode, blob)]
    new = next(names).decode("utf-8", "surrogateescape")
    copied = status[0] == "C"
    return [
        Change(path, old_mode, old_blob, ABSENT, "", copied),
        Change(new, ABSENT, "", mode, blob, copied),
    ]


def _step(told: str, changes: list[Change]) -> Step:
    commit, _, facts = told.partition("\x01")
    return Step(commit, (), tuple(changes), facts)
