"""A newer protocol stops everything before anything else is read."""

from __future__ import annotations

import pytest

from memwarden.core.protocol import protocol_of, require_protocol
from memwarden.errors import EXIT_USAGE, UsageError


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"---\nprotocol: 1\n---\n", (1, 2)),
        (b"\xef\xbb\xbf---\r\nproject: x\r\nprotocol: 2\r\n---\r\n", (2, 3)),
        (b"---\nprotocol: '3' # soon\n---\n", (3, 2)),
        (b"---\nx:\n  protocol: 9\n---\n", (0, 0)),
        (b"---\nx: 1\n---\nprotocol: 9\n", (0, 0)),
        (b"# no frontmatter\nprotocol: 9\n", (0, 0)),
        (b"---\nprotocol: soon\n---\n", (0, 0)),
        (b"", (0, 0)),
    ],
)
def test_protocol_is_one_line_of_the_frontmatter(data: bytes, found: tuple[int, int]) -> None:
    assert protocol_of(data) == found


def test_newer_protocol_is_refused_and_named() -> None:
    with pytest.raises(UsageError, match=r"memory/manifest\.md:2: protocol 2 is newer") as refused:
        require_protocol(b"---\nprotocol: 2\nnew: {syntax: &x !y}\n---\n")
    assert refused.value.exit_code == EXIT_USAGE


def test_our_own_protocol_is_accepted() -> None:
    require_protocol(b"---\nprotocol: 1\n---\n")


@pytest.mark.parametrize("protocol", ["9" * 12, "9" * 5000, "0" * 30 + "2"])
def test_a_protocol_of_many_digits_is_newer_too(protocol: str) -> None:
    with pytest.raises(UsageError, match="is newer"):
        require_protocol(f"---\nprotocol: {protocol}\n---\n".encode())
    require_protocol(b"---\nprotocol: 0000000000000000000000001\n---\n")
