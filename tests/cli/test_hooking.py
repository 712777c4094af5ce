"""``mem hook install``, ``uninstall`` and ``mem doctor``, as a person runs them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from memwarden.core.turn.pending import miss_line
from memwarden.edge.place import find_place
from memwarden.edge.turn.appending import append_lines
from memwarden.edge.turn.waiting import pending_path
from tests.conftest import Mem, Repo, note_text

PROJECT_FILES = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
    "copilot": ".github/hooks/memwarden.json",
}


@pytest.mark.parametrize("host", sorted(PROJECT_FILES))
def test_install_twice_then_uninstall_leaves_no_trace(memory_repo: Repo, mem: Mem, host: str) -> None:
    first = mem("hook", "install", host, "--json")
    assert first.code == 0
    assert first.json["schema"] == "mem.hook/1"
    assert first.json["path"] == PROJECT_FILES[host]
    assert first.json["action"] == "created"
    assert first.json["advice"]
    text = memory_repo.read(PROJECT_FILES[host])
    assert mem("hook", "install", host, "--json").json["action"] == "unchanged"
    assert memory_repo.read(PROJECT_FILES[host]) == text
    assert mem("hook", "uninstall", host).code == 0
    assert memory_repo.git("status", "--porcelain") == ""


def test_settings_with_comments_are_refused_and_unchanged(memory_repo: Repo, mem: Mem) -> None:
    text = '{\n  // mine\n  "model": "x"\n}\n'
    memory_repo.write(".claude/settings.json", text)
    ran = mem("hook", "install", "claude")
    assert ran.code == 1
    assert "line 2" in ran.err
    assert "nothing was changed" in ran.err
    assert memory_repo.read(".claude/settings.json") == text
    assert "  Claude Code: not wired\n    .claude/settings.json cannot be read: line 2" in mem("doctor").out


@pytest.mark.parametrize("verb", ["install", "uninstall"])
@pytest.mark.parametrize("host", ["claude", "copilot", "git"])
def test_refusal_names_the_file_without_this_machine_s_folders(
    memory_repo: Repo, mem: Mem, verb: str, host: str
) -> None:
    for path in (".claude/settings.json", ".github/hooks/memwarden.json", ".git/hooks/pre-commit"):
        memory_repo.write(f"{path}/in-the-way", "x")
    ran = mem("hook", verb, host, "--json")
    assert ran.code == 1
    assert str(memory_repo.root) not in ran.out + ran.err
    assert ran.json["error"]["message"].startswith("cannot read .")
    assert str(memory_repo.root) not in mem("doctor", "--json").out


def test_git_hook_that_is_not_executable_is_told_by_install_and_doctor(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(".git/hooks/pre-commit", "#!/bin/sh\n")
    (memory_repo.root / ".git/hooks/pre-commit").chmod(0o644)
    told = "git passes by a hook that is not executable: chmod +x .git/hooks/pre-commit"
    ran = mem("hook", "install", "git")
    assert (ran.code, ran.err.strip()) == (0, told)
    assert told in mem("doctor").out
    (memory_repo.root / ".git/hooks/pre-commit").chmod(0o755)
    assert told not in mem("doctor").out


def test_user_settings_name_the_program_by_its_place(
    memory_repo: Repo, mem: Mem, sealed_environment: Path
) -> None:
    ran = mem("hook", "install", "claude", "--user", "--json")
    assert ran.json["path"] == "~/.claude/settings.json"
    hooks = json.loads((sealed_environment / ".claude/settings.json").read_text())["hooks"]
    line = hooks["Stop"][0]["hooks"][0]["command"]
    assert "exec /" in line.replace("'", "")
    assert not (memory_repo.root / ".claude").exists()
    assert mem("hook", "uninstall", "claude", "--user", "--json").json["action"] == "removed"


def test_own_settings_need_no_repository(mem: Mem, tmp_path: Path, sealed_environment: Path) -> None:
    (tmp_path / "nowhere").mkdir()
    assert mem("hook", "install", "claude", "--user", cwd=tmp_path / "nowhere").code == 0
    assert (sealed_environment / ".claude/settings.json").exists()
    assert mem("hook", "install", "claude", cwd=tmp_path / "nowhere").code == 5


def test_host_s_own_variable_moves_its_folder(memory_repo: Repo, mem: Mem, tmp_path: Path) -> None:
    env = {"CODEX_HOME": str(tmp_path / "codex")}
    ran = mem("hook", "install", "codex", "--user", "--json", env=env)
    assert ran.json["path"] == "$CODEX_HOME/hooks.json"
    assert (tmp_path / "codex" / "hooks.json").exists()


def test_settings_file_that_leads_out_of_the_repository_is_refused(
    memory_repo: Repo, mem: Mem, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "settings.json").write_text("{}")
    (memory_repo.root / ".claude").symlink_to(tmp_path / "outside")
    ran = mem("hook", "install", "claude")
    assert ran.code == 1
    assert (tmp_path / "outside" / "settings.json").read_text() == "{}"


def test_shared_settings_avoid_another_program_s_name(memory_repo: Repo, mem: Mem, tmp_path: Path) -> None:
    other = tmp_path / "bin" / "mem"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho other\n")
    other.chmod(0o755)
    path = f"{other.parent}{os.pathsep}{os.environ['PATH']}"
    mem("hook", "install", "claude", env={"PATH": path})
    assert "exec memwarden hook claude" in memory_repo.read(".claude/settings.json")
    page = mem("doctor", env={"PATH": path}).out
    assert "another program" in page
    assert "the first one is not this program" in page


def test_wiring_before_there_is_a_memory_says_what_starts_one(repo: Repo, mem: Mem) -> None:
    assert "mem init starts one" in mem("hook", "install", "claude").err
    assert "mem init" not in mem("hook", "uninstall", "claude").err


def test_wiring_without_a_mem_on_path_says_that_it_does_nothing_yet(memory_repo: Repo, mem: Mem) -> None:
    bare = {"PATH": "/usr/bin:/bin"}
    ran = mem("hook", "install", "claude", env=bare)
    assert (ran.code, ran.out) == (0, ".claude/settings.json: created\n")
    assert "no mem of ours is on PATH" in ran.err
    assert "mem hook install claude --user" in ran.err
    page = mem("doctor", env=bare).out
    assert "mem hook install claude --user" in page
    assert "mem hook install claude --user" not in mem("hook", "install", "codex", "--user", env=bare).err


@pytest.mark.parametrize(("version", "trouble"), [("2.29.3", True), ("1.9", True), ("2.30.0-rc1", False)])
def test_doctor_names_a_git_that_is_too_old(
    memory_repo: Repo, mem: Mem, tmp_path: Path, version: str, trouble: bool
) -> None:
    old = tmp_path / "old/git"
    old.parent.mkdir()
    real = shutil.which("git")
    old.write_text(
        f'#!/bin/sh\nfor word; do :; done\nif [ "$word" != version ]; then exec {real} "$@"; fi\n'
        f'echo "git version {version} (Some Git-12)"\n'
    )
    old.chmod(0o755)
    env = {"PATH": f"{old.parent}{os.pathsep}{os.environ['PATH']}"}
    damage = " ".join(mem("doctor", "--json", env=env).json["damage"])
    assert ("is too old: memwarden needs git 2.30 or later" in damage) == trouble
    assert (f"git version {version}" in damage) == trouble


def test_doctor_names_a_worktree_whose_records_would_go_with_it(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.commit()
    memory_repo.git("worktree", "add", "-q", "-b", "side", "../side")
    assert mem("doctor", "--json").json["damage"] == []
    place = find_place(str(memory_repo.root.parent / "side"))
    append_lines(pending_path(place), [miss_line("n-4f7k2m9q", "2026-11-30T10:00:00Z", ("human", "Ada"), ())])
    told = "in the worktree side records wait to be written: mem settle there before it is removed"
    for env in ({}, {"GIT_DIR": "/nowhere"}):
        assert mem("doctor", "--json", env=env).json["damage"] == [told]


def test_doctor_and_session_say_that_a_bad_manifest_routes_nothing(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("memory/manifest.md", memory_repo.read("memory/manifest.md") + "- areas/svc: 200\n")
    line = len(memory_repo.read("memory/manifest.md").splitlines())
    payload = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(memory_repo.root)}
    told = mem("hook", "claude", stdin=json.dumps(payload)).out
    assert f"memory/manifest.md:{line}" in told
    assert "nothing is routed" in told
    assert f"memory/manifest.md:{line}" in mem("doctor").out


def test_print_shows_what_would_be_added_and_writes_nothing(memory_repo: Repo, mem: Mem) -> None:
    shown = json.loads(mem("hook", "install", "codex", "--print").out)
    assert set(shown["hooks"]) >= {"SessionStart", "PreToolUse", "PostToolUse", "Stop"}
    assert "check --staged" in mem("hook", "install", "git", "--print").out
    assert memory_repo.git("status", "--porcelain") == ""


def test_git_hook_goes_where_git_looks(memory_repo: Repo, mem: Mem) -> None:
    ran = mem("hook", "install", "git", "--json")
    assert ran.json["path"] == ".git/hooks/pre-commit"
    assert os.access(memory_repo.root / ".git/hooks/pre-commit", os.X_OK)
    assert mem("hook", "uninstall", "git", "--json").json["action"] == "removed"


def test_hook_that_is_no_shell_script_gets_the_line_to_add(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(".git/hooks/pre-commit", "#!/usr/bin/env python3\n")
    ran = mem("hook", "install", "git")
    assert ran.code == 1
    assert "check --staged" in ran.out
    assert memory_repo.read(".git/hooks/pre-commit") == "#!/usr/bin/env python3\n"


@pytest.mark.parametrize("words", [("install",), ("install", "emacs"), ("nohost",), ("uninstall", "")])
def test_unknown_host_is_a_usage_error(memory_repo: Repo, mem: Mem, words: tuple[str, ...]) -> None:
    ran = mem("hook", *words)
    assert ran.code == 2
    assert "claude|codex|gemini|cursor|copilot|git" in ran.err


@pytest.mark.parametrize("words", [("--newer", "1"), ("--event",), ("--now", "soon")])
def test_host_that_calls_with_unknown_options_is_not_refused_its_tool(
    memory_repo: Repo, mem: Mem, words: tuple[str, ...]
) -> None:
    ran = mem("hook", "claude", *words, stdin="{}")
    assert (ran.code, ran.out) == (0, "")
    assert "called with words that it does not know" in mem("doctor", "--json").json["log"][-1]


def test_install_in_the_wrong_order_is_a_usage_error(memory_repo: Repo, mem: Mem) -> None:
    ran = mem("hook", "claude", "install")
    assert ran.code == 2
    assert ran.err.endswith("mem hook install claude\n")


def test_doctor_tells_what_is_wired_and_who_was_heard(memory_repo: Repo, mem: Mem) -> None:
    before = {host["host"]: host for host in mem("doctor", "--json").json["hosts"]}
    assert all(not host["wired"] for host in before.values())
    assert set(before) == {*PROJECT_FILES, "git"}
    mem("hook", "install", "claude")
    mem("hook", "install", "git")
    wired = {host["host"]: host for host in mem("doctor", "--json").json["hosts"]}
    assert wired["claude"]["wired"] == [".claude/settings.json"]
    assert wired["claude"]["missing_events"] == []
    assert wired["claude"]["last_heard"] is None
    assert "trusted" in wired["claude"]["advice"]
    assert wired["git"]["wired"] == [".git/hooks/pre-commit"]
    payload = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(memory_repo.root)}
    mem("hook", "claude", stdin=json.dumps(payload))
    heard = {host["host"]: host for host in mem("doctor", "--json").json["hosts"]}
    assert heard["claude"]["last_heard"].endswith("Z")
    assert heard["claude"]["advice"] == ""


def test_doctor_names_events_that_are_missing_and_a_host_that_is_switched_off(
    memory_repo: Repo, mem: Mem
) -> None:
    mem("hook", "install", "claude")
    settings = json.loads(memory_repo.read(".claude/settings.json"))
    del settings["hooks"]["Stop"]
    memory_repo.write(".claude/settings.json", json.dumps(settings))
    claude = mem("doctor", "--json").json["hosts"][0]
    assert claude["missing_events"] == ["Stop"]
    memory_repo.write(".claude/settings.json", json.dumps({**settings, "disableAllHooks": True}))
    assert "disableAllHooks" in mem("doctor", "--json").json["hosts"][0]["advice"]


def test_doctor_shows_damage_and_the_log(memory_repo: Repo, mem: Mem) -> None:
    mem("hook", "claude", stdin="not json")
    memory_repo.write(".git/mem/index", b"nonsense")
    found = mem("doctor", "--json").json
    assert any("index" in one for one in found["damage"])
    assert any("not JSON" in line for line in found["log"])
    page = mem("doctor").out
    assert "not JSON" in page


def test_doctor_prints_no_absolute_path_in_json(
    memory_repo: Repo, mem: Mem, sealed_environment: Path
) -> None:
    mem("hook", "install", "claude", "--user")
    text = mem("doctor", "--json").out
    assert str(memory_repo.root) not in text
    assert str(sealed_environment) not in text


def test_hook_through_the_full_command_line_answers_too(memory_repo: Repo, mem: Mem) -> None:
    payload = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(memory_repo.root)}
    ran = mem("hook", "claude", "--quiet", stdin=json.dumps(payload))
    assert ran.code == 0
    assert "A small program." in ran.json["hookSpecificOutput"]["additionalContext"]


def test_doctor_says_where_a_host_is_wired_twice(memory_repo: Repo, mem: Mem) -> None:
    mem("hook", "install", "claude")
    mem("hook", "install", "claude", "--user")
    claude = mem("doctor", "--json").json["hosts"][0]
    assert claude["wired"] == [".claude/settings.json", "~/.claude/settings.json"]
    assert "wired twice" in claude["advice"]


@pytest.mark.parametrize(
    ("host", "path", "text"),
    [
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"disabled": ["memwarden"]}}'),
        ("gemini", ".gemini/settings.json", '{"hooks": {"enabled": false}}'),
    ],
)
def test_doctor_sees_the_switches_of_the_host(
    memory_repo: Repo, mem: Mem, host: str, path: str, text: str
) -> None:
    memory_repo.write(path, text)
    assert mem("hook", "install", host).code == 0
    states = {state["host"]: state for state in mem("doctor", "--json").json["hosts"]}
    assert "host's" in states[host]["advice"]


def test_commit_through_the_hook_is_checked_and_its_payments_are_in_it(memory_repo: Repo, mem: Mem) -> None:
    assert mem("hook", "install", "git", "--settle").code == 0
    memory_repo.write("b.py", "b\n")
    memory_repo.write(
        "memory/debts/b.md",
        note_text(
            "b.py waits",
            anchors="[b.py]",
            id="n-debt0000",
            lifecycle="debt",
            facet="behavior",
            condition="{file_contains: {path: b.py, pattern: done}}",
        ),
    )
    memory_repo.commit("a debt")
    memory_repo.write("b.py", "done\n")
    memory_repo.commit("pay it")
    paid = memory_repo.git("show", "--stat", "--name-only", "--format=", "HEAD").split()
    assert "b.py" in paid
    assert any(path.startswith("memory/events/n-debt0000/") and "-paid-" in path for path in paid)
    memory_repo.write("memory/decisions/bad.md", "---\nid: [\n---\n# x\n")
    memory_repo.git("add", "-A")
    before = memory_repo.git("rev-parse", "HEAD")
    memory_repo.git("commit", "-qm", "bad", check=False)
    assert memory_repo.git("rev-parse", "HEAD") == before
