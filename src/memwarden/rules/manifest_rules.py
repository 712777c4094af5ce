"""M5xx: the manifest, its routes and its budgets."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.manifest import PATH, Manifest, Route
from memwarden.core.modules import linked_routes
from memwarden.core.note import ARCHIVE, INBOX, Note, module_of
from memwarden.errors import ERROR, WARNING, Finding
from memwarden.rules.scene import Scene, grouped


def manifest_is_there(scene: Scene) -> Iterator[Finding]:
    """The manifest is missing or cannot be read.

    Why: `memory/manifest.md` is the only routing authority. Without it nothing is routed, rather than
    something guessed.

    Fix: restore it from git, correct the named line, or run `mem init`.

    Example: two `### plan` headings, or a route that is an absolute path.
    """
    yield from scene.read("M501")
    if scene.memory.manifest is None and not any(f.path == PATH for f in scene.memory.findings):
        yield Finding("M501", ERROR, "the manifest is missing", PATH, fix="restore it, or run mem init")


def routed_file_is_there(scene: Scene) -> Iterator[Finding]:
    """A route names a file that is not there.

    Why: a task that should load the file loads nothing, and no one notices. A folder that is not there is
    an empty module, because git drops empty folders; a file is not.

    Fix: restore the file, remove the route, or write `(if present)` behind it.

    Example: `- brief.md` under `## Always load` and no `memory/brief.md`.
    """
    yield from scene.read("M502")
    manifest = scene.memory.manifest
    if manifest is None:
        return
    said = {(finding.path, finding.line) for finding in scene.read("M502")}
    for route in _routes(manifest):
        gone = not route.module.endswith("/") and not scene.tree.has("memory/" + route.module)
        if gone and not route.if_present and (PATH, route.line) not in said:
            yield Finding(
                "M502",
                ERROR,
                f"the route names memory/{route.module}, which is not there",
                PATH,
                route.line,
                1 if route.line else 0,
                key=route.module,
                fix="restore the file, remove the route, or write (if present) behind it",
            )


def module_can_be_reached(scene: Scene) -> Iterator[Finding]:
    """A module has notes that no route and no anchor can reach.

    Why: such a note is never loaded by any task and never comes up at a touch: it is written and lost.

    Fix: add the module to a task, an area, a profile or `## Explicit only` in the manifest, or give its
    notes anchors.

    Example: notes in `memory/ideas/` and no `- ideas/` in the manifest.
    """
    yield from scene.read("M503")
    manifest = scene.memory.manifest
    if manifest is None:
        return
    declared = manifest.modules()
    routed = frozenset(declared)
    lost = [note for note in scene.active if not note.anchors]
    for module, notes in sorted(grouped((module_of(note.path, declared), note) for note in lost).items()):
        if module not in routed and module not in (INBOX, ARCHIVE):
            yield _unreached(module, notes)


def manifest_names_things_once(scene: Scene) -> Iterator[Finding]:
    """A section, task, area, profile or budget stands twice in the manifest.

    Why: of two headings for one task nobody can say which one routes; routing refuses rather than guesses.

    Fix: keep one of them.

    Example: two `### plan` headings.
    """
    yield from scene.read("M504")


def module_may_be_routed(scene: Scene) -> Iterator[Finding]:
    """A route, area or budget names a module that it may not name.

    Why: a module is a file or folder below `memory/`. Absolute paths, `..`, backslashes, links that leave
    `memory/` and reserved folders are refused before anything is read.

    Fix: name a module as `decisions/` or `brief.md`.

    Example: `- ../secrets/`.
    """
    yield from scene.read("M505")
    if scene.memory.manifest is not None:
        yield from linked_routes(scene.memory.manifest, scene.memory.workspace)


def manifest_is_understood(scene: Scene) -> Iterator[Finding]:
    """A line of the manifest is not understood.

    Why: a route that is not understood is a route that silently loads nothing.

    Fix: write it as the named section wants it; free prose between lists is fine.

    Example: a budget without a number.
    """
    yield from scene.read("M506")


def setting_is_valid(scene: Scene) -> Iterator[Finding]:
    """A setting in the manifest's frontmatter is unknown or has no valid value.

    Why: a setting that cannot be read has its default, which may not be what was meant.

    Fix: use a value that the message lists.

    Example: `ask_after: soon`.
    """
    yield from scene.read("M507")


def manifest_is_read_whole(scene: Scene) -> Iterator[Finding]:
    """A part of the manifest means nothing here.

    Why: a section or list that nothing reads looks like a route and is none.

    Fix: move it under a known section, or turn it into prose.

    Example: `## Task` for `## Tasks`.
    """
    yield from scene.read("M508")


def protocol_is_known(scene: Scene) -> Iterator[Finding]:
    """The manifest's protocol is newer than this program.

    Why: a newer protocol may mean things that this program would get wrong, so every command refuses.

    Fix: install a newer memwarden.

    Example: `protocol: 2` read by a program that knows protocol 1.
    """
    yield from scene.read("M509")


def budget_has_a_module(scene: Scene) -> Iterator[Finding]:
    """A budget is for a module that nothing else in the manifest names (warning).

    Why: it limits nothing that a task loads. Most are a slip of the pen, or are left from a module that went.

    Fix: correct the name, list the module where it is loaded, or remove the budget.

    Example: `- decision/: 800` under `## Budgets` where the tasks list `decisions/`.
    """
    yield from scene.read("M510")


def _unreached(module: str, notes: tuple[Note, ...]) -> Finding:
    first = notes[0]
    kind = module.partition("/")[0]
    where = "a task or to ## Explicit only"
    line = f"- {module}"
    if kind == "areas":
        line, where = f"- {module}: `GLOB`", "## Areas"
    elif kind == "profiles":
        line, where = f"- {module}: PURPOSE", "## Profiles"
    more = f" and {len(notes) - 1} more" if len(notes) > 1 else ""
    return Finding(
        "M503",
        WARNING,
        f"no route and no anchor reaches {module} ({first.path}{more})",
        PATH,
        key=module,
        fix=f"add {line} to {where}, or move them: mem move {first.name} MODULE; or anchor them",
    )


def _routes(manifest: Manifest) -> Iterator[Route]:
    """Every route to a module, each module once."""
    routes = [*manifest.always, *(route for task in manifest.tasks for route in task.routes)]
    routes += manifest.explicit_only
    routes += [Route(area.module, area.line) for area in manifest.areas]
    routes += [Route(profile.module, profile.line) for profile in manifest.profiles]
    optional = {route.module for route in routes if route.if_present}
    first = {route.module: route for route in reversed(routes)}
    return (route for route in first.values() if route.module not in optional)
