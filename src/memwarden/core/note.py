"""A note: one Markdown file with YAML frontmatter, one claim."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memwarden.core.condition import Condition

RULE = "rule"
DEBT = "debt"

CANDIDATE = "candidate"
ACTIVE = "active"
ARCHIVED = "archived"

INBOX = "inbox/"
ARCHIVE = "archive/"

ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 8

# The fields of the frontmatter, in the order in which a new note writes them.
FIELDS = (
    "id",
    "subject",
    "facet",
    "lifecycle",
    "condition",
    "verify",
    "anchors",
    "evidence",
    "supersedes",
    "exception_to",
    "not_before",
    "expires",
    "created",
    "tags",
)


class Anchor(NamedTuple):
    """What touching brings a note up: a path glob, or a regex over a simple shell command.

    ``kind`` is ``path`` (gitignore glob, repository-relative) or ``command`` (RE2).
    """

    kind: str
    text: str


class Evidence(NamedTuple):
    """One piece of evidence: ``key`` is ``user``, ``file``, ``doc``, ``test``, ``issue``, ``pr``,
    ``commit``, ``agent`` or ``conversation``."""

    key: str
    value: str

    @property
    def path(self) -> str:
        """The path of ``file``, ``doc`` or ``test`` evidence, without ``#fragment`` or ``::node``."""
        return self.value.partition("::")[0].partition("#")[0]


class Note(NamedTuple):
    """What a note's file says, without its body (read that from the workspace when it is needed).

    ``path`` is repository-relative (``memory/decisions/x.md``).  Dates are ISO text
    (``2026-11-30``), so they compare as text.  ``body_line`` is the line (from 1) at which the body
    starts; ``tokens`` is the estimated size of what is delivered.  A field that the file lacks is
    ``""`` or ``()``; nothing here depends on the manifest, on events or on the date.
    """

    path: str
    id: str = ""
    title: str = ""
    subject: str = ""
    facet: str = ""
    lifecycle: str = RULE
    condition: Condition | None = None
    verify: Condition | None = None
    anchors: tuple[Anchor, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    supersedes: tuple[str, ...] = ()
    exception_to: str = ""
    not_before: str = ""
    expires: str = ""
    created: str = ""
    tags: tuple[str, ...] = ()
    tokens: int = 0
    body_line: int = 1

    @property
    def name(self) -> str:
        """What names the note where it is spoken of: its ID, or its path where it has none."""
        return self.id or self.path


def is_note_id(text: str) -> bool:
    """Whether ``text`` is ``n-`` and eight characters of Crockford's base 32 in lower case."""
    return text.startswith("n-") and len(text) == 2 + ID_LENGTH and not text[2:].strip(ID_ALPHABET)


def place_of(path: str) -> str:
    """``candidate``, ``archived`` or ``active``: location decides."""
    if path.startswith("memory/" + INBOX):
        return CANDIDATE
    if path.startswith("memory/" + ARCHIVE):
        return ARCHIVED
    return ACTIVE


def scope_of(path: str) -> str:
    """``area:<name>`` for a note below ``memory/areas/<name>/``, else ``project``."""
    if not path.startswith("memory/areas/"):
        return "project"  # nearly all of them
    parts = path.split("/")
    if len(parts) > 3:
        return "area:" + parts[2]
    return "project"


def module_of(path: str, declared: tuple[str, ...] = ()) -> str:
    """The module that a note's file belongs to, as the manifest names modules.

    The longest of the ``declared`` modules that holds the path wins (``brief.md``, ``decisions/``,
    ``areas/sync/``); without one it is the first folder (two levels below ``areas`` and
    ``profiles``), or the file itself at the top of ``memory/``.
    """
    inner = path[len("memory/") :]
    best = ""
    for module in declared:
        holds = f"{inner}/".startswith(module) if module.endswith("/") else inner == module
        if holds and len(module) > len(best):
            best = module
    if best:
        return best
    parts = inner.split("/")
    if len(parts) == 1:
        return inner
    depth = 2 if parts[0] in ("areas", "profiles") and len(parts) > 2 else 1
    return "/".join(parts[:depth]) + "/"
