"""``mem trust``: a person at a terminal, and nobody else, endorses exactly the words that are shown."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Mem, Repo, note_text


@pytest.fixture
def commanding(memory_repo: Repo) -> Repo:
    """A debt that a command pays."""
    write_debt(memory_repo, "[test, -f, done.txt]")
    memory_repo.commit("debt")
    return memory_repo


def write_debt(repo: Repo, run: str) -> None:
    repo.write(
        "memory/debts/c.md",
        note_text(
            "Waits for done.txt",
            id="n-c0mmand0",
            lifecycle="debt",
            facet="behavior",
            condition=f"{{command: {{run: {run}}}}}",
        ),
    )


def on_a_terminal(repo: Repo, answer: str, *words: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run ``mem`` with a terminal for all three streams and type an answer."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memwarden", *words],
        cwd=repo.root,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "dumb", **(env or {})},
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, answer.encode())
    shown = b""
    while True:
        if not select.select([ours], [], [], 20)[0]:
            break
        try:
            data = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not data:
            break
        shown += data
    os.close(ours)
    return process.wait(), shown.decode(errors="replace")


def state(repo: Repo, mem: Mem) -> str:
    """What running the debts' commands comes to."""
    return str(mem("debts", "--run", "--json").json["debts"][0]["verdict"]["holds"])


def test_person_sees_the_words_and_the_folder_and_endorses(commanding: Repo, mem: Mem) -> None:
    code, shown = on_a_terminal(commanding, "y\n", "trust", "n-c0mmand0")
    assert code == 0
    assert "test -f done.txt" in shown
    assert os.path.realpath(commanding.root) in shown.replace("\r\n", "")
    listed = mem("trust", "--list", "--json").json["endorsed"]
    assert [(entry["note"], entry["argv"], entry["here"]) for entry in listed] == [
        ("n-c0mmand0", ["test", "-f", "done.txt"], True)
    ]


def test_a_no_endorses_nothing(commanding: Repo, mem: Mem) -> None:
    code, _ = on_a_terminal(commanding, "n\n", "trust", "n-c0mmand0")
    assert code == 1
    assert mem("trust", "--list", "--json").json["endorsed"] == []


def test_without_a_terminal_nothing_is_endorsed(commanding: Repo, mem: Mem) -> None:
    ran = mem("trust", "n-c0mmand0", stdin="y\n")
    assert ran.code == 1
    assert "terminal" in ran.err
    assert mem("trust", "--list", "--json").json["endorsed"] == []


def test_json_is_one_object_and_the_words_stand_beside_it(commanding: Repo, mem: Mem) -> None:
    ran = mem("trust", "n-c0mmand0", "--json")
    assert ran.json["error"]["exit"] == ran.code == 1
    assert "test -f done.txt" in ran.err
    code, shown = on_a_terminal(commanding, "y\n", "trust", "n-c0mmand0", "--json", "--quiet")
    assert code == 0
    assert "test -f done.txt" in shown.partition("{")[0]  # before the question, also where all else is quiet


@pytest.mark.parametrize("env", [{"CLAUDECODE": "1"}, {"CI": "true"}, {"CODEX_SANDBOX": "x"}])
def test_agent_or_build_at_a_terminal_is_refused(commanding: Repo, mem: Mem, env: dict[str, str]) -> None:
    code, shown = on_a_terminal(commanding, "y\n", "trust", "n-c0mmand0", env=env)
    assert code == 1
    assert "only a person" in shown
    assert mem("trust", "--list", "--json").json["endorsed"] == []


def test_named_actor_cannot_raise_an_agent_to_a_person(commanding: Repo) -> None:
    env = {"CLAUDECODE": "1", "MEM_ACTOR": "human:ada"}
    assert on_a_terminal(commanding, "y\n", "trust", "n-c0mmand0", env=env)[0] == 1


def test_endorsed_command_runs_and_a_changed_word_does_not(commanding: Repo, mem: Mem) -> None:
    commanding.write("done.txt", "x")
    assert "endorsed" in mem("debts", "--run").out + mem("debts", "--run", "--json").out
    on_a_terminal(commanding, "y\n", "trust", "n-c0mmand0")
    assert state(commanding, mem) == "True"
    write_debt(commanding, "[test, -e, done.txt]")
    assert state(commanding, mem) != "True"


def test_revoked_command_does_not_run(commanding: Repo, mem: Mem) -> None:
    commanding.write("done.txt", "x")
    on_a_terminal(commanding, "y\n", "trust", "n-c0mmand0")
    ran = mem("trust", "n-c0mmand0", "--revoke", "--json")
    assert ran.code == 0
    assert len(ran.json["revoked"]) == 1
    assert state(commanding, mem) != "True"


def test_hook_never_runs_a_command(commanding: Repo, mem: Mem) -> None:
    write_debt(commanding, "[touch, ran.txt]")
    text = commanding.read("memory/debts/c.md").replace("facet:", "anchors: [a.py]\nfacet:")
    commanding.write("memory/debts/c.md", text)
    on_a_terminal(commanding, "y\n", "trust", "n-c0mmand0")
    root = str(commanding.root)
    for event in ("SessionStart", "PreToolUse", "PostToolUse", "Stop"):
        mem(
            "hook",
            "claude",
            stdin=f'{{"hook_event_name":"{event}","session_id":"s","cwd":"{root}","tool_name":"Edit",'
            f'"tool_use_id":"1","tool_input":{{"file_path":"{root}/a.py"}}}}',
        )
    assert not Path(root, "ran.txt").exists()


def test_note_without_a_command_needs_no_trust(memory_repo: Repo, mem: Mem) -> None:
    ran = mem("trust", "n-br1ef000")
    assert ran.code == 1
    assert "runs no command" in ran.err


def test_note_must_be_named(memory_repo: Repo, mem: Mem) -> None:
    assert mem("trust").code == 2
    assert mem("trust", "n-nothere0").code == 2


def test_commands_inside_a_combination_are_all_shown(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write(
        "memory/debts/c.md",
        note_text(
            "Two",
            id="n-c0mmand0",
            lifecycle="debt",
            facet="behavior",
            condition="{all: [{command: {run: [ls, '-1']}}, "
            "{any: [{command: {run: [ls, 'a b']}}, {file_exists: x}]}]}",
        ),
    )
    code, shown = on_a_terminal(memory_repo, "y\n", "trust", "n-c0mmand0")
    assert code == 0, shown
    assert "ls -1" in shown
    assert "ls 'a b'" in shown
    assert len(mem("trust", "--list", "--json").json["endorsed"]) == 2
