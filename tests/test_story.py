"""The story that the documentation plays, played: from the first note to the last payment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "docs" / "flaky-test-story.sh"


@pytest.mark.slow
def test_flaky_test_story_ends_well(tmp_path: Path) -> None:
    mem = tmp_path / "bin" / "mem"
    mem.parent.mkdir()
    mem.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memwarden "$@"\n')
    mem.chmod(0o755)
    env = {**os.environ, "PATH": f"{mem.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", str(SCRIPT)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    chapters = [chapter.split("\n", 1) for chapter in done.stdout.split("\n== ")[1:]]
    told = {title.split()[0] + " " + title.split()[1]: text for title, text in chapters}
    assert "0 missed" in told["A flaky"]
    assert told["Three sessions"].count("missed: n-") == 3
    assert "3 missed (writes are asked about)" in told["Three sessions"]
    assert '"ask"' in told["From now"]
    assert "paid: n-" in told["On a"]
    assert "Nothing is owed." in told["On a"]
    assert told["On main"].index("3 missed") < told["On main"].index("Nothing is owed.")
    assert "reinstated: n-" in told["Months later"]
    assert "3 missed" in told["Months later"]
    assert "Nothing is owed." in told["It is"]
    for words in ("Merge fix/retry", "Simplify the tests", "Freeze the clock again"):
        assert words in told["History names"]
