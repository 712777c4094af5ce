"""Asking ``mem`` as a process, and telling whether it answered at once or loaded the whole program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from memwarden.edge.place import find_place
from tests.conftest import Repo, note_text
from tests.edge.index_ground import settled
from tests.edge.test_index import A

# Runs one command and tells apart whether the whole program was loaded for it.  The program's sources
# may be edited while the tests run; to the commands here they stay what they were.
TELLS = (
    "import sys\n"
    "from memwarden.edge import source_mark\n"
    "source_mark.source_mark = lambda folder: ''\n"
    "from memwarden.__main__ import main\n"
    "code = main()\n"
    "open(3, 'w').write(f'{int(\"memwarden.cli.stage\" in sys.modules)}')\n"
    "sys.exit(code)\n"
)


class Told(NamedTuple):
    """How a command ended, and whether it was answered out of the store."""

    code: int
    out: bytes
    err: bytes
    again: bool

    @property
    def said(self) -> tuple[int, bytes, bytes]:
        return self.code, self.out, self.err


Ask = Callable[..., Told]


def asking(memory_repo: Repo, told: Path) -> Ask:
    """Asks ``mem`` in the repository, and tells whether it answered at once."""
    memory_repo.write("src/a.py", "x = 1\n")
    memory_repo.write("docs/why.md", "Because.\n")
    memory_repo.write(
        A, note_text("First", id="n-aaaaaaaa", anchors="[src/a.py]", evidence="[{file: docs/why.md}]")
    )
    memory_repo.write("memory/debts/flaky.md", note_text("Flaky", id="n-cccccccc", facet="behavior"))
    memory_repo.write("memory/subjects/x.md", "---\nid: x\nname: X\nkind: concept\n---\n")
    memory_repo.commit("notes")
    settled(find_place(str(memory_repo.root)))

    def run(*words: str, cwd: str = "", env: dict[str, str] | None = None) -> Told:
        with told.open("w") as file:
            done = subprocess.run(
                [sys.executable, "-c", TELLS.replace("open(3,", f"open({file.fileno()},"), *words],
                cwd=memory_repo.root / cwd,
                env={**os.environ, **(env or {})},
                capture_output=True,
                pass_fds=(file.fileno(),),
                check=False,
            )
        return Told(done.returncode, done.stdout, done.stderr, told.read_text() == "0")

    return run
