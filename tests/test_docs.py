"""The pages under docs/: what they show is run, what they name is there, what is there they name."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from markdown_it import MarkdownIt

from memwarden.cli.app import GROUPS, build
from memwarden.core.paths import check_path
from memwarden.edit.manifest_reader import read_manifest
from memwarden.edit.note_reader import read_note
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
OTHER_TOOLS = ("nightnotes-custodian", "claude-topics", "agentlore-shop", "trigger-table.md")


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


def test_the_reference_is_what_the_program_says_of_itself() -> None:
    done = subprocess.run(
        [sys.executable, str(DOCS / "make_reference.py"), "--check"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def leaves(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command of the program with its name."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, (*words, name))
        else:
            yield " ".join((*words, name)), command


COMMANDS = dict(leaves(typer.main.get_command(build())))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_is_for(name: str) -> None:
    command = COMMANDS[name]
    assert (command.help or "").strip()
    silent = [one.name for one in command.params if not (getattr(one, "help", "") or "").strip()]
    assert not silent


def test_every_command_and_option_is_in_the_reference() -> None:
    page = (DOCS / "reference.md").read_text(encoding="utf-8")
    for name, command in COMMANDS.items():
        part = page.partition(f"\n### mem {name}\n")[2].partition("\n### ")[0]
        assert part, name
        for one in command.params:
            if one.param_type_name == "option" and not one.name.startswith("common_"):
                assert one.opts[0] in part, (name, one.opts)


def test_every_group_of_commands_is_listed_once() -> None:
    verbs = [verb for group in GROUPS.values() for verb in group]
    assert len(verbs) == len(set(verbs))
    assert {name.partition(" ")[0] for name in COMMANDS} == set(verbs)


def targets(page: Path) -> Iterator[str]:
    """What a page links to."""
    for token in MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8")):
        for child in token.children or ():
            link = child.attrs.get("href") or child.attrs.get("src")
            if link:
                yield str(link)


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as hosts make them."""
    found = re.findall(r"(?m)^#+ (.*)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_link_inside_the_repository_leads_somewhere(page: Path) -> None:
    for link in targets(page):
        if link.startswith(("https://", "http://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), link
        assert not anchor or anchor in headings(target), link


def test_every_page_is_reached_from_the_readme() -> None:
    reached = {(ROOT / link.partition("#")[0]).resolve() for link in targets(ROOT / "README.md")}
    assert set(DOCS.glob("*.md")) <= reached


def fences(page: Path, kind: str) -> Iterator[str]:
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "fence" and token.info.strip() == kind:
            yield token.content


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_note_or_a_manifest_on_a_page_is_valid(page: Path) -> None:
    for text in fences(page, "markdown"):
        data = text.encode()
        if "# Memory manifest" in text:
            _, findings = read_manifest("memory/manifest.md", data)
        else:
            note, findings = read_note("memory/debts/x.md", data)
            assert note is not None
            assert not any(
                check_path(one.value) for one in note.evidence if one.key in ("file", "doc", "test")
            )
        assert not findings


def test_a_picture_is_small_sound_and_shown() -> None:
    pictures = sorted(DOCS.glob("*.svg"))
    assert pictures
    shown = {(page.parent / link).resolve() for page in PAGES for link in targets(page)}
    for picture in pictures:
        assert picture in shown
        assert picture.stat().st_size < 100_000
        text = picture.read_text(encoding="utf-8")
        assert ET.fromstring(text).tag.endswith("svg")
        assert "@font-face" not in text, "a picture fetches nothing"
