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
_ANY_VERSION = re.compile(r"[ ]{0,3}[-*][ ]+protocol_version:\s*(.*?)\s*", re.IGNORECASE)
_ITEM = re.compile(r"[-*] +(?:`([^`]+)`|([^`:\s]+|[^`:]+?\.md))(?:\s*:\s*(.*))?", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?!none\b)\S", re.IGNORECASE)
_META = re.compile(r" {2,}[-*] +([a-z-]+):\s*(.*)")
_BUDGET = re.compile(r"([0-9]{1,9}) tokens\b.*", re.IGNORECASE)
_CODE = re.compile(r"`([^`]+)`")
# What a hint may say around its globs without saying more than they do.
_AROUND = re.compile(
    r"(?:a|all|an|and|any|are|at|below|chang(?:e|ed|es|ing)|edit(?:ed|ing|s)?|files?|folder|for|i[fns]|loads?"
    r"|match(?:es|ing)?|o[fnr]|only|paths?|read|the|these|touch(?:ed|es|ing)?|under|used?|when(?:ever)?|with"
    r"|work(?:ing)?)"
)
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_FOLDERS = ("areas", "profiles", "rules")
# What each kind of optional module may say of itself, and is taken over.
_SAID = {
    "areas": ("paths", "activation", "exclusive-group"),
    "profiles": ("description", "activation", "exclusive-group"),
    "rules": ("tasks", "activation", "exclusive-group"),
}
# Chapters that say in prose what the protocol is; their lists, if any, name what stands elsewhere too.
_PROSE = (
    "memorycustodian protocol",
    "optional rules",
    "optional profiles",
    "area-specific memory",
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


class _Item(NamedTuple):
    """A list entry that names a file, and what it says of it behind a colon."""

    path: str
    said: str


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
        reading.chapter(chapter, title, section.line, inner)
    return Map(
        tuple(reading.courses),
        tuple(reading.districts),
        tuple(reading.allowances),
        tuple(reading.lost),
        schema > 1,
    )


def _require_protocol(lines: Iterable[_Line], source: str) -> None:
    lines = list(lines)
    versions = [found[1] for _, text in lines if (found := _VERSION.fullmatch(text))]
    known = " to ".join(".".join(map(str, one)) for one in (OLDEST, NEWEST))
    for number, text in lines:
        said = _ANY_VERSION.fullmatch(text)
        if said and not _VERSION.fullmatch(text):
            raise UsageError(
                f"{source}:{number}: the protocol_version {said[1]!r} is no version", f"{known} are known"
            )
    if not versions:
        raise UsageError(
            f"{source} is no MemoryCustodian manifest: it names no protocol_version",
            "name the folder that holds its manifest.md",
        )
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

    def chapter(self, chapter: str, title: str, line: int, lines: list[_Line]) -> None:
        if chapter == "always load":
            self._routes(ALWAYS, lines)
        elif chapter == "load by task" and title:
            self._task(title, line, lines)
        elif chapter == "optional module index" and title:
            self._index(lines)
        elif chapter == "explicit only":
            self._explicit(lines)
        elif chapter == "context budget":
            self._budgets(lines)
        elif chapter and chapter not in _PROSE:
            for number, text in lines:
                if _LISTED.match(text):
                    self.lose(number, f"no list of the protocol stands below {title or chapter!r}")

    def lose(self, line: int, why: str) -> None:
        self.lost.append(Loss(self.source, line, why))

    def _item(self, line: _Line) -> _Item | None:
        """The file that a line names; an entry of a list that names none is lost."""
        found = _ITEM.fullmatch(line.text.rstrip())
        if found:
            return _Item(found[1] or found[2], (found[3] or "").strip())
        if _LISTED.match(line.text):
            self.lose(line.number, f"{line.text.strip()!r} names no file of the protocol")
        return None

    def _task(self, task: str, line: int, lines: list[_Line]) -> None:
        before = len(self.courses), len(self.lost)
        for number, text in lines:
            if text.strip() and not text.rstrip().endswith(":") and not _LISTED.match(text):
                self.lose(number, f"the task {task!r} is told in words: {text.strip()!r}")
        self._routes(task, lines)
        if before == (len(self.courses), len(self.lost)):
            self.lose(line, f"the task {task!r} loads nothing that is there")

    def _routes(self, task: str, lines: list[_Line]) -> None:
        optional = False
        for line in lines:
            text = line.text
            if text.rstrip().endswith(":") and not text.startswith(("-", "*", " ")):
                optional = "if present" in text.lower()
            item = self._item(line)
            if not item:
                continue
            path, module = item.path, module_for(item.path)
            of_task = f" of the task {task!r}" if task else ""
            if item.said:
                self.lose(line.number, f"what is said of the route to {path}: {item.said!r}")
            if module == "inbox/":
                self.lose(
                    line.number,
                    f"the route{of_task} to {path}: no task is told candidates; mem inbox goes through them",
                )
            elif module == "archive/":
                self.lose(line.number, f"the route{of_task} to {path}: no task is told what is archived")
            elif path == "changelog.md":
                self.lose(line.number, f"the route{of_task} to {path}: git and the events keep that here")
            elif not module:
                self.lose(line.number, f"no module takes the place of {path}")
            elif path in self.present:
                self.courses.append(Course(self.source, line.number, task, module, optional))
            elif not optional:
                self.lose(line.number, f"the route to {path} leads nowhere: no such file in the source")

    def _explicit(self, lines: list[_Line]) -> None:
        """What only a name loads: history and candidates do so here too, as do areas and profiles."""
        for line in lines:
            item = self._item(line)
            module = module_for(item.path) if item else ""
            if not item or module in ("inbox/", "archive/") or item.path.rstrip("/") in _FOLDERS:
                continue
            known = {one.module for one in self.courses} | {one.module for one in self.districts}
            if not module or item.path not in self.present:
                self.lose(
                    line.number,
                    f"{item.path} is listed and not there" if module else f"{item.path} is no module",
                )
            elif module not in known:
                self.courses.append(Course(self.source, line.number, EXPLICIT, module))

    def _index(self, lines: list[_Line]) -> None:
        """Enabled rules, profiles and areas, with the fields that stand below each."""
        found: list[tuple[int, _Item, dict[str, str]]] = []
        for line in lines:
            meta = _META.fullmatch(line.text.rstrip())
            if meta and found:
                found[-1][2][meta[1]] = meta[2].strip()
            elif item := self._item(line):
                found.append((line.number, item, {}))
        for number, (path, hint), fields in found:
            module = module_for(path)
            if not module or path not in self.present:
                self.lose(number, f"{path} is listed and not there" if module else f"{path} is no module")
            else:
                self._optional(number, module, hint, fields)

    def _optional(self, number: int, module: str, hint: str, fields: dict[str, str]) -> None:
        if fields.get("exclusive-group"):
            self.lose(number, f"{module}: exclusive groups are not kept; overlapping globs load both")
        for name in fields:
            if name not in _SAID.get(module.partition("/")[0], ()):
                self.lose(number, f"{module}: its {name} has no place here")
        if module.startswith("areas/"):
            self.districts.append(
                District(self.source, number, module, self._globs(number, module, hint, fields))
            )
        elif module.startswith("profiles/"):
            purpose = " ".join((fields.get("description", "") or hint).replace("`", "").split())
            if hint and fields.get("description"):
                self.lose(number, f"{module}: the hint {hint!r} beside its description")
            self.districts.append(District(self.source, number, module, purpose=purpose))
        else:
            tasks = [task.strip() for task in fields.get("tasks", "").split(",") if task.strip()]
            automatic = "task" in fields.get("activation", "")
            if hint:
                self.lose(number, f"{module}: the hint {hint!r} is prose; name the module in a task by hand")
            if tasks and not automatic:
                self.lose(number, f"{module}: its tasks do not load it in the source")
            for task in tasks if automatic and tasks else [EXPLICIT]:
                self.courses.append(Course(self.source, number, task, module))

    def _globs(self, number: int, module: str, hint: str, fields: dict[str, str]) -> tuple[str, ...]:
        """The globs that load an area: its field names them, or a hint that says nothing else."""
        paths = fields.get("paths", "")
        named = _CODE.findall(paths) or [part.strip() for part in paths.split(",") if part.strip()]
        if hint and not named and is_only_globs(hint):
            named = _CODE.findall(hint)
        elif hint:
            has = "says more than its globs" if _CODE.search(hint) else "names no glob"
            self.lose(number, f"{module}: the hint {hint!r} {has}; name what loads it in memory/manifest.md")
        good = []
        for glob in map(_anchored, named):
            if check_glob(glob):
                self.lose(number, f"{module}: {glob} is no glob")
            else:
                good.append(glob)
        if good and fields.get("activation") and "path" not in fields["activation"]:
            self.lose(number, f"{module}: its globs do not load it in the source")
            return ()
        return tuple(good)

    def _budgets(self, lines: list[_Line]) -> None:
        for line in lines:
            item = self._item(line)
            if not item:
                continue
            number, (path, said) = line.number, item
            budget = _BUDGET.fullmatch(said)
            if module_for(path) in ("inbox/", "archive/"):
                if budget:
                    self.lose(number, f"the budget of {path}: what no task loads has none here")
                continue
            if not budget:
                self.lose(number, f"the budget of {path} is no number of tokens")
                continue
            found = [module for module in map(module_for, self._files(path)) if module]
            if not found and not path.endswith("*.md"):
                self.lose(number, f"the budget of {path} is for no module that is there")
            for module in found:
                self.allowances.append(Allowance(self.source, number, module, int(budget[1])))

    def _files(self, named: str) -> Iterable[str]:
        folder, _, name = named.rpartition("/")
        if name == "*.md":
            return sorted(path for path in self.present if path.rpartition("/")[0] == folder)
        return (named,) if named in self.present else ()


def is_only_globs(hint: str) -> bool:
    """Whether a hint such as ``Load when `src/sync/**` is touched`` says no more than its globs do."""
    words = re.findall(r"[^\W_]+", _CODE.sub(" ", hint).lower())
    codes = _CODE.findall(hint)
    are_paths = bool(codes) and all(re.search(r"[/.*]", code) for code in codes)
    return are_paths and all(map(_AROUND.fullmatch, words))


def _anchored(glob: str) -> str:
    """Its globs start at the top; ours do where they have a slash."""
    return glob if "/" in glob.rstrip("/") else "/" + glob
