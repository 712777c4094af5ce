"""What review has admitted is not news at every commit after it."""

from __future__ import annotations

from tests.conftest import Mem, Repo, note_text


def admissions(mem: Mem, *how: str) -> dict[str, bool]:
    found = mem("check", "--json", *how).json["findings"]
    return {one["path"]: one["already_there"] for one in found if one["code"] == "M204"}


def test_a_note_without_an_admission_is_already_there_once_it_is_committed(
    memory_repo: Repo, inside: Mem
) -> None:
    old, new = "memory/decisions/old.md", "memory/decisions/new.md"
    memory_repo.write(old, note_text("Old", id="n-aaaaaaaa", subject="path:a"))
    assert admissions(inside)[old] is False
    memory_repo.commit("old")
    memory_repo.write(new, note_text("New", id="n-bbbbbbbb", subject="path:b"))
    memory_repo.git("add", "-A")
    for how in ((), ("--staged",)):
        told = admissions(inside, *how)
        assert (told[old], told[new]) == (True, False)
    fix = next(line for line in inside("check").out.splitlines() if "mem admit n-bbbbbbbb" in line)
    assert "nothing, if it was reviewed" in fix
