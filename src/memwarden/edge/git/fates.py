"""Where git saw a path go: renamed, deleted, or never known.  Asked only for a path that is not there."""

from __future__ import annotations

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
    history: bool = True,
) -> Callable[[str], str | None]:
    """A function from a path to its new path, "" for a deleted one, None for one that git never moved.

    ``staged`` asks what the index renames; without ``history`` that alone, for whoever must be quick.
    """
    known: dict[str, str] = {}
    asked: list[bool] = []

    def fate(path: str) -> str | None:
        if not asked:
            asked.append(True)
            if rev:
                known.update(_fates(place, rev, env, staged, history))
        return _followed(known, path)

    return fate


def _fates(
    place: Place, rev: str, env: Mapping[str, str] | None, staged: bool, history: bool
) -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        if staged:  # the newest first: what is staged comes after every commit
            _take(found, run(place, "diff-index", "--cached", *RENAMES, rev, "--", env=env, index=True))
        if history:
            limit = f"--max-count={MOST_COMMITS}"
            _take(found, run(place, "log", limit, *RENAMES, "--format=", "--no-ext-diff", rev, "--"))
    except MemError:
        pass  # a hint is all that is lost
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
