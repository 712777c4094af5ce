"""``mem diff`` and ``mem check`` from the empty tree: what was there before the first commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.check_ground import DEBT, A, codes, debt
from tests.conftest import MANIFEST, Mem, Repo, note_text

NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
NOTHING_256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"


@pytest.mark.parametrize("range", [NOTHING, f"{NOTHING}..HEAD", f"{NOTHING}...HEAD", f"{NOTHING.upper()}.."])
def test_all_that_a_memory_says_is_new_against_nothing(memory_repo: Repo, mem: Mem, range: str) -> None:
    found = mem("diff", range, "--json").json
    assert [(one["change"], one["id"]) for one in found["notes"]] == [("added", "n-br1ef000")]
    assert found["manifest"]
    assert found["from"] == {"name": "nothing", "commit": None}
    told = mem("diff", range, "--format", "markdown").out
    assert "`nothing` \u2192 `" in told
    assert "**Notes added** (1)" in told


def test_a_commit_is_compared_with_nothing_and_not_the_working_tree(memory_repo: Repo, mem: Mem) -> None:
    first = memory_repo.git("rev-parse", "HEAD").strip()
    memory_repo.write(A, note_text("a", facet="security"))
    memory_repo.commit()
    memory_repo.write("memory/decisions/b.md", note_text("b", id="n-0000000b", facet="behavior"))
    assert len(mem("diff", f"{NOTHING}..{first}", "--json").json["notes"]) == 1
    assert len(mem("diff", f"{NOTHING}..HEAD", "--json").json["notes"]) == 2
    assert len(mem("diff", NOTHING, "--json").json["notes"]) == 3


def test_the_empty_tree_of_the_other_object_format_is_known_too(mem: Mem, tmp_path: Path) -> None:
    path = tmp_path / "wide"
    made = Repo(path)
    path.mkdir()
    made.git("init", "-q", "-b", "main", "--object-format=sha256")
    made.write("memory/manifest.md", MANIFEST)
    made.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    made.commit("start")
    ran = mem("diff", f"{NOTHING_256}..HEAD", "--format", "markdown", cwd=path)
    assert "**Notes added** (1)" in ran.out


def test_no_error_was_there_before_the_first_commit(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    memory_repo.commit()
    memory_repo.write("b.py", "x")
    memory_repo.commit()
    assert codes(mem, "--range", f"{NOTHING}..HEAD", code=1) == [("M103", False)]
    assert codes(mem, "--range", f"{NOTHING}..HEAD~2", code=0) == []


def test_a_debt_is_judged_where_it_was_opened_also_from_nothing(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    memory_repo.commit()
    assert codes(mem, "--range", f"{NOTHING}..HEAD", code=0) == [("M406", False)]


def test_a_shallow_clone_does_not_pass_for_the_whole(memory_repo: Repo, mem: Mem, tmp_path: Path) -> None:
    memory_repo.write("b.py", "x")
    memory_repo.commit()
    clone = tmp_path / "clone"
    memory_repo.git("clone", "-q", "--depth", "1", f"file://{memory_repo.root}", str(clone))
    ran = mem("check", "--range", f"{NOTHING}..HEAD", cwd=clone)
    assert ran.code == 2
    assert "shallow" in ran.err


def test_a_whole_id_is_told_by_its_beginning(memory_repo: Repo, mem: Mem) -> None:
    first = memory_repo.git("rev-parse", "HEAD").strip()
    memory_repo.write(A, note_text("a", facet="security"))
    memory_repo.commit()
    for range, told in (
        (f"{first}..HEAD", f"`{first[:12]}` \u2192 `HEAD`"),
        (f"{first}...HEAD", f"`where HEAD left {first[:12]}` \u2192 `HEAD`"),
        (f"HEAD~1..{first}", f"`HEAD~1` \u2192 `{first[:12]}`"),
        (first, f"`{first[:12]}` \u2192 `working tree`"),
    ):
        assert told in mem("diff", range, "--format", "markdown").out
    assert mem("diff", f"{first}..HEAD", "--json").json["from"] == {"name": first[:12], "commit": first}
