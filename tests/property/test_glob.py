"""The light matcher and pathspec are two readings of one law."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from memwarden.core.glob import check_glob, literal_prefix, matches
from memwarden.edge.index_read import glob_matches

names = st.sampled_from(["a", "b", "ab", "abc", "a.py", "b.py", "-", "]", "src", "日", "a b", "*", "!a", "#"])
paths = st.lists(names, min_size=1, max_size=5).map("/".join)
pieces = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "c",
        ".py",
        "*",
        "*",
        "?",
        "**",
        "[ab]",
        "[a-c]",
        "[]-]",
        "src",
        "日",
        " ",
        "\\*",
        "\\a",
        "-",
    ]
)
segments = st.lists(pieces, min_size=1, max_size=4).map("".join) | st.just("**")
globs = st.builds(
    lambda lead, parts, trail: lead + "/".join(parts) + trail,
    st.sampled_from(["", "/"]),
    st.lists(segments, min_size=1, max_size=4),
    st.sampled_from(["", "/"]),
)


@pytest.mark.property
@given(globs, paths)
def test_matcher_agrees_with_pathspec(glob: str, path: str) -> None:
    # ``x/**/`` is only folders for git and for us; pathspec takes files too.
    assume(not glob.endswith("/**/"))
    assume(glob == glob.rstrip())
    assume(check_glob(glob) is None)
    assert matches(glob, path) == GitIgnoreSpec.from_lines([glob]).match_file(path)


@pytest.mark.property
@given(globs | paths | paths.map(lambda folder: folder + "/**"), paths | paths.map(lambda path: path + "/"))
def test_a_touchs_glance_at_a_glob_agrees_with_the_matcher(glob: str, path: str) -> None:
    assert glob_matches(glob, path) == matches(glob, path)


@pytest.mark.property
@given(globs, paths)
def test_every_match_starts_with_the_literal_prefix(glob: str, path: str) -> None:
    prefix = literal_prefix(glob)
    if prefix and matches(glob, path):
        assert path == prefix or path.startswith(prefix + "/")


@pytest.mark.property
@given(st.text(max_size=30), st.text(max_size=30))
def test_no_text_makes_the_matcher_fail(glob: str, path: str) -> None:
    assert matches(glob, path) in (True, False)
    check_glob(glob)
