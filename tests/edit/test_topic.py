"""A topic is found through case, width, white space and escapes, and only where it stands."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from memwarden.core.identity import slug
from memwarden.edit.normal_texts import normal_form
from memwarden.edit.topic import PATH, TITLE, Mark, Topic

EVENT = '{\n  "kind": "%s",\n  "note": "n-aaaaaaaa",\n  "seq": 1\n}\n'


def topic(text: str, kind: str = "text", whole: bool = False) -> Topic:
    return Topic([Mark(normal_form(text), kind, whole)])


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Retry policy", b"the RETRY   Policy"),
        ("Retry policy", b"the retry\n  policy of ours"),
        ("Retry policy", "the Retry\u00a0policy".encode()),
        ("stra\u00dfe", b"STRASSE"),
        ("caf\u00e9", "cafe\u0301".encode()),
        ("caf\u00e9", json.dumps("un caf\u00e9").encode()),
        ("\U0001f600 day", json.dumps("\U0001f600 day").encode()),
        ("a\nb", json.dumps("a\nb").encode()),
        ('say "no"', json.dumps('say "no"').encode()),
        ('say "no"', json.dumps(json.dumps('say "no"')).encode()),
        ("caf\u00e9", b"'un caf\\xe9'"),
        ("retry policy", b'key: "retry \\\n  policy"'),
        ("retry policy", quote("retry policy").encode()),
        ("100% sure", b"evidence\t100%25 sure"),
        ("R&D plan", b"<p>R&amp;D plan</p>"),
        ("oil", "the oil".encode("utf-16")),
        ("oil", b"\xff\xfe\x00 oil \x00".replace(b"\xff\xfe", b"\x80")),
        ("oil", b"\xef\xbb\xbfoil"),
    ],
)
def test_a_text_is_found_however_it_is_written(text: str, content: bytes) -> None:
    assert topic(text).in_content(content)


@pytest.mark.parametrize(
    "content", [b"", b"retry the policy", b"retrypolicy", b"\\u00", b"100%", b"&#xZZ;", b"\\"]
)
def test_other_content_is_not_found(content: bytes) -> None:
    assert not topic("retry policy").in_content(content)


def test_a_title_counts_as_whole_words_only() -> None:
    found = topic("go on", TITLE, whole=True)
    assert found.in_content(b"We go on.")
    assert found.in_content(b"cargo on; go on")
    assert not found.in_content(b"cargo one")


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("Retry policy!", "retry-policy-4f7k2m9q.md", True),
        ("Caf\u00e9 opening", "cafe-opening-4f7k2m9q.md", True),
        ("retry", "Retry.md", True),
        ("oil!", "boiler.md", False),
        ("oil!", "the-oil-can.md", True),
        ("retry policy", "retry-of-a-policy.md", False),
    ],
)
def test_a_name_holds_a_text_or_its_slug(text: str, name: str, found: bool) -> None:
    assert topic(text).in_name(name) is found


def test_a_note_and_its_events_are_about_it_and_what_forgetting_leaves_is_not() -> None:
    found = Topic((), ["n-aaaaaaaa"])
    assert found.is_about(b"---\nid: n-aaaaaaaa\n---\n# x\n")
    assert found.is_about(b"---\r\nid: 'n-aaaaaaaa'\r\n---\r\n")
    assert found.is_about((EVENT % "paid").encode())
    assert found.is_about(b'{"kind":"paid","note":"n-aaaaaaaa"}')
    assert not found.is_about((EVENT % "purged").encode())
    assert not found.is_about((EVENT % "forgotten").encode())
    assert not found.is_about(b"---\nid: n-bbbbbbbb\nsupersedes: [n-aaaaaaaa]\n---\n# n-aaaaaaaa\n")


def test_many_notes_are_looked_for_at_once() -> None:
    ids = [f"n-{number:08d}" for number in range(20)]
    assert Topic((), ids).is_about(b"---\nid: n-00000017\n---\n")
    assert not Topic((), ids).is_about(b"---\nid: n-00000020\n---\n")


def test_an_empty_topic_is_nowhere() -> None:
    assert not Topic(())
    assert not Topic([Mark("")]).in_content(b"anything")
    assert not Topic(()).in_name("anything")


def test_a_topic_without_some_kinds_keeps_its_notes() -> None:
    both = Topic([Mark("a title", TITLE), Mark("x.md", PATH), Mark("words")], ["n-aaaaaaaa"], ["memory/x.md"])
    rest = both.without(TITLE, PATH)
    assert [mark.text for mark in rest.marks] == ["words"]
    assert (rest.ids, rest.paths) == (both.ids, both.paths)


def test_the_slug_of_a_long_title_is_found_though_it_is_cut_off() -> None:
    title = "a b c d e f g h i j k l m n o p q r s t u v w x y z and so on internationalisation"
    assert topic(title, TITLE, whole=True).in_name(f"memory/decisions/{slug(title)}-4f7k2m9q.md")
