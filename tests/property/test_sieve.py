"""The sieve never passes by what a full reading finds, whatever way it is written in."""

from __future__ import annotations

import random
import sys
from unicodedata import normalize

import pytest

from memwarden.edit.normal_texts import normal_form, normal_texts
from memwarden.edit.sieve import CHANGING, folded, run_of
from memwarden.edit.topic import Mark, Topic
from tests.property.spellings import spelt

pytestmark = pytest.mark.property

TEXTS = (
    "Frobnicate", "straße", "quay", "office no 5", "Müller GmbH", "同步窗口", "がぎ", "한국어", "Москва",
    "tm", "ΐος", "é1", "x86_64", "ﬁnal", "İzmir", "ŉa", "½ cup", "a-b_c", "㍿",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_what_a_full_reading_finds_is_in_the_sieve(text: str) -> None:
    dice = random.Random(text)
    topic = Topic([Mark(normal_form(text))])
    found = 0
    for _ in range(400):
        data = f"x {spelt(dice, dice.choice((text, normal_form(text))))} y".encode("utf-8", "surrogatepass")
        if dice.random() < 0.05:
            data = data.decode("utf-8", "replace").encode("utf-16")
        if any(map(topic.in_normal, normal_texts(data))):
            found += 1
            assert topic.sieve is None or topic.sieve.search(data), data
            assert topic.in_content(data), data
    assert found > 20


def test_every_character_that_changes_is_known() -> None:
    known = {chr(code) for first, last in CHANGING for code in range(first, last + 1)}
    chars = [chr(code) for code in range(0x80, sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    assert [char for char in chars if normal_form(char) not in (char, "") and char not in known] == []


def test_every_character_that_brings_a_letter_of_ascii_is_known() -> None:
    known = folded(True)
    chars = [chr(code) for code in range(0x80, sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    forms = {char: normalize("NFKC", normalize("NFKC", char).casefold()) for char in chars}
    bringing = {char: form for char, form in forms.items() if any(c.isascii() and c.isalnum() for c in form)}
    assert {char: known.get(char) for char in bringing} == bringing


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_found_among_many_contents_is_what_is_found_in_each(text: str) -> None:
    dice = random.Random(f"many {text}")
    topic = Topic([Mark(normal_form(text))], ["n-4f7k2m9q"])
    for _ in range(60):
        contents = []
        for number in range(dice.randrange(1, 40)):
            said = dice.choice(
                ("", "x", "\n", spelt(dice, text), text[:2], text[-2:], "n-4f7k", "2m9q", "n-4f7k2m9q")
            )
            data = said.encode(dice.choice(("utf-8", "utf-8", "utf-8", "utf-16")), "surrogatepass")
            contents.append((f"{number}", data))
        clear: list[tuple[str, bytes]] = []
        sifted = list(topic.sifted(contents, clear.extend))
        assert sorted(sifted + clear) == sorted(contents) or topic.sieve is None
        holding = [
            one for one in contents if topic.names(one[1]) or any(map(topic.in_normal, normal_texts(one[1])))
        ]
        assert [one for one in sifted if one in holding] == holding


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("daily frobnicate", "frobnicate"),
        ("müller", "ller"),
        ("同步 ab", "同步"),
        ("éé", ""),
        ("がぎ", ""),
        ("---", ""),
        ("ι", ""),
        ("한 b", "한"),
    ],
)
def test_a_run_has_no_letter_that_its_neighbours_make(text: str, run: str) -> None:
    assert run_of(text) == run
    assert not run or normalize("NFC", run) == run
