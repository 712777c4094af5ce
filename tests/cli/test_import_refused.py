"""Sources that are none, and what of a source cannot be taken over: named, and nothing is half imported."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.import_ground import mem as mem
from tests.cli.import_ground import started as started
from tests.conftest import Mem, Repo

DATA = Path(__file__).parents[1] / "data"
NIGHTNOTES = DATA / "nightnotes-custodian"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("custodian", "nowhere"), "nowhere is not there"),
        (("custodian", "file.md"), "file.md is no folder"),
        (("custodian", "empty/"), "empty/ is no MemoryCustodian tree"),
        (("custodian", "memory"), "memory is of this repository's own memory"),
        (("claude", "./empty"), "./empty holds no Markdown file"),
        (("agentlore", "nowhere.md"), "nowhere.md: no such file"),
        (("agentlore", "file.md"), "no agentlore file"),
        (("table", "file.md"), "no trigger table"),
        (("table", "binary.md"), "binary.md: it is no UTF-8 text"),
        (("table", "empty"), "empty: a folder"),
        (("todo", "nowhere"), "nowhere is not there"),
        (("todo", "/"), "is outside the repository"),
    ],
)
def test_source_that_is_none_exits_2_and_names_it(
    started: Repo, mem: Mem, arguments: tuple[str, ...], told: str
) -> None:
    (started.root / "empty").mkdir()
    started.write("file.md", "# A page\n")
    started.write("binary.md", b"\x00\xff")
    done = mem("import", *arguments, "--apply")
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "next:" in done.err


def test_manifest_of_another_protocol_is_refused(started: Repo, mem: Mem, tmp_path: Path) -> None:
    for version, word in (("0.4", "older"), ("0.9", "newer"), ("1.0", "newer")):
        folder = _copy(tmp_path / version)
        _edit(folder / "docs/memory/manifest.md", "protocol_version: 0.5", f"protocol_version: {version}")
        done = mem("import", "custodian", str(folder))
        assert done.code == 2
        assert word in done.err


def test_broken_manifest_is_refused(started: Repo, mem: Mem, tmp_path: Path) -> None:
    folder = _copy(tmp_path / "source")
    (folder / "docs/memory/manifest.md").write_bytes(b"# Memory \xff\xfe")
    done = mem("import", "custodian", str(folder), "--json")
    assert done.code == 2
    assert "no UTF-8 text" in done.json["error"]["message"]
    assert str(tmp_path) not in done.out + done.err


def test_conflict_markers_are_refused_with_their_place(started: Repo, mem: Mem, tmp_path: Path) -> None:
    folder = _copy(tmp_path / "source")
    path = folder / "docs/memory/decisions.md"
    path.write_text(path.read_text() + "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n")
    done = mem("import", "custodian", str(folder))
    assert done.code == 2
    assert "docs/memory/decisions.md:12: M002" in done.err


def test_files_that_cannot_be_read_are_lost_and_the_rest_is_imported(
    started: Repo, mem: Mem, tmp_path: Path
) -> None:
    folder = _copy(tmp_path / "source")
    memory = folder / "docs/memory"
    secret = tmp_path / "secret.md"
    secret.write_text("# Private\n\n- the private words\n")
    (memory / "constraints.md").unlink()
    (memory / "constraints.md").symlink_to(secret)
    os.mkfifo(memory / "preferences.md")
    (memory / "do-not-use.md").write_bytes(b"x" * (1024 * 1024 + 1))
    (memory / "inbox.md").write_bytes(b"\x00")
    done = mem("import", "custodian", str(folder), "--apply", "--json")
    assert done.code == 0, done.err
    lost = {one["source"].rpartition("/")[2]: one["why"] for one in done.json["lost"]}
    assert lost["constraints.md"] == "no regular file, or a link that leads out"
    assert lost["preferences.md"] == "no regular file, or a link that leads out"
    assert lost["do-not-use.md"] == "larger than 1 MiB"
    assert lost["inbox.md"] == "it is no UTF-8 text"
    assert [one["title"] for one in done.json["mapped"]] == ["Project Brief", "Local session persistence"]
    assert "private words" not in done.out


def test_entry_with_a_secret_is_lost_and_never_written(started: Repo, mem: Mem, tmp_path: Path) -> None:
    token = "gh" + "p_" + "a1B2" * 9
    folder = _copy(tmp_path / "source")
    path = folder / "docs/memory/constraints.md"
    path.write_text(path.read_text() + f"\n- Log in with {token}.\n- Hidden \u202e words.\n")
    shown = mem("import", "custodian", str(folder), "--json")
    applied = mem("import", "custodian", str(folder), "--apply")
    assert (shown.code, applied.code) == (0, 0)
    why = [one["why"] for one in shown.json["lost"]]
    assert any("looks like a secret (GitHub token)" in one for one in why)
    assert "has a control or invisible character" in why
    for file in started.root.rglob("*"):
        assert not file.is_file() or token.encode() not in file.read_bytes()
    assert token not in shown.out + shown.err + applied.out + applied.err


def _copy(target: Path) -> Path:
    shutil.copytree(NIGHTNOTES, target)
    return target


def _edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))
