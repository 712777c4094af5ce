"""A file that git has not merged yet is nobody's version: no condition is told by it, whatever asks."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Mem, Repo, note_text

DEBTS = {
    "n-aaaaaaaa": "{file_contains: {path: src/a.py, pattern: theirs}}",
    "n-bbbbbbbb": "{file_lacks: {path: 'src/*.py', pattern: first}}",
    "n-cccccccc": "{file_absent: src/gone.py}",
    "n-eeeeeeee": "{file_absent: lost}",
    "n-ffffffff": "{data_matches: {path: a.json, key: name, pattern: theirs}}",
    "n-gggggggg": "{not: {file_exists: src/link.py}}",
}


@pytest.fixture
def parted(memory_repo: Repo) -> Repo:
    """Two branches that changed the same lines, and one that took away what the other changed."""
    for note, condition in DEBTS.items():
        debt = note_text("A debt", id=note, subject="path:src", lifecycle="debt", condition=condition,
                         anchors="[src/a.py]")  # fmt: skip
        memory_repo.write(f"memory/debts/{note}.md", debt)
    write(memory_repo, "first")
    memory_repo.write("src/link.py", "x\n")
    memory_repo.commit("start")
    memory_repo.git("switch", "-q", "-c", "other")
    write(memory_repo, "theirs")
    memory_repo.git("rm", "-q", "-f", "src/gone.py", "lost/a.py")
    memory_repo.commit("theirs")
    memory_repo.git("switch", "-q", "main")
    write(memory_repo, "ours")
    memory_repo.commit("ours")
    return memory_repo


def write(repo: Repo, word: str) -> None:
    repo.write("src/a.py", f"one\n{word}\nthree\n")
    repo.write("src/gone.py", f"{word}\n")
    repo.write("lost/a.py", f"{word}\n")
    repo.write("a.json", json.dumps({"name": word}) + "\n")


def states(mem: Mem, *more: str) -> dict[str, str]:
    return {debt["id"]: debt["verdict"]["holds"] for debt in mem("debts", "--json", *more).json["debts"]}


@pytest.mark.parametrize("how", ["merge", "rebase", "cherry-pick"])
def test_nothing_is_paid_by_what_a_conflict_left_behind(parted: Repo, inside: Mem, how: str) -> None:
    words = ("rebase", "-q", "other") if how == "rebase" else (how, "other")
    parted.git(*words, check=False)
    (parted.root / "lost/a.py").unlink()
    (parted.root / "lost").rmdir()
    told = states(inside)
    expected = {note: None for note in DEBTS if note != "n-gggggggg"}
    assert told == {**expected, "n-gggggggg": False}
    assert "nothing to record" in inside("settle").err
    touched = inside("touch", "src/a.py", "--write", "--json").json
    assert touched["paid"] == []
    assert "M406" not in inside("check").out
    assert inside("close", "--wrote", "src/a.py", "--json").json["paid"] == []
    assert not (parted.root / "memory/events/n-aaaaaaaa").exists()


def test_a_payment_is_not_taken_back_by_a_conflict(parted: Repo, inside: Mem) -> None:
    parted.write("src/a.py", "one\ntheirs\nthree\n")
    assert inside("settle").code == 0
    parted.commit("paid")
    parted.git("switch", "-q", "other")
    parted.write("src/a.py", "one\nthree\nfour\n")
    parted.commit("more")
    parted.git("switch", "-q", "main")
    parted.git("merge", "other", check=False)
    parted.write("src/a.py", "<<<<<<< HEAD\n=======\n>>>>>>> other\n")
    inside("settle")
    events = sorted(path.name.split("-")[1] for path in parted.root.glob("memory/events/n-aaaaaaaa/*"))
    assert events == ["paid"]
    assert "M402" not in inside("check").out


def test_a_stash_that_does_not_fit_leaves_no_answer_either(parted: Repo, inside: Mem) -> None:
    parted.write("src/a.py", "one\ntheirs\nthree\n")
    parted.git("stash", "-q")
    parted.write("src/a.py", "one\nmine\nthree\n")
    parted.commit("mine")
    parted.git("stash", "pop", check=False)
    assert "<<<<<<<" in parted.read("src/a.py")
    assert states(inside)["n-aaaaaaaa"] is None
    ran = inside("pay", "n-aaaaaaaa", "--reason", "x", "--apply", env={"CLAUDECODE": "1"})
    assert (ran.code, "a person's decision" in ran.err) == (1, True)


def test_what_is_merged_counts_again(parted: Repo, inside: Mem) -> None:
    parted.git("merge", "other", check=False)
    write(parted, "theirs")
    parted.git("add", "src/a.py")
    assert states(inside)["n-aaaaaaaa"] is True
    assert states(inside)["n-cccccccc"] is None
    parted.git("rm", "-q", "--cached", "src/gone.py")
    assert states(inside)["n-cccccccc"] is False


def test_a_text_about_conflicts_is_a_text(parted: Repo, inside: Mem) -> None:
    parted.write("src/a.py", "<<<<<<< ours\ntheirs\n=======\n>>>>>>> theirs\n")
    assert states(inside)["n-aaaaaaaa"] is True


def test_no_command_runs_over_a_conflict(parted: Repo, inside: Mem) -> None:
    debt = note_text("A debt", id="n-hhhhhhhh", lifecycle="debt", condition="{command: {run: 'false'}}")
    parted.write("memory/debts/n-hhhhhhhh.md", debt)
    parted.commit("command")
    parted.git("merge", "other", check=False)
    found = inside("debts", "--run", "--json", env={"CI": "true"}).json["debts"]
    (verdict,) = [one["verdict"] for one in found if one["id"] == "n-hhhhhhhh"]
    assert verdict["holds"] is None


MEMORY_FILES = {
    "memory/decisions/a.md": note_text("A rule", "{word}", id="n-jjjjjjjj"),
    "memory/subjects/cache.md": "---\nid: cache\nname: {word}\nkind: concept\n---\nThe cache.\n",
    "memory/inbox/thought.md": "{word}\n",
}


@pytest.mark.parametrize("path", [*MEMORY_FILES, "memory/manifest.md"])
def test_a_file_of_the_memory_that_is_not_merged_is_named_as_that(
    memory_repo: Repo, inside: Mem, path: str
) -> None:
    text = MEMORY_FILES.get(path) or memory_repo.read(path) + "\n{word}\n"
    for branch, word in (("main", "first"), ("other", "theirs"), ("main", "ours")):
        memory_repo.git("switch", "-q", *(() if branch == "main" else ("-c",)), branch)
        memory_repo.write(path, text.replace("{word}", word))
        memory_repo.commit(word)
    assert inside("check", "--staged").code == 0
    memory_repo.git("merge", "other", check=False)
    for _ in range(2):  # afresh, and from what the last check kept
        ran = inside("check", "--staged", "--json")
        told = [one for one in ran.json["findings"] if one["severity"] == "error"]
        assert [(one["code"], one["path"], one["message"]) for one in told] == [
            ("M002", path, "git has not merged it yet")
        ]
        assert ran.code == 1
    memory_repo.write(path, text.replace("{word}", "both"))
    assert inside("check", "--staged").code == 1, "resolved and not yet added"
    memory_repo.git("add", path)
    assert inside("check", "--staged").code == 0
