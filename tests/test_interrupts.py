"""An interrupt ends every command without a word, exit 130, a hook with exit 0; nothing is half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memwarden.core.change import FileChange
from memwarden.edge.place import find_place
from memwarden.edge.writing.apply import apply_changes
from memwarden.edge.writing.disk import Disk
from tests.conftest import Mem, Repo

SCRIPTS = Path(__file__).parent.parent / "src/scripts"

# Runs the installed script as it is, interrupted when it looks for its n-th module; 0: only counts them.
AT = """
import os, signal, sys
nth, script = int(sys.argv[1]), sys.argv[2]
class Looked:
    times = 0
    def find_spec(name, path=None, target=None):
        Looked.times += 1
        if Looked.times == nth:
            os.kill(os.getpid(), signal.SIGINT)
            TWICE
if not nth:
    leave = os._exit
    os._exit = lambda code: (sys.stderr.write(f"\\n{Looked.times}"), leave(code))
sys.meta_path.insert(0, Looked)
sys.argv = sys.argv[2:]
try:
    exec(compile(open(script).read(), script, "exec"), {"__name__": "__main__"})
finally:
    if not nth:
        sys.stderr.write(f"\\n{Looked.times}")
"""


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Interrupts are heard also where these tests run in the background, which has them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before or signal.SIG_DFL)


def interrupted(
    repo: Repo, nth: int, words: list[str], more: str = "", name: str = "mem"
) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", AT.replace("TWICE", more), str(nth), str(SCRIPTS / name), *words],
        cwd=repo.root,
        input="{}",
        text=True,
        capture_output=True,
    )
    return done.returncode, done.stdout, done.stderr


def moments(repo: Repo, words: list[str], most: int) -> list[int]:
    """The first modules that a command looks for, and some of those before it begins to answer."""
    count = int(interrupted(repo, 0, words)[2].rpartition("\n")[2])
    assert count > 5
    return sorted({1, 2, 3, *range(4, count * 3 // 4, max(1, count // most))})


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [["log"], ["--help"], ["nosuch"], ["add", "A claim", "--apply"], ["subject", "list"]],
    ids=" ".join,
)
def test_an_interrupt_while_modules_are_loaded_says_nothing_and_is_exit_130(
    words: list[str], memory_repo: Repo
) -> None:
    told = moments(memory_repo, words, 9)
    memory_repo.git("clean", "-fdq")
    for nth in told:
        assert (nth, interrupted(memory_repo, nth, words)) == (nth, (130, "", ""))
        assert memory_repo.git("status", "--short") == ""


@pytest.mark.parametrize("name", ["mem", "memwarden"])
def test_an_interrupted_hook_is_silence_and_exit_0(name: str, memory_repo: Repo) -> None:
    for nth in moments(memory_repo, ["hook", "claude"], 20):
        assert interrupted(memory_repo, nth, ["hook", "claude"], name=name) == (0, "", "")
    for nth in (1, 2, 9):
        assert interrupted(memory_repo, nth, ["hook", "install", "claude"], name=name) == (130, "", "")


def test_a_second_interrupt_ends_what_the_first_one_left(memory_repo: Repo) -> None:
    again = "sys.setprofile(lambda *_: (sys.setprofile(None), os.kill(os.getpid(), signal.SIGINT)))"
    for nth in (1, 3, 60):
        assert interrupted(memory_repo, nth, ["log"], again) == (130, "", "")


def test_an_interrupt_where_python_cannot_raise_is_not_shown(memory_repo: Repo) -> None:
    """As in the callback of a weak reference, which drops what is raised in it."""
    lost = (
        "class Gone: __del__ = lambda self: os.kill(os.getpid(), signal.SIGINT) or list(map(str, 'x' * 99))"
    )
    assert interrupted(memory_repo, 40, ["log"], f"{lost}\n            Gone()") == (130, "", "")


def test_whoever_has_interrupts_ignored_is_not_interrupted(memory_repo: Repo) -> None:
    done = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", AT.replace("TWICE", ""), "40",
         str(SCRIPTS / "mem"), "log"],
        cwd=memory_repo.root,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "no event yet\n")


class Interrupting(Disk):
    """Interrupts its own process at the n-th effect."""

    def __init__(self, nth: int) -> None:
        self.left = nth

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_") and name != "left":
            self.left -= 1
            if not self.left:
                signal.raise_signal(signal.SIGINT)
        return object.__getattribute__(self, name)


@pytest.mark.parametrize("nth", range(1, 24, 2))
def test_an_interrupt_waits_until_a_change_is_written_whole(nth: int, memory_repo: Repo) -> None:
    place = find_place(str(memory_repo.root))
    paths = ["memory/decisions/a.md", "memory/decisions/b.md"]
    os.makedirs(place.private, exist_ok=True)
    changes = [FileChange(path, None, b"x") for path in paths]
    with pytest.raises(KeyboardInterrupt):
        apply_changes(place, changes, disk=Interrupting(nth))
    assert memory_repo.git("status", "--short", "-uall").split() == ["??", paths[0], "??", paths[1]]
    assert not os.path.lexists(os.path.join(place.private, "journal"))


def test_a_memory_that_was_begun_half_is_completed_without_a_record_of_no_note(mem: Mem, repo: Repo) -> None:
    assert mem("init").code == 0
    brief = repo.read("memory/brief.md")
    (repo.root / "memory/manifest.md").unlink()
    assert mem("init").out == "created  memory/manifest.md\n"
    assert repo.read("memory/brief.md") == brief
    assert len(list((repo.root / "memory/events").iterdir())) == 1
