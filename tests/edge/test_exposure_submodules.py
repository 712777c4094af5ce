"""Repositories inside this one: each searched as a whole and told by itself, none that lies outside."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memwarden.edge.erase.exposure import Exposure, measure
from memwarden.edge.erase.outside import outside_fields, outside_scopes
from memwarden.edge.place import find_place
from memwarden.edit.topic import Mark, Topic
from memwarden.render.exposure import exposure_page
from tests.conftest import Repo

LOCAL = ("-c", "protocol.file.allow=always")


def look(repo: Repo) -> Exposure:
    return measure(find_place(str(repo.root)), Topic([Mark("zebra")], [], ["a.txt"]))


def told(repo: Repo) -> dict[str, tuple[str, tuple[str, ...]]]:
    scopes = outside_scopes(look(repo))
    return {one.name: (one.state, one.items) for one in scopes if one.name.startswith("submodule")}


def new(folder: Path, *contents: str) -> Repo:
    """A repository with a commit for each content of one file."""
    folder.mkdir(parents=True)
    repo = Repo(folder)
    repo.git("init", "-q", "-b", "main")
    for content in contents:
        repo.write("a.txt", content)
        repo.commit("change")
    return repo


@pytest.fixture
def outer(repo: Repo, tmp_path: Path) -> Repo:
    """It has a submodule whose past alone tells the text."""
    inner = new(tmp_path / "inner", "a zebra\n", "nothing\n")
    repo.git(*LOCAL, "submodule", "--quiet", "add", str(inner.root), "lib/inner")
    repo.commit("a submodule")
    return repo


def test_the_history_of_a_submodule_is_searched_and_counted(outer: Repo) -> None:
    assert told(outer) == {"submodule lib/inner": ("not-reached", ("1 commit",))}
    outer.write("lib/inner/b.txt", "zebra\n")
    Repo(outer.root / "lib/inner").git("add", "b.txt")
    assert told(outer) == {"submodule lib/inner": ("not-reached", ("1 commit", "1 file"))}
    [fields] = outside_fields(look(outer))["submodules"]
    assert (fields["name"], fields["commits"], fields["messages"]) == ("lib/inner", 1, 0)
    assert fields["outside"]["files"] == ["b.txt"]


def test_all_submodules_stand_under_one_name_on_the_page(outer: Repo) -> None:
    page = exposure_page(tuple(outside_scopes(look(outer))))
    assert "\n  submodules           lib/inner: 1 commit\n" in page


def test_the_name_of_a_submodule_counts_though_settings_hide_it(repo: Repo) -> None:
    repo.write("b.txt", "1\n")
    commit = repo.commit("before")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},zebra")
    repo.git("commit", "-q", "-m", "linked")
    repo.git("config", "diff.ignoreSubmodules", "all")
    repo.git("config", "submodule.zebra.ignore", "all")
    [reach] = look(repo).reaches("branches")
    assert reach.commits == 1


def test_a_submodule_without_the_text_is_said_to_have_none(outer: Repo) -> None:
    found = measure(find_place(str(outer.root)), Topic([Mark("unheard of")]))
    assert [one.state for one in outside_scopes(found) if one.name == "submodule lib/inner"] == ["none"]


def test_a_submodule_inside_a_submodule_is_searched_too(outer: Repo, tmp_path: Path) -> None:
    deep = new(tmp_path / "deep", "zebra one\n", "zebra two\n")
    inner = Repo(outer.root / "lib/inner")
    inner.git(*LOCAL, "submodule", "--quiet", "add", str(deep.root), "deep")
    inner.commit("deeper")
    assert told(outer)["submodule lib/inner/deep"] == ("not-reached", ("2 commits", "1 file"))


def test_what_is_left_of_a_submodule_that_was_removed_is_searched(outer: Repo) -> None:
    outer.git("rm", "-q", "-f", "lib/inner")
    outer.commit("no more")
    assert told(outer) == {"submodule lib/inner": ("not-reached", ("1 commit",))}


def test_a_submodule_that_is_not_here_is_unknown(outer: Repo, tmp_path: Path) -> None:
    outer.git("clone", "-q", str(outer.root), str(tmp_path / "clone"))
    [(name, (state, _))] = told(Repo(tmp_path / "clone")).items()
    assert (name, state) == ("submodule lib/inner", "unknown")


def test_a_worktree_without_a_submodule_that_another_has_is_named(outer: Repo, tmp_path: Path) -> None:
    outer.git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second")
    assert {name: state for name, (state, _) in told(outer).items()} == {
        "submodule lib/inner": "not-reached",
        "submodule second: lib/inner": "unknown",
    }


def test_a_repository_that_is_no_submodule_is_searched_where_it_lies(repo: Repo) -> None:
    repo.write("x", "x")
    repo.commit("x")
    new(repo.root / "vendor/other", "zebra\n")
    assert told(repo) == {"submodule vendor/other": ("not-reached", ("1 commit", "1 file"))}


@pytest.mark.parametrize("way", ["a file", "a link", "a name"])
def test_nothing_outside_of_this_repository_is_looked_into(outer: Repo, tmp_path: Path, way: str) -> None:
    other = new(tmp_path / "other", "zebra\n")
    folder = outer.root / "lib/inner"
    shutil.rmtree(folder)
    shutil.rmtree(outer.root / ".git/modules")
    if way == "a file":
        folder.mkdir()
        (folder / ".git").write_text(f"gitdir: {other.root}/.git\n")
    elif way == "a link":
        folder.symlink_to(other.root)
    else:
        outer.write(".gitmodules", '[submodule "x"]\n\tpath = ../other\n\turl = ../other\n')
    [(name, (state, _))] = told(outer).items()
    assert (name, state) == ("submodule lib/inner", "unknown")


def test_a_link_among_the_git_directories_is_not_followed(outer: Repo, tmp_path: Path) -> None:
    other = new(tmp_path / "other", "zebra\n")
    (outer.root / ".git/modules/linked").symlink_to(other.root / ".git")
    assert list(told(outer)) == ["submodule lib/inner"]


# What is counted, and how it is said


def test_what_nothing_reaches_in_a_submodule_is_counted_apart(outer: Repo) -> None:
    inner = Repo(outer.root / "lib/inner")
    for number in range(2):
        inner.git("checkout", "-q", "-b", f"lost-{number}", "HEAD")
        inner.write("a.txt", f"a zebra {number}\n")
        inner.commit("a zebra")
        inner.git("checkout", "-q", "main")
        inner.git("branch", "-q", "-D", f"lost-{number}")
    shutil.rmtree(outer.root / ".git/modules/lib/inner/logs")
    (outer.root / ".git/modules/lib/inner/COMMIT_EDITMSG").unlink()
    assert told(outer) == {
        "submodule lib/inner": (
            "not-reached",
            ("1 commit", "2 commits that nothing reaches", "2 contents that nothing reaches"),
        )
    }


def test_names_and_files_of_gits_own_are_counted_in_plain_words(outer: Repo) -> None:
    inner = Repo(outer.root / "lib/inner")
    for number in range(2):
        inner.git("tag", "-a", "-m", "a zebra", f"told-{number}")
        inner.git("tag", f"content-{number}", "HEAD~1:a.txt")
        outer.write(f".git/modules/lib/inner/said-{number}", "a zebra\n")
    [(_, items)] = told(outer).values()
    assert items == (
        "1 commit",
        "2 names that have the text themselves or in a message",
        "2 contents without a commit",
        "2 files of git's own",
    )


def test_a_submodules_own_memory_is_named_with_what_takes_it_away(outer: Repo) -> None:
    outer.write(".git/modules/lib/inner/mem/index", b"\0a zebra\0")
    outer.write(".git/modules/lib/inner/mem/answers/one", "a zebra\n")
    outer.write(".git/modules/lib/inner/mem/answers/two", "nothing\n")
    [(_, items)] = told(outer).values()
    assert items == (
        "1 commit",
        "2 files of its own memory's index, answers and the like (mem purge in that folder takes them)",
    )
    [fields] = outside_fields(look(outer))["submodules"]
    assert fields["outside"]["private"] == ["mem/index", "mem/answers/one"]


def test_the_memory_of_a_submodule_that_was_removed_is_named_too(outer: Repo) -> None:
    outer.git("rm", "-q", "-f", "lib/inner")
    outer.commit("no more")
    outer.write(".git/modules/lib/inner/mem/index", b"\0a zebra\0")
    [(_, items)] = told(outer).values()
    assert items[-1].endswith("(its folder in .git/modules may be removed)")
