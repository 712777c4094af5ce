"""The manifest as records: the only routing authority.  Reading it is ``edit.manifest_reader``."""

from __future__ import annotations

from memwarden.core.record import NamedTuple

PROTOCOL = 1
PATH = "memory/manifest.md"


class Settings(NamedTuple):
    """The frontmatter's settings; the defaults are the contract's."""

    ask_after: int = 3
    recheck_days: int = 42
    command_timeout: int = 60
    deliver_tokens: int = 1500
    miss_per: str = "session"
    on_no_ask: str = "deny-once"
    overdue: str = "warn"
    agents_may_admit: bool = False
    facets: tuple[str, ...] = ()
    require_plan: bool = False


class Route(NamedTuple):
    """One module on a list, as written (``decisions/``, ``brief.md``), with its line."""

    module: str
    line: int = 0
    if_present: bool = False


class Task(NamedTuple):
    """A canonical task, its aliases (``Also:``) and its modules in order."""

    name: str
    aliases: tuple[str, ...] = ()
    routes: tuple[Route, ...] = ()
    line: int = 0


class Area(NamedTuple):
    """An area's module and the path globs that select it; ``name`` is ``sync`` of ``areas/sync/``."""

    name: str
    module: str
    globs: tuple[str, ...] = ()
    line: int = 0


class Profile(NamedTuple):
    """A profile's module and what it is for; ``name`` is ``release`` of ``profiles/release/``."""

    name: str
    module: str
    purpose: str = ""
    line: int = 0


class Manifest(NamedTuple):
    """What ``memory/manifest.md`` declares.  ``budgets`` maps a module, or ``total``, to tokens."""

    protocol: int = PROTOCOL
    project: str = ""
    settings: Settings = Settings()
    always: tuple[Route, ...] = ()
    tasks: tuple[Task, ...] = ()
    areas: tuple[Area, ...] = ()
    profiles: tuple[Profile, ...] = ()
    explicit_only: tuple[Route, ...] = ()
    budgets: tuple[tuple[str, int], ...] = ()

    def modules(self) -> tuple[str, ...]:
        """Every module that the manifest names, in its order, each once."""
        return tuple(dict.fromkeys(module for module, _ in self.lines()))

    def lines(self) -> list[tuple[str, int]]:
        """Every place that names a module, with its line, in the manifest's order."""
        named = [(route.module, route.line) for route in self.always]
        named += [(route.module, route.line) for task in self.tasks for route in task.routes]
        named += [(area.module, area.line) for area in self.areas]
        named += [(profile.module, profile.line) for profile in self.profiles]
        named += [(route.module, route.line) for route in self.explicit_only]
        return named

    def budget(self, name: str) -> int | None:
        """The tokens that a module, or ``total``, may use; None where no budget is written."""
        return dict(self.budgets).get(name)
