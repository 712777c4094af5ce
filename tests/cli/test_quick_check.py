"""The quick door of ``check`` takes words apart as the parser does, or leaves them to it."""

from __future__ import annotations

from itertools import combinations

import pytest

from memwarden.cli import app, quick_check
from memwarden.cli.check_request import Wanted
from memwarden.cli.quick_check import taken_apart
from memwarden.cli.stage import Common
from tests.conftest import Mem, Repo

FLAGS = ("--staged", "--strict", "--json", "-q", "--no-color")


@pytest.mark.parametrize(
    ("words", "common", "wanted"),
    [
        ([], Common(), Wanted()),
        (["--staged"], Common(), Wanted(staged=True)),
        (["--strict", "-q"], Common(quiet=True), Wanted(strict=True)),
        (["--json", "--no-color", "--quiet"], Common(json=True, quiet=True, color=False), Wanted()),
        (["--now", "2026-11-30"], Common(now="2026-11-30"), Wanted()),
        (["--now=2026-11-30", "--staged"], Common(now="2026-11-30"), Wanted(staged=True)),
    ],
)
def test_words_are_taken_apart(words: list[str], common: Common, wanted: Wanted) -> None:
    assert taken_apart(words) == (common, wanted)


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["-h"],
        ["memory"],
        ["--at", "HEAD"],
        ["--format", "json"],
        ["--allow-commands"],
        ["--root", "."],
        ["--now"],
        ["--now", "soon"],
        ["--json=yes"],
        ["--nonsense"],
    ],
)
def test_what_is_not_plainly_right_is_left_to_the_parser(words: list[str]) -> None:
    assert taken_apart(words) is None


@pytest.mark.parametrize("with_memory", [True, False])
def test_both_doors_say_the_same(
    repo: Repo,
    inside: Mem,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    with_memory: bool,
) -> None:
    if with_memory:
        inside("init")
        repo.write("memory/brief.md", "---\nid: n-aaaaaaaa\nfacet: vibes\n---\n# One\n")
        repo.git("add", "memory")
    monkeypatch.chdir(repo.root)
    for count in range(len(FLAGS) + 1):
        for flags in combinations(FLAGS, count):
            words = ["check", *flags, "--now", "2026-11-30"]
            told = []
            for run in (app.run, quick_check.run):
                capfd.readouterr()
                told.append((run(words), *capfd.readouterr()))
            assert told[0] == told[1], words
