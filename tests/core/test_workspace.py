"""A workspace that is asked each question once answers as the one below it did."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memwarden.core.workspace import FILE, Entry, Steady, Unreadable


class Asked:
    """A workspace that notes what it is asked."""

    name = "asked"

    def __init__(self) -> None:
        self.questions: list[str] = []

    def entry(self, path: str) -> Entry | None:
        self.questions.append(f"entry {path}")
        if path == "bad":
            raise Unreadable("no")
        return Entry(FILE, 1, "s") if path == "a.py" else None

    def read(self, path: str) -> bytes:
        self.questions.append(f"read {path}")
        return b"x"

    def paths(self, under: str = "", passing: frozenset[str] = frozenset()) -> Iterator[str]:
        self.questions.append(f"paths {under} {sorted(passing)}")
        return iter(["a.py"])

    def resolved(self, path: str) -> str:
        self.questions.append(f"resolved {path}")
        if path == "bad":
            raise Unreadable("leaves")
        return path

    def blob(self, path: str) -> str:
        return "b" * 40


def test_each_question_is_asked_once_and_has_one_answer() -> None:
    below = Asked()
    steady = Steady(below)
    for _ in range(2):
        assert steady.entry("a.py") == Entry(FILE, 1, "s")
        assert steady.entry("gone.py") is None
        assert list(steady.paths("src")) == ["a.py"]
        assert list(steady.paths("src", frozenset(["node_modules"]))) == ["a.py"]
        assert steady.resolved("a.py") == "a.py"
    assert len(below.questions) == len(set(below.questions)) == 5
    assert (steady.name, steady.blob("a.py")) == ("asked", "b" * 40)


def test_what_cannot_be_asked_stays_so_and_contents_are_read_anew() -> None:
    below = Asked()
    steady = Steady(below)
    for _ in range(2):
        with pytest.raises(Unreadable, match="no"):
            steady.entry("bad")
        with pytest.raises(Unreadable, match="leaves"):
            steady.resolved("bad")
        assert steady.read("a.py") == b"x"
    assert below.questions.count("entry bad") == below.questions.count("resolved bad") == 1
    assert below.questions.count("read a.py") == 2
