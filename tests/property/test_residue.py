"""What is left after erasing is found as by whoever opens every file and reads it in every way."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from memwarden.edge.erase import residue
from memwarden.edge.erase.residue import Residue
from memwarden.edge.place import Place
from memwarden.edit.erasure import told
from memwarden.edit.normal_texts import normal_form, normal_texts
from memwarden.edit.topic import Mark, Topic
from tests.property.spellings import spelt

pytestmark = pytest.mark.property

TEXTS = ("Frobnicate", "office no 5", "straße", "Müller GmbH", "同步窗口", "éé", "x86_64", "ﬁnal")
OURS, OTHER = "n-4f7k2m9q", "n-8s3d7h2k"


def planted(dice: random.Random, root: Path, text: str) -> None:
    """Some folders of files that tell the text or the note in their names, contents or links, or do not."""
    for name in ("CLAUDE.md", "AGENTS.md"):
        (root / name).write_bytes(content(dice, text))
    for number in range(60):
        folder = root / "memory" / dice.choice(("", "debts", "debts/old", f"events/{OURS}"))
        if dice.random() < 0.05:
            folder = folder / f"{number} {spelt(dice, text)}".replace("/", "_").replace("\0", "")[:50]
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, UnicodeEncodeError):
            continue
        said = spelt(dice, text).replace("/", "_").replace("\0", "")[:50] if dice.random() < 0.1 else "plain"
        try:
            if dice.random() < 0.1:
                (folder / f"{number}-link.md").symlink_to(said)
            else:
                (folder / f"{number}-{said}.md").write_bytes(content(dice, text))
        except (OSError, UnicodeEncodeError):
            continue
    os.mkfifo(root / "memory/pipe.md")
    (root / "memory/gone.md").symlink_to("nowhere")


def content(dice: random.Random, text: str) -> bytes:
    said = dice.choice(("", "", "", spelt(dice, text), f"id: {OURS}\n", f"id: {OTHER}\n", f"see {OURS}"))
    data = dice.choice(("", "a line\n")) + said + dice.choice(("", " y", "\n"))
    if dice.random() < 0.1:
        return data.encode("utf-16", "surrogatepass")
    if dice.random() < 0.1:
        return data.encode("utf-8", "surrogatepass") + dice.randbytes(2)
    return data.encode("utf-8", "surrogatepass")


def slowly(root: Path, topic: Topic) -> list[tuple[str, str]]:
    """The same by opening one file after the other."""
    found = []
    for path, full in managed(root):
        why = ""
        if path.startswith("memory/") and topic.in_name(os.path.basename(path)):
            why = "its name"
        elif os.path.islink(full):
            why = "what it links to" if topic.in_name(os.readlink(full)) else ""
        elif os.path.isfile(full):
            data = Path(full).read_bytes()
            if topic.is_about(data):
                why = "it is the note, or an event of it"
            elif any(map(topic.in_normal, normal_texts(data))):
                why = "its content"
        if why:
            found.append((path, why))
    return [(told(path, topic), why) for path, why in sorted(found)]


def managed(root: Path) -> Iterator[tuple[str, str]]:
    for name in ("CLAUDE.md", "AGENTS.md", "GEMINI.md"):
        if (root / name).is_file():
            yield name, str(root / name)
    for folder, folders, names in os.walk(root / "memory"):
        for name in (*folders, *names):
            full = os.path.join(folder, name)
            yield os.path.relpath(full, root), full


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("least", [1, 10, 1000])
def test_the_residue_is_what_a_reader_of_every_file_finds(tmp_path: Path, text: str, least: int) -> None:
    dice = random.Random(f"{text} {least}")
    planted(dice, tmp_path, text)
    topic = Topic([Mark(normal_form(text))], [OURS], ["memory/debts/one.md"])
    place = Place(str(tmp_path), str(tmp_path / ".git"), str(tmp_path / ".git"))
    expected = slowly(tmp_path, topic)
    assert expected
    assert Residue(place, topic, least).found() == expected


def test_what_a_copy_that_dies_had_taken_is_searched_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted(random.Random(7), tmp_path, "Frobnicate")
    topic = Topic([Mark("frobnicate")], [OURS])
    place = Place(str(tmp_path), str(tmp_path / ".git"), str(tmp_path / ".git"))
    here, searched = os.getpid(), Residue._search

    def search(self: Residue, paths: list[str]) -> list[tuple[str, str]]:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return searched(self, paths)

    monkeypatch.setattr(Residue, "_search", search)
    monkeypatch.setattr(residue, "processors", lambda: 3)
    left = Residue(place, topic, 4)
    for copy in left._copies:
        os.waitid(os.P_PID, copy.pid, os.WEXITED | os.WNOWAIT)
    assert left.found() == slowly(tmp_path, topic)


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory/debts").mkdir(parents=True)
    listed = os.scandir

    def scandir(folder: str) -> object:
        if folder.endswith("debts"):
            raise PermissionError(13, "no")
        return listed(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    place = Place(str(tmp_path), str(tmp_path / ".git"), str(tmp_path / ".git"))
    assert Residue(place, Topic([Mark("frobnicate")])).found() == [("memory/debts", "it cannot be read")]


def test_it_is_searched_from_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(random.Random(7), tmp_path, "Frobnicate")
    gone = tmp_path / "memory/emptied"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    topic = Topic([Mark("frobnicate")], [OURS])
    place = Place(str(tmp_path), str(tmp_path / ".git"), str(tmp_path / ".git"))
    assert Residue(place, topic, 4).found() == slowly(tmp_path, topic)
