"""Ledgers: many processes at once, odd session IDs, damage, age."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from memwarden.core.turn.counts import shortened
from memwarden.core.turn.lines import decode, encode
from memwarden.edge.place import Place, find_place
from memwarden.edge.turn.appending import LockedLines, append_lines, read_lines
from memwarden.edge.turn.counting import FILE, count_fires, count_writes
from memwarden.edge.turn.counts import fires_of, read_counts
from memwarden.edge.turn.ledger import MOST_BYTES, Ledger, forget_old_ledgers, ledger_path
from tests.conftest import Repo
from tests.edge.ladder_ground import DEBT, FLAKY, Play


@pytest.fixture
def place(repo: Repo) -> Place:
    return find_place(str(repo.root))


@pytest.mark.parametrize("session", ["../../x", "/etc/passwd", "a\nb", "", "é" * 500, "a\0b", "\ud800"])
def test_session_id_is_never_a_path(place: Place, session: str) -> None:
    with Ledger(place, session) as ledger:
        ledger.add(("closed",))
    path = ledger_path(place, session)
    assert os.path.dirname(path) == os.path.join(place.private, "sessions")
    assert os.path.basename(path).isalnum()
    assert os.stat(path).st_mode & 0o077 == 0


def test_sessions_do_not_share_a_ledger(place: Place) -> None:
    assert ledger_path(place, "a") != ledger_path(place, "b")


def test_private_state_that_cannot_be_written_does_not_silence_a_touch(repo: Repo) -> None:
    play = Play(repo)
    play.debt()
    play.start()
    repo.write(".git/mem", "a file where the folder should be\n")
    assert len(play.write(session="s", call="t").deliveries) == 1
    assert len(play.write(session="s", call="t").deliveries) == 1


def test_event_is_claimed_once(place: Place) -> None:
    with Ledger(place, "s") as ledger:
        assert ledger.claim("", "before", "t1")
        assert not ledger.claim("", "before", "t1")
        assert ledger.claim("", "ran", "t1")
        assert ledger.claim("a1", "before", "t1")
        assert ledger.claim("", "before", "")
        assert ledger.claim("", "before", "")
    with Ledger(place, "s") as ledger:
        assert not ledger.claim("", "before", "t1")


def test_nothing_is_kept_of_a_step_that_failed(place: Place) -> None:
    ledger = Ledger(place, "s").__enter__()
    ledger.add(("charged", "n-1"))
    ledger.__exit__(RuntimeError)
    with Ledger(place, "s") as ledger:
        assert ledger.session.charged == {}


def test_long_ledger_is_shortened_and_remembers_charges(place: Place) -> None:
    append_lines(ledger_path(place, "s"), [("charged", DEBT)])
    filler = [("event", "", "before", f"call-{number:0100d}") for number in range(12_000)]
    append_lines(ledger_path(place, "s"), filler)
    assert os.path.getsize(ledger_path(place, "s")) > MOST_BYTES
    with Ledger(place, "s") as ledger:
        assert ledger.session.charged
        assert not ledger.claim(*filler[-1][1:])
    assert os.path.getsize(ledger_path(place, "s")) < MOST_BYTES


def test_old_ledgers_are_forgotten(place: Place) -> None:
    for session in ("old", "young"):
        append_lines(ledger_path(place, session), [("closed",)])
    long_ago = time.time() - 40 * 86_400
    os.utime(ledger_path(place, "old"), (long_ago, long_ago))
    forget_old_ledgers(place)
    assert not os.path.exists(ledger_path(place, "old"))
    assert os.path.exists(ledger_path(place, "young"))


def test_lines_hold_any_text() -> None:
    lines = [("a", "b\tc", "d\ne", "100%", "%09", "\r\0", ""), ("\udcff\udc80",), ("é",)]
    assert list(decode(encode(lines))) == lines


def test_lone_surrogates_do_not_stop_the_ledger() -> None:
    assert len(list(decode(encode([("\ud800", "\udcff")])))) == 1


def test_line_that_was_cut_short_is_left_out_and_written_past(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = str(tmp_path / "lines")
    append_lines(path, [("one",)])
    with open(path, "ab") as file:
        file.write(b"tw")
    append_lines(path, [("three",)])
    assert read_lines(path) == [("one",), ("tw",), ("three",)]


def test_counts_survive_being_shortened(place: Place) -> None:
    for session in ("s1", "s2", "s2"):
        count_fires(place, ["n-1", "n-2"], session)
    count_fires(place, ["n-1"], "")
    count_writes(place, ["n-2"], "s1")
    before = read_counts(place)
    assert before.notes["n-1"] == (4, 2, 0)
    assert before.notes["n-2"] == (3, 2, 1)
    assert before.sessions == 2
    with LockedLines(os.path.join(place.private, FILE)) as file:
        file.replace(shortened(file.read()))
    assert read_counts(place) == before
    assert fires_of(place, "n-1") == 4
    assert fires_of(place, "n-3") == 0


def test_missing_or_damaged_counts_are_none(place: Place, repo: Repo) -> None:
    assert read_counts(place).notes == {}
    repo.write(".git/mem/counts", b"\xff\0sum\tn-1\tx\ty\tz\nfire\n")
    assert read_counts(place).notes == {}


WORKER = """
import sys
from tests.edge.ladder_ground import Play
from tests.conftest import Repo
from pathlib import Path
from memwarden.edge.place import find_place

play = Play.__new__(Play)
play.repo = Repo(Path(sys.argv[1]))
play.place = find_place(sys.argv[1])
what, call = sys.argv[2], sys.argv[3]
sys.stdin.read()
if what == "touch":
    print(len(play.write(session="s", call=call).deliveries))
else:
    print(len(play.close("s").missed))
"""


def at_once(play: Play, what: str, calls: list[str]) -> list[int]:
    """Run the same step in several processes that start together; what each of them counted."""
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(play.repo.root), what, call],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=top,
        )
        for call in calls
    ]
    return [int(worker.communicate()[0]) for worker in workers]


def test_ten_hooks_for_one_call_speak_once_and_charge_once(repo: Repo) -> None:
    play = Play(repo)
    play.debt()
    play.start()
    assert sorted(at_once(play, "touch", ["t1"] * 6)) == [0] * 5 + [1]
    play.edit()
    assert sorted(at_once(play, "close", [""] * 6)) == [0] * 5 + [1]
    assert play.misses() == 1
    assert fires_of(play.place, DEBT) == 1


def test_parallel_calls_on_one_file_are_warned_once(repo: Repo) -> None:
    play = Play(repo)
    play.debt(anchors=f"[{FLAKY}]")
    play.start()
    assert sum(at_once(play, "touch", [f"t{number}" for number in range(6)])) == 1
