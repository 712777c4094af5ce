"""What a person may have meant is told in one line, or done where it is harmless."""

from __future__ import annotations

import pytest

from memwarden.cli.guesses import OTHER_WORDS, VERBS, as_meant
from memwarden.cli.verbs import PANELS
from tests.conftest import Mem, Repo


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("help", "--help"),
        ("help add", "add --help"),
        ("help subject add", "subject add --help"),
        ("version", "--version"),
        ("-V", "--version"),
        ("--json list", "list --json"),
        (
            "--root x --now=2026-11-30 -q list --facet security",
            "list --root x --now=2026-11-30 -q --facet security",
        ),
        ("list --json", "list --json"),
        ("add help", "add help"),
        ("--quiet", ""),
        ("--quiet --help", "--help"),
        ("--nonsense list", "--nonsense list"),
        ("", ""),
    ],
)
def test_a_command_line_is_read_as_it_was_meant(typed: str, meant: str) -> None:
    assert as_meant(typed.split()) == meant.split()


@pytest.mark.usefixtures("memory_repo")
def test_common_options_work_before_the_command_as_after_it(mem: Mem, repo: Repo) -> None:
    assert mem("--json", "list") == mem("list", "--json")
    assert mem("--root", ".", "--now", "2026-11-30", "route", "--task", "plan").code == 0
    assert mem("--json", "add", "A claim", "--apply").json["applied"]


@pytest.mark.usefixtures("memory_repo")
def test_help_and_version_answer_under_every_usual_name(mem: Mem) -> None:
    assert mem("help").out == mem("--help").out
    assert mem("help", "add").out == mem("add", "--help").out
    assert mem("version") == mem("-V") == mem("--version")


@pytest.mark.parametrize("word", OTHER_WORDS)
def test_another_programs_word_names_our_command_in_one_line(mem: Mem, word: str) -> None:
    ran = mem(word, "x")
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert word not in VERBS
    assert any(f"mem {verb} " in ran.err for verb in VERBS)


@pytest.mark.usefixtures("memory_repo")
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("add flaky test --anchor x", 'mem add "flaky test"'),
        ("search flaky test", 'mem search "flaky test"'),
        ("route plan", "mem route --task plan"),
        ("route --task plan --explain src/x.py --path y", "mem route --task TASK --path src/x.py"),
        ("diff main fix", "mem diff main..fix"),
        ("list owed", "mem list --standing owed"),
        ("list debt", "mem list --lifecycle debt"),
        ("list retry", "mem list --text retry"),
        ("debts retry", "mem show retry"),
    ],
)
def test_words_that_are_too_many_are_told_where_they_belong(mem: Mem, typed: str, told: str) -> None:
    ran = mem(*typed.split())
    assert ran.code == 2
    assert ran.err.splitlines()[-1].endswith(told)
    assert mem(*typed.split(), "--json").json["error"]["exit"] == 2


def test_json_alone_is_one_sound_object(mem: Mem) -> None:
    ran = mem("--json")
    assert ran.code == 2
    assert ran.json["schema"] == "mem.error/1"
    assert "mem -h" in ran.json["error"]["next_step"]


def test_every_command_stands_in_one_panel_of_the_help() -> None:
    names = [name for panel in PANELS.values() for name in panel]
    assert sorted(names) == sorted(VERBS)


def test_the_help_shows_the_panels(mem: Mem) -> None:
    shown = mem("-h").out
    at = [shown.index(f"\n{panel}:\n") for panel in PANELS]
    assert at == sorted(at)
    assert all(f"\n  {name} " in shown for names in PANELS.values() for name in names)


@pytest.mark.parametrize(
    "words", [["-h"], ["list", "-h"], ["subject", "-h"], ["subject", "rename", "-h"], []]
)
def test_the_help_draws_no_boxes_but_on_a_terminal(words: list[str], mem: Mem) -> None:
    ran = mem(*words)
    assert "Usage: mem" in ran.out + ran.err
    assert (ran.out + ran.err).isascii()
