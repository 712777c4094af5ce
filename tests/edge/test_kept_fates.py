"""Where history moved paths is asked once for each HEAD, and the answer is git's."""

from __future__ import annotations

import pytest

from memwarden.edge.git.fates import fates, old_fates
from memwarden.edge.git.gitstate import head
from memwarden.edge.place import Place, find_place
from memwarden.edge.review import kept_fates as room
from memwarden.edge.review.kept_fates import FILE, kept_fates
from tests.conftest import Repo


@pytest.fixture
def place(repo: Repo) -> Place:
    repo.write("a.py", "one\ntwo\nthree\n")
    repo.write("gone.py", "other\n")
    repo.commit()
    repo.git("mv", "a.py", "b.py")
    repo.git("rm", "-q", "gone.py")
    repo.commit()
    return find_place(str(repo.root))


def test_what_is_kept_is_what_git_says(place: Place, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    here = head(place).commit
    found = kept_fates(place, here)
    assert found == old_fates(place, here) == {"a.py": "b.py", "gone.py": ""}
    with monkeypatch.context() as patch:
        patch.setattr(room, "old_fates", None)
        assert kept_fates(place, here) == found
        assert fates(place, here, history=kept_fates)("a.py") == "b.py"
    repo.git("mv", "b.py", "c.py")
    repo.commit()
    fate = fates(place, head(place).commit, history=kept_fates)
    assert (fate("a.py"), fate("gone.py"), fate("c.py")) == ("c.py", "", None)


@pytest.mark.parametrize("damage", [b"", b"x" * 5000])
def test_a_damaged_answer_is_as_good_as_none(place: Place, repo: Repo, damage: bytes) -> None:
    here = head(place).commit
    kept_fates(place, here)
    repo.write(f".git/mem/{FILE}", damage)
    assert kept_fates(place, here) == old_fates(place, here)
