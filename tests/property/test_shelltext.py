"""No text breaks the shell reader, and quoting a command hides it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.core.shell.powershell import as_posix_text
from memwarden.core.shell.shellpaths import touches_of

pytestmark = pytest.mark.property

MARKS = """' \" \\ ` $( ) ( ${ } { ; && | & > < # [[ ]] $(( )) a=( $' <( - = ~ *"""
NAMES = "case in esac cd sudo bash -c ssh h eval rm f git checkout -- env -S E \0 é \ud800"
PIECES = st.sampled_from([*MARKS.split(), *NAMES.split(), " ", "\n", "\t", "<<E\n", "E\n"])


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=200))
@settings(max_examples=400, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    touches = touches_of(text)
    assert all(command.strip() == command or command for command in touches.commands)
    assert not set(touches.reads) & set(touches.writes)
    touches_of(as_posix_text(text))


@given(st.text(st.characters(exclude_characters="'\0"), max_size=40))
@settings(deadline=None)
def test_single_quoted_text_is_never_a_command(text: str) -> None:
    touches = touches_of(f"printf '{text}'")
    assert len(touches.commands) == 1
    assert not touches.writes


@given(st.lists(st.sampled_from(["make", "npm publish", "ls -l"]), min_size=1, max_size=6))
@settings(deadline=None)
def test_every_joined_command_is_found(parts: list[str]) -> None:
    for joint in (" && ", "; ", "|", "\n", " || ", " & "):
        assert list(touches_of(joint.join(parts)).commands) == list(dict.fromkeys(parts))
