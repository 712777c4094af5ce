"""Writes into the pages what the program shows today, where that differs from what stands there.

    python docs/retell.py

A block with ``...`` is left to a person, who knows what was left out and why; it is named.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.console import Console, steps
from tests.test_docs import SHOWN, prepare


def retell(page: Path, folder: Path) -> list[str]:
    """Play one page and mend it; the result names what is left to a person."""
    root = folder / "shop"
    root.mkdir()
    prepare(root)
    console = Console(root, folder / "tools")
    text = page.read_text(encoding="utf-8")
    left = []
    for step in steps(text):
        lines, _ = console.run(step)
        if console.agrees(step, lines):
            continue
        if "..." in step.shown or not step.shown:
            left.append(f"{page.name}:{step.line}: $ {step.command}")
            continue
        text = text.replace("\n".join(step.shown), "\n".join(lines), 1)
        console.agrees(step._replace(shown=tuple(lines)), lines)
    page.write_text(text, encoding="utf-8")
    return left


def main() -> int:
    """Mend every page that shows a console."""
    left = []
    for page in SHOWN:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder, "home")
            home.mkdir()
            (home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
            path = os.environ["PATH"]
            os.environ.clear()
            os.environ.update(PATH=path, HOME=str(home), GIT_CONFIG_NOSYSTEM="1", TZ="UTC", LANG="C.UTF-8")
            left += retell(page, Path(folder))
    sys.stdout.write("".join(f"{one}\n" for one in left))
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
