"""A check that ends at once has said all, with its exit code, and left its index behind."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import Repo, note_text

RUN = "import sys; from memwarden.__main__ import run; sys.exit(run())"


def test_a_check_that_ends_at_once_has_said_all(memory_repo: Repo) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("a", facet="mood"))
    index = memory_repo.root / ".git/mem/index"
    told = []
    for words in (["-c", RUN], ["-m", "memwarden"]):
        index.unlink(missing_ok=True)
        asked = [sys.executable, *words, "check"]
        done = subprocess.run(asked, cwd=memory_repo.root, capture_output=True)
        told.append((done.returncode, done.stdout, done.stderr, index.exists()))
    assert told[0] == told[1]
    assert (told[0][0], told[0][3]) == (1, True)
    assert b"M103" in told[0][1]
