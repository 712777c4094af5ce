"""What reading another tool's memory gives: claims, subjects, routes, and an account of what is lost.

Nothing here knows the memory that takes it.  Where a claim may stand is said with ``place``: what the
source itself holds as authoritative is ``active``, everything else is a candidate.  A harvest is plain
enough to be kept in an intent, so that a plan can be applied where the source is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.canonical import canonical, hex_digest
from memwarden.core.note import ACTIVE, ARCHIVED, CANDIDATE, RULE
from memwarden.core.record import NamedTuple
from memwarden.core.secrets import find_secrets, redact
from memwarden.core.visible import is_hidden, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

PAID = "paid"
PLACES = (ACTIVE, CANDIDATE, ARCHIVED, PAID)

MARK = "imported-"
MARK_LENGTH = 12


class Claim(NamedTuple):
    """One entry of the source.  ``source`` is relative to what was named, ``line`` counts from 1.

    ``module`` is where it belongs (``decisions/``, ``brief.md``); ``evidence`` is what the source cites;
    ``mark`` is the ID that it has there and ``supersedes`` are such IDs; ``until`` is a condition that
    its words suggest.  ``why`` says what it was read as.
    """

    source: str
    line: int
    title: str
    body: str = ""
    place: str = CANDIDATE
    module: str = ""
    why: str = ""
    subject: str = ""
    facet: str = ""
    lifecycle: str = RULE
    until: Mapping[str, Any] | None = None
    anchors: tuple[tuple[str, str], ...] = ()
    evidence: tuple[tuple[str, str], ...] = ()
    created: str = ""
    tags: tuple[str, ...] = ()
    mark: str = ""
    supersedes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The same for the same words about the same thing, wherever they stand in the source."""
        said = [self.module, self.title, self.body, [list(anchor) for anchor in self.anchors]]
        return MARK + hex_digest(canonical(said))[:MARK_LENGTH]


class Entity(NamedTuple):
    """A subject that the source registers; ``mark`` is its ID there, ``merged_into`` such an ID."""

    source: str
    line: int
    mark: str
    name: str
    kind: str = "concept"
    ref: str = ""
    aliases: tuple[str, ...] = ()
    merged_into: str = ""
    body: str = ""


class Course(NamedTuple):
    """One route of the source: ``task`` as it is called there ("" is always, ``explicit only`` is never),
    and the module that it loads."""

    source: str
    line: int
    task: str
    module: str
    if_present: bool = False


class District(NamedTuple):
    """An area or a profile of the source: its module, and the globs or the purpose that select it."""

    source: str
    line: int
    module: str
    globs: tuple[str, ...] = ()
    purpose: str = ""


class Allowance(NamedTuple):
    """A module's budget in estimated tokens."""

    source: str
    line: int
    module: str
    tokens: int


class Loss(NamedTuple):
    """Something that is not taken over, and why."""

    source: str
    line: int
    why: str


class Harvest(NamedTuple):
    """Everything that was found."""

    claims: tuple[Claim, ...] = ()
    entities: tuple[Entity, ...] = ()
    courses: tuple[Course, ...] = ()
    districts: tuple[District, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    lost: tuple[Loss, ...] = ()


EXPLICIT = "explicit only"
ALWAYS = ""

_RECORDS: dict[str, type] = {
    "claims": Claim,
    "entities": Entity,
    "courses": Course,
    "districts": District,
    "allowances": Allowance,
    "lost": Loss,
}


def safe(harvest: Harvest) -> Harvest:
    """The harvest without whatever holds a secret or hides a character: such entries are losses, and
    nothing of them is kept."""
    kept: dict[str, list[Any]] = {}
    lost = [loss._replace(source=_shown(loss.source), why=_shown(loss.why)) for loss in harvest.lost]
    for name in ("claims", "entities", "courses", "districts", "allowances"):
        kept[name] = []
        for one in getattr(harvest, name):
            why = unsafe(_texts(one))
            if why:
                lost.append(Loss(_shown(one.source), one.line, why))
            else:
                kept[name].append(one)
    return Harvest(**{name: tuple(found) for name, found in kept.items()}, lost=tuple(sorted(lost)))


def unsafe(texts: Iterable[str]) -> str:
    """Why texts may not be kept, or ""."""
    for text in texts:
        for secret in find_secrets(text):
            return f"looks like a secret ({secret.kind}); revoke it where it was issued if it is real"
        if any(is_hidden(char) for char in text):
            return "has a control or invisible character"
    return ""


def as_mapping(harvest: Harvest, mint: Callable[[], str]) -> dict[str, Any]:
    """The harvest as JSON holds it, each claim with a note ID of its own."""
    said: dict[str, Any] = {
        name: [_plain(one._asdict()) for one in getattr(harvest, name)] for name in _RECORDS
    }
    for claim in said["claims"]:
        claim["id"] = mint()
    return said


def from_mapping(said: Mapping[str, Any]) -> tuple[Harvest, tuple[str, ...]]:
    """The harvest of a mapping, and the note IDs of its claims in their order."""
    found = {
        name: tuple(
            record(**{key: _tupled(value) for key, value in one.items() if key != "id"})
            for one in said.get(name, ())
        )
        for name, record in _RECORDS.items()
    }
    return Harvest(**found), tuple(str(one["id"]) for one in said.get("claims", ()))


def _shown(text: str) -> str:
    return visible(redact(text))


def _texts(one: Any) -> Iterable[str]:
    if isinstance(one, str):
        yield one
    elif isinstance(one, dict):
        for key, value in one.items():
            yield str(key)
            yield from _texts(value)
    elif isinstance(one, tuple | list):
        for value in one:
            yield from _texts(value)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    return value


def _tupled(value: Any) -> Any:
    return tuple(_tupled(inner) for inner in value) if isinstance(value, list) else value
