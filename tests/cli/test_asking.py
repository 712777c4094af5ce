"""On a terminal: one question before a note, one before it is written."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import Mem, Repo


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """A person at a terminal who answers; the questions that were asked."""

    def answering(*answers: str) -> list[str]:
        asked: list[str] = []
        left: Iterator[str] = iter(answers)

        def answer(text: str, **how: Any) -> str:
            asked.append(text)
            return next(left)

        for module in ("carrying", "add_request"):
            monkeypatch.setattr(f"memwarden.cli.{module}.may_ask", lambda ctx: True)
        monkeypatch.setattr("typer.prompt", answer)
        return asked

    return answering


def standings(mem: Mem) -> dict[str, str]:
    return {note["title"]: note["standing"] for note in mem("list", "--json").json["notes"]}


def test_nothing_makes_it_unnecessary_and_yes_writes_a_rule(
    memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]
) -> None:
    asked = terminal("", "y")
    ran = inside("add", "A claim")
    assert ran.code == 0, ran.err
    assert [question.split("?")[0] for question in asked] == ["Enter, paid, or a condition", "Apply it"]
    assert standings(inside)["A claim"] == "active"


def test_an_event_makes_it_a_debt(memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]) -> None:
    terminal("exists:CHANGELOG.md", "y", "paid", "y")
    assert inside("add", "Write a changelog").code == 0
    assert inside("add", "Ask the vendor").code == 0
    assert standings(inside)["Write a changelog"] == "owed"
    assert standings(inside)["Ask the vendor"] == "owed"


def test_no_writes_nothing(memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]) -> None:
    terminal("", "n")
    assert inside("add", "A claim").code == 0
    assert "A claim" not in standings(inside)


def test_what_is_said_on_the_line_is_not_asked(
    memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]
) -> None:
    asked = terminal("n")
    assert inside("add", "A debt", "--debt").code == 0
    assert len(asked) == 1
    assert inside("add", "A claim", "--apply").code == 0
    assert len(asked) == 1


def test_where_the_plan_id_is_required_nobody_is_asked_to_apply(
    memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]
) -> None:
    manifest = memory_repo.read("memory/manifest.md").replace(
        "protocol: 1", "protocol: 1\nrequire_plan: true"
    )
    memory_repo.write("memory/manifest.md", manifest)
    asked = terminal("")
    assert inside("add", "A claim").code == 0
    assert len(asked) == 1


def test_an_answer_that_is_no_condition_is_asked_for_again_and_three_of_them_end_it(
    memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]
) -> None:
    asked = terminal("contain:a.py:x", "exists:CHANGELOG.md", "y")
    ran = inside("add", "Write a changelog")
    assert ran.code == 0, ran.err
    assert "contains:" in ran.err
    assert len(asked) == 3
    assert standings(inside)["Write a changelog"] == "owed"
    asked = terminal("sometime", "-", "contains:a.py", "exists:a.py")
    ran = inside("add", "Never")
    assert (ran.code, len(asked)) == (130, 3)
    assert "nothing is written" in ran.err
    assert "Never" not in standings(inside)


def test_a_question_fits_a_screen(memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]) -> None:
    asked = terminal("", "n")
    said = inside("add", "A claim").err.splitlines() + asked
    assert max(map(len, said)) < 80
    assert any("contains:src/x.py:new_name" in line for line in said)


def test_the_preview_is_short_and_d_shows_all_of_it(
    memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]
) -> None:
    terminal("d", "what?", "y")
    memory_repo.write("a.py", "old\n")
    ran = inside("add", "A debt", "--until", "contains:a.py:new", "--anchor", "a.py")
    preview, _, rest = ran.out.partition("nothing is written yet")
    assert '"kind": "admitted"' not in preview
    assert "; the condition does not hold: no match in a.py" in preview
    assert '"kind": "admitted"' in rest
    assert "d shows every file and event" in rest
    assert ran.out.count("would also be paid by") == 1
    assert standings(inside)["A debt"] == "owed"


END_OF_INPUT, INTERRUPT = b"\x04", b"\x03"


@pytest.mark.parametrize("key", [END_OF_INPUT, INTERRUPT])
@pytest.mark.parametrize(
    "words", [("add", "A debt", "--debt"), ("add", "A claim"), ("subject", "add", "Sync")]
)
def test_who_leaves_at_a_question_has_written_nothing_and_sees_no_traceback(
    memory_repo: Repo, words: tuple[str, ...], key: bytes
) -> None:
    code, shown = answered(memory_repo, words, key)
    assert code == 130, shown
    assert "Traceback" not in shown
    assert memory_repo.git("status", "--porcelain") == ""


def at_the_terminal() -> None:
    """Become the one that ^C reaches, and that hears it also where these tests run in the background."""
    os.close(os.open(os.ttyname(0), os.O_RDWR))
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def answered(repo: Repo, words: tuple[str, ...], key: bytes) -> tuple[int, str]:
    """What a person at a real terminal sees who presses one key at the first question."""
    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "memwarden", *words],
        cwd=repo.root,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=at_the_terminal,
    )
    os.close(theirs)
    shown, pressed = b"", False
    while program.poll() is None or select.select([ours], [], [], 0)[0]:
        if select.select([ours], [], [], 0.5)[0]:
            try:
                read = os.read(ours, 65536)
            except OSError:  # how Linux ends a terminal
                break
            shown += read
        elif pressed:
            os.write(ours, key)  # the first came between two looks at it
        if not pressed and shown.rstrip().endswith((b"condition:", b"difference]:")):
            os.write(ours, key)
            pressed = True
    code = program.wait(60)
    os.close(ours)
    return code, shown.decode(errors="replace")
