"""Who the peers are, and which of their commands stands next to which of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from benchmarks.peers import forms
from benchmarks.peers.facts import QUESTION, WORD
from benchmarks.peers.forms import Planter, prompted, started


class Row(NamedTuple):
    """One command of a peer.  ``ours`` names the commands of ours beside it; ``proof`` has to stand in what
    it prints (``None``: it has to print nothing), and ``ends`` are the exit codes of having done its work."""

    name: str
    ours: tuple[str, ...]
    words: tuple[str, ...]
    proof: bytes | None
    stdin: Callable[[str, int], bytes] | None = None
    ends: tuple[int, ...] = (0,)


class Peer(NamedTuple):
    """``distribution`` is empty for a program that the package index does not have; ``python`` is the
    oldest version of Python that it installs under, and ``most`` the largest memory that it is given: where
    indexing ten thousand notes takes it longer than a run may, a thousand."""

    name: str
    distribution: str
    version: str
    licence: str
    script: str
    plant: Planter
    rows: tuple[Row, ...]
    python: tuple[int, int] = (3, 11)
    most: int = 1 << 30
    env: tuple[tuple[str, str], ...] = ()


def _start(root: str, number: int) -> bytes:
    return started(root, number=number)


def _prompt(root: str, _: int) -> bytes:
    return prompted(root)


# What of ours stands beside them.  A question is a new one in each round, since we tell a known one again.
READ = ("route, a new question",)
SEARCH = ("search, not asked before",)
CHECK = ("check, warm", "check, cold")
STAGED = ("check --staged, warm", "check --staged, one change")
START = ("hook, a session starts",)
PROMPT = ("hook, a prompt",)


def _help(word: bytes) -> Row:
    return Row("--help", ("mem --help",), ("--help",), word)


PEERS = (
    Peer(
        "MemoryCustodian", "", "0.9.1", "MIT", "memory-custodian", forms.memory_custodian,
        (
            Row("read --task planning", READ, ("read", "--task", "planning"), b"# Memory Context Pack"),
            # It fails where a file is over its budget, as any of this size is.
            Row("check", CHECK, ("check",), b"MemoryCustodian check", ends=(0, 1)),
            _help(b"read"),
        ),
    ),
    Peer(
        "agentlore", "agentlore", "0.9.1", "MIT", "agentlore", forms.agentlore,
        (
            Row("recall", READ, ("recall", *QUESTION.split()), b"REPO MEMORY"),
            Row("check", CHECK, ("check",), b"GREEN"),
            _help(b"recall"),
        ),
    ),
    Peer(
        "facto", "facto-memory", "0.1.0", "MIT", "facto", forms.facto,
        (
            Row("session-start hook", START, ("claude-hook",), b"additionalContext", _start),
            Row("brief of one area", READ, ("brief", "sync"), b"SYNC"),
            Row("query", SEARCH, ("query", WORD), b"TRUE NOW"),
            _help(b"facto"),
        ),
    ),
    Peer(
        "agent-memory", "agent-memory-git", "0.1.15", "MIT", "mem", forms.agent_memory,
        (
            Row(
                "session-start hook", START,
                ("hook", "session-start", "--tool", "claude-code"), b"# Shared memory index", _start,
            ),
            Row("prompt hook, idle", PROMPT, ("hook", "prompt", "--tool", "claude-code"), None, _prompt),
            Row("search", SEARCH, ("search", WORD), WORD.encode()),
            _help(b"search"),
        ),
    ),
    Peer(
        "ctxmem", "ctxmem", "2.2.0", "MIT", "ctxmem", forms.ctxmem,
        (
            Row("recall", READ + SEARCH, ("recall", QUESTION), b"Top 10 results"),
            _help(b"recall"),
        ),
    ),
    Peer(
        "keepm", "keepm", "3.6.0", "MIT", "keepm", forms.keepm,
        (
            Row("session-start hook", START, ("hook", "session-start"), b"reminder", _start),
            Row("doctor", CHECK, ("doctor", "--format", "json"), b'"state": "ok"'),
            _help(b"keepm"),
        ),
        most=1_000,
    ),
    Peer(
        "basic-memory", "basic-memory", "0.24.1", "AGPL-3.0", "basic-memory", forms.basic_memory,
        (
            Row(
                "session-start hook", START,
                ("hook", "session-start", "--harness", "claude"), b"Open decisions", _start,
            ),
            Row("grep", SEARCH, ("grep", WORD, "--plain"), WORD.encode()),
            _help(b"grep"),
        ),
        python=(3, 12),
        most=1_000,
        env=(("BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED", "false"), ("BASIC_MEMORY_AUTO_UPDATE", "false")),
    ),
    Peer(
        "pre-commit", "pre-commit", "4.7.0", "MIT", "pre-commit", forms.pre_commit,
        (
            Row("run, a hook that does nothing", STAGED, ("run",), b"Passed"),
            _help(b"run"),
        ),
    ),
)  # fmt: skip

# Looked at and not measured, and why.
LEFT_OUT = (
    ("vectr", "its recall is asked of a running server, and it installs several gigabytes"),
    ("serena", "its memories are read through a running server only"),
)
