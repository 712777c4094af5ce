"""A mistyped word is told as one: it never looks like an empty memory, a clean one, or a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MANIFEST, Mem, Repo, note_text


@pytest.mark.usefixtures("memory_repo")
@pytest.mark.parametrize(
    "words",
    [
        ("lists",),
        ("list", "--bogus"),
        ("route", "--budget", "many"),
        ("show",),
        ("check", "--format", "xml"),
    ],
    ids=lambda words: " ".join(words),
)
def test_a_command_line_that_cannot_be_parsed_is_one_json_object_too(
    mem: Mem, words: tuple[str, ...]
) -> None:
    done = mem(*words, "--json")
    assert done.code == 2
    assert done.json["error"]["exit"] == 2
    assert done.json["error"]["message"]


@pytest.mark.usefixtures("memory_repo")
@pytest.mark.parametrize(
    ("option", "word", "near"),
    [
        ("--standing", "owd", "owed"),
        ("--standing", "retired", "mean archived"),
        ("--lifecycle", "dept", "debt"),
        ("--facet", "behaviour", "mean behavior"),
        ("--facet", "overveiw", "overview"),
        ("--module", "decision", "decisions"),
        ("--subject", "reqests", ""),
    ],
)
def test_a_filter_that_no_note_could_pass_is_refused(mem: Mem, option: str, word: str, near: str) -> None:
    done = mem("list", option, word)
    assert done.code == 2
    assert word in done.err
    assert near in done.err


def test_a_filter_may_name_what_a_note_wrongly_says(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("A", facet="mood", subject="nobody"))
    for option in (("--facet", "mood"), ("--subject", "nobody"), ("--module", "decisions")):
        assert [note["id"] for note in mem("list", "--json", *option).json["notes"]] == ["n-4f7k2m9q"]


def test_the_anchor_filter_takes_every_spelling_of_a_path(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("A", anchors="[src/x.py]"))
    memory_repo.write("src/x.py", "")
    whole = str(memory_repo.root / "src/x.py")
    for spelling in ("src/x.py", "./src//x.py", "src/../src/x.py", "src\\x.py", whole):
        assert len(mem("list", "--json", "--anchor", spelling).json["notes"]) == 1, spelling
    inside = mem("list", "--json", "--anchor", "x.py", cwd=memory_repo.root / "src")
    assert len(inside.json["notes"]) == 1
    assert mem("list", "--anchor", "../x.py").code == 2


@pytest.mark.usefixtures("memory_repo")
@pytest.mark.parametrize("word", ["nope.md", "decisions/a.md", "memory/decisoins", "../elsewhere", "/etc"])
def test_check_of_a_path_that_is_not_there_is_no_clean_answer(mem: Mem, word: str) -> None:
    done = mem("check", word)
    assert (done.code, done.out) == (2, "")
    assert word in done.err


def test_check_of_a_path_that_a_finding_names_or_a_glob_means_is_answered(
    memory_repo: Repo, mem: Mem
) -> None:
    assert mem("check", "memory/*.md", "memory/none-*.md", "memory/brief.md", ".").code == 0
    (memory_repo.root / "memory/manifest.md").unlink()
    assert [found["code"] for found in mem("check", "--json", "memory/manifest.md").json["findings"]] == [
        "M501"
    ]


def test_export_with_json_is_one_object_and_without_it_one_a_line(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("memory/inbox/idea.md", "# An idea\n")
    whole = mem("export", "--json").json
    assert whole["schema"] == "mem.export/1"
    assert len(whole["notes"]) == len(mem("export").out.splitlines()) == 2


def test_init_says_what_stands_in_the_memorys_place(repo: Repo, mem: Mem, tmp_path: Path) -> None:
    repo.write("memory", "a file")
    done = mem("init")
    assert (done.code, done.out) == (1, "")
    assert "Traceback" not in done.err
    assert repo.read("memory") == "a file"

    (repo.root / "memory").unlink()
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", repo.root / "memory")
    done = mem("init", "--json")
    assert done.code == 1
    assert "link" in done.json["error"]["message"]
    assert not list((tmp_path / "elsewhere").iterdir())


def test_what_the_system_refuses_is_one_line(memory_repo: Repo, mem: Mem) -> None:
    (memory_repo.root / "CLAUDE.md").mkdir()
    done = mem("init", "--agent", "claude", "--json")
    assert done.code == 2
    assert "CLAUDE.md" in done.json["error"]["message"]
    assert str(memory_repo.root) not in done.out


def test_a_debt_that_is_opened_with_its_condition_holding_is_not_called_paid(
    memory_repo: Repo, mem: Mem
) -> None:
    memory_repo.write(
        "memory/debts/d.md",
        note_text("Flaky", lifecycle="debt", condition="{file_contains: {path: a.py, pattern: fixed}}"),
    )
    memory_repo.write("a.py", "fixed\n")
    for arguments in ((), ("--staged",), ("--at", "HEAD"), ("--range", "HEAD~1..HEAD")):
        if arguments == ("--staged",):
            memory_repo.git("add", "-A")
        if arguments == ("--at", "HEAD"):
            memory_repo.commit("opened and paid at once")
        found = mem("check", "--json", *arguments)
        assert found.code == 1
        assert "M401" in {finding["code"] for finding in found.json["findings"]}
        assert found.json["paid_by_this_commit"] == []


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "words", ["debts", "list", "check", "route --task plan", "touch a.py", "show n-br1ef000", "add hello"]
)
def test_a_closed_stream_breaks_no_command_and_no_file(memory_repo: Repo, words: str, closed: str) -> None:
    command = f"{sys.executable} -m memwarden {words} {closed}"
    for _ in range(2):  # the second answer may be remembered
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=memory_repo.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr.decode()
    assert memory_repo.read("memory/manifest.md") == MANIFEST


@pytest.mark.parametrize("protocol", ["2", "9" * 9, "9" * 40, "0" * 40 + "2"])
def test_every_command_leaves_a_newer_protocol_alone_however_long_its_number(
    memory_repo: Repo, mem: Mem, protocol: str
) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("Alpha", anchors="[a.py]"))
    assert "Alpha" in mem("touch", "a.py").out  # so that an index knows the note
    newer = MANIFEST.replace("protocol: 1", f"protocol: {protocol}")
    memory_repo.write("memory/manifest.md", newer)
    for words in (
        ("list",),
        ("check",),
        ("route", "--task", "plan"),
        ("add", "x", "--candidate"),
        ("settle",),
        ("touch", "a.py"),
        ("close",),
        ("recover",),
        ("init",),
        ("init", "--agent", "claude"),
    ):
        done = mem(*words)
        assert (done.code, done.out) == (2, ""), words
        assert "newer" in done.err
    assert not (memory_repo.root / "memory/inbox").exists()
    assert not (memory_repo.root / "CLAUDE.md").exists()


@pytest.mark.usefixtures("memory_repo")
@pytest.mark.parametrize(
    "words",
    [
        ("show", "TOKEN"),
        ("apply", "TOKEN"),
        ("edit", "TOKEN"),
        ("add", "A claim", "--expires", "TOKEN"),
        ("add", "A claim", "--supersedes", "TOKEN"),
        ("add", "A debt", "--until", "TOKEN:x"),
        ("add", "A claim", "TOKEN"),
        ("import", "table", "TOKEN"),
        ("supersede", "brief", "TOKEN"),
        ("route", "--task", "TOKEN"),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_token_said_in_the_wrong_place_is_not_said_again(
    repo: Repo, mem: Mem, words: tuple[str, ...], form: tuple[str, ...]
) -> None:
    token = "ghp_" + "a1B2" * 9
    ran = mem(*[word.replace("TOKEN", token) for word in words], *form)
    assert ran.code == 2, ran.err
    assert token not in ran.out + ran.err
    assert "redacted" in ran.out + ran.err
    assert not [
        file.name
        for file in (repo.root / ".git/mem").rglob("*")
        if file.is_file() and token.encode() in file.read_bytes()
    ]


@pytest.mark.parametrize("name", ["memory", "memory/events"])
def test_a_memory_that_leads_out_of_the_repository_is_not_an_empty_one(
    memory_repo: Repo, mem: Mem, tmp_path: Path, name: str
) -> None:
    memory_repo.write("memory/events/n-br1ef000/README.md", "")
    (memory_repo.root / name).rename(tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", memory_repo.root / name)
    for words in (("list",), ("debts",), ("export",), ("check",), ("settle",), ("add", "A claim", "--apply")):
        ran = mem(*words)
        assert ran.code == 5, words
        assert f"{name}/ is a link that leaves the repository" in ran.err
        assert ran.out == ""


@pytest.mark.parametrize("name", ["memory", "memory/events"])
def test_a_memory_that_cannot_be_read_is_not_an_empty_one(
    memory_repo: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    memory_repo.write("memory/events/n-br1ef000/README.md", "")
    folder = str(memory_repo.root / name)
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != folder and may(path, mode))
    for words in (("list",), ("debts",), ("route", "--task", "plan"), ("add", "A claim", "--apply")):
        ran = inside(*words)
        assert ran.code == 5, words
        assert f"{name}/ cannot be read" in ran.err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("nosuch",), ""),
        (("tuoch",), "touch"),
        (("subject", "lst"), "list"),
        (("subject", "nosuch"), ""),
        (("import", "custodia"), "custodian"),
    ],
)
def test_a_command_is_guessed_at_only_where_it_is_near(
    memory_repo: Repo, mem: Mem, words: tuple[str, ...], meant: str
) -> None:
    ran = mem(*words)
    assert (ran.code, "Did you mean" in ran.err) == (2, bool(meant)), ran.err
    assert meant in ran.err
    next_step = mem(*words, "--json").json["error"]["next_step"]
    assert mem(*next_step.split()[1:]).code == 0
