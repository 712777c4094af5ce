"""Whatever the text, it is found in every form in which our own formats write it, and can be read back."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memwarden.core.turn.lines import encode
from memwarden.edit.normal_texts import normal_form, normal_texts
from memwarden.edit.topic import Mark, Topic

pytestmark = pytest.mark.property

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Co", "Cn")), min_size=1, max_size=20).filter(
    lambda text: bool(normal_form(text))
)


def found(text: str, content: bytes) -> bool:
    return Topic([Mark(normal_form(text))]).in_content(content)


@given(TEXTS, st.text(st.sampled_from("ab \n\\%&"), max_size=8))
def test_a_text_is_found_in_what_holds_it(text: str, around: str) -> None:
    assert found(text, f"{around} {text} {around}".encode())
    assert found(text, f"{around} {text.upper()} ".encode()) or normal_form(text.upper()) != normal_form(text)


@given(TEXTS)
def test_a_text_is_found_in_json_yaml_and_private_lines(text: str) -> None:
    assert found(text, json.dumps({"x": f"a {text} b"}).encode())
    assert found(text, json.dumps({"x": f"a {text} b"}, ensure_ascii=False).encode())
    assert found(text, yaml.safe_dump({"x": f"a {text} b"}).encode())
    assert found(text, yaml.safe_dump({"x": f"a {text} b"}, allow_unicode=True, default_style='"').encode())
    assert found(text, encode([("told", f"a {text} b")]))


@given(st.binary(max_size=200))
def test_any_bytes_can_be_searched(data: bytes) -> None:
    assert not found("a text of quite some length that is not there", data)
    assert all(isinstance(text, str) for text in normal_texts(data))


@given(TEXTS)
def test_the_normal_form_is_its_own(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)
