"""A purge in a repository with a past: an independent search by plain git agrees with every number."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mem, Repo, note_text

TEXT = "Frobnicate"
NOTE = "memory/decisions/frobnicate-daily-aaaaaaaa.md"
GONE = ("none", "removed")


class Story:
    """The repository, with a clock that goes on by a minute for each commit."""

    def __init__(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        self.repo = repo
        self.patch = monkeypatch
        self.minute = 0

    def commit(self, message: str, *more: str) -> str:
        self.tick()
        self.repo.git("add", "-A")
        self.repo.git("commit", "-q", "--allow-empty", "-m", message, *more)
        return self.repo.git("rev-parse", "HEAD").strip()

    def tick(self) -> None:
        self.minute += 1
        for who in ("AUTHOR", "COMMITTER"):
            self.patch.setenv(f"GIT_{who}_DATE", f"2026-11-30T10:{self.minute:02d}:00Z")


@pytest.fixture
def story(memory_repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Story:
    """Branches, tags (one annotated, one of a blob), stashes, a remote, a second worktree, a lost commit."""
    repo = memory_repo
    made = Story(repo, monkeypatch)
    repo.write("src/a.py", "a = 1\n")
    made.commit("before")
    repo.git("tag", "clean")
    repo.write(NOTE, note_text("Frobnicate daily", id="n-aaaaaaaa", subject="path:src/a.py"))
    made.commit("add a rule")
    repo.git("tag", "light")
    repo.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    repo.git("push", "-q", "origin", "main")
    repo.git("fetch", "-q", "origin")
    repo.git("checkout", "-q", "-b", "side", "clean")
    repo.write("src/b.py", "# we FROBNICATE here\n")
    made.commit("a comment")
    repo.write("src/b.py", "# no more\n")
    made.commit("a comment less")
    repo.git("checkout", "-q", "main")
    made.tick()
    repo.git("merge", "-q", "--no-ff", "-m", "merge side", "side")
    repo.git("branch", "lonely", "clean")
    repo.git("tag", "-a", "-m", "why we frobnicate", "told", "clean")
    repo.git("tag", "blob", repo.git("rev-parse", "HEAD:src/a.py").strip())
    repo.write(NOTE, repo.read(NOTE) + "\nMore of it.\n")
    made.tick()
    repo.git("stash")
    repo.write("scratch.txt", "frobnicate, but not yet\n")
    made.tick()
    repo.git("stash", "-u")
    repo.write("src/lost.py", "frobnicate()\n")
    made.commit("lost")
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "main", "HEAD")
    repo.git("update-ref", "-d", "ORIG_HEAD")
    repo.git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second", "light")
    (tmp_path / "second" / "notes.txt").write_text("to frobnicate\n")
    return made


def test_an_independent_search_agrees_with_every_number(story: Story, mem: Mem, tmp_path: Path) -> None:
    repo = story.repo
    seen = mem("purge", "--match", "-", "--json", stdin=TEXT)
    assert seen.code == 0, seen.err
    assert_agrees(repo, seen.json)
    ran = mem("apply", seen.json["plan"]["id"], "--json")
    assert ran.code == 0, ran.err
    assert_agrees(repo, ran.json)
    states = {one["name"]: one["state"] for one in ran.json["scope"]}
    assert states["notes"] == "removed"
    reached = ("branches", "remotes", "tags", "stashes", "unreachable objects", "worktrees", "index")
    assert {name: states[name] for name in reached} == dict.fromkeys(reached, "not-reached")
    assert (states["elsewhere"], states["submodules"], states["other notes"]) == ("unknown", "none", "none")
    assert ran.json["outside"]["index"] == [NOTE]
    story.commit("erased")
    assert mem("check", "--at", "HEAD", "--strict").code == 0
    after = mem("purge", "--match", "-", "--json", stdin=TEXT)
    assert_agrees(repo, after.json)
    assert after.json["plan"] is None
    assert_no_managed_byte(repo, tmp_path)


def test_names_of_what_is_clean_are_not_in_the_report(story: Story, mem: Mem) -> None:
    outside = mem("purge", "--match", "-", "--json", stdin=TEXT).json["outside"]
    assert [one["name"] for one in outside["branches"]] == ["main", "second", "side"]
    assert [one["name"] for one in outside["tags"]] == ["light", "told"]
    assert [one["name"] for one in outside["stashes"]] == ["stash@{0}", "stash@{1}"]
    [told] = [one for one in outside["tags"] if one["name"] == "told"]
    assert (told["commits"], told["told"]) == (0, True)
    pushed = {one["name"]: one["pushed"] for one in outside["branches"]}
    assert pushed == {"main": 1, "second": 1, "side": 0}
    assert [(one["name"], one["files"]) for one in outside["worktrees"]] == [("second", [NOTE, "notes.txt"])]
    assert len(outside["unreachable"]["commits"]) == 1
    assert len(outside["unreachable"]["blobs"]) == 1


def test_the_text_is_in_no_argument_and_no_environment_of_a_child(
    story: Story, mem: Mem, tmp_path: Path
) -> None:
    """git is replaced by a script that writes down what it is given."""
    real = subprocess.run(["which", "git"], capture_output=True, check=True).stdout.decode().strip()
    folder = tmp_path / "bin"
    folder.mkdir()
    log = tmp_path / "calls"
    (folder / "git").write_text(f'#!/bin/sh\n{{ echo "$@"; env; }} >>"{log}"\nexec {real} "$@"\n')
    (folder / "git").chmod(0o755)
    env = {"PATH": f"{folder}:{os.environ['PATH']}"}
    seen = mem("purge", "--match", "-", "--json", stdin=TEXT, env=env)
    assert mem("apply", seen.json["plan"]["id"], env=env).code == 0
    told = log.read_text().lower()
    assert "cat-file" in told
    assert "frobnicate" not in told


def assert_agrees(repo: Repo, report: Any) -> None:
    """Compare the report with a search of every commit of every name by plain git."""
    outside = report["outside"]
    refs = [("branches", "refs/heads/"), ("remotes", "refs/remotes/"), ("tags", "refs/tags/")]
    for kind, folder in refs:
        names = repo.git("for-each-ref", "--format=%(refname)", folder).split()
        wanted = [found for name in names if (found := searched(repo, name, name.removeprefix(folder)))]
        assert bare(outside[kind]) == wanted, kind
    count = len(repo.git("stash", "list").splitlines())
    stashes = [searched(repo, name, name) for name in (f"stash@{{{number}}}" for number in range(count))]
    assert bare(outside["stashes"]) == [found for found in stashes if found]
    logs = {one["name"]: one["commits"] for one in outside["reflogs"] if one["commits"]}
    counts = {name: held_from(repo, starts) for name, starts in reflogs(repo).items()}
    assert logs == {name: count for name, count in counts.items() if count}
    whole = set(repo.git("rev-list", "--all", "--reflog").split())
    lost = [
        line.split()[2]
        for line in repo.git("fsck", "--unreachable", "--no-reflogs").splitlines()
        if "commit" in line
    ]
    assert outside["unreachable"]["commits"] == [one for one in lost if one not in whole and holds(repo, one)]


def reflogs(repo: Repo) -> dict[str, set[str]]:
    """The objects that each reflog's lines name."""
    found = {}
    for folder, prefix in ((".git/logs", ""), (".git/worktrees/second/logs", "worktrees/second/")):
        for path in sorted((repo.root / folder).rglob("*")):
            name = path.relative_to(repo.root / folder).as_posix()
            if path.is_file() and name != "refs/stash":
                words = [word for line in path.read_text().splitlines() for word in line.split()[:2]]
                found[prefix + name] = {word for word in words if word.strip("0")}
    return found


def held_from(repo: Repo, starts: set[str]) -> int:
    commits = repo.git("rev-list", *sorted(starts)).split() if starts else []
    return sum(holds(repo, one) for one in commits)


def bare(found: list[Any]) -> list[tuple[str, int, str, str, int]]:
    return [
        (one["name"], one["commits"], one["first"], one["last"], one["messages"])
        for one in found
        if one["commits"] or one["messages"]
    ]


def searched(repo: Repo, rev: str, name: str) -> tuple[str, int, str, str, int] | None:
    """What plain git finds from one name: how many commits hold the text, the first and the last of them,
    and how many say it."""
    if repo.git("rev-parse", "--verify", "-q", rev + "^{commit}", check=False) == "":
        return None
    commits = repo.git("rev-list", "--date-order", rev).split()
    held = [one for one in commits if holds(repo, one)]
    said = [one for one in commits if "frobnicate" in repo.git("cat-file", "commit", one).lower()]
    if not held and not said:
        return None
    return name, len(held), held[-1] if held else "", held[0] if held else "", len(said)


def holds(repo: Repo, commit: str) -> bool:
    """Whether a commit's tree has the text in a content or a name."""
    names = repo.git("ls-tree", "-r", "-z", "--name-only", commit).lower()
    return "frobnicate" in names or bool(repo.git("grep", "-i", "-l", "-F", TEXT, commit, check=False))


def assert_no_managed_byte(repo: Repo, tmp_path: Path) -> None:
    tops = [repo.root / "memory", *repo.root.glob(".git/mem"), *repo.root.glob(".git/worktrees/*/mem")]
    for path in (inner for top in tops for inner in top.rglob("*")):
        assert "frobnicate" not in path.name.lower()
        assert path.is_dir() or b"frobnicate" not in path.read_bytes().lower(), path
