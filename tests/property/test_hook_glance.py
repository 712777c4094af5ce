"""A glance at a shell text never misses a path that the lexer finds."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.edge.place import Place
from memwarden.edge.tree.touched_paths import touches
from memwarden.hook import paths_of, words_of

pytestmark = pytest.mark.property

WORDS = (
    *(
        "a.py",
        "src/x.py",
        "./b",
        "../c",
        "d e.py",
        "cat",
        "é.py",
        "rm",
        "mv",
        "cp",
        "tee",
        "sed",
        "-i",
        "s/a/b/",
    ),
    *("git", "checkout", "--", "restore", "cd", "src", "/usr/bin/cp", "-C", "of=out.bin", "dd", "sudo"),
    *("A=1", "bash", "-c", "grep", "-n", "x", "sort", "-o", "timeout", "5", "xargs", "touch", "python"),
    *("env", "t.py", "--output=o.txt", "curl", "awk", "inplace", "-"),
)
GLUE = [
    " ",
    "  ",
    "\n",
    ";",
    " && ",
    "|",
    " || ",
    " > ",
    ">>",
    "<",
    "2>",
    " & ",
    "(",
    ")",
    '"',
    "'",
    "=",
    "\\",
    "$",
    "*",
]
TEXTS = st.lists(st.sampled_from([*WORDS, *GLUE, *[" "] * 20]), max_size=14).map("".join)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    root = os.path.realpath(tmp_path_factory.mktemp("place"))
    os.mkdir(root + "/src")  # a folder that a command may take away with its file
    with open(root + "/src/x.py", "w"):
        pass
    return Place(root, root + "/.git", root + "/.git")


@given(text=TEXTS)
def test_every_path_of_the_lexer_is_among_the_words(place: Place, text: str) -> None:
    glanced = words_of(text)
    if glanced is None:
        return
    found = touches(place, command=text, cwd=place.root)
    named = {path for word in glanced for path in paths_of(place.root, place.root, word)}
    assert set(found.writes) | set(found.reads) <= named
