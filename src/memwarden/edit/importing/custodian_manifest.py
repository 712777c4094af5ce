"""A MemoryCustodian manifest: which file each task loads, what is optional, and how much may be sent."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from memwarden.core.glob import check_glob
from memwarden.core.identity import slug
from memwarden.core.modules import check_module
from memwarden.core.record import NamedTuple
from memwarden.edit.importing.harvest import ALWAYS, EXPLICIT, Allowance, Course, District, Loss
from memwarden.edit.importing.page import read_page
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

OLDEST, NEWEST = (0, 5), (0, 8)

_VERSION = re.compile(r"[ ]{0,3}[-*][ ]+protocol_version:\s*`?([0-9]+(?:\.[0-9]+)+)`?\s*", re.IGNORECASE)
_SCHEMA = re.compile(r"[ ]{0,3}[-*][ ]+entry_schema_version:\s*`?([0-9]+)`?\s*", re.IGNORECASE)
_ITEM = re.compile(r"[-*] +`?([^`:\s]+)`?(?:\s*:\s*(.*))?")
_META = re.compile(r" {2,}[-*] +([a-z-]+):\s*(.*)")
_BUDGET = re.compile(r"([0-9]{1,9}) tokens\b.*", re.IGNORECASE)
_CODE = re.compile(r"`([^`]+)`")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_FOLDERS = ("areas", "profiles", "rules")
# Chapters that say in prose what the protocol is; their lists, if any, name what stands elsewhere too.
_PROSE = (
    "memorycustodian protocol",
    "optional rules",
    "optional profiles",
    "area-specific memory",
    "explicit only",
)


class Map(NamedTuple):
    """What the manifest says."""

    courses: tuple[Course, ...]
    districts: tuple[District, ...]
    allowances: tuple[Allowance, ...]
    lost: tuple[Loss, ...]
    decode: bool


class _Line(NamedTuple):
    number: int
    text: str


def module_for(path: str) -> str:
    """The module that takes the entries of one of its files (``decisions/`` for ``decisions.md``); ""
    where no file of the protocol is meant."""
    folder, _, name = path.removesuffix("/").rpartition("/")
    stem = name.removesuffix(".md")
    if path in ("brief.md", "inbox/", "archive/"):
        return path
    if not folder and stem in ("decisions", "constraints", "do-not-use", "preferences", "inbox", "archive"):
        return f"{stem}/"
    if folder in _FOLDERS and name.endswith(".md") and stem != "README":
        module = f"{folder}/{stem if _PLAIN.fullmatch(stem) else slug(stem)}/"
        return "" if check_module(module) else module
    return ""


def read_map(text: str, source: str, present: frozenset[str]) -> Map:
    """The routes and budgets of a manifest; ``present`` are the tree's files.

    Raises :class:`UsageError` where the page is no manifest of a protocol that is known.
    """
    page = read_page(text, deepest=3)
    lines = [_Line(at, line) for at, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1)]
    visible = [line for line in lines if line.number not in page.code]
    numbers = [line.number for line in visible]
    _require_protocol(visible, source)
    schema = next((int(found[1]) for _, words in visible if (found := _SCHEMA.fullmatch(words))), 1)
    reading = _Reading(source, present)
    chapter = ""
    for at, section in enumerate(page.sections):
        until = page.sections[at + 1].line if at + 1 < len(page.sections) else len(lines) + 1
        inner = visible[bisect_left(numbers, section.first) : bisect_left(numbers, until)]
        if section.level < 3:
            chapter = section.title.lower()
        title = section.title if section.level == 3 else ""
        reading.chapter(chapter, title, inner)
    return Map(
        tuple(reading.courses),
        tuple(reading.districts),
        tuple(reading.allowances),
        tuple(reading.lost),
        schema > 1,
    )


def _require_protocol(lines: Iterable[_Line], source: str) -> None:
    versions = [found[1] for _, text in lines if (found := _VERSION.fullmatch(text))]
    if not versions:
        raise UsageError(
            f"{source} is no MemoryCustodian manifest: it names no protocol_version",
            "name the folder that holds its manifest.md",
        )
    known = " to ".join(".".join(map(str, one)) for one in (OLDEST, NEWEST))
    if len(set(versions)) > 1:
        raise UsageError(f"{source} names two protocols: {', '.join(versions)}", "mend it first")
    parts = tuple(int(part) for part in versions[0].split(".")[:2])
    if parts < OLDEST:
        raise UsageError(
            f"{source}: protocol {versions[0]} is older than {known}",
            "run memory-custodian migrate there first",
        )
    if parts > NEWEST:
        raise UsageError(
            f"{source}: protocol {versions[0]} is newer than {known}", "install a newer memwarden"
        )


class _Reading:
    """One pass over a manifest."""

    def __init__(self, source: str, present: frozenset[str]) -> None:
        self.source = source
        self.present = present
        self.courses: list[Course] = []
        self.districts: list[District] = []
        self.allowances: list[Allowance] = []
        self.lost: list[Loss] = []

    def chapter(self, chapter: str, title: str, lines: list[_Line]) -> None:
        if chapter == "always load":
            self._routes(ALWAYS, lines)
        elif chapter == "load by task" and title:
            self._routes(title, lines)
        elif chapter == "optional module index" and title:
            self._index(lines)
        elif chapter == "context budget":
            self._budgets(lines)
        elif chapter and chapter not in _PROSE:
            for number, text in lines:
                if _ITEM.match(text):
                    self.lose(number, f"no list of the protocol stands below {title or chapter!r}")

    def lose(self, line: int, why: str) -> None:
        self.lost.append(Loss(self.source, line, why))

    def _routes(self, task: str, lines: list[_Line]) -> None:
        optional = False
        for number, text in lines:
            if text.rstrip().endswith(":") and not text.startswith(("-", "*", " ")):
                optional = "if present" in text.lower()
            item = _ITEM.fullmatch(text.rstrip())
            if not item:
                continue
            path, module = item[1], module_for(item[1])
            if module in ("inbox/", "archive/"):
                continue  # candidates and history are for mem inbox and for explicit loading
            if not optional and path not in self.present and module:
                self.lose(number, f"the route to {path} leads nowhere: no such file in the source")
            elif not module and path != "changelog.md":
                self.lose(number, f"no module takes the place of {path}")
            elif module and path in self.present:
                self.courses.append(Course(self.source, number, task, module, optional))

    def _index(self, lines: list[_Line]) -> None:
        """Enabled rules, profiles and areas, with the fields that stand below each."""
        found: list[tuple[int, str, str, dict[str, str]]] = []
        for number, text in lines:
            meta = _META.fullmatch(text.rstrip())
            item = _ITEM.fullmatch(text.rstrip())
            if meta and found:
                found[-1][3][meta[1]] = meta[2].strip()
            elif item:
                found.append((number, item[1], (item[2] or "").strip(), {}))
        for number, path, hint, meta_fields in found:
            module = module_for(path)
            if not module or path not in self.present:
                self.lose(number, f"{path} is listed and not there" if module else f"{path} is no module")
            else:
                self._optional(number, module, hint, meta_fields)

    def _optional(self, number: int, module: str, hint: str, fields: dict[str, str]) -> None:
        if fields.get("exclusive-group"):
            self.lose(number, f"{module}: exclusive groups are not kept; overlapping globs load both")
        if module.startswith("areas/"):
            globs = tuple(_anchored(glob) for glob in _CODE.findall(fields.get("paths", "")))
            bad = [glob for glob in globs if check_glob(glob)]
            for glob in bad:
                self.lose(number, f"{module}: {glob} is no glob")
            if hint and not globs:
                self.lose(
                    number, f"{module}: the hint {hint!r} names no glob; name them in memory/manifest.md"
                )
            self.districts.append(
                District(self.source, number, module, tuple(glob for glob in globs if glob not in bad))
            )
        elif module.startswith("profiles/"):
            purpose = " ".join((fields.get("description", "") or hint).replace("`", "").split())
            self.districts.append(District(self.source, number, module, purpose=purpose))
        else:
            tasks = [task.strip() for task in fields.get("tasks", "").split(",") if task.strip()]
            automatic = "task" in fields.get("activation", "")
            if hint and not automatic:
                self.lose(number, f"{module}: the hint {hint!r} is prose; name the module in a task by hand")
            for task in tasks if automatic else [EXPLICIT]:
                self.courses.append(Course(self.source, number, task, module))

    def _budgets(self, lines: list[_Line]) -> None:
        for number, text in lines:
            item = _ITEM.fullmatch(text.rstrip())
            if not item or not item[2] or module_for(item[1]) in ("inbox/", "archive/"):
                continue  # what is loaded on request only has no budget in either memory
            budget = _BUDGET.fullmatch(item[2])
            if not budget:
                self.lose(number, f"the budget of {item[1]} is no number of tokens")
                continue
            found = [module for module in map(module_for, self._files(item[1])) if module]
            if not found and not item[1].endswith("*.md"):
                self.lose(number, f"the budget of {item[1]} is for no module that is there")
            for module in found:
                self.allowances.append(Allowance(self.source, number, module, int(budget[1])))

    def _files(self, named: str) -> Iterable[str]:
        folder, _, name = named.rpartition("/")
        if name == "*.md":
            return sorted(path for path in self.present if path.rpartition("/")[0] == folder)
        return (named,) if named in self.present else ()


def _anchored(glob: str) -> str:
    """Its globs start at the top; ours do where they have a slash."""
    return glob if "/" in glob.rstrip("/") else "/" + glob
