"""The page about CI: its recipe runs, and it knows every input, output and word that there is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from memwarden.core.compare.difference import DEBT_WORDS, NOTE_WORDS, Difference
from memwarden.render.difference_words import MANIFEST_NAMES
from tests.conftest import MANIFEST, Repo, note_text

TOP = Path(__file__).parent.parent
PAGE = (TOP / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((TOP / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def test_every_input_output_and_hook_is_on_the_page() -> None:
    for name in (*ACTION["inputs"], *ACTION["outputs"]):
        assert f"\n| `{name}` |" in PAGE
    for name, told in ACTION["inputs"].items():
        default = told["default"] or "from the event"
        assert re.search(rf"\n\| `{name}` \| `?{re.escape(default)}`? \|", PAGE)
    for hook in HOOKS:
        assert f"- id: {hook['id']}" in PAGE


def test_every_word_of_a_difference_is_on_the_page() -> None:
    table = PAGE[PAGE.index("## What `mem diff` says") :]
    for word in (*DEBT_WORDS, *NOTE_WORDS, *MANIFEST_NAMES, *Difference._fields):
        assert f"`{word}`" in table


def test_every_workflow_on_the_page_is_yaml() -> None:
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL):
        assert yaml.safe_load(block)


@pytest.mark.parametrize("options", [(), ("-e",)])
@pytest.mark.parametrize(("facet", "code"), [("security", 0), ("overview", 1)])
def test_the_recipe_ends_as_the_check_does_and_leaves_the_difference(
    repo: Repo, tmp_path: Path, options: tuple[str, ...], facet: str, code: int
) -> None:
    (recipe,) = re.findall(r"<!-- recipe -->\n```sh\n(.*?)```", PAGE, re.DOTALL)
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    repo.commit("start")
    repo.git("switch", "-qc", "work")
    repo.write("memory/decisions/x.md", note_text("X", id="n-0000000x", facet=facet))
    repo.commit("work")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repo.root}", str(clone))
    program = tmp_path / "bin" / "mem"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m memwarden "$@"\n')
    program.chmod(0o755)
    env = {**os.environ, "BASE": "main", "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", *options, "-c", recipe], cwd=clone, env=env, capture_output=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert (b"M301" in done.stdout) == bool(code)
    assert "**Notes added** (1)" in (clone / "memory-diff.md").read_text(encoding="utf-8")
