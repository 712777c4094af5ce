"""``mem init`` starts a memory once, whoever asks and however often."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Mem, Repo


def files(repo: Repo) -> dict[str, bytes]:
    return {
        path.relative_to(repo.root).as_posix(): path.read_bytes()
        for path in repo.root.rglob("*")
        if path.is_file() and ".git/" not in path.as_posix()
    }


def test_a_new_memory_has_a_manifest_and_a_brief_and_no_module_folders(mem: Mem, repo: Repo) -> None:
    assert mem("init").code == 0
    assert {path for path in files(repo) if "/events/" not in path} == {
        "memory/manifest.md",
        "memory/brief.md",
        "memory/.gitattributes",
    }


def test_a_new_memory_checks_clean_and_routes_its_brief(mem: Mem) -> None:
    mem("init")
    checked = mem("check", "--strict", "--json")
    assert (checked.code, [one["code"] for one in checked.json["findings"]]) == (0, ["M114"])
    loaded = mem("route", "--task", "plan", "--json").json["loaded"]
    assert [note["path"] for note in loaded] == ["memory/brief.md"]


def test_a_brief_that_nobody_filled_in_is_no_news_for_a_session_and_is_said(mem: Mem, repo: Repo) -> None:
    mem("init")
    payload = json.dumps({"hook_event_name": "SessionStart", "cwd": str(repo.root), "session_id": "s"})
    assert mem("hook", "claude", stdin=payload).out == ""
    assert "say what the project is" in mem("check").out
    repo.write("memory/brief.md", repo.read("memory/brief.md").replace("Say here, ", "A shop, "))
    assert "A shop" in mem("hook", "claude", stdin=payload).out
    assert "M114" not in mem("check").out


def test_the_first_difference_names_no_setting_that_nobody_wrote(mem: Mem) -> None:
    mem("init")
    told = mem("diff").out
    assert "command_timeout" not in told
    assert "brief.md" in told


@pytest.mark.parametrize("task", ["general", "plan", "implement", "review", "write", "history", "maintain"])
def test_every_canonical_task_is_declared(mem: Mem, task: str) -> None:
    mem("init")
    assert mem("route", "--task", task).code == 0


def test_a_second_init_overwrites_nothing_and_says_so(mem: Mem, repo: Repo) -> None:
    mem("init")
    repo.write("memory/brief.md", repo.read("memory/brief.md") + "Ours.\n")
    before = files(repo)
    again = mem("init")
    assert again.code == 0
    assert "already" in again.err
    assert files(repo) == before


def test_two_first_inits_at_once_agree_on_one_project(mem: Mem, repo: Repo) -> None:
    both = [subprocess.Popen([sys.executable, "-m", "memwarden", "init"], cwd=repo.root) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert repo.read("memory/manifest.md").count("project: p-") == 1
    assert mem("check").code == 0


def test_init_outside_a_repository_is_exit_5(mem: Mem, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    ran = mem("init", cwd=outside)
    assert ran.code == 5
    assert "git init" in ran.err
    assert not list(outside.iterdir())


def test_a_bare_repository_is_refused_and_its_worktree_served(
    mem: Mem, memory_repo: Repo, tmp_path: Path
) -> None:
    bare, tree = tmp_path / "bare.git", tmp_path / "tree"
    memory_repo.git("clone", "-q", "--bare", str(memory_repo.root), str(bare))
    Repo(bare).git("worktree", "add", "-q", str(tree), "main")
    for words in (("init",), ("status",), ("route", "--task", "plan")):
        ran = mem(*words, cwd=bare)
        assert (ran.code, "without a working tree" in ran.err, "git worktree add" in ran.err) == (
            5,
            True,
            True,
        )
    assert not (bare / "memory").exists()
    assert mem("check", "--staged", cwd=bare).code == 0
    assert "The project" in mem("route", "--task", "plan", cwd=tree).out


def test_init_in_a_subfolder_starts_the_memory_at_the_top(mem: Mem, repo: Repo) -> None:
    repo.write("src/a.py", "")
    assert mem("init", cwd=repo.root / "src").code == 0
    assert (repo.root / "memory/manifest.md").exists()


def test_agent_files_get_one_block_however_often_init_runs(mem: Mem, repo: Repo) -> None:
    repo.write("CLAUDE.md", "# Ours\r\n\r\nKeep this.")
    mem("init", "--agent", "claude,codex")
    first = files(repo)
    assert first["CLAUDE.md"].startswith(b"# Ours\r\n\r\nKeep this.")
    assert first["CLAUDE.md"].count(b"memwarden:begin") == 1
    assert b"mem route --task" in first["AGENTS.md"]
    mem("init", "--agent", "claude", "--agent", "codex")
    assert files(repo) == first


def test_the_agent_block_never_copies_the_memory(mem: Mem, repo: Repo) -> None:
    mem("init")
    repo.write("memory/brief.md", repo.read("memory/brief.md").replace("Say here", "Xylophones"))
    mem("init", "--agent", "gemini")
    assert "Xylophones" not in repo.read("GEMINI.md")


@pytest.mark.parametrize(
    "text",
    [
        "<!-- memwarden:begin -->\nhalf a block\n",
        "half a block\n<!-- memwarden:end -->\n",
        "<!-- memwarden:begin -->\na\n<!-- memwarden:end -->\n" * 2,
    ],
    ids=["no end", "no begin", "doubled"],
)
def test_broken_markers_are_refused_and_nothing_is_written(mem: Mem, repo: Repo, text: str) -> None:
    repo.write("AGENTS.md", text)
    ran = mem("init", "--agent", "codex")
    assert ran.code in (1, 2)
    assert "AGENTS.md" in ran.err
    assert set(files(repo)) == {"AGENTS.md"}
    assert repo.read("AGENTS.md") == text


def test_an_unknown_agent_is_a_usage_error_that_lists_the_known_ones(mem: Mem) -> None:
    ran = mem("init", "--agent", "hal")
    assert ran.code == 2
    assert "claude" in ran.err


def test_init_through_a_link_that_leaves_the_repository_is_refused(
    mem: Mem, repo: Repo, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (repo.root / "memory").symlink_to(outside, target_is_directory=True)
    assert mem("init").code != 0
    assert not list(outside.iterdir())


def sparse(repo: Repo, mem: Mem) -> None:
    repo.git("sparse-checkout", "set", "src")


def deleted(repo: Repo, mem: Mem) -> None:
    shutil.rmtree(repo.root / "memory")


def a_file(repo: Repo, mem: Mem) -> None:
    deleted(repo, mem)
    repo.write("memory", "x\n")


def a_loose_link(repo: Repo, mem: Mem) -> None:
    deleted(repo, mem)
    (repo.root / "memory").symlink_to("nowhere")


@pytest.mark.parametrize(
    ("away", "why", "step"),
    [
        (sparse, "outside this sparse checkout", "git sparse-checkout add memory"),
        (deleted, "gone from the working tree, but git has it", "git restore memory"),
        (a_file, "no folder", "move it out of the way"),
        (a_loose_link, "link", "link"),
    ],
)
def test_a_memory_that_is_only_out_of_sight_is_named_and_never_begun_anew(
    memory_repo: Repo, mem: Mem, away: Callable[[Repo, Mem], None], why: str, step: str
) -> None:
    memory_repo.write("src/a.py", "")
    memory_repo.commit("files")
    away(memory_repo, mem)
    for verb, code in (("list", 5), ("check", 5), ("init", 1)):
        ran = mem(verb)
        assert ran.code == code, ran
        assert why in ran.err
        assert step in ran.err.splitlines()[1]
        assert "run mem init" not in ran.err
    assert not (memory_repo.root / "memory/manifest.md").exists()


def test_what_git_says_brings_the_memory_back(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("src/a.py", "")
    memory_repo.commit("files")
    sparse(memory_repo, mem)
    memory_repo.git("sparse-checkout", "add", "memory")
    assert mem("list").code == 0
    deleted(memory_repo, mem)
    memory_repo.git("restore", "memory/")
    assert mem("list").code == 0


def test_a_memory_begun_in_a_subfolder_is_told_to_lie_at_the_top(repo: Repo, mem: Mem) -> None:
    folder = repo.root / "services/a"
    folder.mkdir(parents=True)
    ran = mem("init", cwd=folder)
    assert (ran.code, "at the top of the repository" in ran.err) == (0, True)
    assert (repo.root / "memory/manifest.md").is_file()


def test_the_top_itself_needs_no_such_word(repo: Repo, mem: Mem) -> None:
    assert "at the top" not in mem("init").err


def test_a_manifest_that_git_has_is_not_replaced_by_another(memory_repo: Repo, mem: Mem) -> None:
    (memory_repo.root / "memory/manifest.md").unlink()
    ran = mem("init")
    assert (ran.code, "git restore memory/manifest.md" in ran.err) == (1, True)
    memory_repo.git("rm", "-r", "-q", "--cached", "memory")
    assert mem("init").code == 0


def test_a_submodule_that_is_not_checked_out_is_named(memory_repo: Repo, mem: Mem, tmp_path: Path) -> None:
    outer = Repo(tmp_path / "outer")
    outer.root.mkdir()
    outer.git("init", "-q")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(memory_repo.root), "sub")
    outer.commit("sub")
    outer.git("submodule", "deinit", "-q", "-f", "sub")
    ran = mem("list", cwd=outer.root / "sub")
    assert (ran.code, "sub is a submodule that is not checked out" in ran.err) == (5, True), ran.err


def test_doctor_says_where_the_memory_is(memory_repo: Repo, mem: Mem) -> None:
    deleted(memory_repo, mem)
    assert "gone from the working tree" in mem("doctor").out
