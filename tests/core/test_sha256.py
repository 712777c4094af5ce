"""The quick SHA-256 is the public one."""

from __future__ import annotations

import hashlib

import pytest

from memwarden.core.canonical import hex_digest
from memwarden.core.sha256 import sha256


@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 1000, 1 << 20])
def test_it_gives_what_hashlib_gives(size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    assert sha256(data[:size]).hexdigest() == hashlib.sha256(data[:size]).hexdigest()
    assert hex_digest(data[:size]) == hashlib.sha256(data[:size]).hexdigest()
