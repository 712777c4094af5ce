"""The list of commands is shown without them, and says what they say."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import typer

from memwarden.cli.app import build, listed
from memwarden.cli.verbs import GROUPS


def commands_of(program: typer.Typer) -> dict[str, str]:
    whole: Any = typer.main.get_command(program)
    found = {name: command.help or "" for name, command in whole.commands.items()}
    return {name: text.split("\n\n")[0].replace("\n", " ") for name, text in found.items()}


def test_the_list_of_commands_says_what_each_command_says_of_itself() -> None:
    """Where this fails, copy the first sentence of the command's docstring into ``cli.verbs``."""
    assert dict(sorted(commands_of(listed()).items())) == dict(sorted(commands_of(build()).items()))


def test_every_group_holds_its_commands_and_no_other() -> None:
    for group, verbs in GROUPS.items():
        program = build(next(iter(verbs)))
        assert sorted(commands_of(program)) == sorted(verbs), group


def test_no_paragraph_of_a_help_text_has_folds_of_its_own() -> None:
    whole: Any = typer.main.get_command(build())
    texts = [command.help or "" for command in whole.commands.values()]
    assert [text for text in texts if any("\n" in part for part in text.split("\n\n"))] == []


def test_help_of_the_whole_loads_no_command() -> None:
    told = "import sys\nfrom memwarden.cli.app import run\nrun(['--help'])\n"
    told += "sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True)
    loaded = set(done.stderr.decode().split())
    assert {f"memwarden.cli.{group}" for group in GROUPS} & loaded == set()
    assert b"reinstate" in done.stdout


def test_a_misspelt_command_is_told_which_one_is_near() -> None:
    told = "from memwarden.cli.app import run\nraise SystemExit(run(['rout']))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"route" in done.stderr
