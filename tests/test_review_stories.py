"""What reviewers meet in real repositories: branches, merges, squashes, reverts, odd clones, odd settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MANIFEST, Mem, Repo, note_text

DEBT = "n-00debt00"
NOTE = "memory/debts/d.md"
CODE = "a.py"
RED, GREEN = "broken\n", "fixed\n"
NOW = ("--now", "2026-12-01")


def debt(note: str = DEBT, pattern: str = "fixed", **fields: str) -> str:
    condition = f"{{file_contains: {{path: {CODE}, pattern: {pattern}}}}}"
    return note_text(
        "It is flaky", id=note, lifecycle="debt", condition=condition, anchors=f"[{CODE}]", **fields
    )


def findings(mem: Mem, *arguments: str, code: int = 0, **more: Any) -> list[tuple[str, str, bool]]:
    """(code, severity, already there) of all that is more than a notice."""
    ran = mem("check", *arguments, "--json", *NOW, **more)
    assert ran.code == code, ran.out + ran.err
    return [
        (one["code"], one["severity"], one["already_there"])
        for one in ran.json["findings"]
        if one["severity"] != "notice"
    ]


@pytest.fixture
def owed(repo: Repo) -> Repo:
    """``main`` with one debt that is owed."""
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    repo.write(NOTE, debt())
    repo.write(CODE, RED)
    repo.commit("start")
    return repo


def pay(repo: Repo, mem: Mem, branch: str = "") -> str:
    """Fix the code, on a branch of its own where one is named, with the receipt in the same commit."""
    if branch:
        repo.git("switch", "-qc", branch)
    repo.write(CODE, GREEN)
    repo.git("add", CODE)
    assert mem("settle", "--staged", "--stage", *NOW).code == 0
    return repo.commit("fix it")


def standing(mem: Mem) -> str:
    return str(mem("show", DEBT, "--json", *NOW).json["standing"])


def told(mem: Mem) -> list[str]:
    return [one["id"] for one in mem("touch", CODE, "--json").json["deliveries"]]


# -- two branches ----------------------------------------------------------------------------------


def test_two_green_branches_that_each_add_an_owner_leave_a_contest_and_block_nobody(
    owed: Repo, mem: Mem
) -> None:
    for branch, note in (("one", "n-0000001a"), ("two", "n-0000002b")):
        owed.git("switch", "-qc", branch, "main")
        owed.write(
            f"memory/decisions/{branch}.md", note_text(f"Decided on {branch}", id=note, facet="security")
        )
        owed.commit(branch)
        assert findings(mem, "--range", "main..HEAD") == []
    owed.git("switch", "-q", "main")
    owed.git("merge", "-q", "one")
    owed.git("merge", "-q", "--no-edit", "two")
    assert findings(mem, "--at", "HEAD", code=1) == [("M301", "error", False)]
    loaded = mem("route", "--task", "plan", "--json").json["loaded"]
    contested = {one["id"]: one["contested"] for one in loaded if one["contested"]}
    assert contested == {"n-0000001a": ["n-0000002b"], "n-0000002b": ["n-0000001a"]}
    owed.write("b.py", "x\n")
    owed.git("add", "-A")
    assert findings(mem, "--staged") == [("M301", "error", True)]
    owed.commit("unrelated")
    assert findings(mem, "--range", "HEAD~1..HEAD") == [("M301", "error", True)]
    diff = mem("diff", "HEAD~2..HEAD", "--json").json
    assert diff["owners"] == [
        {"scope": "project", "subject": "project", "facet": "security",
         "before": ["n-0000001a"], "after": ["n-0000001a", "n-0000002b"]}
    ]  # fmt: skip


def test_what_main_did_meanwhile_is_not_held_against_a_branch(owed: Repo, mem: Mem) -> None:
    owed.git("switch", "-qc", "work")
    owed.write("b.py", "x\n")
    owed.commit("work")
    owed.git("switch", "-q", "main")
    pay(owed, mem)
    owed.write("memory/decisions/a.md", note_text("A", id="n-0000000a", facet="mood"))
    owed.commit("main has an error of its own")
    for dots in ("..", "..."):
        assert findings(mem, "--range", f"main{dots}work") == []


def test_an_error_that_main_fixed_meanwhile_is_no_news_on_the_branch(owed: Repo, mem: Mem) -> None:
    owed.write("memory/decisions/a.md", note_text("A", id="n-0000000a", facet="mood"))
    owed.commit("an error")
    owed.git("switch", "-qc", "work")
    owed.write("b.py", "x\n")
    owed.commit("work")
    owed.git("switch", "-q", "main")
    owed.write("memory/decisions/a.md", note_text("A", id="n-0000000a", facet="security"))
    owed.commit("mended")
    assert findings(mem, "--range", "main..work") == [("M103", "error", True)]


def test_a_branch_that_opens_a_debt_and_pays_it_two_commits_later_passes(owed: Repo, mem: Mem) -> None:
    owed.git("switch", "-qc", "work")
    owed.write("memory/debts/new.md", debt("n-0000new0", "quick"))
    owed.commit("open")
    owed.write("b.py", "x\n")
    owed.commit("work")
    owed.write(CODE, RED + "quick\n")
    owed.git("add", "-A")
    mem("settle", "--staged", "--stage", *NOW)
    owed.commit("pay")
    ran = mem("check", "--range", "main..HEAD", "--json", *NOW)
    assert (ran.code, ran.json["paid_by_this_commit"]) == (0, ["n-0000new0"])
    changes = [(one["change"], one["id"]) for one in mem("diff", "main..HEAD", "--json").json["debts"]]
    assert changes == [("opened", "n-0000new0"), ("paid", "n-0000new0")]


def test_a_gap_that_no_verify_leaves_is_found_in_the_range(owed: Repo, mem: Mem) -> None:
    owed.git("switch", "-qc", "work")
    owed.write("memory/debts/born.md", debt("n-0000b0rn", "broken"))
    owed.git("add", "-A")
    staged = mem("check", "--staged", "--json").json["findings"]
    owed.git("commit", "-q", "--no-verify", "-m", "slip")
    ranged = mem("check", "--range", "main..HEAD", "--json").json["findings"]
    key = ("code", "path", "line", "key", "note")
    errors = [
        [{k: f[k] for k in key} for f in found if f["severity"] == "error"] for found in (staged, ranged)
    ]
    assert errors[0] == errors[1] != []


# -- payments that travel --------------------------------------------------------------------------


def test_a_merge_brings_the_payment_along(owed: Repo, mem: Mem) -> None:
    pay(owed, mem, "fix")
    owed.git("switch", "-q", "main")
    assert (standing(mem), told(mem)) == ("owed", [DEBT])
    owed.git("merge", "-q", "--no-ff", "--no-edit", "fix")
    assert (standing(mem), told(mem)) == ("paid", [])
    assert findings(mem, "--at", "HEAD") == []


def test_a_revert_of_the_paying_commit_reopens_the_debt_and_only_warns(owed: Repo, mem: Mem) -> None:
    pay(owed, mem)
    owed.git("revert", "--no-edit", "HEAD")
    assert (standing(mem), told(mem)) == ("owed", [DEBT])
    assert findings(mem, "--range", "HEAD~1..HEAD") == [("M603", "warning", False)]
    (change,) = mem("diff", "HEAD~1..HEAD", "--json").json["debts"]
    assert (change["change"], change["reason"]) == ("reopened", "its payment is no longer recorded")


def test_a_merge_that_brings_the_bug_back_warns_and_the_debt_is_told_again(owed: Repo, mem: Mem) -> None:
    owed.git("switch", "-qc", "old")
    owed.write(CODE, "broken otherwise\n")
    owed.commit("old work")
    owed.git("switch", "-q", "main")
    pay(owed, mem)
    owed.git("merge", "-q", "--no-commit", "old", check=False)
    owed.git("checkout", "--theirs", CODE)
    owed.git("add", "-A")
    assert findings(mem, "--staged") == [("M402", "warning", False)]
    owed.commit("merge")
    assert findings(mem, "--at", "HEAD") == [("M402", "warning", False)]
    assert told(mem) == [DEBT]
    assert mem("settle", "--json", *NOW).json["reinstated"] == [DEBT]
    (change,) = mem("diff", "--json").json["debts"]
    assert (change["change"], change["event"]["why"]) == ("reinstated", "regression")


def test_a_payment_outlives_squash_branch_removal_and_gc(owed: Repo, mem: Mem) -> None:
    pay(owed, mem, "fix")
    owed.git("switch", "-q", "main")
    owed.git("merge", "-q", "--squash", "fix")
    landed = owed.commit("squashed")
    owed.git("branch", "-qD", "fix")
    owed.git("reflog", "expire", "--expire=now", "--all")
    owed.git("gc", "-q", "--prune=now")
    assert (standing(mem), told(mem)) == ("paid", [])
    assert findings(mem) == []
    assert "M408" not in mem("check").out
    found = mem("blame", DEBT, "--json").json
    assert (found["paid_by"], found["payments"][0]["landed"]) == (landed, landed)


def test_a_payment_outlives_a_rebase_and_its_receipt_is_resolved_anew(owed: Repo, mem: Mem) -> None:
    owed.git("switch", "-qc", "fix")
    owed.write("first.py", "x\n")
    gone = owed.commit("before the fix")
    pay(owed, mem)
    owed.git("switch", "-q", "main")
    owed.write("b.py", "x\n")
    owed.commit("main goes on")
    owed.git("switch", "-q", "fix")
    owed.git("rebase", "-q", "main")
    owed.git("reflog", "expire", "--expire=now", "--all")
    owed.git("gc", "-q", "--prune=now")
    assert (standing(mem), findings(mem)) == ("paid", [])
    (payment,) = mem("blame", DEBT, "--json").json["payments"]
    assert payment["recorded"] == gone
    assert (payment["reachable"], payment["landed"]) == (False, owed.git("rev-parse", "HEAD").strip())
    assert "not in this history" in mem("blame", DEBT).out


def test_a_cherry_pick_in_progress_is_judged_like_any_commit(owed: Repo, mem: Mem) -> None:
    owed.git("switch", "-qc", "side")
    owed.write("memory/debts/born.md", debt("n-0000b0rn", "broken"))
    owed.write(CODE, RED + "side\n")
    owed.commit("slip")
    owed.git("switch", "-q", "main")
    owed.write(CODE, RED + "main\n")
    owed.commit("main goes on")
    owed.git("cherry-pick", "side", check=False)
    assert (owed.root / ".git/CHERRY_PICK_HEAD").exists()
    owed.write(CODE, RED)
    owed.git("add", "-A")
    assert findings(mem, "--staged", code=1) == [("M401", "error", False)]
    before = owed.git("status", "--porcelain")
    mem("close", "--session", "s")
    assert owed.git("status", "--porcelain") == before


# -- odd clones ------------------------------------------------------------------------------------


def clone_of(repo: Repo, path: Path, *options: str) -> Repo:
    repo.git("clone", "-q", *options, f"file://{repo.root}", str(path))
    return Repo(path)


def test_a_shallow_clone_fails_closed_and_names_the_fix(owed: Repo, mem: Mem, tmp_path: Path) -> None:
    base = owed.git("rev-parse", "HEAD").strip()
    for number in range(3):
        owed.write("b.py", str(number))
        owed.commit()
    clone = clone_of(owed, tmp_path / "shallow", "--depth", "1")
    for text in (f"{base}..HEAD", "HEAD~1..HEAD"):
        ran = mem("check", "--range", text, cwd=clone.root)
        assert ran.code == 2
        assert "shallow" in ran.err
        assert "git fetch --unshallow" in ran.err
    deep = clone_of(owed, tmp_path / "two", "--depth", "3")
    assert mem("check", "--range", "HEAD~1..HEAD", cwd=deep.root).code == 0
    ran = mem("diff", f"{base}...HEAD", cwd=deep.root)
    assert (ran.code, "shallow" in ran.err) == (2, True)


def test_a_base_that_only_the_remote_has_is_named_first(owed: Repo, mem: Mem, tmp_path: Path) -> None:
    owed.git("branch", "release/1")
    owed.git("tag", "v1")
    clone = clone_of(owed, tmp_path / "clone")
    clone.git("switch", "-q", "--detach")
    clone.git("branch", "-qD", "main")
    for verb in (("check", "--range"), ("diff",)):
        ran = mem(*verb, "main..HEAD", cwd=clone.root)
        assert ran.code == 2
        assert ran.err.count("\n") == 2
        assert "refs that exist: origin/main" in ran.err
        assert mem(*verb, "origin/main..HEAD", cwd=clone.root).code == 0


def test_a_clone_with_tags_alone_and_a_detached_head(owed: Repo, mem: Mem, tmp_path: Path) -> None:
    owed.git("tag", "v1")
    clone = clone_of(owed, tmp_path / "clone", "--branch", "v1")
    clone.git("branch", "-qD", "main", check=False)
    clone.git("remote", "remove", "origin")
    clone.write(CODE, GREEN)
    clone.git("add", "-A")
    assert mem("settle", "--staged", "--stage", cwd=clone.root).code == 0
    clone.commit("fix")
    assert mem("check", "--range", "v1..HEAD", cwd=clone.root).code == 0
    (change,) = mem("diff", "v1..HEAD", "--json", cwd=clone.root).json["debts"]
    assert (change["change"], change["event"]["branch"]) == ("paid", None)


def test_a_sparse_clone_sees_what_it_left_out(owed: Repo, mem: Mem, tmp_path: Path) -> None:
    owed.write("src/deep.py", "fixed\n")
    owed.write("memory/debts/deep.md", debt("n-0000deep", "unheard").replace(CODE, "src/deep.py"))
    start = owed.commit("deep")
    clone = clone_of(owed, tmp_path / "sparse")
    clone.git("sparse-checkout", "set", "--cone", "docs")
    assert not (clone.root / "src").exists()
    assert not (clone.root / "memory").exists()
    assert mem("diff", f"{start}~1..{start}", cwd=clone.root).out.startswith(
        f"{start[:12]}~1 -> {start[:12]}\n\nDebts opened"
    )
    assert findings(mem, "--range", f"{start}~1..{start}", cwd=clone.root) == []
    assert findings(mem, "--staged", cwd=clone.root) == []


def test_a_submodule_is_another_repository(owed: Repo, mem: Mem, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.root.mkdir()
    inner.git("init", "-q", "-b", "main")
    inner.write("memory/manifest.md", MANIFEST)
    inner.write("memory/brief.md", note_text("The inner one", id="n-0000nner", facet="overview"))
    inner.write(CODE, GREEN)
    inner.commit("inner")
    allow = ("-c", "protocol.file.allow=always")
    owed.git(*allow, "submodule", "add", "-q", str(inner.root), "inner")
    owed.write("memory/debts/sub.md", debt("n-0000sv6m", "fixed").replace(CODE, "inner/a.py"))
    owed.git("add", "-A")
    assert ("M401", "error", False) not in findings(mem, "--staged")
    owed.commit("submodule")
    assert findings(mem, "--range", "HEAD~1..HEAD") == findings(mem, "--at", "HEAD")
    titles = [one["title"] for one in mem("list", "--json", cwd=owed.root / "inner").json["notes"]]
    assert titles == ["The inner one"]
    assert [one["id"] for one in mem("diff", "HEAD~1", "--json").json["debts"]] == ["n-0000sv6m"]


# -- odd settings ----------------------------------------------------------------------------------

SETTINGS = (
    ("diff.external", "false"),
    ("color.ui", "always"),
    ("diff.noprefix", "true"),
    ("diff.renames", "copies"),
    ("core.quotePath", "true"),
    ("core.precomposeUnicode", "true"),
    ("log.showSignature", "true"),
    ("core.pager", "false"),
    ("status.short", "true"),
    ("diff.ignoreSubmodules", "none"),
)


def test_settings_of_the_user_change_no_answer(owed: Repo, mem: Mem) -> None:
    pay(owed, mem, "fix")
    owed.write('memory/decisions/ünï "q".md', note_text("Odd", id="n-00000dd0", facet="mood"))
    owed.commit("odd name")
    asked = (
        ("check", "--range", "main..fix", "--json", *NOW),
        ("check", "--at", "HEAD", "--json", *NOW),
        ("diff", "main..fix", *NOW),
        ("diff", "main...fix", "--json", *NOW),
        ("blame", DEBT, "--json"),
    )
    before = [mem(*words)[:2] for words in asked]
    for key, value in SETTINGS:
        owed.git("config", key, value)
    assert [mem(*words)[:2] for words in asked] == before


@pytest.mark.parametrize(
    "variable",
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE",
     "GIT_CEILING_DIRECTORIES", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_PREFIX", "GIT_LITERAL_PATHSPECS",
     "GIT_TRACE", "GIT_SHALLOW_FILE", "GIT_CONFIG_PARAMETERS", "GIT_DEFAULT_HASH"],
)  # fmt: skip
def test_exported_variables_change_no_answer(owed: Repo, mem: Mem, tmp_path: Path, variable: str) -> None:
    pay(owed, mem, "fix")
    asked = (("check", "--range", "main..fix", "--json", *NOW), ("diff", "main..fix", *NOW))
    before = [mem(*words)[:2] for words in asked]
    value = {"GIT_TRACE": "1", "GIT_CONFIG_PARAMETERS": "'color.ui=always'", "GIT_DEFAULT_HASH": "sha256"}
    env = {variable: value.get(variable, str(tmp_path / "elsewhere"))}
    assert [mem(*words, env=env)[:2] for words in asked] == before
