"""No anchor is lost between the keys of a glob and the keys of a path that it matches."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memwarden.core.glob import matches
from memwarden.edge.index_read import keys_of_path
from memwarden.edge.reading.index_build import key_of_glob

NAME = st.text("ab.*?_[]\\ -x", min_size=1, max_size=10)
KNOWN = ["**", "*", "*.py", "test_retry*.py", "a.py", ".a", "src", "x.tar.gz"]
SEGMENT = st.one_of(st.sampled_from(KNOWN), NAME)
GLOB = st.builds(
    lambda lead, names, tail: lead + "/".join(names) + tail,
    st.sampled_from(["", "/"]),
    st.lists(SEGMENT, min_size=1, max_size=4),
    st.sampled_from(["", "/", " ", "/ "]),
)
PLAIN = st.sampled_from(["src", "a.py", ".a", "test_retry_more.py", "x.tar.gz", "a", "b.", "a.b_x"])
PATH = st.lists(st.one_of(PLAIN, st.text("ab._x -", min_size=1, max_size=10)), min_size=1, max_size=5)


@pytest.mark.property
@given(glob=GLOB, names=PATH)
@example(glob="src/**/*.py", names=["src", "a", "b.py"])
@example(glob="*.py", names=["odd.py", "inside.txt"])
@example(glob="src/a.py", names=["src", "a.py", "below"])
@example(glob="**/test_retry*", names=["t", "test_retry_more.py"])
def test_a_glob_that_matches_shares_a_key_with_the_path(glob: str, names: list[str]) -> None:
    path = "/".join(names)
    for form in (path, path + "/"):
        if matches(glob, form):
            assert key_of_glob(glob) in keys_of_path(form)


@pytest.mark.property
@given(names=PATH)
def test_a_literal_anchor_is_filed_under_its_whole_path(names: list[str]) -> None:
    path = "/".join(["top", *names])
    if matches(path, path) and not path.endswith(" "):
        assert key_of_glob(path) == "/p" + path
