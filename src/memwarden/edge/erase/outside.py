"""The report on what erasing does not reach: one scope for each place, with a state that claims no more
than was looked at.

What cannot be told from this clone is called unknown, and what no local tool can see is listed as such
every time.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.erase.tips import BRANCHES, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from memwarden.edge.erase.exposure import Exposure, Files, Submodule
    from memwarden.edge.erase.past_search import Past, Reach

FOUND, REMOVED, NONE, NOT_REACHED, UNKNOWN = "found", "removed", "none", "not-reached", "unknown"

UNREACHABLE, WORKTREES, SUBMODULES, SUBMODULE = "unreachable objects", "worktrees", "submodules", "submodule "
STAGED, OTHER_FILES, GIT_FILES = "index", "other files here", "git's own files"
COMPRESSED, ELSEWHERE = "compressed contents", "elsewhere"
# So many files are named that nobody can look into.
_MOST_NAMED = 5
_SEVERAL = " that have the text themselves or in a message"
STANDING = (
    "clones and forks, also those of a hosting service",
    "pull requests, review comments, issues, CI logs and artifacts",
    "backups, editor and shell histories, agent transcripts",
    "caches, search indexes and language models that read it",
    "files that git ignores, and what is encrypted or not in Unicode",
    "copies handed out",
)


class Scope(NamedTuple):
    """One place where traces may be: whether there are any, and which."""

    name: str
    state: str
    items: tuple[str, ...] = ()


def outside_scopes(found: Exposure) -> Iterator[Scope]:
    """One scope for each place that the operation does not reach."""
    for kind in KINDS:
        items = [_told(reach) for reach in found.reaches(kind)]
        yield _scope(kind, items, found.whole and kind not in found.unlisted)
    past = found.past
    loose = [_count(len(oids), noun) for noun, oids in _loose(past) if oids]
    yield _scope(UNREACHABLE, loose, _is_searched(past))
    yield _scope(STAGED, found.here.staged, _is_searched(past))
    yield _scope(OTHER_FILES, found.here.files, not found.here.unread)
    yield _scope(GIT_FILES, found.kept.files, not found.kept.unread)
    told = [f"{one.name}: {path}" for one in found.others for path in _of(one)]
    yield _scope(WORKTREES, told, all(one.seen and not one.unread for one in found.others))
    yield from _submodule_scopes(found.submodules)
    packed = list(_packed(found))
    yield Scope(COMPRESSED, UNKNOWN if packed or not found.whole else NONE, tuple(packed))
    yield Scope(ELSEWHERE, UNKNOWN, STANDING)


def _submodule_scopes(found: tuple[Submodule, ...]) -> Iterator[Scope]:
    """Each submodule by itself; one line where there is none."""
    if not found:
        yield Scope(SUBMODULES, NONE)
    for one in found:
        name = SUBMODULE + one.name
        if one.exposure is None:
            yield Scope(name, UNKNOWN, ("it is not here, or lies outside of this repository",))
            continue
        inner = one.exposure
        seen = all(tree.seen and not tree.unread for tree in (inner.here, *inner.others))
        whole = inner.whole and seen and not inner.kept.unread and not inner.unlisted
        yield _scope(name, list(_submodule_items(one, inner)), whole)


def _submodule_items(one: Submodule, inner: Exposure) -> Iterator[str]:
    """What a submodule holds, counted; what some name reaches and what nothing does are told apart."""
    past, files = inner.past, [path for tree in (inner.here, *inner.others) for path in _of(tree)]
    reaches = past.reaches if past else ()
    names = sum(reach.told for reach in reaches)
    counts = [
        (past.held if past else 0, "commit", ""),
        (past.told if past else 0, "commit message", ""),
        (names, "name", " that has the text itself or in a message" if names == 1 else _SEVERAL),
        (sum(reach.contents for reach in reaches), "content", " without a commit"),
        *((len(oids), noun, " that nothing reaches") for noun, oids in _loose(past)),
        (len(files), "file", ""),
        (len(inner.kept.files), "file", " of git's own"),
    ]
    yield from (_count(number, noun) + more for number, noun, more in counts if number)
    if inner.private:
        way = (
            "mem purge in that folder takes them" if one.used else "its folder in .git/modules may be removed"
        )
        yield f"{_count(len(inner.private), 'file')} of its own memory's index, answers and the like ({way})"


def _packed(found: Exposure) -> Iterator[str]:
    """What nobody can look into: contents that git stores, the files that it does not, submodules."""
    stored = found.past.packed if found.past else frozenset()
    if stored:
        yield f"{_count(len(stored), 'content')} (archives, documents and the like)"
    files = _closed(found)
    yield from files[:_MOST_NAMED]
    if len(files) > _MOST_NAMED:
        yield f"and {_count(len(files) - _MOST_NAMED, 'more file')}"
    for one in found.submodules:
        inner = one.exposure
        number = _packed_count(inner) if inner else 0
        if number:
            yield f"{SUBMODULE}{one.name}: {_count(number, 'content')}"


def _closed(found: Exposure) -> list[str]:
    """The compressed files of all worktrees and of git's folder that no object holds."""
    stored = found.past.packed if found.past else frozenset()
    trees = [(tree, "" if tree is found.here else f"{tree.name}: ") for tree in (found.here, *found.others)]
    files = [lead + path for tree, lead in trees for path, oids in tree.packed if stored.isdisjoint(oids)]
    return list(dict.fromkeys((*files, *found.kept.packed, *found.packed)))


def _packed_count(found: Exposure) -> int:
    return len(found.past.packed if found.past else ()) + len(_closed(found))


def outside_fields(found: Exposure) -> dict[str, Any]:
    """The ``outside`` object of ``--json``."""
    past = found.past
    fields: dict[str, Any] = {
        kind.replace(" ", "_"): [_reach_fields(reach) for reach in found.reaches(kind)] for kind in KINDS
    }
    fields["unreachable"] = {f"{noun}s": list(oids) if past else None for noun, oids in _loose(past)}
    fields["unreachable"]["blobs"] = fields["unreachable"].pop("contents")
    fields["worktrees"] = [
        {"name": one.name, "files": list(one.files), "staged": list(one.staged), "searched": one.seen}
        for one in found.others
        if one.files or one.staged or not one.seen
    ]
    fields["submodules"] = [_submodule_fields(one) for one in found.submodules]
    fields["index"] = list(found.here.staged)
    fields["files"] = list(found.here.files)
    fields["git_files"] = list(found.kept.files)
    fields["searched"] = {
        "commits": past.commits if past else None,
        "whole": found.whole,
        "too_large": past.unsearched if past else None,
        "compressed": _packed_count(found) if past else None,
        "unreadable": past.unread if past else None,
        "unlisted": sorted(found.unlisted),
        "unread": found.here.unread + found.kept.unread + sum(one.unread for one in found.others),
    }
    return fields


def _submodule_fields(one: Submodule) -> dict[str, Any]:
    inner = outside_fields(one.exposure) if one.exposure else {}
    inner.pop("submodules", None)
    if one.exposure:
        inner["private"] = list(one.exposure.private)
    past = one.exposure.past if one.exposure else None
    counts = {"commits": past.held if past else None, "messages": past.told if past else None}
    return {"name": one.name, **counts, "outside": inner or None}


def _loose(past: Past | None) -> list[tuple[str, tuple[str, ...]]]:
    """What nothing reaches, by what it is."""
    return [
        ("commit", past.loose_commits if past else ()),
        ("content", past.loose_blobs if past else ()),
        ("tag", past.loose_tags if past else ()),
        ("folder", past.loose_trees if past else ()),
    ]


def _is_searched(past: Past | None) -> bool:
    """Whether every object that is here was looked at."""
    return past is not None and not past.unsearched and not past.unread


def _of(tree: Files) -> list[str]:
    return list(dict.fromkeys((*tree.files, *tree.staged)))


def _scope(name: str, items: list[str] | tuple[str, ...], whole: bool) -> Scope:
    if items:
        return Scope(name, NOT_REACHED, tuple(items))
    return Scope(name, NONE if whole else UNKNOWN)


def _told(reach: Reach) -> str:
    parts = []
    if reach.commits:
        ends = reach.first[:12] + (f"..{reach.last[:12]}" if reach.commits > 1 else "")
        parts.append(f"{_count(reach.commits, 'commit')} ({ends})")
    if reach.kind == BRANCHES and reach.commits:
        parts.append(f"{reach.pushed} pushed" if reach.pushed else "not pushed")
    if reach.contents:
        parts.append(f"{_count(reach.contents, 'content')} without a commit")
    if reach.messages:
        parts.append(f"{_count(reach.messages, 'commit message')} with the text")
    if reach.told:
        parts.append("its own name or message has the text")
    return f"{reach.name}: {', '.join(parts)}"


def _reach_fields(reach: Reach) -> Mapping[str, Any]:
    return {key: value for key, value in reach._asdict().items() if key != "kind"}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
