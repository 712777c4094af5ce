"""A shell completes the memory's own words, in its own protocol; where anything is wrong, nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Mem, Repo, note_text

SCRIPT = Path(__file__).parent.parent.parent / "src/scripts/mem"
Complete = Callable[..., list[str]]


@pytest.fixture
def known(memory_repo: Repo) -> Repo:
    memory_repo.write("memory/decisions/a.md", note_text("Keep it small", subject="path:a.py"))
    debt = {"lifecycle": "debt", "condition": "{file_exists: b.txt}"}
    memory_repo.write("memory/debts/b.md", note_text("Write b", id="n-b0000000", **debt))
    memory_repo.write("memory/inbox/c.md", note_text("Seen once", id="n-c0000000"))
    memory_repo.write(
        "memory/subjects/requests.md", "---\nid: requests\nname: Requests\nkind: dependency\n---\n"
    )
    return memory_repo


def bash(mem: Mem, line: str, cwd: Path | None = None) -> list[str]:
    """What bash is told; the last word of the line is the one that is being typed."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    ran = mem(env={"_MEM_COMPLETE": "complete_bash", **words}, cwd=cwd)
    assert (ran.code, ran.err) == (0, "")
    return ran.out.split()


NOTES = ["n-br1ef000", "n-b0000000", "n-4f7k2m9q", "n-c0000000"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("mem sh", ["show"]),
        ("mem subject me", ["merge"]),
        ("mem show ", NOTES),
        ("mem show n-4", ["n-4f7k2m9q"]),
        ("mem revoke --json n-b", ["n-br1ef000", "n-b0000000"]),
        ("mem supersede n-4f7k2m9q n-c", ["n-c0000000"]),
        ("mem purge n-4f7k2m9q n-c", ["n-c0000000"]),
        ("mem admit ", ["n-c0000000"]),
        ("mem pay ", ["n-b0000000"]),
        ("mem blame ", ["n-b0000000"]),
        ("mem add x --exception-to n-4", ["n-4f7k2m9q"]),
        ("mem route --task ", ["plan", "implement"]),
        ("mem why n-4f7k2m9q --task pl", ["plan"]),
        ("mem route --area ", ["sync"]),
        ("mem route --profile ", ["release"]),
        ("mem move n-4f7k2m9q d", ["decisions/", "do-not-use/", "debts/"]),
        ("mem list --facet version", ["version-policy"]),
        ("mem list --standing pa", ["paid"]),
        ("mem subject show ", ["project", "requests", "path:a.py"]),
        ("mem add x --subject req", ["requests"]),
        ("mem explain M60", ["M601", "M603", "M604", "M605"]),
        ("mem hook install cl", ["claude"]),
        ("mem check --format s", ["sarif"]),
        ("mem show zz", []),
        ("mem apply ", []),
    ],
)
def test_a_word_of_the_memory_is_completed(line: str, words: list[str], mem: Mem, known: Repo) -> None:
    assert sorted(bash(mem, line)) == sorted(words)


def test_a_plan_is_completed(mem: Mem, known: Repo) -> None:
    plan = mem("revoke", "n-4f7k2m9q", "--reason", "wrong", "--json").json["plan"]["id"]
    assert bash(mem, "mem apply ") == [plan]


def test_every_shell_is_told_in_its_own_words(mem: Mem, known: Repo) -> None:
    asked = {"_TYPER_COMPLETE_ARGS": "mem pay n-b", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    told = {shell: mem(env={"_MEM_COMPLETE": f"complete_{shell}", **asked}) for shell in ("zsh", "fish")}
    assert told["zsh"].out == """_arguments '*: :(("n-b0000000":"Write b"))'\n"""
    assert told["fish"].out == "n-b0000000\tWrite b\n"
    assert [(ran.code, ran.err) for ran in told.values()] == [(0, ""), (0, "")]


def test_bash_itself_completes_a_note(known: Repo, mem: Mem, tmp_path: Path) -> None:
    program = tmp_path / "mem"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{SCRIPT}" "$@"\n')
    program.chmod(0o755)
    shown = mem(env={"_MEM_COMPLETE": "source_bash"}).out
    play = 'COMP_WORDS=(mem show n-c); COMP_CWORD=2; _mem_completion "$0"; printf "%s\\n" "${COMPREPLY[@]}"'
    ran = subprocess.run(
        ["bash", "--norc", "-c", f"{shown}\n{play}", str(program)],
        cwd=known.root,
        capture_output=True,
        text=True,
    )
    assert (ran.stdout, ran.stderr) == ("n-c0000000\n", "")


HOSTILE = [
    "\\$(touch x)",
    "`touch x`",
    "'; touch x; '",
    '"$(touch x)"',
    "\x1b[31m",
    "a\nb",
    "x)); touch x; ((",
]


def test_no_word_of_a_stranger_can_be_read_as_anything_else_by_a_shell(mem: Mem, memory_repo: Repo) -> None:
    for number, title in enumerate(HOSTILE):
        subject = "path:" + title.replace("\x1b", "").replace("\n", "")
        text = note_text(
            title.replace("\n", " "), id=f"n-{number:08}", subject=f"'{subject.replace(chr(39), '')}'"
        )
        memory_repo.write(f"memory/decisions/{number}.md", text)
    manifest = memory_repo.read("memory/manifest.md").replace("### plan", "### plan $(touch x)")
    memory_repo.write("memory/manifest.md", manifest)
    for line in ("mem show ", "mem subject show ", "mem route --task ", "mem show n-"):
        asked = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        for shell in ("zsh", "fish"):
            said = mem(env={"_MEM_COMPLETE": f"complete_{shell}", **asked}).out
            said = said.replace("\\\\:", ":")  # the parser's own escape of a colon
            said = said.removeprefix("_arguments '*: :((").removesuffix("))'\n")
            assert not set(said) & set("$`\\;'()\x1b"), said
        assert not {"$", "`", ";"} & set("".join(bash(mem, line)))


@pytest.mark.parametrize(
    "line", ["mem show ", "mem route --task ", "mem subject show ", "mem apply ", "mem 'x"]
)
def test_where_nothing_can_be_known_nothing_is_said(line: str, mem: Mem, repo: Repo, tmp_path: Path) -> None:
    assert bash(mem, line) == []
    assert bash(mem, line, cwd=tmp_path) == []
    repo.write("memory/manifest.md", "---\nprotocol: 99\n---\n")
    assert bash(mem, line) == []


def test_a_completion_without_a_line_is_no_traceback(mem: Mem, known: Repo) -> None:
    for shell in ("bash", "zsh", "fish"):
        ran = mem(env={"_MEM_COMPLETE": f"complete_{shell}", "COMP_CWORD": "x"})
        assert "Traceback" not in ran.err
        assert ran.code in (0, 1)


def test_codes_are_completed_anywhere(mem: Mem, tmp_path: Path) -> None:
    assert bash(mem, "mem explain M60", cwd=tmp_path) == ["M601", "M603", "M604", "M605"]


def test_completing_changes_nothing_in_the_working_tree(mem: Mem, known: Repo) -> None:
    before = known.git("status", "--porcelain", "-uall")
    bash(mem, "mem show ")
    assert known.git("status", "--porcelain", "-uall") == before
