"""A condition on a version, written for a project whose manifest lies in a folder, or nowhere."""

from __future__ import annotations

from tests.conftest import Mem, Repo

UNTIL = 'version: {of: react, is: ">=18"}'


def test_adding_says_at_once_that_no_file_declares_the_name(memory_repo: Repo, inside: Mem) -> None:
    memory_repo.write("web/app.js", "\n")
    for condition in (UNTIL, f"not: {{{UNTIL}}}"):
        ran = inside("add", "Shims", "--anchor", "web/app.js", "--debt", "--until", "-", stdin=condition)
        assert "cannot be told now: no file declares react" in ran.out + ran.err, ran


def test_a_manifest_in_a_folder_pays_and_blame_finds_the_commit(memory_repo: Repo, inside: Mem) -> None:
    memory_repo.write("web/package.json", '{"dependencies": {"react": "^17.0.0"}}')
    memory_repo.commit("old")
    words = ("add", "Shims", "--anchor", "web/package.json", "--debt", "--until", "-", "--json", "--apply")
    (note,) = inside(*words, stdin=UNTIL).json["notes"]
    memory_repo.write("web/package.json", '{"dependencies": {"react": "^18.2.0"}}')
    assert note in inside("touch", "web/package.json", "--write").err
    paid = memory_repo.commit("React 18")
    found = inside("blame", note, "--json").json
    assert [flip["commit"] for flip in found["flips"] if flip["holds"]] == [paid]
