"""The manifest, read from its Markdown structure: the only routing authority must not be guessed at.

Headings and list entries count where CommonMark sees them at the top of the page; prose between lists
is free.  Every fault is a finding with its line, and routing refuses while one of them is an error.

========  ========  ==============================================================================
code      severity  what
========  ========  ==============================================================================
M501      error     the manifest is missing or cannot be read
M504      error     a section, task, alias, area, profile or budget is declared twice
M505      error     a module that no route may name: absolute, ``..``, a backslash, a drive letter,
                    a reserved place, a folder without its slash; an area's glob that is none
M506      error     a list entry that cannot be understood where it stands; a code fence or a comment
                    that is never closed and swallows headings
M507      error     a setting with a value that it cannot have (no protocol or project, or a project
                    that is no identity: a warning)
M508      warning   a setting or a section that nothing reads; a module listed twice in one list
M509      error     the manifest's protocol is newer than this program
M510      warning   a budget for a module that nothing else in the manifest names
========  ========  ==============================================================================

(M502, a route to a file that is not there, and M503, notes that nothing reaches, need the whole
memory: they are rules.)
"""

from __future__ import annotations

from memwarden.core.glob import check_glob
from memwarden.core.manifest import PROTOCOL, Area, Manifest, Profile, Route, Task
from memwarden.core.modules import check_module
from memwarden.core.record import NamedTuple
from memwarden.core.spelling import folded_words
from memwarden.edit.fence import CONFLICT, Unsound, split
from memwarden.edit.fields import Fields, read_fields
from memwarden.edit.markdown import unclosed_fence, unclosed_html
from memwarden.edit.outline import HEADING, ITEM, NESTED, PARAGRAPH, Piece, Span, pieces
from memwarden.edit.settings_reader import read_identity, read_settings
from memwarden.edit.text_safety import value_findings
from memwarden.errors import ERROR, WARNING, Finding

UNREADABLE = "M501"
TWICE = "M504"
BAD_MODULE = "M505"
NOT_UNDERSTOOD = "M506"
BAD_SETTING = "M507"
UNREAD = "M508"
NEWER = "M509"
IDLE_BUDGET = "M510"

ALWAYS = "always load"
TASKS = "tasks"
AREAS = "areas"
PROFILES = "profiles"
EXPLICIT = "explicit only"
BUDGETS = "budgets"
SECTIONS = (ALWAYS, TASKS, AREAS, PROFILES, EXPLICIT, BUDGETS)
TOTAL = "total"


def read_manifest(path: str, data: bytes) -> tuple[Manifest | None, tuple[Finding, ...]]:
    """The manifest that ``data`` holds, with every finding; None where it cannot be read at all."""
    parts = split(data)
    if parts.fault is None:
        try:
            fields = read_fields(parts)
        except Unsound as unsound:
            fault = unsound.fault
        else:
            reading = _Reading(path)
            reading.frontmatter(fields)
            reading.findings += value_findings(path, parts.block, fields.values, fields.place)
            reading.page(parts.text[parts.body :], parts.body_line - 1)
            reading.idle_budgets()
            return reading.manifest(), tuple(reading.findings)
    else:
        fault = parts.fault
    code = fault.code if fault.code == CONFLICT else UNREADABLE
    return None, (Finding(code, ERROR, fault.message, path, fault.line, fault.column, fix=fault.fix),)


class _Entry(NamedTuple):
    """A list entry: its module as text, what stands after the colon, and its line."""

    module: str
    rest: str
    if_present: bool
    line: int


class _Reading:
    """One pass over one manifest: what it declares so far, and what is wrong with it."""

    def __init__(self, path: str) -> None:
        self.findings: list[Finding] = []
        self._path = path
        self._head = Manifest()
        self._shift = 0
        self._section = ""
        self._seen: dict[tuple[str, str], int] = {}
        self._always: list[Route] = []
        self._tasks: list[Task] = []
        self._areas: list[Area] = []
        self._profiles: list[Profile] = []
        self._explicit: list[Route] = []
        self._budgets: list[tuple[str, int]] = []

    def manifest(self) -> Manifest:
        return self._head._replace(
            always=tuple(self._always),
            tasks=tuple(self._tasks),
            areas=tuple(self._areas),
            profiles=tuple(self._profiles),
            explicit_only=tuple(self._explicit),
            budgets=tuple(self._budgets),
        )

    def frontmatter(self, fields: Fields) -> None:
        protocol, project, troubles = read_identity(fields.values)
        settings, more = read_settings(fields.values)
        self._head = Manifest(protocol=protocol, project=project, settings=settings)
        for trouble in (*troubles, *more):
            line, column = fields.place(trouble.key)
            code = UNREAD if trouble.unknown else BAD_SETTING
            severity = WARNING if trouble.unknown or trouble.mild else ERROR
            self._find(code, trouble.message, line or 1, trouble.fix, severity, column, trouble.key)
        if protocol > PROTOCOL:
            what = f"protocol {protocol} is newer than this program reads ({PROTOCOL})"
            self._find(NEWER, what, fields.place("protocol")[0], "install a newer memwarden")

    def idle_budgets(self) -> None:
        """The budgets that limit nothing, since nothing loads what they are for."""
        named = {TOTAL, *self.manifest().modules()}
        for module, _ in self._budgets:
            if module not in named:
                line = self._seen["budget", module]
                what = f"a budget for {module}, which nothing else in the manifest names"
                fix = f"list {module} in a task, an area, a profile or ## Explicit only, or drop the budget"
                self._find(IDLE_BUDGET, what, line, fix, WARNING, 1)

    def page(self, body: str, shift: int) -> None:
        self._shift = shift
        swallowing = unclosed_fence(body) or unclosed_html(body)
        if swallowing:
            what = "what begins here is never closed and swallows the headings after it"
            self._find(NOT_UNDERSTOOD, what, swallowing + shift, "close the code fence or comment", column=1)
        for piece in pieces(body):
            if piece.kind == HEADING:
                self._heading(piece)
            elif piece.kind == PARAGRAPH and self._section == TASKS and self._tasks:
                self._aliases(piece)
            elif piece.kind == ITEM and self._section in SECTIONS:
                self._item(piece)
            elif piece.kind == NESTED and self._section in SECTIONS:
                line = piece.line + shift
                self._find(NOT_UNDERSTOOD, "a list inside a list entry is not read", line, "move it out")

    def _heading(self, piece: Piece) -> None:
        line = piece.line + self._shift
        if piece.level == 3 and self._section == TASKS:
            self._task(piece.text, line)
        elif piece.level <= 2:
            name = folded_words(piece.text)
            self._section = name if piece.level == 2 else ""
            if self._section in SECTIONS:
                self._once("section", name, f"section {piece.text}", line)
            elif piece.level == 2:
                self._find(UNREAD, f"section {piece.text!r} is none of the manifest's: it is not read", line,
                           "the sections: " + ", ".join(SECTIONS), WARNING)  # fmt: skip

    def _task(self, name: str, line: int) -> None:
        if not name:
            self._find(NOT_UNDERSTOOD, "a task without a name", line)
        self._once("task", folded_words(name), f"task {name}", line)
        self._tasks.append(Task(name, line=line))

    def _aliases(self, piece: Piece) -> None:
        going_on = False
        for offset, span in enumerate(piece.spans):
            text = span.text
            if text[:5].casefold() == "also:":
                text, going_on = text[5:], True
            if not going_on:
                continue
            going_on = text.rstrip().endswith(",")
            task = self._tasks[-1]
            for alias in (" ".join(word.split()) for word in text.split(",")):
                known = {folded_words(spelling) for spelling in (task.name, *task.aliases)}
                if alias and folded_words(alias) not in known:
                    line = piece.line + offset + self._shift
                    self._once("task", folded_words(alias), f"task name {alias}", line)
                    task = task._replace(aliases=(*task.aliases, alias))
            self._tasks[-1] = task

    def _item(self, piece: Piece) -> None:
        if self._section == TASKS and not self._tasks:
            line = piece.line + self._shift
            self._find(NOT_UNDERSTOOD, "a route under Tasks before any task", line, "put it under a ### task")
            return
        entry = self._entry(piece)
        if entry is None:
            return
        if self._section == AREAS:
            self._area(entry, piece)
        elif self._section == PROFILES:
            self._profile(entry)
        elif self._section == BUDGETS:
            self._budget(entry)
        else:
            self._route(entry)

    def _entry(self, piece: Piece) -> _Entry | None:
        """The parts of an entry's first line; prose that CommonMark joins to it is no part of it."""
        line = piece.line + self._shift
        text = piece.spans[0].text if piece.spans else ""
        module, _, rest = text.partition(":")
        module, mark, after = module.strip().partition(" (")
        if_present = f"{mark}{after}".casefold() == " (if present)"
        if (mark and not if_present) or (rest and self._section in (ALWAYS, TASKS)):
            self._find(NOT_UNDERSTOOD, f"not a module: {text}", line, "one module alone, as in - decisions/")
            return None
        if module not in piece.raw:
            self._find(NOT_UNDERSTOOD, f"write the module plainly: {module}", line)
            return None
        if module == TOTAL and self._section == BUDGETS:
            return _Entry(module, rest.strip(), False, line)
        reason = check_module(module)
        if reason:
            self._find(
                BAD_MODULE,
                f"{module or 'an empty entry'} {reason}",
                line,
                "name a folder or a file below memory/",
            )
            return None
        return _Entry(module, rest.strip(), if_present, line)

    def _route(self, entry: _Entry) -> None:
        route = Route(entry.module, entry.line, entry.if_present)
        if self._section == EXPLICIT:
            routes = self._explicit
        elif entry.module.startswith(("inbox/", "archive/")):
            self._find(BAD_MODULE, f"{entry.module} is explicit only: no task loads it", entry.line,
                       "list it under Explicit only; mem route --include loads it")  # fmt: skip
            return
        else:
            routes = self._always if self._section == ALWAYS else list(self._tasks[-1].routes)
        if any(other.module == route.module for other in routes):
            self._find(UNREAD, f"{entry.module} is listed twice in one list", entry.line, "keep one", WARNING)
            return
        routes.append(route)
        if self._section == TASKS:
            self._tasks[-1] = self._tasks[-1]._replace(routes=tuple(routes))

    def _area(self, entry: _Entry, piece: Piece) -> None:
        name = self._named("areas", entry)
        if not name or not self._once("area", name, f"area {name}", entry.line):
            return
        globs: list[str] = []
        for span in _entry_lines(piece):
            globs += span.codes
            left = span.prose.partition(":")[2] if span is piece.spans[0] else span.prose
            if "/" in left or "*" in left:
                self._find(
                    NOT_UNDERSTOOD, f"a glob outside backticks: {left.strip()}", entry.line, "write `src/**`"
                )
        if entry.rest and not globs:
            self._find(NOT_UNDERSTOOD, f"area {name} names no glob", entry.line, "put each glob in backticks")
        for glob in globs:
            reason = check_glob(glob)
            if reason:
                self._find(BAD_MODULE, f"area {name}: `{glob}`: {reason}", entry.line)
        kept = tuple(glob for glob in dict.fromkeys(globs) if not check_glob(glob))
        self._areas.append(Area(name, entry.module, kept, entry.line))

    def _profile(self, entry: _Entry) -> None:
        name = self._named("profiles", entry)
        if name and self._once("profile", name, f"profile {name}", entry.line):
            self._profiles.append(Profile(name, entry.module, entry.rest, entry.line))

    def _named(self, kind: str, entry: _Entry) -> str:
        """The name in ``areas/<name>/``; where it has another form, "" and a finding."""
        folder, _, rest = entry.module.partition("/")
        name = rest.removesuffix("/")
        if folder == kind and name and "/" not in name and entry.module.endswith("/"):
            return name
        self._find(BAD_MODULE, f"{entry.module} is not {kind}/<name>/", entry.line, f"as in - {kind}/sync/")
        return ""

    def _budget(self, entry: _Entry) -> None:
        if not (entry.rest.isascii() and entry.rest.isdigit() and len(entry.rest) < 10):
            what = f"the budget of {entry.module} is not a number of tokens: {entry.rest or 'nothing'}"
            self._find(NOT_UNDERSTOOD, what, entry.line, f"as in - {entry.module}: 800")
        elif self._once("budget", entry.module, f"budget of {entry.module}", entry.line):
            self._budgets.append((entry.module, int(entry.rest)))

    def _once(self, kind: str, key: str, shown: str, line: int) -> bool:
        """Whether this is the first of its kind and name; the second one is a finding with both lines."""
        first = self._seen.setdefault((kind, key), line)
        if first == line:
            return True
        self._find(TWICE, f"{shown} is declared twice: on line {first} and on line {line}", line, "keep one")
        return False

    def _find(self, code: str, message: str, line: int, fix: str = "", severity: str = ERROR,
              column: int = 0, key: str = "") -> None:  # fmt: skip
        self.findings.append(Finding(code, severity, message, self._path, line, column, key, fix=fix))


def _entry_lines(piece: Piece) -> list[Span]:
    """The first line of an entry, and those after a line that ends in a comma."""
    lines: list[Span] = []
    for span in piece.spans:
        lines.append(span)
        if not span.text.rstrip().endswith(","):
            break
    return lines
