"""A condition in words, for a person or an agent who has to meet it.

A condition's record is a tuple that begins with its kind, and so is what a touch has of it out of the
index: both are worded here.  On the path of every touch of a debt, the module imports nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FOUND = {"file_exists": "exists", "file_absent": "is gone"}
_TEXTS = {"file_contains": "contains", "file_lacks": "no longer contains"}


def in_words(condition: "tuple[Any, ...]") -> str:
    """The condition as the end of "paid when ..."."""
    kind, *fields = condition
    if kind in _TEXTS:
        path, pattern, literal = fields
        return f"{path} {_TEXTS[kind]} {_sought(pattern, literal)}"
    if kind in _FOUND:
        return f"{fields[0]} {_FOUND[kind]}"
    if kind == "data_matches":
        path, key, pattern, literal = fields
        return f"{key} in {path} matches {_sought(pattern, literal)}"
    if kind == "version":
        return f"the version of {fields[0]} is {fields[1]}"
    if kind == "git_tag":
        return f"a git tag {fields[0]} exists"
    if kind == "after":
        return f"{fields[0]} has come"
    if kind == "command":
        run, _, times, expect = fields
        runs = f", {times} times" if times != 1 else ""
        return f"`{' '.join(run)}` exits with {expect}{runs}"
    return _combined(kind, fields[0])


def _combined(kind: str, conditions: "tuple[tuple[Any, ...], ...]") -> str:
    parts = [in_words(part) for part in conditions]
    if kind == "not":
        return f"it is not so that {parts[0]}"
    joint = " and " if kind == "all" else " or "
    return joint.join(f"({part})" if " and " in part or " or " in part else part for part in parts)


def _sought(pattern: str, literal: bool) -> str:
    return f'"{pattern}"' if literal else f"/{pattern}/"
