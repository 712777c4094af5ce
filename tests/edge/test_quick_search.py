"""A search through the quick door finds what the plain way finds, and says it in the same bytes."""

from __future__ import annotations

import random

import pytest

from memwarden.cli.quick_search import Words, taken_apart
from memwarden.core.choosing import Wanted, choose
from memwarden.core.containing import compared
from memwarden.core.standing import standings
from memwarden.edge.index_read import open_index
from memwarden.edge.place import Place, find_place
from memwarden.edge.reading import index_build, text_search
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.text_search import rows_with
from memwarden.edit.note_reader import body_of
from tests.conftest import Repo, note_text
from tests.edge.asking import Ask
from tests.edge.index_ground import TODAY, planted, settled
from tests.edge.index_ground import one_program as one_program

TEXTS = (
    *(
        "words",
        "Words  words",
        "NOTE",
        "題",
        "ｗｏｒｄｓ",
        "service",
        "n-0000000",
        "src",
        "notthere",
        "e",
        "-",
    ),
    *(
        "---",
        "the retry",
        "ＦＩＮＥ",
        "fine",
        "strasse",
        "re\u0301sume",
        "résumé",
        "同步",
        "한글",
        "1/2",
        "K",
    ),
    *("ΣΊΣΥΦΟΣ", "'", "\u1fb3", "α", "a\u0345", "\u0345", "x y"),
)
BODIES = (
    *(
        "The\n  RETRY queue",
        "a ﬁne thing",
        "Ｆｉｎｅ",
        "Straße",
        "re\u0301sume\u0301",
        "résumé",
        "必须同步窗口",
    ),
    *("\u1112\u1161\u11ab\u1100\u1173\u11af", "half ½", "\u212a", "Σίσυφος", "a — b", "---", "x\r\ny"),
    *("ᾳ", "α\u0345", "\ufeffwords", "no\u00a0break", "\\u0066ine", ""),
)


def spoken(repo: Repo, seed: int) -> Place:
    dice = random.Random(seed)
    place = planted(repo, seed)
    for number in range(dice.randint(0, 25)):
        title, body = dice.choice(BODIES) or "No title", "\n\n".join(dice.choices(BODIES, k=3))
        repo.write(f"memory/preferences/said-{number}.md", f"# {title}\n\n{body}")
        tags = dice.choice(("[fine, 同步]", "[Ｋ]", ""))
        text = note_text("Said", body, id=f"n-5a1d{number:04d}", subject=f"path:s{number}", tags=tags)
        repo.write(f"memory/debts/said-{number}.md", text)
    return settled(place)


@pytest.mark.parametrize("seed", range(12))
def test_the_quick_door_finds_what_the_plain_way_finds(
    seed: int, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_build, "HEADS", 1 + seed % 5)
    monkeypatch.setattr(text_search, "HEADS", 1 + seed % 5)
    monkeypatch.setattr(text_search, "PIECE", (1 << 20, 300)[seed % 2])
    monkeypatch.setattr(text_search, "WORTH_A_SIEVE", (1 << 17, 0)[seed // 2 % 2])
    monkeypatch.setattr(text_search, "FIRST_READ", (1 << 15, 7)[seed // 4 % 2])
    place = spoken(repo, seed)
    memory = open_memory(place)
    reader = open_index(place.private)
    assert reader is not None
    found = standings(memory, TODAY)
    for text in TEXTS:
        wanted = Wanted(text=text)
        plainly = choose(memory, found, wanted, lambda note: body_of(memory.workspace.read(note.path)))
        quickly = [row[0] for row in rows_with(reader, place.root, compared(text))]
        assert quickly == [note.path for note in plainly], text


@pytest.mark.parametrize("more", [(), ("--json",), ("-q",), ("--now", TODAY)])
def test_both_say_the_same_bytes_on_both_streams(more: tuple[str, ...], repo: Repo, ask: Ask) -> None:
    spoken(repo, 7)
    repo.write("memory/debts/unfit.md", note_text("Said by nobody", facet="nonsense", id="n-0unf1t0"))
    token = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
    repo.write("memory/debts/leak.md", note_text(f"Leaky {token}", facet="security", id="n-000001ea"))
    settled(find_place(str(repo.root)))
    ask("status")  # so that there is an index
    assert token.encode() not in ask("search", "Leaky", *more).out
    for text in ("words", "Said", "notthere", "同步", "Leaky"):
        plain = ask("search", "--root", ".", text, *more)
        quick = ask("search", text, *more)
        assert quick.again
        assert not plain.again
        assert quick.said == plain.said
        assert ask("search", text, *more).said == plain.said


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["a b"], Words("a b")),
        (["--json", "a"], Words("a", json=True)),
        (["a", "-q", "--no-color", "--now", TODAY], Words("a", TODAY, quiet=True, color=False)),
        (["--now=2026-01-01", "a"], Words("a", "2026-01-01")),
    ],
)
def test_plain_words_are_taken_apart(words: list[str], given: Words) -> None:
    assert taken_apart(words) == given


@pytest.mark.parametrize(
    "words",
    [[], [""], [" "], ["a", "b"], ["--", "a"], ["-x"], ["a", "--now", "x"], ["a", "--now"], ["--jsn", "a"]],
)
def test_other_words_are_left_to_the_parser(words: list[str]) -> None:
    assert taken_apart(words) is None


def test_a_note_that_was_edited_is_found_by_the_plain_way(ask: Ask, memory_repo: Repo) -> None:
    ask("status")
    assert ask("search", "never said before").again
    memory_repo.write("memory/debts/flaky.md", note_text("Flaky", "Never said before.", id="n-cccccccc"))
    found = ask("search", "never said before")
    assert not found.again
    assert b"n-cccccccc" in found.out
