"""What the check of a state takes for changed, and what for gone."""

from __future__ import annotations

from tests.cli.check_ground import DEBT, codes, debt, paid
from tests.conftest import Mem, Repo


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
