"""One value can be put in or taken out of a JSON text, and every other byte stays."""

from __future__ import annotations

import json

import pytest

from memwarden.hosts import json_text
from memwarden.hosts.json_text import NotEditable, adding, children, insert, root, take_out, without

TEXTS = [
    "{}",
    "{ }",
    "{\n}\n",
    '{"a": 1}',
    '{"a":[1,2],"b":{}}',
    '{\n  "a": 1\n}\n',
    '{\n\t"a": {\n\t\t"b": []\n\t}\n}',
    '{\r\n    "a": [\r\n        1\r\n    ]\r\n}\r\n',
    '\n\n  {\n      "a": "x, ] } \\" y"\n  }   \n',
]


@pytest.mark.parametrize("text", TEXTS)
def test_added_member_is_there_and_taking_the_span_out_gives_the_text_back(text: str) -> None:
    insertion = adding(text, root(text), [("new", {"k": ["é", {"n": 1}]}), ("other", 2)])
    grown, spans = insert(text, [insertion])
    assert json.loads(grown) == {**json.loads(text), "new": {"k": ["é", {"n": 1}]}, "other": 2}
    assert take_out(grown, spans) == text


@pytest.mark.parametrize("text", TEXTS)
def test_removing_what_was_added_by_position_gives_the_same_value(text: str) -> None:
    grown, _ = insert(text, [adding(text, root(text), [("new", [1])])])
    number = len(children(grown, root(grown))) - 1
    assert json.loads(without(grown, root(grown), [number])) == json.loads(text)


def test_indentation_and_line_ends_are_the_text_s_own() -> None:
    text = '{\r\n\t"a": 1\r\n}\r\n'
    grown, _ = insert(text, [adding(text, root(text), [("b", {"c": 1})])])
    assert grown == '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 1\r\n\t}\r\n}\r\n'


def test_one_line_stays_one_line() -> None:
    grown, _ = insert('{"a": 1}', [adding('{"a": 1}', 0, [("b", [2])])])
    assert grown == '{"a": 1, "b": [2]}'


@pytest.mark.parametrize("gone", [[0], [1], [2], [0, 2], [1, 2], [0, 1, 2]])
def test_elements_are_removed_wherever_they_stand(gone: list[int]) -> None:
    text = "[\n  1,\n  2,\n  3\n]"
    kept = [number + 1 for number in range(3) if number not in gone]
    assert json.loads(without(text, 0, gone)) == kept


def test_several_insertions_keep_their_own_spans() -> None:
    text = '{"a": [1], "b": [2]}'
    a, b = children(text, 0)
    grown, spans = insert(text, [adding(text, b.value, [("", 4)]), adding(text, a.value, [("", 3)])])
    assert json.loads(grown) == {"a": [1, 3], "b": [2, 4]}
    assert take_out(grown, spans) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "3",
        "{",
        '{"a": 1,}',
        '{"a": 1} // c',
        "/* c */ {}",
        '{"a": 1, "a": 2}',
        "{'a': 1}",
        "{" * 9999,
    ],
)
def test_text_that_is_not_a_plain_object_is_refused(text: str) -> None:
    with pytest.raises(NotEditable):
        json_text.parse(text)


def test_refusal_names_the_line() -> None:
    with pytest.raises(NotEditable, match="line 3"):
        json_text.parse('{\n  "a": 1,\n  // comment\n}')
