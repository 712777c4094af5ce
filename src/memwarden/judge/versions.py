"""Conditions on a version: what the project locks, else the lowest that it admits.

The locked version decides.  Without a lock it is the lowest version that the declared specifier admits:
the one that a user of the project may have today.  Where no file at the top names it the same files
further down are asked.  Where none names it nobody can tell, so that removing a dependency neither pays
for its upgrade nor for its downgrade.
"""

from __future__ import annotations

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, Verdict, VersionTest
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.workspace import Unreadable
from memwarden.judge.declarations import DECLARING, LOCKING, Found, declared, locked, name_of, nested

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.judge.reader import Reader

MOST_ITEMS = 20
# At any depth: whoever looks for what changed a verdict cannot know which folder answered.
FILES = tuple(f"**/{name}" for name in (*LOCKING, *DECLARING))


def judge_version(test: VersionTest, reader: Reader) -> Verdict:
    """``version``: the project's version of a package (or of Python) lies in the specifier."""
    try:
        within = SpecifierSet(test.within)
    except InvalidSpecifier:
        raise Unreadable(f"{test.within} is not a version specifier") from None
    name = name_of(test.of)
    answers = _answers(name, reader, [""]) or _answers(name, reader, nested(reader))
    places = [found for found, _ in answers]
    if not places:
        # As with a file that is gone: what nobody declares has no version, in this range or out of it.
        note = f"no file declares {test.of}"
        return Verdict(CANNOT_TELL, note, ({"note": note},))
    items = tuple(
        reader.item(found.path, f"{how} {found.version or 'no lowest version'}") | {"wanted": test.within}
        for found, how in answers[:MOST_ITEMS]
    )
    versions = {_version(found.version) for found in places}
    if None in versions:
        unknown = next(found for found in places if _version(found.version) is None)
        return Verdict(CANNOT_TELL, f"{unknown.path} {_unknown(unknown, test.of)}", items)
    if len(versions) > 1:
        return Verdict(CANNOT_TELL, _disagreement(places, test.of), items)
    version = versions.pop()
    assert version is not None
    inside = within.contains(version, prereleases=True)
    state = HOLDS if inside else FAILS
    return Verdict(state, f"{places[0].path} {answers[0][1]} {test.of} {version}", items)


def _answers(name: str, reader: Reader, folders: Iterable[str]) -> list[tuple[Found, str]]:
    """What the files of each folder say, and how: its locks, or where none holds it what is declared."""
    answers = []
    for folder in folders:
        places = [(found, "locks") for found in locked(name, reader, folder)]
        answers += places or [(found, "admits at least") for found in declared(name, reader, folder)]
    return answers


def _version(text: str) -> Version | None:
    try:
        return Version(text) if text else None
    except InvalidVersion:
        return None


def _unknown(found: Found, name: str) -> str:
    if found.version:
        return f"has {name} {found.version}, which is not a version that can be compared"
    return f"sets no lower bound for {name}"


def _disagreement(places: list[Found], name: str) -> str:
    told = ", ".join(dict.fromkeys(f"{found.path} has {found.version}" for found in places))
    return f"the files disagree about {name}: {told}"
