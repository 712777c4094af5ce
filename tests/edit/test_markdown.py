"""Titles and unclosed fences, as CommonMark has them."""

from __future__ import annotations

import pytest

from memwarden.edit.markdown import first_heading, heading_lines, unclosed_fence


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("# A\n", "A"),
        ("\n\n  # A ##\n", "A"),
        ("#\tA", "A"),
        ("# A\r\nb\r\n", "A"),
        ("# foo \\#", "foo \\#"),
        ("A\n===\n", "A"),
        ("A\nB\n=\n", "A B"),
        ("text\n# A\n", "A"),
        ("## B\n\n# A\n", "A"),
        ("```\n# no\n```\n# A\n", "A"),
        ("~~~\n```\n# no\n~~~\n# A\n", "A"),
        ("````\n```\n# no\n````\n# A\n", "A"),
        ("<!--\n# no\n-->\n\n# A\n", "A"),
        ("`<!--`\n\n# A\n", "A"),
        ("> # no\n\n# A\n", "A"),
        ("- # no\n\n# A\n", "A"),
        ("    # no\n", ""),
        ("#no\n", ""),
        ("##\n", ""),
        ("#\n", ""),
        ("```\n# no\n", ""),
        ("plain", ""),
        ("", ""),
        ("Options\n-------\n", ""),
    ],
)
def test_title_is_the_first_h1_of_the_body(body: str, title: str) -> None:
    assert first_heading(body) == title


def test_heading_lines_span_a_setext_title() -> None:
    assert heading_lines("x\n\nA\nB\n===\n") == (2, 5)
    assert heading_lines("plain") is None


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("# A\n\n```\nx\n\n## Gamma\n", 3),
        ("~~~\n```\n## Gamma\n", 1),
        ("````\n```\n## Gamma\n", 1),
        ("```\n## a\n~~~\n", 1),
        ("```\nx\n```\n\n```\n# y\n", 5),
        ("```\nx\n```\n## G\n", 0),
        ("~~~\n```\n~~~\n## G\n", 0),
        ("````\n```\n````\n## G\n", 0),
        ("- ```\n  x\n  ```\n\n## G\n", 0),
        ("> ```\n> x\n\n## G\n", 0),
        ("```\nno heading follows\n", 0),
        ("```inline``` code\n\n## G\n", 0),
        ("\r\n```\r\nx\r\n## G\r\n", 2),
        ("no fence\n", 0),
    ],
)
def test_fence_that_swallows_a_heading_is_named_by_its_line(body: str, line: int) -> None:
    assert unclosed_fence(body) == line
