"""Which paths are there: asked path by path where a path is literal, by listing where it is a glob.

A repository may have far more files than a memory has notes, so nothing is listed before a glob needs it,
and then only below the glob's literal folder.
"""

from __future__ import annotations

from bisect import bisect_left

from memwarden.core.glob import literal_prefix, matches
from memwarden.core.nearest import Nearest
from memwarden.core.workspace import Entry, Unreadable, Workspace

_SPECIAL = frozenset("*?[\\")
# A memory whose every path is wrong needs no guess at each of them.
MOST_GUESSED = 20


class Tree:
    """Answers for one workspace, each question asked of it once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._listed: dict[str, tuple[str, ...]] = {}
        self._holders: dict[str, list[str]] | None = None
        self._steps: set[str] | None = None
        self._answers: dict[str, bool] = {}
        self._entries: dict[str, Entry | None] = {}
        self._guessed = 0

    def entry(self, path: str) -> Entry | None:
        """What is at ``path``; what cannot be asked is not there."""
        if path not in self._entries:
            try:
                self._entries[path] = self._workspace.entry(path)
            except Unreadable:
                self._entries[path] = None
        return self._entries[path]

    def has(self, path: str) -> bool:
        """Whether something is at ``path``."""
        return self.entry(path) is not None

    def matches(self, glob: str) -> bool:
        """Whether some path matches the gitignore glob."""
        answer = self._answers.get(glob)
        if answer is None:
            answer = self._answers[glob] = self._ask(glob)
        return answer

    def nearest(self, path: str) -> str:
        """A path that is there and is spelled nearly so, step by step; "" where there is none."""
        if _SPECIAL.intersection(path) or self._guessed >= MOST_GUESSED:
            return ""
        self._guessed += 1
        found = ""
        for part in path.strip("/").split("/"):
            if not self.has(found + part):
                part = next(iter(Nearest(self._children(found)).to(part, 1)), "")
                if not part:
                    return ""
            found += part + "/"
        return found.rstrip("/")

    def _children(self, start: str) -> list[str]:
        """The names in a folder, which ends in ``/`` (or is "" at the top)."""
        names = (path[len(start) :].split("/")[0] for path in self.below(start.rstrip("/")))
        return list(dict.fromkeys(names))

    def below(self, folder: str) -> tuple[str, ...]:
        """Every path below a folder ("" is the whole repository)."""
        found = self._listed.get(folder)
        if found is None:
            found = self._listed[folder] = self._part(folder) or self._list(folder)
        return found

    def _part(self, folder: str) -> tuple[str, ...]:
        """Of a listing of everything, what is below the folder; nothing of what is behind a link."""
        whole = self._listed.get("", ())
        # What begins with "x/" stands together, before "x0": 0 is the character after the slash.
        return whole[bisect_left(whole, folder + "/") : bisect_left(whole, folder + "0")] if folder else ()

    def _list(self, folder: str) -> tuple[str, ...]:
        try:
            return tuple(self._workspace.paths(folder))
        except Unreadable:
            return ()

    def _ask(self, glob: str) -> bool:
        plain = glob.strip("/")
        if not _SPECIAL.intersection(glob):
            return self.has(plain) or ("/" not in glob.rstrip("/") and plain in self._names())
        name = plain.rpartition("/")[2]
        if not _SPECIAL.intersection(name):
            # The last step is a plain name: only the paths that have it can match.
            return any(matches(glob, path) for path in self._by_name().get(name, ()))
        return any(matches(glob, path) for path in self.below(literal_prefix(glob)))

    def _names(self) -> set[str]:
        """Every name that is a step of a path."""
        if self._steps is None:
            self._steps = {name for path in self.below("") for name in path.split("/")}
        return self._steps

    def _by_name(self) -> dict[str, list[str]]:
        """The paths that have each name as one of their steps."""
        if self._holders is None:
            self._holders = {}
            for path in self.below(""):
                for name in dict.fromkeys(path.split("/")):
                    self._holders.setdefault(name, []).append(path)
        return self._holders
