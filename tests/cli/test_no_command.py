"""A line that names no command is wrong: its help is a message, on standard error, with exit 2."""

from __future__ import annotations

import pytest

from tests.conftest import Mem, Repo

GROUPS = (["import"], ["subject"])


@pytest.mark.parametrize("words", [[], *GROUPS], ids=" ".join)
def test_a_line_without_a_command_shows_the_help_as_a_message_and_is_wrong(
    words: list[str], mem: Mem
) -> None:
    ran = mem(*words)
    assert (ran.code, ran.out) == (2, "")
    assert f"Usage: {' '.join(['mem', *words])} [OPTIONS] COMMAND" in ran.err
    asked = mem(*words, "-h")
    assert (asked.code, asked.err) == (0, "")
    assert asked.out.split() == ran.err.split()


@pytest.mark.parametrize("words", GROUPS, ids=" ".join)
def test_a_line_without_a_command_is_one_object_where_json_is_asked_for(words: list[str], mem: Mem) -> None:
    for line in ([*words, "--json"], ["--json", *words]):
        ran = mem(*line)
        assert (ran.code, ran.json["error"]["message"]) == (2, "no command is given")
        assert ran.err == f"mem: no command is given\n  next: mem {words[0]} -h lists them\n"


def test_common_options_may_stand_anywhere_before_a_command_of_a_group(mem: Mem, memory_repo: Repo) -> None:
    told = mem("subject", "list", "--json").out
    assert mem("--json", "subject", "list").out == told
    assert mem("subject", "--json", "list").out == told
    assert mem("subject", "--now", "2026-11-30", "list", "--json").out == told
