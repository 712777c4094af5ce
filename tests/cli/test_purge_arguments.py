"""What is to be forgotten is in no argument of a process, though folders and names around it tell it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import Mem, Repo

LOCAL = ("-c", "protocol.file.allow=always")


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What every git is started with from now on, a line each."""
    log, real = tmp_path / "started.txt", shutil.which("git")
    folder = tmp_path / "first-on-path"
    folder.mkdir()
    (folder / "git").write_text(f'#!/bin/sh\nprintf "%s " "$@" >> {log}\necho >> {log}\nexec {real} "$@"\n')
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return log


@pytest.fixture
def named(purgeable: Repo, tmp_path: Path) -> Repo:
    """Worktrees, submodules (one in use, one removed), branches, tags and remotes that all tell it."""
    inner = Repo(tmp_path / "inner")
    inner.root.mkdir()
    inner.git("init", "-q", "-b", "main")
    inner.commit("start")
    for name in ("frobnicate-lib", "frobnicate-old"):
        purgeable.git(*LOCAL, "submodule", "--quiet", "add", str(inner.root), f"vendor/{name}")
    purgeable.commit("vendored")
    purgeable.git("rm", "-q", "-f", "vendor/frobnicate-old")
    purgeable.git("worktree", "add", "-q", str(tmp_path / "frobnicate-tree"), "-b", "frobnicate-branch")
    purgeable.git("tag", "-a", "-m", "frobnicate", "frobnicate-tag")
    purgeable.git("remote", "add", "frobnicate-remote", "../frobnicate-nowhere")
    purgeable.git("update-ref", "refs/remotes/frobnicate-remote/main", "HEAD")
    return purgeable


def test_no_git_is_started_with_the_text_in_its_arguments(named: Repo, inside: Mem, told: Path) -> None:
    seen = inside("purge", "--match", "-", "--json", stdin="frobnicate")
    assert seen.code == 0, seen.err
    assert {one["name"] for one in seen.json["outside"]["submodules"]} == {
        "vendor/frobnicate-lib",
        "vendor/frobnicate-old",
        "frobnicate-tree: vendor/frobnicate-lib",
    }
    assert inside("apply", seen.json["plan"]["id"]).code == 0
    started = told.read_text()
    assert started.count("cat-file") >= 3
    assert "frobnicate" not in started.lower()
