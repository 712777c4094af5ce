"""What the benchmarks plant is a legal memory, the same for the same seed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from benchmarks.corpus import plant
from benchmarks.history import WORD, plant_history
from benchmarks.timing import Spent, ratio

from memwarden.edge.erase.exposure import measure
from memwarden.edge.place import find_place
from memwarden.edge.reading.opening import open_memory
from memwarden.edit.topic import Mark, Topic
from memwarden.errors import ERROR
from memwarden.rules import Context, check


@pytest.mark.parametrize("notes", [10, 150])
def test_a_planted_memory_has_its_size_and_no_error(notes: int, tmp_path: Path) -> None:
    plant(str(tmp_path / "planted"), notes)
    memory = open_memory(find_place(str(tmp_path / "planted")))
    findings = check(memory, Context("2026-11-30"))
    assert len(memory.notes) == notes
    assert [found for found in findings if found.severity == ERROR] == []


def test_one_seed_plants_one_tree(tmp_path: Path) -> None:
    trees = []
    for name in ("one", "other"):
        plant(str(tmp_path / name), 40)
        told = subprocess.run(
            ["git", "rev-parse", "HEAD^{tree}"], cwd=tmp_path / name, capture_output=True, check=True
        )
        trees.append(told.stdout)
    assert trees[0] == trees[1]


def test_a_planted_history_has_its_length_and_tells_the_word(tmp_path: Path) -> None:
    root = tmp_path / "planted"
    plant_history(str(root), 60, 6)

    def told(*arguments: str) -> list[str]:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)
        return done.stdout.decode().split()

    assert len(told("rev-list", "--all")) == 61
    assert told("status", "--porcelain") == []
    exposure = measure(find_place(str(root)), Topic([Mark(WORD)]))
    assert exposure.past is not None
    assert (exposure.past.held, exposure.past.told) == (60, 2)


def test_a_ratio_is_taken_inside_a_round() -> None:
    """The machine slowed down tenfold between the rounds; the ratio did not."""
    ones = [Spent(2.0, 1.0), Spent(20.0, 10.0), Spent(2.2, 1.0)]
    others = [Spent(1.0, 1.0), Spent(10.0, 10.0), Spent(1.0, 1.0)]
    assert ratio(ones, others) == 2.0
    assert ratio(ones, others, "cpu") == 1.0
