"""``mem check`` over history: ranges, payments, events, renames; and how its report is printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.check_ground import DEBT, A, codes, debt, digest, event, paid
from tests.conftest import Mem, Repo, note_text


def test_a_branch_that_opens_a_debt_and_pays_it_later_passes(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    start = memory_repo.commit()
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("b.py", "x")
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    memory_repo.commit()
    assert codes(mem, "--range", f"{start}..HEAD", code=0) == [("M406", False)]


def test_a_debt_that_held_where_it_was_opened_is_found_in_the_range(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    start = memory_repo.commit()
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("b.py", "x")
    memory_repo.commit()
    assert codes(mem, "--range", f"{start}..", code=1) == [("M401", False)]
    assert codes(mem, "--at", "HEAD~1", code=1) == [("M401", False)]
    assert codes(mem, "--at", "HEAD", code=0) == [("M406", False)]


def test_what_the_start_of_the_range_had_is_already_there(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    start = memory_repo.commit()
    memory_repo.write("b.py", "x")
    memory_repo.commit()
    assert codes(mem, "--range", f"{start}..HEAD", code=0) == [("M103", True)]
    assert codes(mem, "--at", "HEAD", code=1) == [("M103", False)]


def test_a_range_that_a_shallow_clone_has_cut_is_refused_with_the_fix(
    memory_repo: Repo, mem: Mem, tmp_path: Path
) -> None:
    for n in range(3):
        memory_repo.write("b.py", str(n))
        memory_repo.commit()
    clone = tmp_path / "clone"
    memory_repo.git("clone", "-q", "--depth", "1", f"file://{memory_repo.root}", str(clone))
    ran = mem("check", "--range", "HEAD~1..HEAD", cwd=clone)
    assert ran.code == 2
    assert "shallow" in ran.err


def test_a_branch_without_memory_passes(repo: Repo, mem: Mem) -> None:
    repo.write("a.py", "x")
    repo.commit()
    repo.write("a.py", "y")
    repo.commit()
    assert mem("check", "--at", "HEAD").code == 0
    assert mem("check", "--range", "HEAD~1..HEAD").code == 0


def test_a_payment_whose_file_was_renamed_is_no_regression_and_names_the_rename(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "fixed\n" * 5)
    memory_repo.write(DEBT, debt())
    paid(memory_repo)
    memory_repo.commit()
    memory_repo.git("mv", "a.py", "b.py")
    memory_repo.commit()
    (found,) = (f for f in mem("check", "--json").json["findings"] if f["code"] == "M402")
    assert found["message"].endswith("git saw a.py renamed to b.py")
    assert found["fix"] == "mem subject rename path:a.py path:b.py"


def test_a_recent_payment_that_no_longer_holds_is_a_warning_and_an_old_one_is_history(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    paid(memory_repo)
    memory_repo.commit()
    assert codes(mem, code=0) == [("M402", False)]
    ran = mem("check", "--json", "--now", "2027-11-30")
    assert [f["code"] for f in ran.json["findings"] if f["code"] != "M204"] == []


def test_a_declared_payment_is_not_taken_back_and_is_named_while_its_condition_fails(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    event(memory_repo, 1, "paid", condition_digest=digest(), how="declared")
    memory_repo.commit()
    assert codes(mem, code=0) == [("M407", False)]


def test_a_rule_whose_verify_fails_is_a_warning(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", verify="{file_exists: gone.txt}"))
    assert codes(mem, code=0) == [("M404", False)]


def test_a_command_is_not_run_unasked_and_ci_may_allow_it(memory_repo: Repo, mem: Mem) -> None:
    command = "{command: {run: [sh, -c, 'exit 0']}}"
    memory_repo.write(A, note_text("a", verify="{command: {run: [sh, -c, 'exit 3']}}"))
    assert codes(mem, code=0) == [("M403", False)]
    assert codes(mem, "--allow-commands", code=0) == [("M404", False)]
    memory_repo.write(A, note_text("a", verify=command))
    assert codes(mem, "--allow-commands", code=0) == []


def test_a_commit_that_writes_an_overdue_anchor_and_leaves_it_owed(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    event(memory_repo, 1, "missed", count=3, paths=["a.py"])
    memory_repo.commit()
    memory_repo.write("a.py", "still broken\n")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == [("M409", False)]
    manifest = memory_repo.read("memory/manifest.md").replace("protocol: 1", "protocol: 1\noverdue: error")
    memory_repo.write("memory/manifest.md", manifest)
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=1) == [("M409", False)]
    memory_repo.write("a.py", "fixed\n")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == [("M406", False)]
    memory_repo.git("reset", "-q", "--hard")
    memory_repo.write("b.py", "x")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == []


def test_a_payment_that_rests_on_nothing_here_is_a_notice(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    gone = {"commit": "1" * 40, "evidence": {"items": [{"path": "a.py", "blob": "2" * 40}]}}
    paid(memory_repo, **gone)
    memory_repo.commit()
    assert codes(mem, code=0) == [("M408", False)]


def test_a_squashed_payment_whose_blob_is_here_is_fine(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    blob = memory_repo.git("hash-object", "a.py").strip()
    paid(memory_repo, commit="1" * 40, evidence={"items": [{"path": "a.py", "blob": blob}]})
    memory_repo.commit()
    assert codes(mem, code=0) == []


def test_a_changed_event_is_an_error_and_a_removed_one_a_warning_with_the_standing(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    path = paid(memory_repo)
    memory_repo.commit()
    memory_repo.write(path, memory_repo.read(path).replace("Ada", "Eve"))
    assert codes(mem, code=1).count(("M603", False)) == 1  # changed, and so not removed as well
    memory_repo.git("rm", "-q", "-f", path)
    ran = mem("check", "--staged", "--json")
    (found,) = [f for f in ran.json["findings"] if f["code"] == "M603"]
    assert (ran.code, found["severity"], found["path"]) == (0, "warning", path)
    assert "the note was paid and is owed" in found["message"]


def test_an_event_in_another_layout_is_the_same_event(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "fixed\n")
    memory_repo.write(DEBT, debt())
    path = paid(memory_repo)
    memory_repo.commit()
    facts = json.loads(memory_repo.read(path))
    memory_repo.write(path, json.dumps(facts, indent=4).replace("\n", "\r\n"))
    assert codes(mem, code=0) == []
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == []


def test_a_reverted_payment_reopens_the_debt_and_only_warns(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    memory_repo.commit()
    memory_repo.write("a.py", "fixed\n")
    paid(memory_repo)
    memory_repo.commit()
    memory_repo.git("revert", "--no-edit", "HEAD")
    assert codes(mem, "--at", "HEAD", code=0) == [("M603", False)]
    assert codes(mem, "--range", "HEAD~1..HEAD", code=0) == [("M603", False)]


def test_what_was_purged_may_lose_its_events_and_must_not_come_back(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(DEBT, debt("{file_exists: x.txt}"))
    old = event(memory_repo, 1, "admitted")
    memory_repo.commit()
    memory_repo.git("checkout", "-q", "-b", "side")
    memory_repo.write(DEBT, debt("{file_exists: x.txt}", tags="[a]"))
    memory_repo.commit()
    memory_repo.git("checkout", "-q", "main")
    (memory_repo.root / DEBT).unlink()
    (memory_repo.root / old).unlink()
    event(memory_repo, 2, "purged", mode="hard")
    memory_repo.git("add", "-A")
    assert codes(mem, "--staged", code=0) == []
    memory_repo.commit()
    memory_repo.git("merge", "-q", "--no-commit", "side", check=False)
    memory_repo.git("checkout", "side", "--", DEBT)
    assert codes(mem, "--staged", code=1) == [("M604", False), ("M603", False)]


def test_a_rename_that_git_saw_is_named(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("old.py", "a long enough content to be recognised\n" * 5)
    memory_repo.write("dead.py", "another content altogether, which goes away\n" * 5)
    memory_repo.write(A, note_text("a", anchors="[old.py, dead.py]"))
    memory_repo.commit()
    memory_repo.git("mv", "old.py", "new.py")
    memory_repo.git("rm", "-q", "dead.py")
    staged = [
        f["message"] for f in mem("check", "--staged", "--json").json["findings"] if f["code"] == "M405"
    ]
    assert "renamed to new.py" in staged[0]
    assert "deleted" in staged[1]
    memory_repo.commit()
    later = [f["message"] for f in mem("check", "--json").json["findings"] if f["code"] == "M405"]
    assert later == staged


def test_github_and_sarif_are_printed_as_such(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(A, note_text("a", facet="mood"))
    ran = mem("check", "--format", "github")
    assert (ran.code, ran.out.count("::error file=memory/decisions/a.md,line=4,col=1,title=M103::")) == (1, 1)
    ran = mem("check", "--format", "sarif")
    assert ran.code == 1
    assert {result["ruleId"] for result in ran.json["runs"][0]["results"]} == {"M103", "M204"}
    assert ran.json["runs"][0]["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]


@pytest.mark.parametrize("words", [("--range", "nowhere..HEAD"), ("--staged", "--at", "HEAD"), ("none.md",)])
def test_a_check_that_cannot_judge_is_sarif_too(memory_repo: Repo, mem: Mem, words: tuple[str, ...]) -> None:
    ran = mem("check", *words, "--format", "sarif")
    (ended,) = ran.json["runs"][0]["invocations"]
    assert (ran.code, ended["exitCode"], ended["executionSuccessful"]) == (2, 2, False)
    assert ended["toolExecutionNotifications"][0]["message"]["text"].split("\n")[0] in ran.err


def test_a_secret_is_in_no_output(memory_repo: Repo, mem: Mem) -> None:
    token = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
    memory_repo.write(A, note_text("a", facet=token, body=f"{token} {token}"))
    for format in ("text", "json", "github", "sarif"):
        ran = mem("check", "--format", format)
        assert ran.code == 1
        assert token not in ran.out + ran.err


@pytest.mark.parametrize("code", ["M301", "m301", "key-has-one-owner"])
def test_explain_prints_one_rule(repo: Repo, mem: Mem, code: str) -> None:
    ran = mem("explain", code)
    assert ran.code == 0
    assert ran.out.startswith("M301: Two active rules own one scope, subject and facet.\n\nWhy: ")


def test_explain_lists_every_rule_and_names_the_nearest_for_an_unknown_one(repo: Repo, mem: Mem) -> None:
    ran = mem("explain", "--json")
    assert len(ran.json["rules"]) == len(mem("explain").out.splitlines())
    ran = mem("explain", "M4O5")
    assert ran.code == 2
    assert "M405" in ran.err


def test_a_rename_that_is_staged_and_not_committed_is_named_already(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("src/old.py", "a\nb\nc\n")
    memory_repo.write(A, note_text("a", anchors="[src/old.py, src/older.py]"))
    memory_repo.write("src/older.py", "x\ny\nz\n")
    memory_repo.commit("before")
    memory_repo.git("mv", "src/older.py", "src/middle.py")
    memory_repo.commit("the first move")
    memory_repo.git("mv", "src/middle.py", "src/end.py")
    memory_repo.git("mv", "src/old.py", "src/new.py")
    messages = [f["message"] for f in mem("check", "--json").json["findings"] if f["code"] == "M405"]
    assert len(messages) == 2
    assert messages[0].endswith("git saw it renamed to src/new.py")
    assert messages[1].endswith("git saw it renamed to src/end.py")


def test_a_condition_that_a_range_re_words_by_hand_is_named_by_the_check_and_the_diff(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("a.py", "broken\n")
    memory_repo.write(DEBT, debt())
    start = memory_repo.commit("debt")
    memory_repo.write(DEBT, debt("{file_contains: {path: a.py, pattern: fixme}}"))
    memory_repo.git("add", "-A")
    assert ("M410", False) in codes(mem, code=0)
    assert ("M410", False) in codes(mem, "--staged", code=0)
    memory_repo.commit("easier")
    memory_repo.write("other.py", "")
    memory_repo.commit("later")
    assert codes(mem, "--range", f"{start}..HEAD", code=0) == [("M410", False)]
    assert codes(mem, code=0) == []
    told = mem("diff", f"{start}..HEAD").out
    for word in ("changed: condition", "fixed", "fixme"):
        assert word in told


def test_what_a_range_does_not_bring_is_told_apart_also_where_nothing_is_an_error(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write(A, note_text("a", anchors="[gone.py]"))
    start = memory_repo.commit()
    memory_repo.write("b.py", "")
    memory_repo.commit()
    assert codes(mem, "--range", f"{start}..", code=0) == [("M405", True)]
    (run,) = mem("check", "--range", f"{start}..", "--format", "sarif").json["runs"]
    assert {one["baselineState"] for one in run["results"]} == {"unchanged"}
    (run,) = mem("check", "--staged", "--format", "sarif").json["runs"]
    assert all("baselineState" not in one for one in run["results"])
