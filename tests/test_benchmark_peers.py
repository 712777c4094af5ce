"""What the benchmarks say of other programs: who they are, what they are given, when a row counts.

Nothing is installed here: a peer's own command is played by a list of what it was asked.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.peers import forms
from benchmarks.peers.facts import KINDS, facts, plant_project
from benchmarks.peers.forms import Ground
from benchmarks.peers.programs import Unavailable, install, interpreter
from benchmarks.peers.running import fault, ours, told
from benchmarks.peers.table import PEERS, Peer, Row
from benchmarks.program import Program
from benchmarks.timing import Command, Overran, Spent, run_rounds

NOTES = 24


def test_every_peer_is_pinned_and_has_its_licence_told() -> None:
    assert len({peer.name for peer in PEERS}) == len(PEERS)
    for peer in PEERS:
        assert re.fullmatch(r"\d+(\.\d+)+", peer.version)
        assert all((peer.licence, peer.script, peer.rows))


def test_every_row_stands_beside_commands_that_we_have() -> None:
    mine = ours(Program("python", "mem"), "read", "written", "asked")
    named = {name for peer in PEERS for row in peer.rows for name in row.ours}
    assert named <= set(mine)


def test_one_seed_tells_one_set_of_facts_of_every_kind() -> None:
    told_once = facts(NOTES)
    assert told_once == facts(NOTES)
    assert [fact.number for fact in told_once] == list(range(NOTES))
    assert {fact.kind for fact in told_once} == set(KINDS)


def _planted(tmp_path: Path, plant: forms.Planter) -> tuple[Path, Path, list[tuple[str, ...]]]:
    root, home, asked = tmp_path / "project", tmp_path / "home", list[tuple[str, ...]]()
    home.mkdir()
    plant_project(str(root), NOTES)

    def run(*words: str, stdin: bytes = b"") -> None:
        asked.append(words)
        if words[0] == "add":
            (root / ".facto").mkdir()
            with sqlite3.connect(root / ".facto" / "facto.db") as base:
                base.execute("CREATE TABLE fatti (progetto, tipo, contenuto, valido_da, fonte, creato_il)")
            base.close()

    plant(Ground(str(root), str(home), run), facts(NOTES))
    return root, home, asked


def _headings(*paths: Path) -> int:
    return sum(len(re.findall(r"(?m)^## ", path.read_text("utf-8"))) for path in paths)


def _rows_of_facto(root: Path, home: Path) -> int:
    with sqlite3.connect(root / ".facto" / "facto.db") as base:
        (found,) = base.execute("SELECT count(*) FROM fatti").fetchone()
    base.close()
    return int(found)


def _items_of_custodian(root: Path, home: Path) -> int:
    memory = root / "docs" / "memory"
    items = (memory / "constraints.md").read_text("utf-8").count("\n- ")
    return _headings(memory / "decisions.md", memory / "do-not-use.md") + items


COUNTS: dict[str, Callable[[Path, Path], int]] = {
    "MemoryCustodian": _items_of_custodian,
    "agentlore": lambda root, home: _headings(*(root / ".memory").glob("*.md")),
    "facto": _rows_of_facto,
    "agent-memory": lambda root, home: len(list((home / "data" / "memories").rglob("*.md"))),
    "ctxmem": lambda root, home: len(
        [json.loads(line) for line in (root / ".ctxmem" / "memory.jsonl").read_text("utf-8").splitlines()]
    ),
    "keepm": lambda root, home: len(list((home / "vault" / "Memory" / "global").glob("*.md"))),
    "basic-memory": lambda root, home: len(list((home / "basic-memory").rglob("*.md"))),
}


@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer.name in COUNTS], ids=lambda peer: peer.name)
def test_a_peer_is_given_every_fact_once(peer: Peer, tmp_path: Path) -> None:
    root, home, _ = _planted(tmp_path, peer.plant)
    assert COUNTS[peer.name](root, home) == NOTES


def test_only_the_one_that_remembers_nothing_is_given_nothing() -> None:
    assert {peer.name for peer in PEERS} - set(COUNTS) == {"pre-commit"}


def test_an_id_of_agentlore_cannot_pass_for_the_number_of_a_card(tmp_path: Path) -> None:
    root, _, _ = _planted(tmp_path, forms.agentlore)
    text = "".join(path.read_text("utf-8") for path in (root / ".memory").glob("*.md"))
    assert not re.search(r"(?m)^id: .*\d{4}-\d{2}-\d{2}-.*\d", text)


def test_a_peer_that_the_index_does_not_have_is_named_with_the_reason(tmp_path: Path) -> None:
    (absent,) = (peer for peer in PEERS if not peer.distribution)
    with pytest.raises(Unavailable, match=f"--have {absent.name}=COMMAND"):
        install(absent, str(tmp_path), {})
    assert install(absent, str(tmp_path), {absent.name: "/usr/bin/its-command"}) == "/usr/bin/its-command"


def test_a_peer_for_a_python_that_is_not_here_is_named_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert interpreter((3, 0)) == sys.executable
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unavailable, match=r"it needs Python 9\.9"):
        interpreter((9, 9))


@pytest.mark.parametrize(
    ("row", "code", "out", "said"),
    [
        (Row("r", (), (), b"found"), 0, b"found it", ""),
        (Row("r", (), (), b"found"), 0, b"nothing", "it does not say b'found'"),
        (Row("r", (), (), b"found"), 2, b"found it", "it ended with 2"),
        (Row("r", (), (), b"found", ends=(0, 1)), 1, b"found it", ""),
        (Row("r", (), (), None), 0, b"", ""),
        (Row("r", (), (), None), 0, b"hello", "it speaks: b'hello'"),
    ],
)
def test_a_row_counts_only_when_it_does_its_work(row: Row, code: int, out: bytes, said: str) -> None:
    assert fault(row, code, out) == said


def test_a_line_holds_ours_against_theirs_inside_each_round() -> None:
    times = {
        "pass": [Spent(1.0, 1.0), Spent(10.0, 1.0)],
        "mine": [Spent(2.0, 2.0), Spent(20.0, 2.0)],
        "peer read": [Spent(8.0, 4.0), Spent(80.0, 4.0)],
    }
    line = told("peer read", "mine", times).split()
    assert line[-5:] == ["4.0", "mine", "2.0", "0.250", "0.500"]


def test_a_run_that_does_not_end_is_ended_with_what_it_started(tmp_path: Path) -> None:
    endless = Command("endless", str(tmp_path), lambda _: ["/bin/sh", "-c", "sleep 600 & wait"], limit=1)
    with pytest.raises(Overran, match="endless did not end within 1 seconds"):
        run_rounds([endless], 1, str(tmp_path))
