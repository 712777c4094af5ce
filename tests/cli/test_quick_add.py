"""The quick door of ``add`` takes words apart as the parser does, or leaves them to it."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from memwarden.cli.app import build
from memwarden.cli.quick_add import FLAGS, LISTS, TEXTS, quick_add, taken_apart
from tests.conftest import Mem, Repo


def parser_options() -> dict[str, tuple[bool, bool]]:
    command = typer.main.get_command(build("add"))
    command = getattr(command, "commands", {"add": command})["add"]
    return {
        name: (option.is_flag, option.multiple)
        for option in command.params
        if option.param_type_name == "option"
        for name in option.opts
        if name not in ("--help", "-h")
    }


def test_it_knows_the_options_of_the_parser_and_no_other() -> None:
    options = parser_options()
    assert {name for name, (flag, _) in options.items() if flag} == FLAGS
    assert {name for name, (_, many) in options.items() if many} == LISTS
    assert set(options) == TEXTS | LISTS | FLAGS


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["A claim"], {"text": "A claim"}),
        (["--apply", "A claim", "-q"], {"text": "A claim", "apply": True, "quiet": True}),
        (["--anchor", "a", "--anchor=b", "x"], {"text": "x", "anchor": ["a", "b"]}),
        (["--title", "one", "--title=two=2"], {"title": "two=2"}),
        (["--lock-timeout", "0.5", "x"], {"text": "x", "lock_timeout": 0.5}),
        (["--", "--apply"], {"text": "--apply"}),
        (["--body", "-", "--title", "-x"], {"body": "-", "title": "-x"}),
        (["--new-subject", "--on-command", "git push"], {"new_subject": True, "on_command": ["git push"]}),
        ([], {}),
    ],
)
def test_words_are_taken_apart(words: list[str], given: dict[str, Any]) -> None:
    assert taken_apart(words) == given


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["-h"],
        ["x", "y"],
        ["--nonsense"],
        ["x", "--anchor"],
        ["--apply=yes", "x"],
        ["--lock-timeout", "soon"],
    ],
)
def test_what_is_not_plainly_right_is_left_to_the_parser(words: list[str]) -> None:
    assert quick_add(words) is None


def test_both_doors_lead_to_the_same_note(memory_repo: Repo, mem: Mem, inside: Mem) -> None:
    words = ("add", "A claim", "--anchor", "src/a.py", "--tag", "x", "--json", "--now", "2026-11-30")
    quick, parsed = mem(*words), inside(*words)
    assert quick.code == parsed.code == 0
    (first,), (second,) = quick.json["notes"], parsed.json["notes"]
    assert quick.out.replace(first[2:], second[2:]).count(second) == parsed.out.count(second)
    one, two = quick.json["plan"]["diff"], parsed.json["plan"]["diff"]
    assert one.replace(first[2:], "ID") == two.replace(second[2:], "ID")


def test_both_doors_say_the_same_of_a_mistake(memory_repo: Repo, mem: Mem, inside: Mem) -> None:
    for words in (("add",), ("add", "x", "--facet", "vibes"), ("add", "x", "--expires", "soon", "--json")):
        assert mem(*words) == inside(*words)


@pytest.mark.parametrize("door", ["_at_once", "_in_full"])
def test_an_interrupt_ends_every_door_quietly(door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from memwarden import __main__ as program

    def interrupted(words: list[str]) -> int | None:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_at_once", lambda words: None)
    monkeypatch.setattr(program, door, interrupted)
    assert program.main() == 130
