"""Names that lead to no commit, names inside of names, texts over several names of a path, words in other
alphabets: each is told where it stands."""

from __future__ import annotations

import subprocess

import pytest

from memwarden.edge.erase.exposure import Exposure, measure
from memwarden.edge.erase.outside import outside_scopes
from memwarden.edge.place import find_place
from memwarden.edit.topic import Mark, Topic
from tests.conftest import Repo

TEXT = Topic([Mark("zebra")])


def look(repo: Repo, topic: Topic = TEXT) -> Exposure:
    return measure(find_place(str(repo.root)), topic)


def items(found: Exposure, kind: str) -> tuple[str, ...]:
    return next(one.items for one in outside_scopes(found) if one.name == kind)


def made(repo: Repo, *arguments: str, stdin: str) -> str:
    """The ID of an object that git makes of some text."""
    done = subprocess.run(
        ["git", *arguments], cwd=repo.root, input=stdin.encode(), capture_output=True, check=True
    )
    return done.stdout.decode().strip()


@pytest.fixture
def plain(repo: Repo) -> Repo:
    repo.write("a.txt", "nothing\n")
    repo.commit("start")
    return repo


def content(repo: Repo, text: str = "a zebra\n") -> str:
    return made(repo, "hash-object", "-w", "--stdin", stdin=text)


def folder(repo: Repo) -> str:
    """A tree of two files with the text: one has it, and one tells it by its name."""
    entries = [f"100644 blob {content(repo)}\ta.txt", f"100644 blob {content(repo, 'x')}\tzebra.txt"]
    return made(repo, "mktree", stdin="\n".join(entries) + "\n")


@pytest.mark.parametrize("annotated", [True, False])
def test_a_tag_of_a_content_is_named(plain: Repo, annotated: bool) -> None:
    plain.git("tag", *(("-a", "-m", "plain") if annotated else ()), "key", content(plain))
    found = look(plain)
    assert items(found, "tags") == ("key: 1 content without a commit",)
    assert found.past is not None
    assert found.past.loose_blobs == ()


def test_a_tag_of_a_tree_is_named_with_all_that_is_in_it(plain: Repo) -> None:
    plain.git("tag", "tree", folder(plain))
    assert items(look(plain), "tags") == ("tree: 2 contents without a commit",)


@pytest.mark.parametrize("make", [content, folder])
def test_any_other_ref_that_leads_to_no_commit_is_named(plain: Repo, make: object) -> None:
    assert callable(make)
    plain.git("update-ref", "refs/keep/one", make(plain))
    [reach] = look(plain).reaches("other refs")
    assert (reach.name, reach.commits, reach.contents) == ("refs/keep/one", 0, 1 if make is content else 2)


def test_a_tag_inside_of_a_tag_is_read_though_its_own_name_is_gone(plain: Repo) -> None:
    plain.git("tag", "-a", "-m", "a zebra", "inner")
    plain.git("tag", "-a", "-m", "plain", "outer", "inner")
    plain.git("tag", "-d", "inner")
    assert items(look(plain), "tags") == ("outer: its own name or message has the text",)


def test_what_an_entry_of_the_stash_log_went_away_from_is_reached_by_that_log(plain: Repo) -> None:
    for text in ("a zebra\n", "plain\n"):
        plain.write("a.txt", text)
        plain.git("stash")
    log = plain.root / ".git/logs/refs/stash"
    log.write_text(log.read_text().splitlines(keepends=True)[1])
    found = look(plain)
    assert found.past is not None
    assert (found.past.loose_commits, found.past.loose_blobs) == ((), ())
    assert [(one.name, one.commits) for one in found.reaches("reflogs")] == [("refs/stash", 1)]
    assert found.reaches("stashes") == ()


# Texts over several names of a path


@pytest.mark.parametrize("text", ["src/vault", "vault/a", "/vault/", "src vault"])
def test_a_text_over_several_names_of_a_path_is_found_in_history(plain: Repo, text: str) -> None:
    plain.write("src/vault/a.py", "1\n")
    plain.commit("in")
    plain.git("rm", "-q", "-r", "src")
    plain.commit("out")
    [reach] = look(plain, Topic([Mark(text)])).reaches("branches")
    assert reach.commits == 1


def test_half_of_such_a_text_is_not_found(plain: Repo) -> None:
    plain.write("other/vault/a.py", "1\n")
    plain.write("src/vaults/b.py", "1\n")
    plain.commit("in")
    assert look(plain, Topic([Mark("src/vault/")])).reaches("branches") == ()


def test_a_lost_folder_is_told_by_several_names_in_a_row(plain: Repo) -> None:
    plain.write("src/vault/a.py", "1\n")
    plain.git("add", "src")
    tree = plain.git("write-tree").strip()
    plain.git("rm", "-q", "-r", "-f", "src")
    found = look(plain, Topic([Mark("src/vault")]))
    assert found.past is not None
    assert found.past.loose_trees == (tree,)


# Words in other alphabets


def test_a_message_is_read_in_the_encoding_that_it_names(plain: Repo) -> None:
    message = plain.root / ".git/said"
    message.write_bytes("Müller\n".encode("latin-1"))
    plain.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-F", str(message))
    message.unlink()
    (plain.root / ".git/COMMIT_EDITMSG").unlink()
    [reach] = look(plain, Topic([Mark("müller")])).reaches("branches")
    assert reach.messages == 1


def test_a_message_in_an_encoding_that_nobody_knows_is_unknown(plain: Repo) -> None:
    plain.git("-c", "i18n.commitEncoding=x-unheard", "commit", "-q", "--allow-empty", "-m", "plain")
    found = look(plain)
    assert {one.name: one.state for one in outside_scopes(found)}["branches"] == "unknown"
