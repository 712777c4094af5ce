"""Where git saw a path go: renamed, deleted, or never known.  Asked only for a path that is not there."""

from __future__ import annotations

from contextlib import suppress

from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.git.plumbing import run
from memwarden.errors import MemError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memwarden.edge.place import Place

RENAMES = ("--raw", "-z", "--no-abbrev", "-M", "--diff-filter=RD", "--ignore-submodules=all")
# A rename further back than this is no news.
MOST_COMMITS = 1000


def fates(
    place: Place,
    rev: str,
    env: Mapping[str, str] | None = None,
    *,
    staged: bool = False,
    history: Callable[[Place, str], Mapping[str, str]] | None = None,
) -> Callable[[str], str | None]:
    """A function from a path to its new path, "" for a deleted one, None for one that git never moved.

    ``staged`` asks what the index renames; ``history`` tells what commits did (:func:`old_fates`, or whoever
    keeps what it said); without it they are not asked, for whoever must be quick.
    """
    known: dict[str, str] = {}
    asked: list[bool] = []

    def fate(path: str) -> str | None:
        if not asked:
            asked.append(True)
            if rev and staged:  # the newest first: what is staged comes after every commit
                words = ("diff-index", "--cached", *RENAMES, rev, "--")
                known.update(_told(place, words, env, index=True))
            for old, new in history(place, rev).items() if rev and history else ():
                known.setdefault(old, new)
        return _followed(known, path)

    return fate


def old_fates(place: Place, rev: str) -> dict[str, str]:
    """Where the latest commits before and at ``rev`` moved paths."""
    limit = f"--max-count={MOST_COMMITS}"
    return _told(place, ("log", limit, *RENAMES, "--format=", "--no-ext-diff", rev, "--"))


def _told(
    place: Place, words: tuple[str, ...], env: Mapping[str, str] | None = None, *, index: bool = False
) -> dict[str, str]:
    found: dict[str, str] = {}
    with suppress(MemError):  # a hint is all that is lost
        _take(found, run(place, *words, env=env, index=index))
    return found


def _take(found: dict[str, str], out: bytes) -> None:
    """Read raw diffs, the newest first; the newest fate of a path counts."""
    tokens = iter(out.split(b"\0"))
    for header in tokens:
        words = header.lstrip(b"\n:").split(b" ")
        if len(words) < 5:
            continue
        old = next(tokens).decode("utf-8", "surrogateescape")
        renamed = words[4][:1] == b"R"
        new = next(tokens).decode("utf-8", "surrogateescape") if renamed else ""
        found.setdefault(old, new)


def _followed(known: Mapping[str, str], path: str) -> str | None:
    """The end of a chain of renames."""
    at = known.get(path)
    seen = {path}
    while at and at in known and at not in seen:
        seen.add(at)
        at = known[at]
    return at
