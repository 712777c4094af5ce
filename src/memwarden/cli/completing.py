"""What a shell completes beside the commands: the words of the memory that it stands in.

A shell puts what is printed here through its own reading, some of them twice.  Who wrote a title, a task or a
path is nobody we know, so a value goes out only where no shell reads it as anything else, and what is said of
it without any sign that one might.  Whatever goes wrong, there is nothing to complete.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from typer.core import _typer_param_setup_autocompletion_compat as complete_with

from memwarden.cli.frame import common
from memwarden.core.choosing import STANDINGS
from memwarden.core.fitness import known_facets
from memwarden.core.memory import Memory
from memwarden.core.note import CANDIDATE, DEBT, RULE, Note, place_of
from memwarden.core.secrets import redact
from memwarden.core.subject import KINDS, PROJECT
from memwarden.edge.place import Place, find_place, require_memory, require_protocol
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.writing.plans import plans_folder
from memwarden.hosts import HOSTS

Words = Iterable[str | tuple[str, str]]
# Most words are those of a memory; what is the same everywhere asks for none.
Source = Callable[[Callable[[], Place]], Words]

_SAFE = re.compile(r"[\w./:#@+-]+")
_SIGNS = re.compile(r"[^\w ./:#@+,-]+")
LONGEST_HELP = 60


def teach(command: Any) -> None:
    """Tell the parameters of a command, and of those below it, what they may be completed with."""
    for one in getattr(command, "commands", {}).values():
        teach(one)
    for parameter in command.params:
        words = _words_for(command.name, parameter)
        if words is not None:
            complete_with(parameter, autocompletion=_offered(words))


def _words_for(command: str, parameter: Any) -> Source | None:
    told = OF_COMMAND.get((command, parameter.name))
    if told is None and parameter.opts[0].startswith("-"):
        told = OF_OPTION.get(parameter.opts[0])
    elif told is None:
        told = OF_ARGUMENT.get((parameter.metavar or "").strip("[]."))
    return told


def _offered(words: Source) -> Callable[[Any, list[str], str], list[str | tuple[str, str]]]:
    def offer(ctx: Any, _: list[str], incomplete: str) -> list[str | tuple[str, str]]:
        def here() -> Place:
            place = find_place(common(ctx).root or os.getcwd())
            require_memory(place)
            require_protocol(place)
            return place

        try:
            return list(_fit(words(here), incomplete))
        except Exception:  # a shell that completes has no place for what is wrong
            return []

    return offer


def _fit(words: Words, begun: str) -> Iterator[str | tuple[str, str]]:
    """The words that go on from what is typed, each once."""
    seen = set()
    for word in words:
        value, told = (word, "") if isinstance(word, str) else word
        if value not in seen and value.startswith(begun) and _SAFE.fullmatch(value):
            seen.add(value)
            told = " ".join(_SIGNS.sub(" ", redact(told)).split())[:LONGEST_HELP]
            yield (value, told) if told else value


def _of_notes(wanted: Callable[[Note], bool]) -> Source:
    def notes(here: Callable[[], Place]) -> Words:
        return [(note.id or note.path, note.title) for note in open_memory(here()).notes if wanted(note)]

    return notes


def _of_memory(words: Callable[[Memory], Words]) -> Source:
    return lambda here: words(open_memory(here()))


def _subjects(memory: Memory) -> Words:
    yield PROJECT
    yield from ((subject.id, subject.name) for subject in memory.subjects)
    yield from sorted({note.subject for note in memory.notes if note.subject.startswith("path:")})


def _modules(memory: Memory) -> Words:
    return memory.manifest.modules() if memory.manifest else ()


def _tasks(memory: Memory) -> Words:
    for task in memory.manifest.tasks if memory.manifest else ():
        yield task.name, f"also {', '.join(task.aliases)}" if task.aliases else ""


def _areas(memory: Memory) -> Words:
    return [(area.name, area.module) for area in memory.manifest.areas] if memory.manifest else ()


def _profiles(memory: Memory) -> Words:
    return [(one.name, one.purpose) for one in memory.manifest.profiles] if memory.manifest else ()


def _plans(here: Callable[[], Place]) -> Words:
    names = os.listdir(plans_folder(here()))
    return sorted(name.removesuffix(".json") for name in names if not name.startswith("."))


def _codes(_: object) -> Words:
    from memwarden.rules.catalogue import RULES  # every rule, for the one command that names them

    return [(rule.code, rule.title) for rule in RULES]


def _constant(*words: str) -> Source:
    return lambda _: words


NOTES = _of_notes(lambda note: True)
CANDIDATES = _of_notes(lambda note: place_of(note.path) == CANDIDATE)
SUBJECTS = _of_memory(_subjects)
MODULES = _of_memory(_modules)

OF_COMMAND: dict[tuple[str, str], Source] = {
    ("admit", "note"): CANDIDATES,
    ("reject", "note"): CANDIDATES,
    ("pay", "note"): _of_notes(lambda note: note.lifecycle == DEBT),
    ("blame", "note"): _of_notes(lambda note: (note.condition or note.verify) is not None),
    ("trust", "note"): _of_notes(lambda note: (note.condition or note.verify) is not None),
    ("explain", "code"): _codes,
    ("hook", "what"): _constant("install", "uninstall", *HOSTS),
    ("hook", "host"): _constant(*HOSTS),
    ("check", "format_"): _constant("text", "json", "github", "sarif"),
    ("diff", "format_"): _constant("text", "markdown", "json"),
}
OF_OPTION = {
    "--task": _of_memory(_tasks),
    "--area": _of_memory(_areas),
    "--profile": _of_memory(_profiles),
    "--include": MODULES,
    "--module": MODULES,
    "--subject": SUBJECTS,
    "--facet": _of_memory(lambda memory: sorted(known_facets(memory.manifest))),
    "--standing": _constant(*STANDINGS),
    "--lifecycle": _constant(RULE, DEBT),
    "--kind": _constant(*KINDS),
    "--supersedes": NOTES,
    "--exception-to": NOTES,
}
OF_ARGUMENT = {
    "NOTE": NOTES,
    "OLD": NOTES,
    "NEW": NOTES,
    "SUBJECT": SUBJECTS,
    "FROM": SUBJECTS,
    "INTO": SUBJECTS,
    "MODULE": MODULES,
    "PLAN": _plans,
}
