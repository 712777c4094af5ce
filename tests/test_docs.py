"""The pages under docs/: what they show is run, what they name is there, what is there they name."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from markdown_it import MarkdownIt

from memwarden.cli.app import GROUPS, build
from tests.console import Console, steps

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.glob("*.md")])
SHOWN = [page for page in PAGES if steps(page.read_text(encoding="utf-8"))]
# What the reader of the pages is told to have: a repository with a few files, committed.
START = {
    "config/app.yaml": "port: 8080\n",
    "config/app.yaml.in": "port: @PORT@\n",
    "tests/test_retry.py": "import time\n\n\ndef test_backoff():\n    time.sleep(0.1)\n",
    "src/client.py": "import legacy_http\n\n\ndef fetch(url):  # TODO: a timeout\n"
    "    return legacy_http.get(url)\n",
    "requirements.txt": "requests==2.31.0\n",
}
OTHER_TOOLS = ("nightnotes-custodian", "claude-topics", "agentlore", "trigger-table.md")


def prepare(root: Path) -> None:
    """Make the repository of the pages; other tools' memories lie beside it, in ``old/``."""
    for path, text in START.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Start"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    (root.parent / "old").symlink_to(Path(__file__).parent / "data")


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.stem)
def test_what_a_page_shows_is_what_the_program_does(page: Path, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    prepare(root)
    console = Console(root, tmp_path / "tools")
    wrong = [found for step in steps(page.read_text(encoding="utf-8")) if (found := console.play(step))]
    assert not wrong, "\n\n".join(wrong)
