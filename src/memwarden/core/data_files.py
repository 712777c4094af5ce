"""Which files hold data that a dotted key leads into: told by the name, so that a condition on any other
file is refused when it is written and not only when it is judged."""

from __future__ import annotations

TOML = "toml"
JSON = "json"
YAML = "yaml"
# Either of the first two: the content decides.
LOCK = "lock"

SUFFIXES = {
    ".toml": TOML,
    ".json": JSON,
    ".yaml": YAML,
    ".yml": YAML,
    ".webmanifest": JSON,
    ".ipynb": JSON,
    ".lock": LOCK,
}
NAMES = {
    **dict.fromkeys(("Pipfile", "Cargo.lock", "uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"), TOML),
    **dict.fromkeys(("Pipfile.lock", "composer.lock", "flake.lock", "deno.lock"), JSON),
}


def data_kind(path: str) -> str:
    """The kind of data in the file of this name, or "" for none that is known."""
    name = path.rpartition("/")[2]
    return NAMES.get(name) or SUFFIXES.get(_suffix(name), "")


def may_be_data(path: str) -> bool:
    """Whether a path, or some path that a glob matches, has the name of a data file."""
    name = path.rpartition("/")[2]
    return bool(data_kind(path)) or any(char in "*?[]" for char in _suffix(name) or name)


def known_names() -> str:
    """The names that are known, for a person."""
    odd = [name for name in NAMES if _suffix(name) not in SUFFIXES]
    return ", ".join((*SUFFIXES, *odd))


def _suffix(name: str) -> str:
    return name[name.rfind(".") :] if "." in name else ""
