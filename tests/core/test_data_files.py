"""What is data is told by its name."""

from __future__ import annotations

import pytest

from memwarden.core.data_files import JSON, LOCK, TOML, YAML, data_kind, known_names, may_be_data


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a/pyproject.toml", TOML),
        ("Pipfile", TOML),
        ("Pipfile.lock", JSON),
        ("Cargo.lock", TOML),
        ("other.lock", LOCK),
        ("package.json", JSON),
        (".github/x.yml", YAML),
        ("x.txt", ""),
        ("toml", ""),
    ],
)
def test_a_name_tells_the_kind(path: str, kind: str) -> None:
    assert data_kind(path) == kind
    assert may_be_data(path) == bool(kind)


@pytest.mark.parametrize(
    ("glob", "may"),
    [("conf/*.toml", True), ("conf/*", True), ("conf/x.*", True), ("**/x.y[a]ml", True), ("*.txt", False)],
)
def test_a_glob_may_match_data(glob: str, may: bool) -> None:
    assert may_be_data(glob) is may


def test_the_known_names_are_listed() -> None:
    assert known_names() == ".toml, .json, .yaml, .yml, .webmanifest, .ipynb, .lock, Pipfile"
