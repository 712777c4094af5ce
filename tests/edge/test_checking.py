"""What the check of a state takes for changed, and what for gone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memwarden.core.condition import FAILS
from memwarden.edge.place import find_place
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.review.verdicts import Verdicts
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.judge.reader import Surroundings
from tests.cli.check_ground import DEBT, codes, debt, paid
from tests.conftest import Mem, Repo, note_text


def test_an_event_made_malformed_is_changed_and_not_removed(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    path = paid(memory_repo)
    memory_repo.commit()
    memory_repo.write(path, "{}\n")
    expected = [("M406", False), ("M601", False), ("M603", False)]  # what paid it has no effect
    assert sorted(codes(mem, code=1)) == expected
    memory_repo.git("add", "-A")
    assert sorted(codes(mem, "--staged", code=1)) == expected
    (found,) = [f for f in mem("check", "--json").json["findings"] if f["code"] == "M603"]
    assert (found["severity"], found["message"]) == ("error", "an existing event was changed")


def test_many_debts_on_one_glob_list_its_folder_once(
    memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_repo.write("src/deep/a.py", "x\n")
    for number in range(5):
        condition = f"{{file_contains: {{path: 'src/**/*.py', text: wanted_{number}}}}}"
        fields = {"id": f"n-{number:08d}", "lifecycle": "debt", "condition": condition}
        memory_repo.write(f"memory/debts/{number}.md", note_text(str(number), **fields))
    memory_repo.commit()
    place = find_place(str(memory_repo.root))
    memory = open_memory(place)
    listed: list[str] = []
    paths = WorkingTree.paths

    def counting(self: WorkingTree, under: str = "", *rest: frozenset[str]) -> Iterator[str]:
        listed.append(under)
        return paths(self, under, *rest)

    monkeypatch.setattr(WorkingTree, "paths", counting)
    verdicts = Verdicts(place, memory, Surroundings("2026-11-30"), None)
    states = [verdicts.judge(note, note.condition).state for note in memory.notes if note.condition]
    assert states == [FAILS] * 5
    assert listed == ["src"]
