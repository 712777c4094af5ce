"""Plans kept between preview and apply, seven days, for every worktree of the repository."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress

from memwarden.core.canonical import hex_digest
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.edge.place import Place
from memwarden.edge.writing.apply import was_applied
from memwarden.edge.writing.disk import Disk, content_at
from memwarden.edit.plan import ID_LENGTH, Plan, starting_digests
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from typing import Any

SCHEMA = 1
KEPT_SECONDS = 7 * 24 * 3600
HEX = frozenset("0123456789abcdef")


class SavedPlan(NamedTuple):
    """What is kept: enough to build the plan again and to say what has changed since."""

    id: str
    intent: dict[str, Any]
    started: tuple[tuple[str, str], ...]
    discreet: bool = False


def plans_folder(place: Place) -> str:
    """Where the previewed plans are."""
    return os.path.join(place.shared, "plans")


def plan_file(place: Place, plan_id: str) -> str:
    """The file of a saved plan."""
    return os.path.join(plans_folder(place), plan_id + ".json")


def saved_plans(place: Place) -> list[str]:
    """The IDs of the plans that are kept."""
    folder = plans_folder(place)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [name.removesuffix(".json") for name in names if name.endswith(".json")]


def save_plan(place: Place, plan: Plan) -> str:
    """Keep a plan for ``mem apply``; the result says why a repository that cannot be written keeps none,
    "" where it was kept: a preview only reads, and is shown all the same."""
    fields = {
        "schema": SCHEMA,
        "id": plan.id,
        "intent": dict(plan.intent),
        "started": [list(pair) for pair in told(starting_digests(plan), plan.discreet)],
        "discreet": plan.discreet,
    }
    folder = plans_folder(place)
    fresh = os.path.join(folder, f".{os.urandom(8).hex()}.tmp")
    try:
        os.makedirs(folder, exist_ok=True)
        _drop_old(folder)
        disk = Disk()
        descriptor = disk.create(fresh, 0o600)
        try:
            disk.write(descriptor, json.dumps(fields).encode())
        finally:
            disk.close(descriptor)
        disk.replace(fresh, os.path.join(folder, plan.id + ".json"))
    except OSError as error:
        with suppress(OSError):
            os.unlink(fresh)
        return error.strerror or type(error).__name__
    return ""


def load_plan(place: Place, plan_id: str) -> SavedPlan:
    """The saved plan; raises :class:`UsageError` for an ID that no plan has."""
    unknown = UsageError(
        f"no plan {plan_id!r} here", "plans are kept for seven days; run the command again for a new one"
    )
    if len(plan_id) != ID_LENGTH or not HEX.issuperset(plan_id):
        raise unknown
    path = plan_file(place, plan_id)
    try:
        if time.time() - os.lstat(path).st_mtime > KEPT_SECONDS:
            raise unknown
        fields = json.loads(content_at(path) or b"")
        if fields["schema"] != SCHEMA or fields["id"] != plan_id:
            raise unknown
        started = tuple((str(name), str(digest)) for name, digest in fields["started"])
        return SavedPlan(plan_id, dict(fields["intent"]), started, bool(fields["discreet"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise unknown from None


def forgets(place: Place, plan_id: str) -> bool:
    """Whether the saved plan of this ID is one that erases; such a plan is gone once it was applied."""
    try:
        return load_plan(place, plan_id).discreet
    except UsageError:
        return was_applied(place, plan_id)


def told(digests: tuple[tuple[str, str], ...], discreet: bool) -> tuple[tuple[str, str], ...]:
    """The digests by path, or by the path's own digest where names must not be kept."""
    if not discreet:
        return digests
    return tuple((hex_digest(path.encode("utf-8", "surrogateescape")), digest) for path, digest in digests)


def _drop_old(folder: str) -> None:
    with os.scandir(folder) as found:
        for entry in found:
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > KEPT_SECONDS:
                os.unlink(entry.path)
