"""What nobody can look into is unknown wherever it lies; what lies beside git's usual places is searched."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import pytest

from memwarden.edge.erase.exposure import Exposure, measure
from memwarden.edge.erase.outside import Scope, outside_fields, outside_scopes
from memwarden.edge.place import find_place
from memwarden.edit.topic import Mark, Topic
from tests.cli.purge_ground import scope
from tests.conftest import Mem, Repo

TEXT = Topic([Mark("zebra")])
PACKED = gzip.compress(b"a zebra\n", mtime=0)
CLOSED, GITS = "compressed contents", "git's own files"


def look(repo: Repo) -> Exposure:
    return measure(find_place(str(repo.root)), TEXT)


def scopes(repo: Repo) -> dict[str, Scope]:
    return {one.name: one for one in outside_scopes(look(repo))}


@pytest.fixture
def plain(repo: Repo) -> Repo:
    repo.write("a.txt", "nothing\n")
    repo.commit("start")
    return repo


# Compressed files


@pytest.mark.parametrize(
    "data",
    [PACKED, zlib.compress(b"a zebra\n"), b"# v2 git bundle\n", b"PACK\0\0\0\2", b"\x1f\x9d\x90", b"PK\3\4"],
    ids=["gzip", "zlib", "bundle", "pack", "compress", "zip"],
)
def test_a_compressed_file_that_git_does_not_store_is_unknown(plain: Repo, data: bytes) -> None:
    assert scopes(plain)[CLOSED] == Scope(CLOSED, "none")
    plain.write("kept/old.bin", data)
    assert scopes(plain)[CLOSED] == Scope(CLOSED, "unknown", ("kept/old.bin",))
    assert outside_fields(look(plain))["searched"]["compressed"] == 1


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_a_compressed_file_that_git_stores_too_counts_once(tmp_path: Path, form: str) -> None:
    repo = Repo(tmp_path / "r")
    repo.root.mkdir()
    repo.git("init", "-q", f"--object-format={form}")
    repo.write("a.gz", PACKED)
    repo.commit("packed")
    assert scopes(repo)[CLOSED].items == ("1 content (archives, documents and the like)",)


@pytest.mark.parametrize("path", [".git/mem/x.gz", ".git/mem/plans/x.json", ".git/lfs/objects/x"])
def test_a_compressed_file_in_gits_folder_is_unknown(plain: Repo, path: str) -> None:
    plain.write(path, PACKED)
    assert scopes(plain)[CLOSED].items == (path.removeprefix(".git/"),)


def test_a_compressed_file_in_another_worktree_is_named_with_it(plain: Repo, tmp_path: Path) -> None:
    plain.git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second")
    (tmp_path / "second/x.gz").write_bytes(PACKED)
    assert scopes(plain)[CLOSED].items == ("second: x.gz",)


def test_of_many_compressed_files_a_few_are_named(plain: Repo) -> None:
    for number in range(8):
        plain.write(f"{number}.gz", gzip.compress(b"%d" % number))
    *named, rest = scopes(plain)[CLOSED].items
    assert (len(named), rest) == (5, "and 3 more files")


def test_a_compressed_file_that_tells_it_by_its_name_is_found_and_not_unknown(plain: Repo) -> None:
    plain.write("zebra.gz", PACKED)
    assert look(plain).here.files == ("zebra.gz",)
    assert scopes(plain)[CLOSED].state == "none"


@pytest.mark.parametrize("text", ["zebra", "…"])
def test_a_compressed_file_in_the_memory_is_unknown_before_and_after_a_purge(
    memory_repo: Repo, mem: Mem, text: str
) -> None:
    made = mem("add", f"About {text} it is", "--facet", "workflow", "--apply", "--json")
    assert made.code == 0, made.err
    memory_repo.write("memory/x.gz", PACKED)
    seen = mem("purge", "--match", text, "--json")
    assert seen.code == 0, seen.err
    assert (scope(seen)[CLOSED]["state"], scope(seen)[CLOSED]["items"]) == ("unknown", ["memory/x.gz"])
    done = mem("apply", seen.json["plan"]["id"], "--json")
    assert done.code == 0, done.err
    assert scope(done)[CLOSED]["items"] == ["memory/x.gz"]


def test_a_compressed_content_in_a_submodule_is_unknown(plain: Repo, tmp_path: Path) -> None:
    inner = Repo(plain.root / "lib/inner")
    inner.root.mkdir(parents=True)
    inner.git("init", "-q")
    inner.write("a.gz", PACKED)
    inner.commit("packed")
    inner.write("b.gz", gzip.compress(b"b"))
    assert scopes(plain)[CLOSED] == Scope(CLOSED, "unknown", ("submodule lib/inner: 2 contents",))


# Beside the objects


@pytest.mark.parametrize(
    "name", ["pack/tmp_pack_x1", "pack/.tmp-1-pack-2.pack", "incoming-1/pack/pack-1.pack", "aa/tmp_obj_x"]
)
def test_what_a_killed_git_left_among_the_objects_is_unknown(plain: Repo, name: str) -> None:
    assert scopes(plain)[GITS].state == "none"
    plain.write(f".git/objects/{name}", zlib.compress(b"a zebra") if "obj" in name else b"PACK\0\0\0\2xxx")
    assert scopes(plain)[CLOSED] == Scope(CLOSED, "unknown", (f"objects/{name}",))


@pytest.mark.parametrize("name", ["info/note", "pack/pack-1.keep", "aa/readme", "zebra/x", "pack/tmp_zebra"])
def test_a_text_that_lies_among_the_objects_is_found(plain: Repo, name: str) -> None:
    plain.write(f".git/objects/{name}", "a Zebra\n")
    assert scopes(plain)[GITS] == Scope(GITS, "not-reached", (f"objects/{name}",))


def test_nothing_that_git_makes_of_its_objects_is_taken_for_a_leftover(plain: Repo) -> None:
    plain.git("repack", "-adq", "--write-bitmap-index")
    plain.git("multi-pack-index", "write")
    plain.git("commit-graph", "write", "--reachable", "--split")
    plain.write("b.txt", "loose\n")
    plain.commit("loose")
    assert (scopes(plain)[GITS].state, scopes(plain)[CLOSED].state) == ("none", "none")


# Hooks that lie elsewhere


def test_hooks_in_a_folder_elsewhere_are_searched(plain: Repo, tmp_path: Path) -> None:
    folder = tmp_path / "hooks"
    (folder / "lib").mkdir(parents=True)
    (folder / "pre-push").write_text("# plain\n")
    (folder / "lib/common.sh").write_text("# a zebra\n")
    plain.git("config", "core.hooksPath", "../hooks")
    assert scopes(plain)[GITS] == Scope(GITS, "not-reached", ("core.hooksPath/lib/common.sh",))


@pytest.mark.parametrize("path", ["/dev/null", "nowhere", ".githooks"])
def test_hooks_that_are_nowhere_or_in_the_tree_are_no_obstacle(plain: Repo, path: str) -> None:
    plain.write(".githooks/pre-push", "# a zebra\n")
    plain.git("config", "core.hooksPath", path)
    assert scopes(plain)[GITS].state == "none"
    assert look(plain).here.files == (".githooks/pre-push",)


def test_a_folder_of_hooks_with_too_many_files_is_no_clean_bill(plain: Repo, tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    for number in range(600):
        (tmp_path / f"hooks/{number}").write_text("plain\n")
    plain.git("config", "core.hooksPath", str(tmp_path / "hooks"))
    assert scopes(plain)[GITS].state == "unknown"


def test_hooks_of_one_worktree_alone_are_searched(plain: Repo, tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks/pre-push").write_text("# a zebra\n")
    plain.git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second")
    plain.git("config", "extensions.worktreeConfig", "true")
    Repo(tmp_path / "second").git("config", "--worktree", "core.hooksPath", str(tmp_path / "hooks"))
    assert scopes(plain)[GITS].items == ("core.hooksPath/pre-push",)
