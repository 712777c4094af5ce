"""What an import changes in the manifest: routes, areas, profiles and budgets that its source declares.

Only what is missing is added.  A manifest that a person has edited keeps its own numbers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from memwarden.core.identity import slug
from memwarden.core.manifest import PATH, Manifest
from memwarden.core.spelling import folded_words
from memwarden.edit.importing.harvest import ALWAYS, EXPLICIT, Allowance, Course, Harvest, Loss
from memwarden.edit.importing.manifest_text import with_budget, with_entries
from memwarden.edit.manifest_reader import read_manifest
from memwarden.edit.starter import MANIFEST
from memwarden.errors import ERROR, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memwarden.edit.propose.bench import Bench

# What other tools call a task that we call otherwise.
SYNONYMS = {"artifact": "write"}


def manifest_with(
    bench: Bench, harvest: Harvest, tokens: Mapping[str, int]
) -> tuple[bytes | None, tuple[Loss, ...]]:
    """The manifest's new bytes (None where nothing changes) and what of the source's could not be said
    in it.

    ``tokens`` are the modules that the import writes to, with the size of what it writes: no other
    module's routes are touched, so that what a person took out stays out.
    """
    manifest = bench.memory.manifest
    assert manifest is not None
    before = bench.content(PATH)
    data = _with_routes(before, manifest, [one for one in harvest.courses if one.module in tokens])
    data = _with_districts(data, manifest, harvest, tokens)
    allowances = [one for one in harvest.allowances if one.module in tokens]
    data, lost = _with_budgets(data, manifest, allowances, _sizes(bench, tokens))
    lost += _empty_districts(bench, harvest, tokens) + _empty_courses(manifest, harvest, tokens)
    named = _read(data).modules()
    orphans = [module for module in tokens if module not in (*named, "inbox/", "archive/")]
    data = with_entries(data, "Explicit only", orphans)
    _read(data)
    return (None if data == before else data), lost


def _with_routes(data: bytes, manifest: Manifest, courses: Iterable[Course]) -> bytes:
    missing: dict[str, list[str]] = defaultdict(list)
    has = {task.name: {route.module for route in task.routes} for task in manifest.tasks}
    has[ALWAYS] = {route.module for route in manifest.always}
    has[EXPLICIT] = set(manifest.modules())
    for course in courses:
        task = course.task if course.task in (ALWAYS, EXPLICIT) else task_for(course.task, manifest)
        if course.module.startswith("archive/") or course.module in has.setdefault(task, set()):
            continue
        has[task].add(course.module)
        missing[task].append(course.module + (" (if present)" if course.if_present else ""))
    for task, entries in missing.items():
        if task == ALWAYS:
            data = with_entries(data, "Always load", entries)
        elif task == EXPLICIT:
            data = with_entries(data, "Explicit only", entries)
        else:
            data = with_entries(data, "Tasks", entries, task)
    return data


def task_for(heading: str, manifest: Manifest) -> str:
    """The task that a heading such as ``Planning / architecture / refactoring`` means: one whose name or
    alias stands in it, else a new one named by its first part."""
    spelled = {}
    for task in manifest.tasks:
        for spelling in (*task.aliases, task.name):
            spelled[folded_words(spelling)] = task.name
    parts = [folded_words(part) for part in re.split(r"[/,]", heading) if part.strip()]
    words = [word for part in parts for word in re.split(r"[\s-]+", part)]
    for text in (*parts, *words):
        for spelling in (text, SYNONYMS.get(text, text)):
            if spelling in spelled:
                return spelled[spelling]
    return slug(parts[0]) if parts else "general"


def _empty_districts(bench: Bench, harvest: Harvest, tokens: Mapping[str, int]) -> tuple[Loss, ...]:
    """Areas and profiles that are declared there and hold nothing."""
    here = bench.memory.manifest.modules() if bench.memory.manifest else ()
    return tuple(
        Loss(one.source, one.line, f"{one.module} holds no entry, so it is not declared")
        for one in harvest.districts
        if one.module not in tokens
        and one.module not in here
        and not any(note.path.startswith("memory/" + one.module) for note in bench.memory.notes)
    )


def _empty_courses(manifest: Manifest, harvest: Harvest, tokens: Mapping[str, int]) -> tuple[Loss, ...]:
    """Routes to modules of which nothing is taken over, and which are not here yet."""
    has = {task.name: {route.module for route in task.routes} for task in manifest.tasks}
    always = {route.module for route in manifest.always}
    lost = []
    for one in harvest.courses:
        if one.module in tokens or one.module in always or one.task == EXPLICIT:
            continue
        if one.task == ALWAYS:
            lost.append(
                Loss(one.source, one.line, f"the route to {one.module}: no entry of it is taken over")
            )
        elif one.module not in has.get(task_for(one.task, manifest), ()):
            why = f"the route of the task {one.task!r} to {one.module}: no entry of it is taken over"
            lost.append(Loss(one.source, one.line, why))
    return tuple(lost)


def _with_districts(data: bytes, manifest: Manifest, harvest: Harvest, tokens: Mapping[str, int]) -> bytes:
    named = {area.module for area in manifest.areas} | {profile.module for profile in manifest.profiles}
    areas, profiles = [], []
    for one in harvest.districts:
        if one.module in named or one.module not in tokens:
            continue
        named.add(one.module)
        if one.module.startswith("areas/"):
            globs = ", ".join(f"`{glob}`" for glob in one.globs)
            areas.append(f"{one.module}: {globs}" if globs else one.module)
        else:
            profiles.append(f"{one.module}: {one.purpose}" if one.purpose else one.module)
    # Entries may be scoped to an area that the source's manifest does not list.
    areas += [module for module in tokens if module.startswith("areas/") and module not in named]
    return with_entries(with_entries(data, "Areas", areas), "Profiles", profiles)


def _with_budgets(
    data: bytes, manifest: Manifest, allowances: Iterable[Allowance], sizes: Mapping[str, int]
) -> tuple[bytes, tuple[Loss, ...]]:
    """Budgets where what is there fits into them; a number that a person wrote stands."""
    text = data.decode(errors="replace")
    untouched = _numbers(text) == _numbers(MANIFEST)
    lost = []
    for one in allowances:
        current, needed = manifest.budget(one.module), sizes.get(one.module, 0)
        if current == one.tokens or one.module in ("inbox/", "archive/"):
            continue
        if needed > one.tokens:
            why = f"the budget of {one.module} ({one.tokens}) is not taken over: its notes need {needed}"
            lost.append(Loss(one.source, one.line, why))
        elif current is not None and not untouched:
            why = f"{one.module} keeps its budget here ({current}); the source has {one.tokens}"
            lost.append(Loss(one.source, one.line, why))
        else:
            data = with_budget(data, one.module, one.tokens)
    return data, tuple(lost)


def _numbers(text: str) -> str:
    """The budgets as they are written."""
    return text.replace("\r\n", "\n").partition("## Budgets\n")[2].strip()


def _sizes(bench: Bench, new: Mapping[str, int]) -> dict[str, int]:
    """What each module would hold: its live notes and the new ones."""
    sizes = dict(new)
    for note in bench.memory.notes:
        module = next((one for one in new if note.path.startswith("memory/" + one) and one.endswith("/")), "")
        if module and bench.standings[note.path].live:
            sizes[module] += note.tokens
    return sizes


def _read(data: bytes) -> Manifest:
    manifest, findings = read_manifest(PATH, data)
    errors = tuple(finding for finding in findings if finding.severity == ERROR)
    if manifest is None or errors:
        raise Refused(
            "memory/manifest.md would not be valid with the routes of the source",
            "mend the manifest, or add the routes by hand",
            errors,
        )
    return manifest
