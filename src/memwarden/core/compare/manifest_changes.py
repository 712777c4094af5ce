"""What changed in the manifest and among the subjects, line by line, whatever the layout."""

from __future__ import annotations

from memwarden.core.compare.difference import ManifestChange, SubjectChange
from memwarden.core.manifest import Manifest, Route
from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.subject import Subject

    Lines = dict[tuple[str, str], tuple[str, ...]]


def manifest_changes(before: Manifest | None, after: Manifest | None) -> list[ManifestChange]:
    """Every route, area, profile, budget and setting that is not what it was, in the manifest's order."""
    if before == after:
        return []
    old, new = _lines(before), _lines(after)
    if before is None or after is None:
        # A default that nobody wrote neither comes nor goes with the manifest.
        default = _lines(Manifest())
        silent = {key for key in default if key[0] == "setting"}
        old = {key: value for key, value in old.items() if key not in silent or value != default[key]}
        new = {key: value for key, value in new.items() if key not in silent or value != default[key]}
    keys = dict.fromkeys((*new, *old))
    return [ManifestChange(*key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)]


def _lines(manifest: Manifest | None) -> Lines:
    if manifest is None:
        return {}
    found: Lines = {
        ("protocol", ""): (str(manifest.protocol),),
        ("project", ""): (manifest.project,),
    }
    for name, value in zip(manifest.settings._fields, manifest.settings, strict=True):
        found["setting", name] = value if isinstance(value, tuple) else (_setting(value),)
    found["always", ""] = _routes(manifest.always)
    for task in manifest.tasks:
        found["task", task.name] = _routes(task.routes)
        if task.aliases:
            found["alias", task.name] = task.aliases
    for area in manifest.areas:
        found["area", area.name] = area.globs
    for profile in manifest.profiles:
        found["profile", profile.name] = (profile.purpose,)
    found["explicit", ""] = _routes(manifest.explicit_only)
    for name, tokens in manifest.budgets:
        found["budget", name] = (str(tokens),)
    return found


def _setting(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _routes(routes: Iterable[Route]) -> tuple[str, ...]:
    return tuple(f"{one.module} (if present)" if one.if_present else one.module for one in routes)


def subject_changes(before: tuple[Subject, ...], after: tuple[Subject, ...]) -> list[SubjectChange]:
    """Every subject that came, went, or says something else."""
    old = {subject.id: subject for subject in before}
    new = {subject.id: subject for subject in after}
    return [
        SubjectChange(name, old.get(name), new.get(name))
        for name in sorted({*old, *new})
        if _words(old.get(name)) != _words(new.get(name))
    ]


def _words(subject: Subject | None) -> Subject | None:
    return None if subject is None else subject._replace(path="")
