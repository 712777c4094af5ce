"""An answer is given again only while everything that it rests on stands as it did."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memwarden.edge import index_read
from memwarden.edge.answers import answer_file, recall, remembering
from memwarden.edge.place import find_place
from memwarden.edge.reading import keyed_file, witness
from tests.conftest import Repo
from tests.edge.asking import Ask
from tests.edge.index_ground import one_program as one_program
from tests.edge.index_ground import settled
from tests.edge.test_index import BEHIND_ITS_BACK, A

QUESTIONS = (
    ("route", "--task", "plan"),
    ("route", "--task", "plan", "--json"),
    ("route", "--task", "plan", "--explain", "--path", "src/a.py"),
    ("route", "--task", "plan", "--path=src/absent.py"),
    ("list",),
    ("list", "--json"),
    ("search", "First"),
    ("why", "n-aaaaaaaa"),
    ("check",),
    ("check", "--json"),
)


def forget(repo: Repo) -> None:
    shutil.rmtree(repo.root / ".git/mem", ignore_errors=True)


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_the_second_answer_is_the_first_and_loads_nothing(words: tuple[str, ...], ask: Ask) -> None:
    first, second = ask(*words), ask(*words)
    assert first.said == second.said
    assert (first.again, second.again) == (False, True)
    assert first.out


@pytest.mark.parametrize("what", BEHIND_ITS_BACK)
def test_no_answer_outlives_a_change_of_the_memory(what: str, ask: Ask, memory_repo: Repo) -> None:
    ask("check", "--json")
    assert ask("check", "--json").again
    change, _ = BEHIND_ITS_BACK[what]
    change(memory_repo.root, A)
    settled(find_place(str(memory_repo.root)))
    later = ask("check", "--json")
    forget(memory_repo)
    assert later.said == ask("check", "--json").said
    assert not later.again


def write(path: str, text: str) -> Callable[[Repo], object]:
    return lambda repo: repo.write(path, text)


OUTSIDE: dict[str, Callable[[Repo], object]] = {
    "an evidence file goes": lambda repo: (repo.root / "docs/why.md").unlink(),
    "an anchored file goes": lambda repo: (repo.root / "src/a.py").unlink(),
    "an agent file comes": write("AGENTS.md", "<!-- memwarden:begin -->\n"),
    "a link in place of a folder": lambda repo: (
        (repo.root / "src").rename(repo.root / "moved"),
        (repo.root / "src").symlink_to("/nowhere"),
    ),
    "a link in place of a file": lambda repo: swap_for_link(repo.root / "docs/why.md"),
}


def swap_for_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("/etc/hostname")


@pytest.mark.parametrize("what", OUTSIDE)
def test_no_verdict_outlives_a_change_of_what_it_looked_at(what: str, ask: Ask, memory_repo: Repo) -> None:
    ask("check", "--json")
    assert ask("check", "--json").again
    OUTSIDE[what](memory_repo)
    later = ask("check", "--json")
    assert not later.again
    forget(memory_repo)
    assert later.said == ask("check", "--json").said


def test_a_change_of_what_nobody_looked_at_disturbs_no_answer(ask: Ask, memory_repo: Repo) -> None:
    ask("route", "--task", "plan")
    memory_repo.write("src/other.py", "y = 2\n")
    memory_repo.commit("other")
    assert ask("route", "--task", "plan").again


def test_a_given_path_that_now_leads_elsewhere_is_asked_anew(ask: Ask, memory_repo: Repo) -> None:
    words = ("route", "--task", "plan", "--json", "--path", "near/a.py")
    (memory_repo.root / "near").symlink_to("src")
    first = ask(*words)
    assert b"anchor src/a.py matches" in first.out
    assert ask(*words).again
    (memory_repo.root / "near").unlink()
    (memory_repo.root / "near").symlink_to("docs")
    later = ask(*words)
    assert not later.again
    assert b"anchor src/a.py matches" not in later.out


@pytest.mark.parametrize(
    ("env", "again"),
    [
        ({"NO_COLOR": "1"}, False),
        ({"COLUMNS": "40"}, False),
        ({"GIT_DIR": "/x"}, False),
        ({"SESSION": "9"}, True),
    ],
)
def test_what_the_environment_can_change_is_part_of_the_question(
    env: dict[str, str], again: bool, ask: Ask
) -> None:
    ask("list")
    assert ask("list", env=env).again is again


def test_a_word_that_names_a_file_no_more_is_asked_anew(ask: Ask, memory_repo: Repo) -> None:
    memory_repo.write("extra.md", "x")
    settled(find_place(str(memory_repo.root)))
    ask("check", "extra.md")
    assert ask("check", "extra.md").again
    (memory_repo.root / "extra.md").unlink()
    assert not ask("check", "extra.md").again


def test_another_folder_is_another_question(ask: Ask) -> None:
    ask("list")
    assert not ask("list", cwd="src").again
    assert ask("list", cwd="src").again


def test_another_day_is_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "isatty", lambda fd: False)
    first = recall.question(["list"])
    monkeypatch.setattr(recall, "today", lambda: "2999-01-01")
    assert first
    assert recall.question(["list"]) not in ("", first)


@pytest.mark.parametrize(
    "words",
    [
        ["add", "x"],
        [],
        ["--help"],
        ["list", "--help"],
        ["list", "--root", "."],
        ["check", "--allow-commands"],
    ],
    ids=str,
)
def test_other_commands_are_never_answered_out_of_the_store(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "isatty", lambda fd: False)
    assert recall.question(words) == ""


def test_what_is_meant_for_a_terminal_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "isatty", lambda fd: fd == 1)
    assert recall.question(["list"]) == ""


def test_a_usage_error_is_not_kept(ask: Ask, memory_repo: Repo) -> None:
    assert ask("route", "--task", "nonsense").code == 2
    assert not ask("route", "--task", "nonsense").again


def test_a_damaged_answer_is_none(ask: Ask, memory_repo: Repo) -> None:
    first = ask("list")
    (file,) = (memory_repo.root / ".git/mem/answers").iterdir()
    whole = file.read_bytes()
    for at in range(0, len(whole), 97):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        asked = "not the question that is kept"
        assert recall.recall(asked, str(memory_repo.root), str(memory_repo.root / ".git/mem")) is None
    file.write_bytes(whole[: len(whole) // 2])
    later = ask("list")
    assert later.said == first.said
    assert not later.again


def test_only_the_answers_that_were_given_last_stay(tmp_path: Path) -> None:
    for number in range(70):
        (tmp_path / str(number)).write_text("")
        os.utime(tmp_path / str(number), (number, number))
    answer_file.make_room(str(tmp_path))
    assert sorted(int(name) for name in os.listdir(tmp_path)) == list(range(38, 70))


def test_a_file_that_changes_while_the_command_runs_leaves_no_answer(
    memory_repo: Repo, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(memory_repo.root)
    other = memory_repo.write("other.txt", "old")
    place = settled(find_place(str(memory_repo.root)))

    def run() -> int:
        other.write_text("new")
        print(other.read_text())
        return 0

    assert remembering.remembered("asked", ["list"], run) == 0
    assert os.listdir(Path(place.private, "answers")) == []


@pytest.mark.parametrize(
    ("what", "act"),
    [
        ("a process", lambda root: subprocess.run(["true"], check=True)),
        ("a shell", lambda root: os.system("true")),
        ("a write", lambda root: (root / "new.txt").write_text("x")),
    ],
)
def test_what_nobody_can_vouch_for_leaves_no_answer(
    what: str, act: Callable[[Path], object], memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(memory_repo.root)
    place = settled(find_place(str(memory_repo.root)))
    seen = witness.watch(place)
    try:
        act(memory_repo.root)
    finally:
        witness.rest()
    assert not seen.sound


@pytest.mark.parametrize(
    "change",
    [("commit", "-q", "--allow-empty", "-m", "x"), ("tag", "v1"), ("branch", "b"), ("config", "a.b", "c")],
    ids=" ".join,
)
def test_an_answer_of_git_is_asked_anew_when_the_repository_changed(
    change: tuple[str, ...], memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(memory_repo.root)
    place = settled(find_place(str(memory_repo.root)))

    def run() -> int:
        subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True)
        return 0

    remembering.remembered("asked", ["check"], run)
    assert recall.recall("asked", place.root, place.private) == 0
    memory_repo.git(*change)
    assert recall.recall("asked", place.root, place.private) is None


def test_an_index_that_the_environment_names_is_looked_at(
    memory_repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit of all that is tracked names to its hooks an index of the same name each time."""
    monkeypatch.chdir(memory_repo.root)
    named = memory_repo.root / ".git/index.lock"
    shutil.copy(memory_repo.root / ".git/index", named)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index.lock")
    place = settled(find_place(str(memory_repo.root)))

    def run() -> int:
        subprocess.run(["git", "ls-files", "-s"], check=True, capture_output=True)
        return 0

    remembering.remembered("asked", ["check"], run)
    assert recall.recall("asked", place.root, place.private) == 0
    shutil.copy(memory_repo.root / ".git/index", named)
    assert recall.recall("asked", place.root, place.private) is None


def test_another_program_has_no_answers(memory_repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(memory_repo.root)
    place = settled(find_place(str(memory_repo.root)))
    remembering.remembered("asked", ["list"], lambda: 0)
    assert recall.recall("asked", place.root, place.private) == 0
    assert recall.recall("another", place.root, place.private) is None
    monkeypatch.setattr(index_read, "FORMAT", 0)
    assert recall.recall("asked", place.root, place.private) is None


def test_both_streams_come_back_in_their_order(
    memory_repo: Repo, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(memory_repo.root)
    place = settled(find_place(str(memory_repo.root)))

    def run() -> int:
        print("out, \N{SNOWMAN}")
        print("err", file=sys.stderr)
        sys.stdout.buffer.write(b"\xff\n")
        return 1

    assert remembering.remembered("asked", ["list"], run) == 1
    first = capfd.readouterr()
    assert recall.recall("asked", place.root, place.private) == 1
    assert capfd.readouterr() == first


def test_a_keyed_file_holds_only_what_marshal_knows() -> None:
    with pytest.raises(ValueError, match="unmarshallable"):
        keyed_file.keyed_bytes({"x": object()}, b"12345678")
