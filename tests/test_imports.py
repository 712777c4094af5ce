"""Imports, processes and system calls are a budget: what a fresh interpreter loads and does, counted."""

from __future__ import annotations

import json
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import memwarden.core
from memwarden.edge.place import find_place
from tests.conftest import Repo, note_text
from tests.edge.index_ground import settled

CORE = sorted(f"memwarden.core.{module.name}" for module in pkgutil.iter_modules(memwarden.core.__path__))

# Each of these costs as much as a fifth of starting Python, most of them far more.
HEAVY = {
    "typing", "re", "enum", "dataclasses", "json", "datetime", "pathlib", "subprocess", "logging", "inspect",
    "importlib.metadata", "asyncio", "typer", "rich", "git", "yaml", "frontmatter", "markdown_it", "re2",
    "pathspec", "packaging", "platformdirs", "click",
}  # fmt: skip

# As an installation has it: only a working copy watches its own sources.
INSTALLED = """
import sys
from memwarden.edge import source_mark
source_mark.source_mark = lambda folder: ""
before = set(sys.modules)
"""


def loaded_by(program: str) -> set[str]:
    """The modules that a program loads beyond those of a bare start."""
    told = "import sys; before = set(sys.modules)\n" + program
    told += "\nimport sys; sys.stderr.write('\\n'.join(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True)
    return set(done.stderr.decode().split())


def test_the_pure_core_loads_nothing_heavy() -> None:
    assert len(CORE) > 20
    program = "\n".join(f"import {name}" for name in CORE)
    assert loaded_by(program) & HEAVY == set()


@pytest.mark.parametrize(
    "name", ["memwarden.core.route.route", "memwarden.core.glob", "memwarden.core.standing"]
)
def test_a_room_of_the_core_loads_the_core_and_what_records_need(name: str) -> None:
    others = {module for module in loaded_by(f"import {name}") if not module.startswith("memwarden")}
    records = {
        "collections",
        "keyword",
        "operator",
        "_operator",
        "reprlib",
        "itertools",
        "_collections",
        "__future__",
    }
    assert others <= records


def test_opening_a_memory_with_a_fresh_index_loads_no_parser(told: Repo) -> None:
    program = (
        "from memwarden.edge.place import find_place\n"
        "from memwarden.edge.reading.opening import open_memory\n"
    )
    program += f"open_memory(find_place({str(told.root)!r}))"
    subprocess.run([sys.executable, "-c", INSTALLED + program], check=True)
    assert loaded_by(INSTALLED + program) & HEAVY == set()


@pytest.fixture
def told(memory_repo: Repo) -> Repo:
    """A repository with a memory whose files are older than the clock's tick."""
    memory_repo.write("a.py", "x = 1\n")
    for number in range(12):
        text = note_text(f"N {number}", id=f"n-{number:08d}", subject=f"path:a.py#{number}", anchors="[a.py]")
        memory_repo.write(f"memory/decisions/{number}.md", text)
    memory_repo.commit("notes")
    settled(find_place(str(memory_repo.root)))
    return memory_repo


MAIN = (
    INSTALLED
    + """
import os
sys.argv[1:] = WORDS
from memwarden.__main__ import main
code = main()
"""
)


@pytest.mark.parametrize(
    "words",
    [["route", "--task", "plan"], ["list"], ["check"], ["check", "--staged"], ["status"]],
    ids=" ".join,
)
def test_a_command_asked_again_loads_a_handful_of_modules(words: list[str], told: Repo) -> None:
    program = MAIN.replace("WORDS", repr(words)) + "open(3, 'w').write('\\n'.join(set(sys.modules) - before))"
    for _ in range(2):
        seen = told.root.parent / "seen"
        with seen.open("w") as file:
            subprocess.run(
                [sys.executable, "-c", program.replace("open(3,", f"open({file.fileno()},")],
                cwd=told.root,
                pass_fds=(file.fileno(),),
                capture_output=True,
                check=True,
            )
    loaded = set(seen.read_text().split())
    assert loaded & HEAVY == set()
    assert len(loaded) <= 10, sorted(loaded)


# Says which files below memory/ were opened and which processes were started.
WATCHED = """
def hear(event, told):
    if event == "open" and "/memory/" in str(told[0]):
        print("open", told[0], file=sys.__stderr__)
    if event in ("os.posix_spawn", "subprocess.Popen", "os.fork", "os.exec", "os.system"):
        print("process", told[1][0] if event != "os.fork" else "fork", file=sys.__stderr__)
sys.addaudithook(hear)
"""


def test_a_commit_check_asked_again_starts_no_process_and_reads_no_note(told: Repo) -> None:
    told.write("memory/decisions/new.md", note_text("New", id="n-new00000", subject="path:a.py#new"))
    told.git("add", "-A")
    assert staged_check(told)
    settled(find_place(str(told.root)))
    staged_check(told)
    assert staged_check(told) == []


def test_a_commit_check_after_a_change_starts_two_processes_and_opens_no_note(told: Repo) -> None:
    """One tells what the index changes, one reads contents; after a commit a third tells what it changed."""
    staged_check(told)
    for number in range(5):
        text = note_text("New", id=f"n-new0000{number}", subject=f"path:a.py#new-{number}")
        told.write(f"memory/decisions/new-{number}.md", text)
    told.git("add", "-A")
    assert staged_check(told) == ["process git"] * 2
    told.git("commit", "-q", "-m", "new notes")
    told.write("memory/decisions/new-4.md", text + "More.\n")
    told.git("add", "-A")
    assert staged_check(told) == ["process git"] * 3


def staged_check(repo: Repo) -> list[str]:
    program = MAIN.replace("WORDS", "['check', '--staged']").replace("import os\n", "import os\n" + WATCHED)
    done = subprocess.run([sys.executable, "-c", program], cwd=repo.root, capture_output=True, check=True)
    return [line for line in done.stderr.decode().splitlines() if line.startswith(("process", "open"))]


IDLE = INSTALLED + "sys.argv[1:] = ['hook', 'claude']\nfrom memwarden.__main__ import main\nmain()\n"
BARE = INSTALLED


def test_an_idle_hook_makes_few_system_calls_and_waits_for_no_disk(told: Repo, tmp_path: Path) -> None:
    payload = {
        "session_id": "s", "cwd": str(told.root), "hook_event_name": "PreToolUse", "tool_name": "Edit",
        "tool_input": {"file_path": str(told.root / "quiet.py")}, "tool_use_id": "t",
    }  # fmt: skip
    given = json.dumps(payload).encode()
    subprocess.run(
        [sys.executable, "-c", IDLE],
        input=json.dumps({**payload, "hook_event_name": "UserPromptSubmit"}).encode(),
        check=True,
    )
    if shutil.which("strace") is None:
        return  # the test below still sees processes and waits
    idle = system_calls(IDLE, given, tmp_path)
    bare = system_calls(BARE, given, tmp_path)
    folders = sum(1 for _ in os.walk(told.root / "memory"))
    assert len(idle) <= len(bare) + 250 + 2 * folders
    for name in ("fsync", "fdatasync", "clone", "clone3", "fork", "vfork", "rename", "unlink", "mkdir"):
        assert sum(call == name for call in idle) == sum(call == name for call in bare), name


def system_calls(program: str, given: bytes, folder: Path) -> list[str]:
    trace = folder / "trace"
    command = ["strace", "-f", "-o", str(trace), sys.executable, "-c", program]
    subprocess.run(command, input=given, capture_output=True, check=True)
    return [line.split(None, 1)[1].partition("(")[0] for line in trace.read_text().splitlines()]
