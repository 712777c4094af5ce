"""What a shell command touches is looked up in bounds, whatever its patterns and folders hold."""

from __future__ import annotations

import os
from typing import Any

import pytest

from memwarden.edge.place import find_place
from memwarden.edge.tree import touched_paths
from memwarden.edge.tree.touched_paths import touches
from tests.conftest import Repo

MOST = 12


@pytest.fixture
def crowded(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for folder in range(6):
        for file in range(6):
            repo.write(f"src/d{folder}/f{file}.py", "")
    monkeypatch.setattr(touched_paths, "MOST_EXPANDED", MOST)
    return repo


@pytest.mark.parametrize(
    "command",
    ["rm -rf src", "rm -rf src/*", "rm -rf src/d0/* src/d1/* src/d2/*", "rm -rf src src/d0 src/d1 src/d2"],
)
def test_folders_that_go_away_stand_for_so_many_files_together(crowded: Repo, command: str) -> None:
    found = touches(find_place(str(crowded.root)), command=command)
    files = [path for path in found.writes if path.endswith(".py")]
    assert 0 < len(files) <= 2 * MOST


def test_every_pattern_and_every_folder_gets_its_share(crowded: Repo) -> None:
    place = find_place(str(crowded.root))
    for command in ("cat src/d0/* src/d1/* src/d2/*", "rm -rf src/d0 src/d1 src/d2"):
        found = touches(place, command=command)
        named = [path for path in (*found.reads, *found.writes) if path.endswith(".py")]
        assert len(named) == MOST
        assert {path.split("/")[1] for path in named} == {"d0", "d1", "d2"}


def test_folders_without_files_are_walked_in_bounds_too(
    crowded: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for outer in range(10):
        for inner in range(10):
            (crowded.root / f"empty/{outer}/{inner}").mkdir(parents=True)
    place = find_place(str(crowded.root))
    listed = []
    scandir = os.scandir

    def count(path: Any) -> Any:
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", count)
    assert touches(place, command="rm -rf empty").writes == ("empty",)
    assert len(listed) == MOST
