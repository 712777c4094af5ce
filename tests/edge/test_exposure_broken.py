"""What is damaged or gone is unknown, and what is whole beside it is told all the same; no error ends it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memwarden.edge.erase.exposure import Exposure, measure
from memwarden.edge.erase.outside import outside_fields, outside_scopes
from memwarden.edge.place import find_place
from memwarden.edit.topic import Mark, Topic
from tests.conftest import Repo

TEXT = Topic([Mark("zebra")])
LOOKED_AT = ("branches", "tags", "unreachable objects", "index", "compressed contents")


def look(repo: Repo) -> Exposure:
    return measure(find_place(str(repo.root)), TEXT)


def states(found: Exposure) -> dict[str, str]:
    return {one.name: one.state for one in outside_scopes(found)}


def stored(repo: Repo, name: str) -> Path:
    """The file of a loose object, ready to be changed."""
    oid = repo.git("rev-parse", name).strip()
    file = repo.root / ".git/objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    return file


def add(repo: Repo, content: bytes) -> str:
    """The ID of a content that nothing reaches."""
    repo.write(".git/new", content)
    oid = repo.git("hash-object", "-w", ".git/new").strip()
    (repo.root / ".git/new").unlink()
    return oid


@pytest.fixture
def past(repo: Repo) -> Repo:
    """A branch with the text, and a clean one of other files."""
    repo.write("a.txt", "a zebra\n")
    repo.commit("in")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("rm", "-q", "-r", "-f", ".")
    repo.write("src/plain.txt", "nothing\n")
    repo.commit("plain")
    return repo


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_an_object_that_is_empty_or_garbled_is_unknown_and_the_rest_is_told(
    past: Repo, damage: bytes | None
) -> None:
    file = stored(past, add(past, random.Random(1).randbytes(200_000)))
    file.write_bytes(file.read_bytes()[:5000] if damage is None else damage)
    found = look(past)
    assert [(one.name, one.commits) for one in found.reaches("branches")] == [("main", 1)]
    assert {states(found)[name] for name in LOOKED_AT[1:]} == {"unknown"}
    assert outside_fields(found)["searched"]["unreadable"] == 1


@pytest.mark.parametrize("kind", ["commit", "tree", "blob", "inner tree"])
@pytest.mark.parametrize("gone", [True, False])
def test_a_branch_of_which_something_is_gone_or_garbled_is_never_said_to_have_none(
    past: Repo, kind: str, gone: bool
) -> None:
    past.git("branch", "-q", "-D", "main")
    names = {"commit": "other", "tree": "other^{tree}", "blob": "other:src/plain.txt"}
    file = stored(past, names.get(kind, "other:src"))
    if gone:
        file.unlink()
    else:
        file.write_bytes(b"garbage")
    found = look(past)
    assert not found.whole
    assert {states(found)[name] for name in ("branches", "tags", "compressed contents")} == {"unknown"}


def test_a_content_that_an_older_commit_brought_and_that_is_gone_is_unknown(past: Repo) -> None:
    past.git("branch", "-q", "-D", "main")
    past.git("rm", "-q", "src/plain.txt")
    past.commit("later")
    past.git("repack", "-q")
    assert states(look(past))["tags"] == "none"
    stored(past, "other~1:src/plain.txt").unlink()
    for pack in (past.root / ".git/objects/pack").iterdir():
        pack.unlink()
    assert states(look(past))["tags"] == "unknown"


@pytest.mark.parametrize("way", ["a content", "a commit"])
def test_a_name_that_leads_to_nothing_is_unknown(past: Repo, way: str) -> None:
    past.git("branch", "-q", "-D", "main")
    oid = add(past, b"plain\n") if way == "a content" else past.git("rev-parse", "other").strip()
    past.git("tag", "gone", oid)
    assert states(look(past))["branches"] == "none"
    past.git("update-ref", "-d", "refs/heads/other")
    stored(past, oid).unlink()
    assert states(look(past))["tags"] == "unknown"


def test_a_staged_content_that_is_gone_is_unknown(past: Repo) -> None:
    past.git("branch", "-q", "-D", "main")
    past.write("new.txt", "")
    past.git("add", "-N", "new.txt")  # it names the empty content, which nobody stores
    assert states(look(past))["tags"] == "none"
    past.write("new.txt", "new\n")
    past.git("add", "new.txt")
    stored(past, ":new.txt").unlink()
    assert states(look(past))["tags"] == "unknown"


def test_a_submodules_commit_need_not_be_here(past: Repo) -> None:
    past.git("branch", "-q", "-D", "main")
    commit = past.git("rev-parse", "other").strip()
    past.git("update-index", "--add", "--cacheinfo", f"160000,{commit[::-1]},lib")
    past.git("commit", "-q", "-m", "linked")
    past.git("rm", "-q", "--cached", "lib")
    past.write("lib", "a file by that name\n")
    past.commit("a file instead")
    assert look(past).whole
    stored(past, "other:lib").unlink()
    (past.root / "lib").unlink()
    past.commit("none")
    assert not look(past).whole


def test_a_damaged_pack_takes_nothing_else_with_it(past: Repo) -> None:
    dice = random.Random(1)
    for number in range(3):
        past.write("large.bin", dice.randbytes(9000))
        past.commit(f"{number}")
    past.git("repack", "-adq")
    [pack] = (past.root / ".git/objects/pack").glob("*.pack")
    blob = past.git("rev-parse", "HEAD~1:large.bin").strip()
    listed = past.git("verify-pack", "-v", str(pack.with_suffix(".idx"))).splitlines()
    [at] = [int(line.split()[4]) + 4000 for line in listed if line.startswith(blob)]
    data = bytearray(pack.read_bytes())
    data[at : at + 40] = bytes(40)
    pack.chmod(0o644)
    pack.write_bytes(bytes(data))
    found = look(past)
    assert [one.name for one in found.reaches("branches")] == ["main"]
    assert not found.whole


@pytest.mark.parametrize("seed", range(12))
def test_no_damage_ends_in_an_error_or_in_a_clean_bill(past: Repo, seed: int) -> None:
    dice = random.Random(seed)
    past.git("branch", "-q", "-D", "main")
    past.git("tag", "-a", "-m", "plain", "v1")
    past.git("stash", "list")
    if seed % 3 == 0:
        past.git("gc", "-q")
    before = states(look(past))
    assert (before["branches"], before["tags"]) == ("none", "none")
    files = [path for path in (past.root / ".git").rglob("*") if path.is_file() and "hooks" not in path.parts]
    for file in dice.sample(sorted(files), 3):
        file.chmod(0o644)
        data = bytearray(file.read_bytes())
        kind = dice.randrange(3)
        if kind == 0:
            data = data[: dice.randrange(len(data) + 1)]
        elif kind == 1 and data:
            start = dice.randrange(len(data))
            data[start : start + 20] = dice.randbytes(20)
        else:
            data = bytearray()
        file.write_bytes(bytes(data))
    assert len(states(look(past))) == len(before)
