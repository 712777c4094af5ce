"""An interrupt waits while files are written: what was begun stands whole before the program ends."""

from __future__ import annotations

from _signal import (  # type: ignore[import-not-found]  # built in; `signal` itself loads `enum`
    SIG_BLOCK,
    SIG_SETMASK,
    SIGINT,
    pthread_sigmask,
)
from contextlib import contextmanager

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def held_back() -> Iterator[None]:
    """Let an interrupt be heard only at the end; also as a decorator."""
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)
