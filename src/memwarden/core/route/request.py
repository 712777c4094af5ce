"""What a person or an agent asked to load, resolved against the manifest: nothing is dropped or guessed."""

from __future__ import annotations

from memwarden.core.glob import matches, stands_below
from memwarden.core.manifest import PATH as MANIFEST
from memwarden.core.modules import linked_routes, resolve_module
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.spelling import folded_words
from memwarden.core.workspace import FOLDER, Unreadable
from memwarden.errors import ERROR, Refused, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.manifest import Manifest, Task
    from memwarden.core.memory import Memory

ALWAYS = "always-load"
TASK = "canonical-task"
AREA = "explicit-area"
PATH_AREA = "path-area"
PROFILE = "explicit-profile"
MODULE = "explicit-module"
ANCHOR = "anchor"
REASONS = (ALWAYS, TASK, AREA, PATH_AREA, PROFILE, MODULE, ANCHOR)


class Request(NamedTuple):
    """The arguments of ``mem route``.  ``paths`` are repository-relative; without a ``task`` only what
    is always loaded, or asked for, is."""

    task: str = ""
    areas: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    budget: int | None = None


class Given(NamedTuple):
    """A path of the request: whether it is on disk yet, and the areas that its globs select."""

    path: str
    on_disk: bool
    areas: tuple[str, ...] = ()


class Chosen(NamedTuple):
    """A request as the manifest understands it.

    ``modules`` maps each routed module, in the order of loading, to its reasons with what to say of
    them; ``anchored`` maps a note's path to the anchor that matched; ``optional`` modules may be absent.
    """

    task: str
    modules: dict[str, tuple[tuple[str, str], ...]]
    anchored: dict[str, str]
    explicit_only: tuple[str, ...]
    optional: tuple[str, ...]
    given: tuple[Given, ...]

    def reasons(self, module: str, path: str) -> tuple[str, ...]:
        """Every reason for loading the note at ``path``, the first one first."""
        found = tuple(reason for reason, _ in self.modules.get(module, ()))
        return (*found, ANCHOR) if path in self.anchored else found

    def detail(self, module: str, path: str) -> str:
        """What there is to say about the reasons, in words."""
        told = [words for _, words in self.modules.get(module, ()) if words]
        if path in self.anchored:
            told.append(self.anchored[path])
        return "; ".join(told)


def require_manifest(memory: Memory) -> Manifest:
    """The manifest; raises :class:`Refused` where it is missing, unreadable, or has an error."""
    findings = tuple(f for f in memory.findings if f.path == MANIFEST and f.severity == ERROR)
    if memory.manifest is not None:
        findings += linked_routes(memory.manifest, memory.workspace)
    if findings:
        raise Refused(
            f"{MANIFEST} has {len(findings)} error{'s' if len(findings) > 1 else ''}: nothing is routed",
            "mend the lines named above; mem check shows them",
            findings,
        )
    if memory.manifest is None:
        raise Refused(f"M501: {MANIFEST} is missing: nothing can be routed", "restore it, or run mem init")
    return memory.manifest


def choose(memory: Memory, manifest: Manifest, request: Request, known: tuple[str, ...]) -> Chosen:
    """The request against the manifest and the ``known`` modules; raises :class:`UsageError` for any
    name that they lack."""
    task = find_task(manifest, request.task) if request.task else None
    areas = _named("area", request.areas, [area.name for area in manifest.areas])
    profiles = _named("profile", request.profiles, [profile.name for profile in manifest.profiles])
    asked = _modules(request.modules, known)
    given = tuple(_given(memory, manifest, path) for path in sorted(set(request.paths)))
    found: dict[str, list[tuple[str, str]]] = {}
    for route in manifest.always:
        found.setdefault(route.module, []).append((ALWAYS, ""))
    for route in task.routes if task else ():
        found.setdefault(route.module, []).append((TASK, ""))
    for area in manifest.areas:
        if area.name in areas:
            found.setdefault(area.module, []).append((AREA, ""))
    for area in manifest.areas:
        hits = [one for one in given if area.name in one.areas]
        if hits:
            words = "; ".join(f"{one.path}{'' if one.on_disk else ' (not on disk)'}" for one in hits)
            found.setdefault(area.module, []).append((PATH_AREA, words))
    for profile in manifest.profiles:
        if profile.name in profiles:
            found.setdefault(profile.module, []).append((PROFILE, ""))
    for module in known:
        if module in asked:
            found.setdefault(module, []).append((MODULE, ""))
    routes = [*manifest.always, *(task.routes if task else ())]
    return Chosen(
        task.name if task else "",
        {module: tuple(reasons) for module, reasons in found.items()},
        _anchored(memory, given),
        tuple(route.module for route in manifest.explicit_only),
        tuple(route.module for route in routes if route.if_present),
        given,
    )


def find_task(manifest: Manifest, text: str) -> Task:
    """The canonical task that ``text`` names, itself or by an alias; case and blanks do not matter."""
    wanted = folded_words(text)
    for task in manifest.tasks:
        if wanted in (folded_words(task.name), *(folded_words(alias) for alias in task.aliases)):
            return task
    spellings = {name: task.name for task in manifest.tasks for name in (task.name, *task.aliases)}
    known = ", ".join(task.name for task in manifest.tasks) or "none"
    near = _nearest(text, spellings)
    same = spellings[near] if near else ""
    hint = f"did you mean {near}{f' (task {same})' if same != near else ''}?" if near else ""
    raise UsageError(
        f"unknown task {text!r}; the manifest's tasks: {known}", hint or "name one of them with --task"
    )


def _named(kind: str, texts: Iterable[str], known: list[str]) -> set[str]:
    """The areas or profiles that ``texts`` name (``sync``, ``areas/sync/``)."""
    found = set()
    for text in texts:
        name = text.strip().removeprefix("memory/").removeprefix(f"{kind}s/").rstrip("/")
        if name not in known:
            near = _nearest(name, known)
            raise UsageError(
                f"unknown {kind} {text!r}; the manifest's {kind}s: {', '.join(known) or 'none'}",
                f"did you mean {near}?" if near else f"add it to {MANIFEST}, or leave --{kind} out",
            )
        found.add(name)
    return found


def _modules(texts: Iterable[str], known: tuple[str, ...]) -> set[str]:
    found = set()
    offered = tuple(dict.fromkeys((*known, "inbox/", "archive/")))
    for text in texts:
        module = resolve_module(text.strip(), offered)
        if not module:
            near = _nearest(text, offered)
            raise UsageError(
                f"unknown module {text!r}; the modules: {', '.join(offered)}",
                f"did you mean {near}?" if near else "name one of them with --include",
            )
        found.add(module)
    return found


def _given(memory: Memory, manifest: Manifest, path: str) -> Given:
    try:
        entry = memory.workspace.entry(path.rstrip("/"))
    except Unreadable as error:
        raise UsageError(f"--path {path}: {error}", "name a file of the repository") from None
    if entry is not None and entry.kind == FOLDER and not path.endswith("/"):
        path += "/"
    areas = tuple(area.name for area in manifest.areas if any(_selects(glob, path) for glob in area.globs))
    return Given(path, entry is not None, areas)


def _selects(glob: str, path: str) -> bool:
    """Whether an area's glob matches a path; a folder stands for what is below it."""
    return matches(glob, path) or (path.endswith("/") and stands_below(glob, path))


def _anchored(memory: Memory, given: tuple[Given, ...]) -> dict[str, str]:
    """The notes whose path anchors match a given path, with the first match in words."""
    found: dict[str, str] = {}
    if not given:
        return found
    for note in memory.notes:
        for anchor in note.anchors:
            hit = next(
                (one for one in given if anchor.kind == "path" and matches(anchor.text, one.path)), None
            )
            if hit is not None:
                absent = "" if hit.on_disk else " (not on disk)"
                found[note.path] = f"anchor {anchor.text} matches {hit.path}{absent}"
                break
    return found


def _nearest(text: str, known: Iterable[str]) -> str:
    from memwarden.core.nearest import Nearest  # only a mistake comes here

    near = Nearest(known).to(text, 1)
    return near[0] if near else ""
