"""Paths on a command line, typed in a subfolder, mean what a user of git expects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memwarden.cli.from_here import FromHere
from memwarden.edge.place import find_place
from memwarden.errors import UsageError
from tests.conftest import Mem, Repo, note_text


@pytest.fixture
def wee(memory_repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Reads a path in ``src/wee``."""
    for path in ("src/wee/client.py", "src/other.py", "top.py", "src/wee/top.py"):
        memory_repo.write(path, "new_name\n")
    monkeypatch.chdir(memory_repo.root / "src/wee")
    return lambda text: FromHere(find_place(".")).path(text, "--anchor")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("client.py", "src/wee/client.py"),
        ("./client.py", "src/wee/client.py"),
        ("./later.py", "src/wee/later.py"),
        ("../other.py", "src/other.py"),
        ("../*.py", "src/*.py"),
        ("top.py", "top.py"),
        ("src/other.py", "src/other.py"),
        ("later.py", "later.py"),
        ("*.py", "*.py"),
        (".", "src/wee"),
        ("..", "src"),
    ],
)
def test_a_path_is_seen_from_here_where_it_is_there_or_says_so(
    wee: Callable[[str], str], typed: str, read: str
) -> None:
    assert wee(typed) == read


def test_an_absolute_path_inside_becomes_relative_and_one_outside_is_refused(
    wee: Callable[[str], str], memory_repo: Repo, tmp_path: Path
) -> None:
    assert wee(str(memory_repo.root / "src/other.py")) == "src/other.py"
    (tmp_path / "link").symlink_to(memory_repo.root)
    assert wee(str(tmp_path / "link/src/other.py")) == "src/other.py"
    for outside in ("/etc/passwd", "../../../x.py", str(tmp_path)):
        with pytest.raises(UsageError, match="outside the repository"):
            wee(outside)


def test_every_option_with_a_path_is_seen_from_the_subfolder_and_said(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("src/wee/client.py", "old\n")
    ran = mem(
        *("add", "A debt", "--anchor", "client.py", "--until", "contains:client.py:new_name"),
        *("--evidence", "file:client.py#L1", "--subject", "path:client.py#retry", "--apply"),
        cwd=memory_repo.root / "src/wee",
    )
    assert ran.code == 0, ran.err
    assert "--anchor client.py is src/wee/client.py" in ran.err
    text = next((memory_repo.root / "memory/debts").glob("*.md")).read_text()
    for line in (
        "subject: path:src/wee/client.py#retry",
        "  file_contains: {path: src/wee/client.py, pattern: new_name}",
        "  - src/wee/client.py",
        "  - file: src/wee/client.py#L1",
    ):
        assert line in text.splitlines()


def test_a_glob_and_a_path_that_is_nowhere_stay_and_the_other_reading_is_named(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write("src/wee/client.py", "old\n")
    ran = mem("add", "A rule", "--anchor", "sub/*.py", "--apply", cwd=memory_repo.root / "src/wee")
    assert "from here: src/wee/sub/*.py" in ran.err
    assert "M405" in ran.out
    assert "fix: " in ran.out


def test_at_the_top_nothing_is_said_of_paths(memory_repo: Repo, mem: Mem) -> None:
    ran = mem("add", "A rule", "--anchor", "later.py", "--subject", "path:x", "--apply")
    assert (ran.code, ran.err) == (0, "")


def test_a_note_is_named_by_its_path_from_here_and_from_the_top(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("A", subject="path:a"))
    memory_repo.write("memory/archive/decisions/a.md", note_text("Old", id="n-aaaaaaaa", subject="path:a"))
    here, top = memory_repo.root / "memory/archive", "memory/decisions/a.md"
    for words in (("show",), ("why",)):
        assert "n-aaaaaaaa" in mem(*words, "decisions/a.md", cwd=here).out, words
    for typed in (top, "../decisions/a.md", str(memory_repo.root / top)):
        assert mem("show", typed, "--json", cwd=here).json["id"] == "n-4f7k2m9q", typed
    ran = mem("revoke", "decisions/a.md", "--json", cwd=memory_repo.root / "memory")
    assert ran.json["notes"] == ["n-4f7k2m9q"]
    ran = mem("add", "B", "--subject", "path:a", "--supersedes", "../decisions/a.md", "--json", cwd=here)
    assert "supersedes:\n+  - n-4f7k2m9q" in ran.json["plan"]["diff"]


def test_check_takes_a_path_from_here_and_from_the_top(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("A", facet="mood"))
    memory_repo.write("memory/decisions/b.md", note_text("B", id="n-bbbbbbbb", facet="mood"))
    here = memory_repo.root / "memory/decisions"
    for typed in ("a.md", "memory/decisions/a.md", "a*.md", "memory/decisions/a*"):
        found = mem("check", "--json", typed, cwd=here).json["findings"]
        assert {one["path"] for one in found} == {"memory/decisions/a.md"}, typed
    assert mem("check", "nope.md", cwd=here).code == 2


@pytest.fixture
def moved(memory_repo: Repo) -> Repo:
    """Notes about a file of a subfolder, which has moved there, and about one of the same name at the top."""
    memory_repo.write("src/wee/new.py", "x\n")
    about = {"n-aaaaaaaa": "src/wee/old.py", "n-bbbbbbbb": "both.py", "n-cccccccc": "src/wee/both.py"}
    for note, path in about.items():
        text = note_text(note, id=note, subject=f"path:{path}", anchors=f"[{path}]")
        memory_repo.write(f"memory/decisions/{note}.md", text)
    memory_repo.commit("notes")
    return memory_repo


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("path:old.py", ["n-aaaaaaaa"]),
        ("path:src/wee/old.py", ["n-aaaaaaaa"]),
        ("path:./old.py", ["n-aaaaaaaa"]),
        ("path:../wee/old.py", ["n-aaaaaaaa"]),
        ("path:both.py", ["n-bbbbbbbb"]),
        ("path:./both.py", ["n-cccccccc"]),
        ("path:nowhere.py", []),
    ],
)
def test_a_subject_is_looked_up_as_the_memory_knows_it_then_from_here(
    moved: Repo, inside: Mem, typed: str, found: list[str]
) -> None:
    here = moved.root / "src/wee"
    listed = inside("list", "--subject", typed, "--json", cwd=here).json["notes"]
    assert [note["id"] for note in listed] == found
    shown = inside("subject", "show", typed, "--json", cwd=here).json["about"]
    assert [note["id"] for note in shown] == found


@pytest.mark.parametrize(
    ("old", "new", "renamed"),
    [
        ("old.py", "new.py", "src/wee/new.py"),
        ("old.py", "./later.py", "src/wee/later.py"),
        ("old.py", "../up.py", "src/up.py"),
        ("old.py", "later.py", "src/wee/later.py"),
        ("old.py", "memory.md", "memory.md"),
        ("src/wee/old.py", "src/wee/new.py", "src/wee/new.py"),
        ("src/wee/old.py", "new.py", "src/wee/new.py"),
        ("src/wee/old.py", "later.py", "later.py"),
        ("./old.py", "new.py", "src/wee/new.py"),
    ],
)
def test_a_path_is_renamed_from_where_the_memory_knows_it(
    moved: Repo, inside: Mem, old: str, new: str, renamed: str
) -> None:
    moved.write("memory.md", "at the top\n")
    words = ("subject", "rename", f"path:{old}", f"path:{new}", "--apply")
    ran = inside(*words, cwd=moved.root / "src/wee")
    assert ran.code == 0, ran.err
    text = moved.read("memory/decisions/n-aaaaaaaa.md")
    assert f"subject: path:{renamed}\n" in text
    assert f"anchors: [{renamed}]\n" in text


def test_a_path_that_a_subject_is_registered_for_is_seen_from_here(moved: Repo, inside: Mem) -> None:
    here = moved.root / "src/wee"
    ran = inside("subject", "add", "The new one", "--ref", "path:new.py", "--apply", cwd=here)
    assert (ran.code, "--ref new.py is src/wee/new.py" in ran.err) == (0, True), ran.err
    assert "ref: path:src/wee/new.py\n" in moved.read("memory/subjects/the-new-one.md")
    assert inside("subject", "alias", "path:new.py", "newest", "--apply", cwd=here).code == 0
    assert "newest" in moved.read("memory/subjects/the-new-one.md")


def test_purge_finds_a_subject_from_here(moved: Repo, inside: Mem) -> None:
    ran = inside("purge", "--subject", "path:old.py", "--json", cwd=moved.root / "src/wee")
    assert ran.json["notes"] == ["n-aaaaaaaa"]
