"""Names of commits made object IDs, and ranges made ends; an unknown name lists those that exist."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.git.gitstate import is_shallow
from memwarden.edge.git.plumbing import GitFailed, run
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from memwarden.edge.place import Place

MOST_NAMED = 8
# The empty tree, in SHA-1 and in SHA-256 repositories: git knows it where no commit has it.
EMPTY_TREES = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
)


class Range(NamedTuple):
    """A range of commits: those that ``end`` has and ``start`` lacks, or all of them where that is ""."""

    start: str
    end: str


def resolve(place: Place, rev: str) -> str:
    """The commit that ``rev`` names.  Raises :class:`UsageError`, naming refs that do exist."""
    if rev and "\n" not in rev and "\0" not in rev:
        try:
            out = run(place, "rev-parse", "--verify", "--quiet", "--end-of-options", rev + "^{commit}")
            return out.decode("ascii").strip()
        except GitFailed:
            pass
    raise UsageError(f"no commit is named {rev!r} here{_shallow(place)}", known_refs(place, rev))


def resolve_start(place: Place, rev: str) -> str:
    """The commit that a comparison starts at, "" for the empty tree: what was there before the first one."""
    return "" if rev.lower() in EMPTY_TREES else resolve(place, rev)


def resolve_range(place: Place, text: str) -> Range:
    """The ends of ``A..B`` (an end left out is HEAD; ``A...B`` starts at the merge base).  ``A`` may be the
    empty tree, as it may for ``git diff``."""
    left, dots, right = text.partition("..")
    if not dots:
        raise UsageError(f"{text!r} is not a range of commits", "write it as A..B, for example main..HEAD")
    three = right.startswith(".")
    start = resolve_start(place, left or "HEAD")
    end = resolve(place, right.removeprefix(".") or "HEAD")
    if three and start:
        start = merge_base(place, start, end)
        if not start:
            raise UsageError(f"{text}: the two ends share no history{_shallow(place)}")
    return Range(start, end)


def commits_of(ends: Range) -> str:
    """The range as git reads it."""
    return f"{ends.start}..{ends.end}" if ends.start else ends.end


def merge_base(place: Place, one: str, other: str) -> str:
    """The last commit that two histories share, or ""."""
    try:
        return run(place, "merge-base", one, other).decode("ascii").strip()
    except GitFailed:
        return ""


def known_refs(place: Place, wanted: str = "") -> str:
    """One line that names the refs that exist, those most like ``wanted`` first."""
    names = ref_names(place)
    if not names:
        return "there is no commit yet: make the first one; without a commit, mem check judges the files"
    like = [name for name in names if wanted and (name.endswith("/" + wanted) or wanted in name)]
    listed = list(dict.fromkeys((*like, *names)))
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return "refs that exist: " + ", ".join(listed[:MOST_NAMED]) + more


def ref_names(place: Place) -> tuple[str, ...]:
    """Short names of branches, remote-tracking branches and tags."""
    out = run(place, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
    return tuple(out.decode("utf-8", "surrogateescape").split())


def tags(place: Place) -> tuple[str, ...]:
    """The name of every tag."""
    out = run(place, "for-each-ref", "--format=%(refname:strip=2)", "refs/tags")
    return tuple(out.decode("utf-8", "surrogateescape").split("\n")[:-1])


def _shallow(place: Place) -> str:
    return " (this is a shallow clone: git fetch --unshallow brings the rest)" if is_shallow(place) else ""
