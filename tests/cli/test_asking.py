"""On a terminal: one question before a note, one before it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import Mem, Repo


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """A person at a terminal who answers; the questions that were asked."""

    def answering(*answers: Any) -> list[str]:
        asked: list[str] = []
        left: Iterator[Any] = iter(answers)

        def answer(text: str, **how: Any) -> Any:
            asked.append(text)
            return next(left)

        for module in ("carrying", "add_request"):
            monkeypatch.setattr(f"memwarden.cli.{module}._may_ask", lambda ctx: True)
        monkeypatch.setattr("typer.prompt", answer)
        monkeypatch.setattr("typer.confirm", answer)
        return asked

    return answering


def standings(mem: Mem) -> dict[str, str]:
    return {note["title"]: note["standing"] for note in mem("list", "--json").json["notes"]}


def test_nothing_makes_it_unnecessary_and_yes_writes_a_rule(
    memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]
) -> None:
    asked = terminal("", True)
    ran = inside("add", "A claim")
    assert ran.code == 0, ran.err
    assert [question.split("?")[0] for question in asked] == [
        "What would make this note unnecessary",
        "Apply it",
    ]
    assert standings(inside)["A claim"] == "active"


def test_an_event_makes_it_a_debt(memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]) -> None:
    terminal("exists:CHANGELOG.md", True, "paid", True)
    assert inside("add", "Write a changelog").code == 0
    assert inside("add", "Ask the vendor").code == 0
    assert standings(inside)["Write a changelog"] == "owed"
    assert standings(inside)["Ask the vendor"] == "owed"


def test_no_writes_nothing(memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]) -> None:
    terminal("", False)
    assert inside("add", "A claim").code == 0
    assert "A claim" not in standings(inside)


def test_what_is_said_on_the_line_is_not_asked(
    memory_repo: Repo, inside: Mem, terminal: Callable[..., list[str]]
) -> None:
    asked = terminal(False)
    assert inside("add", "A debt", "--debt").code == 0
    assert asked == ["Apply it?"]
    assert inside("add", "A claim", "--apply").code == 0
    assert asked == ["Apply it?"]


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
