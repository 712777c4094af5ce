"""The quick door of ``purge`` and ``apply`` takes words apart as the parser does, or leaves them to it."""

from __future__ import annotations

import pytest
import typer

from memwarden.cli import app, quick_purge
from memwarden.cli.plain_words import taken_apart
from memwarden.cli.quick_purge import OPTIONS
from tests.conftest import Mem, Repo, note_text

HERE = "memory/decisions/one.md"


@pytest.mark.parametrize("verb", ["purge", "apply"])
def test_it_knows_the_options_of_the_parser_and_no_other(verb: str) -> None:
    command = typer.main.get_command(app.build(verb))
    command = getattr(command, "commands", {verb: command})[verb]
    options = {
        name: (option.is_flag, option.multiple)
        for option in command.params
        if option.param_type_name == "option"
        for name in option.opts
        if name not in ("--help", "-h")
    }
    ours = OPTIONS[verb]
    assert {name for name, (flag, _) in options.items() if flag} == ours.flags
    assert {name for name, (_, many) in options.items() if many} == ours.lists
    assert set(options) == ours.texts | ours.lists | ours.flags


@pytest.mark.parametrize("words", [["--help"], ["--json=yes"], ["--match"], ["--lock-timeout", "soon"]])
def test_what_is_not_plainly_right_is_left_to_the_parser(words: list[str]) -> None:
    assert taken_apart(words, OPTIONS["purge"]) is None


def test_both_doors_say_the_same(
    memory_repo: Repo, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    memory_repo.write(HERE, note_text(title="About the vendor"))
    monkeypatch.chdir(memory_repo.root)
    for words in (
        ["purge", "--match", "vendor"],
        ["purge", HERE, "--json"],
        ["purge", "--json", "--", "one.md"],
        ["purge", HERE, "--apply", "-q"],
        ["purge", "--subject=nobody"],
        ["purge"],
        ["purge", "--match", " "],
        ["purge", "nothing-like-it", "--json"],
        ["apply"],
        ["apply", "one", "two"],
        ["apply", "0123456789ab"],
        ["apply", "0123456789ab", "--json", "--lock-timeout", "1"],
    ):
        app.run([*words, "--now", "2026-11-30"])  # the plan that it keeps is found by those after it
        told = []
        for run in (app.run, quick_purge.run):
            capfd.readouterr()
            told.append((run([*words, "--now", "2026-11-30"]), *capfd.readouterr()))
        assert told[0] == told[1], words


def test_a_plan_of_any_kind_is_applied(memory_repo: Repo, mem: Mem) -> None:
    for words in (("add", "About the vendor"), ("purge", "--match", "vendor", "--json")):
        plan = mem(*words, "--json").json["plan"]["id"]
        assert mem("apply", plan).code == 0
    again = mem("apply", plan)
    assert (again.code, again.err) == (0, f"plan {plan} is already applied\n")
