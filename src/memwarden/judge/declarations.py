"""What a project's manifest and lock files say about one package, file by file.

Python (pyproject, requirements, uv and poetry locks), npm (package.json and its locks) and Go (go.mod).
"""

from __future__ import annotations

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import Unreadable
from memwarden.judge.bounds import lowest_npm, lowest_pep440, lowest_poetry
from memwarden.judge.data import documents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from memwarden.judge.reader import Reader

LOCKING = ("uv.lock", "poetry.lock", "package-lock.json", "npm-shrinkwrap.json")
DECLARING = ("pyproject.toml", "requirements.txt", "package.json", "go.mod")
MOST_INCLUDES = 20
# The languages themselves, in whatever case they are written.
PYTHON, NODE, GO = "python", "node", "go"
LANGUAGES = (PYTHON, NODE, GO)
# Folders that hold other people's projects, or copies of them.
FOREIGN = frozenset(
    ("node_modules", "vendor", "third_party", "site-packages", "venv", ".venv", ".tox", ".nox", ".git")
)
MOST_NESTED = 200
NPM_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


class Found(NamedTuple):
    """One file's answer: a version, or "" where the file names the package without a lowest one."""

    path: str
    version: str


def name_of(text: str) -> str:
    """The name that is looked for: a language in lower case, a package as it is written."""
    folded = text.strip().casefold()
    return folded if folded in LANGUAGES else text


def locked(name: str, reader: Reader, folder: str = "") -> list[Found]:
    """Every version of ``name`` that a lock file in a folder (``""`` or ``web/``) holds."""
    found: list[Found] = []
    for path in (folder + lock for lock in LOCKING if name not in LANGUAGES):
        data = _document(path, reader)
        if data is None:
            continue
        versions = _npm_locked(data, name) if path.endswith(".json") else _python_locked(data, name)
        found += [Found(path, version) for version in dict.fromkeys(versions)]
    return found


def declared(name: str, reader: Reader, folder: str = "") -> list[Found]:
    """The lowest version of ``name`` that each declaration in a folder admits; ``python`` means
    requires-python, ``node`` package.json's engines, ``go`` the language version of go.mod."""
    found: list[Found] = []
    python, node, go = (folder + file for file in ("pyproject.toml", "package.json", "go.mod"))
    project = _document(python, reader) if name not in (NODE, GO) else None
    if project is not None:
        lowest = _python_itself(project) if name == PYTHON else _python_declared(project, name)
        found += [Found(python, version) for version in lowest]
    if name not in LANGUAGES:
        lines = _requirement_lines(folder + "requirements.txt", reader, set())
        found += [Found(path, low) for path, line in lines for low in _requirement(line, name)]
    package = _document(node, reader) if name not in (PYTHON, GO) else None
    if package is not None:
        tables = [_table(package, group) for group in NPM_GROUPS] if name != NODE else []
        wanted = [table.get(name) for table in tables or [_table(package, "engines")]]
        found += [Found(node, lowest_npm(spec)) for spec in wanted if isinstance(spec, str)]
    if name not in (PYTHON, NODE) and reader.entry(go) is not None:
        found += [Found(go, version) for version in _go_required(reader.text(go), name)]
    return found


def nested(reader: Reader) -> list[str]:
    """The folders below the top that hold such a file, each with its slash."""
    paths = reader.named(frozenset({*LOCKING, *DECLARING}), FOREIGN, MOST_NESTED)
    return list(dict.fromkeys(path.rpartition("/")[0] + "/" for path in paths))


def _document(path: str, reader: Reader) -> dict[str, Any] | None:
    """A data file's top table; None where the file is not there.  Raises ``Unreadable``."""
    if reader.entry(path) is None:
        return None
    try:
        data = documents(path, reader.text(path))[0]
    except Unreadable as reason:
        raise Unreadable(f"{path} {reason}") from None
    return data if isinstance(data, dict) else {}


def _table(data: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _list(data: dict[str, Any], key: str) -> list[Any]:
    found = data.get(key)
    return found if isinstance(found, list) else []


def _same(left: Any, right: str) -> bool:
    return isinstance(left, str) and canonicalize_name(left) == canonicalize_name(right)


def _python_locked(data: dict[str, Any], name: str) -> Iterator[str]:
    for package in _list(data, "package"):
        if isinstance(package, dict) and _same(package.get("name"), name):
            yield str(package.get("version", ""))


def _npm_locked(data: dict[str, Any], name: str) -> Iterator[str]:
    installed = _table(data, "packages", f"node_modules/{name}") or _table(data, "dependencies", name)
    if "version" in installed:
        yield str(installed["version"])


def _python_itself(data: dict[str, Any]) -> Iterator[str]:
    required = _table(data, "project").get("requires-python")
    if isinstance(required, str):
        yield lowest_pep440(required)
        return
    poetry = _table(data, "tool", "poetry", "dependencies").get("python")
    if isinstance(poetry, str):
        yield lowest_poetry(poetry)


def _python_declared(data: dict[str, Any], name: str) -> Iterator[str]:
    project = _table(data, "project")
    lines = list(_list(project, "dependencies"))
    for groups in (_table(project, "optional-dependencies"), _table(data, "dependency-groups")):
        for group in groups.values():
            lines += group if isinstance(group, list) else []
    for line in lines:
        if isinstance(line, str):
            yield from _requirement(line, name)
    poetry = _table(data, "tool", "poetry")
    tables = [_table(poetry, "dependencies"), _table(poetry, "dev-dependencies")]
    tables += [_table(group, "dependencies") for group in _table(poetry, "group").values()]
    for table in tables:
        for key, value in table.items():
            if _same(key, name):
                spec = value.get("version", "") if isinstance(value, dict) else value
                yield lowest_poetry(str(spec))


def _requirement(line: str, name: str) -> Iterator[str]:
    """The lowest version that one requirement line admits, where it is about ``name``."""
    try:
        requirement = Requirement(line)
    except InvalidRequirement:
        return
    if _same(requirement.name, name):
        yield lowest_pep440(str(requirement.specifier))


def _go_required(text: str, name: str) -> Iterator[str]:
    """The version of a module that go.mod requires, without its ``v``; of ``go``, the language version.
    A module that is replaced has no version of its own."""
    versions, replaced, block = [], False, ""
    for raw in text.split("\n"):
        words = raw.partition("//")[0].split()
        if words[1:2] == ["("] and not block:
            block = words[0]
            continue
        if words == [")"]:
            block = ""
            continue
        verb, *rest = [block, *words] if block else words or [""]
        if verb == "go" and name == GO:
            versions += rest[:1]
        elif verb == "require" and rest[:1] == [name]:
            versions += [version.removeprefix("v") for version in rest[1:2]]
        elif verb == "replace" and rest[:1] == [name]:
            replaced = True
    yield from ("" if replaced else version for version in versions)


def _requirement_lines(path: str, reader: Reader, seen: set[str]) -> Iterator[tuple[str, str]]:
    """The requirement lines of a requirements file and of those it includes, with their file."""
    if path in seen or len(seen) >= MOST_INCLUDES or reader.entry(path) is None:
        return
    seen.add(path)
    for raw in reader.text(path).replace("\\\n", " ").split("\n"):
        line = raw.split(" #")[0].split(" --hash")[0].strip()
        for flag in ("-r ", "--requirement ", "--requirement="):
            if line.startswith(flag):
                yield from _requirement_lines(_beside(path, line[len(flag) :].strip()), reader, seen)
        if line and not line.startswith(("-", "#")):
            yield path, line


def _beside(path: str, included: str) -> str:
    """The path of a file that ``path`` includes; raises ``Unreadable`` where it leaves the repository."""
    parts = path.split("/")[:-1]
    for part in included.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part == ".." or included.startswith("/"):
            raise Unreadable(f"{path} includes a file outside the repository")
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
