"""The quick door and the plain way give the same bytes, for any memory and any words."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memwarden.cli import quick_route
from memwarden.cli.quick_route import taken_apart
from memwarden.core.route.request import Request
from memwarden.core.route.serving import serve
from memwarden.core.standing import standings
from memwarden.edge.index_read import open_index
from memwarden.edge.place import Place, find_place
from memwarden.edge.reading import index_build
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.shelf_index import pack_from_index
from memwarden.edge.writing.journal import journal_file
from memwarden.errors import MemError
from tests.conftest import MANIFEST, Repo, note_text
from tests.edge.asking import Ask
from tests.edge.index_ground import TODAY, planted, settled
from tests.edge.index_ground import one_program as one_program
from tests.edge.index_ground import that_day as that_day

pytestmark = pytest.mark.usefixtures("that_day")


def request(dice: random.Random) -> Request:
    def some(*values: str) -> tuple[str, ...]:
        return tuple(dice.sample(values, dice.randint(0, len(values))) if dice.random() < 0.5 else ())

    return Request(
        dice.choice(("plan", "implement", "Architecture", "nonsense")),
        some("sync"),
        some("release"),
        some("src/a.py", "src/sync/b.py", "src/sync/", "docs/x.md"),
        some("inbox", "archive/", "odd", "debts", "no-such-module"),
        dice.choice((None, None, 0, 60, 100_000)),
    )


def plainly(place: Place, asked: Request, today: str) -> str | None:
    memory = open_memory(place, cache=False)
    try:
        return serve(memory, standings(memory, today), asked, today).text
    except MemError:
        return None


def quickly(place: Place, asked: Request, today: str) -> str | None:
    try:
        found = pack_from_index(place, asked, today)
    except MemError:
        return None
    assert found is not None
    return found[0]


@pytest.mark.parametrize("seed", range(12))
def test_a_pack_out_of_the_index_is_the_pack_out_of_the_files(
    seed: int, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_build, "TRAY", 1 + seed % 4)
    place = planted(repo, seed)
    open_memory(place)
    dice = random.Random(seed)
    for _ in range(12):
        asked = request(dice)
        assert quickly(place, asked, TODAY) == plainly(place, asked, TODAY)


def test_another_day_than_the_standings_hold_for_is_left_to_the_plain_way(repo: Repo) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/decisions/a.md", note_text("A", expires="2999-01-01"))
    repo.commit("a")
    place = settled(find_place(str(repo.root)))
    open_memory(place)
    assert pack_from_index(place, Request("plan"), TODAY) is not None
    assert pack_from_index(place, Request("plan"), "2999-01-02") is None


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "memory/decisions/a.md").write_text("# Other\n"),
        lambda root: (root / "memory/decisions/new.md").write_text("# New\n"),
        lambda root: (root / "memory/manifest.md").write_text(MANIFEST.replace("total: 4000", "total: 1")),
    ],
    ids=["an edit", "a new note", "the manifest"],
)
def test_a_memory_that_changed_is_left_to_the_plain_way(change: Callable[[Path], object], repo: Repo) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/decisions/a.md", note_text("A"))
    repo.commit("a")
    place = settled(find_place(str(repo.root)))
    open_memory(place)
    change(repo.root)
    assert pack_from_index(place, Request("plan"), TODAY) is None


@pytest.mark.parametrize(
    "manifest",
    [
        MANIFEST + "\n## Tasks\n",
        MANIFEST.replace("- decisions/", "- ../x/"),
        MANIFEST.replace("protocol: 1", "protocol: 2"),
    ],
    ids=["a section twice", "a path that climbs", "a newer protocol"],
)
def test_a_manifest_that_does_not_route_is_left_to_the_plain_way(manifest: str, repo: Repo) -> None:
    repo.write("memory/manifest.md", manifest)
    repo.commit("a")
    place = settled(find_place(str(repo.root)))
    with suppress(MemError):
        open_memory(place)
    assert pack_from_index(place, Request("plan"), TODAY) is None


def test_a_change_that_was_cut_short_is_told_by_the_plain_way(ask: Ask, memory_repo: Repo) -> None:
    ask("route", "--task", "plan")
    place = find_place(str(memory_repo.root))
    assert journal_file(place) == f"{place.private}/{quick_route.JOURNAL}"
    Path(journal_file(place)).write_text("{}")
    assert not ask("route", "--task", "implement").again


def test_a_damaged_index_is_left_to_the_plain_way(repo: Repo) -> None:
    place = planted(repo, 3)
    open_memory(place)
    expected = plainly(place, Request("plan"), TODAY)
    file = Path(place.private, "index")
    whole = file.read_bytes()
    for at in range(0, len(whole), 23):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        found = pack_from_index(place, Request("plan"), TODAY)
        assert found is None or found[0] == expected
    assert open_index(place.private) is not None or expected is not None


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["--task", "plan"], Request("plan")),
        (["--task=plan", "--budget=7"], Request("plan", budget=7)),
        (["--path", "a", "--task", "plan", "--path=b"], Request("plan", paths=("a", "b"))),
        (
            ["--area", "x", "--profile", "y", "--include", "z", "--task", "t"],
            Request("t", ("x",), ("y",), (), ("z",)),
        ),
    ],
)
def test_plain_words_are_taken_apart(words: list[str], asked: Request) -> None:
    found = taken_apart(words)
    assert found is not None
    assert found.request == asked


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--json", "--task", "plan"],
        ["--task"],
        ["--task", "--json"],
        ["--task", "plan", "extra"],
        ["--task", "plan", "--budget", "-1"],
        ["--task", "plan", "--budget", "x"],
        ["--task", "plan", "--budget", "٣"],
        ["--task", "plan", "--now", "yesterday"],
        ["--task", "plan", "--explain"],
        ["--root", ".", "--task", "plan"],
        ["--", "--task", "plan"],
    ],
    ids=" ".join,
)
def test_other_words_are_left_to_the_parser(words: list[str]) -> None:
    assert taken_apart(words) is None


@pytest.mark.parametrize(
    "words",
    [
        ["--task", "plan", "--path", "src/a.py"],
        ["--task", "planning", "--budget", "200"],
        ["--task", "implement", "--now", "2026-12-24"],
        ["--task", "plan", "--include", "inbox"],
    ],
    ids=" ".join,
)
def test_a_new_question_is_answered_at_once_with_the_plain_ways_bytes(
    words: list[str],
    ask: Ask,
    memory_repo: Repo,
) -> None:
    plain = ask("route", *words, "--no-color")
    quick = ask("route", *words)
    assert quick.again
    assert not plain.again
    assert quick.said == plain.said
    assert ask("route", *words).said == plain.said


def test_a_wrong_word_is_said_by_the_plain_way(ask: Ask) -> None:
    ask("route", "--task", "plan")
    told = ask("route", "--task", "plann")
    assert (told.code, told.again) == (2, False)
    assert b"did you mean plan" in told.err
