"""``mem diff`` says what a branch does to the memory, in the memory's words."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from memwarden.edge.place import find_place
from memwarden.edge.writing.journal import journal_file
from memwarden.edit import record_reader
from memwarden.edit.event_reader import name_hash
from tests.cli import branch_story as story
from tests.conftest import MANIFEST, Mem, Repo, note_text

GOLDEN = Path(__file__).parent.parent / "golden" / "diff"
TODAY = ("--now", "2026-12-01")


@pytest.fixture
def branch(repo: Repo) -> Repo:
    story.tell(repo)
    return repo


def changes(mem: Mem, *arguments: str) -> list[tuple[str, str]]:
    found = mem("diff", *arguments, "--json", *TODAY).json
    return [(change["change"], change["id"]) for change in (*found["debts"], *found["notes"])]


@pytest.mark.parametrize(
    ("name", "arguments", "columns"),
    [
        ("text-80.txt", (), "80"),
        ("text-200.txt", (), "200"),
        ("page.md", ("--format", "markdown"), "80"),
        ("fields.json", ("--format", "json"), "80"),
    ],
)
def test_a_branch_is_told_as_it_is_written_down(
    branch: Repo, inside: Mem, name: str, arguments: tuple[str, ...], columns: str
) -> None:
    ran = inside("diff", "main..fix/retry", *arguments, *TODAY, env={"COLUMNS": columns})
    told = ran.out
    for rev in ("main", "fix/retry"):
        told = told.replace(branch.git("rev-parse", rev).strip(), f"the commit of {rev}")
    assert told == (GOLDEN / name).read_text(encoding="utf-8")
    assert (ran.code, ran.err) == (0, "")


def test_no_line_of_the_page_is_wider_than_the_screen(branch: Repo, inside: Mem) -> None:
    for columns in (80, 200):
        out = inside("diff", "main..fix/retry", *TODAY, env={"COLUMNS": str(columns)}).out
        assert max(map(len, out.splitlines())) <= columns


def test_a_page_for_a_comment_has_no_markup_but_our_own(branch: Repo, inside: Mem) -> None:
    text = inside("diff", "main..fix/retry", "--format", "markdown").out
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h3"]
    assert not [token for token in tokens if token.type in ("html_block", "fence", "table_open")]
    words = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in words} <= {
        "text",
        "code_inline",
        "strong_open",
        "strong_close",
        "softbreak",
    }
    outside = "".join(child.content for child in words if child.type == "text")
    for live in ("@", "<", "http", "#", "["):
        assert live not in outside
    assert "@everyone <b>maybe</b>" in "".join(
        child.content for child in words if child.type == "code_inline"
    )


@pytest.mark.parametrize("title", ["`", "``` ``", " x ", "a\\`b", "*", "|", "- x", "]]>", "&lt;", "x" * 2000])
def test_any_title_stays_one_code_span(memory_repo: Repo, inside: Mem, title: str) -> None:
    memory_repo.write("memory/decisions/x.md", note_text(title, id="n-000000x1"))
    text = inside("diff", "--format", "markdown").out
    tokens = MarkdownIt("commonmark").parse(text)
    item = next(token for token in tokens if token.type == "inline" and "n-000000x1" in token.content)
    assert [child.type for child in item.children or ()] == ["code_inline", "text", "code_inline"]


def test_no_value_of_an_event_or_a_path_leaves_its_code_span(memory_repo: Repo, inside: Mem) -> None:
    live = "<img src=x> @octocat"
    area = memory_repo.write(f"memory/areas/{live}/a.md", note_text("here", id="n-000000x1"))
    memory_repo.write("memory/debts/x.md", note_text("owed", id="n-000000x2", lifecycle="debt"))
    memory_repo.commit("before")
    area.unlink()
    paid = {
        "actor": {"kind": "ci", "name": live}, "at": "2026-11-30T00:00:00Z", "branch": live, "commit": None,
        "dirty": True, "how": "declared", "kind": "paid", "note": "n-000000x2", "reason": live, "schema": 1,
        "seq": 1, "evidence": {"items": [{"path": live, "line": live, "excerpt": live}]},
    }  # fmt: skip
    name = f"0001-paid-{name_hash(paid)}.json"
    memory_repo.write(f"memory/events/n-000000x2/{name}", json.dumps(paid))
    text = inside("diff", "--format", "markdown").out
    assert "**Debts paid** (1)" in text
    assert "**Owners changed** (1)" in text
    words = [child for token in MarkdownIt("commonmark").parse(text) for child in token.children or ()]
    outside = "".join(child.content for child in words if child.type != "code_inline")
    assert "<" not in outside
    assert "@" not in outside


def test_a_page_for_a_comment_is_bounded(memory_repo: Repo, inside: Mem) -> None:
    for number in range(400):
        note = f"n-{number:08}"
        memory_repo.write(
            f"memory/decisions/{number}.md", note_text("long " * 80, id=note, subject=f"path:{number}.py")
        )
    text = inside("diff", "--format", "markdown").out
    assert len(text) < 65_000
    assert "and 350 more: `mem diff` shows them all" in text
    assert len(inside("diff", "--json").json["notes"]) == 400


def test_one_revision_and_none_are_compared_with_the_working_tree(branch: Repo, mem: Mem) -> None:
    assert changes(mem) == []
    branch.write("memory/decisions/new.md", note_text("New", id="n-0000new1", facet="performance"))
    assert changes(mem) == [("added", "n-0000new1")]
    assert ("added", "n-0000new1") in changes(mem, "main")
    found = mem("diff", "HEAD", "--json").json
    assert found["to"] == {"name": "working tree", "commit": None}
    assert found["from"]["commit"] == branch.git("rev-parse", "HEAD").strip()


def test_three_dots_leave_out_what_the_other_branch_did(branch: Repo, mem: Mem) -> None:
    branch.git("switch", "-q", "main")
    branch.write("memory/decisions/main.md", note_text("Main", id="n-0000ma1n", facet="security"))
    branch.commit("main goes on")
    assert ("removed", "n-0000ma1n") in changes(mem, "main..fix/retry")
    assert "n-0000ma1n" not in [note for _, note in changes(mem, "main...fix/retry")]


def test_backwards_a_branch_takes_back_what_it_did(branch: Repo, mem: Mem) -> None:
    found = changes(mem, "fix/retry..main")
    assert ("reopened", story.RETRY) in found
    assert ("paid", story.CACHE) in found
    assert ("back", story.OLDSYNC) in found
    assert ("moved", story.QUEUE) in found


def test_a_changed_layout_is_no_change(branch: Repo, mem: Mem) -> None:
    path = "memory/constraints/utc.md"
    branch.write(path, branch.read(path).replace("\n", "\r\n").replace("facet:", "facet:  "))
    ran = mem("diff")
    assert (ran.code, ran.out, ran.err) == (0, "", "the memory says the same\n")
    assert "The memory says the same." in mem("diff", "--format", "markdown").out
    assert mem("diff", "--json").json["same"] is True


def test_a_candidate_that_is_given_its_id_is_admitted(memory_repo: Repo, inside: Mem) -> None:
    memory_repo.write("memory/inbox/plain.md", "# Bounded queue\n\nIt is.\n")
    memory_repo.commit("candidate")
    admitted = inside(
        "admit", "plain.md", "--subject", "project", "--facet", "security", "--module", "decisions/",
        "--evidence", "user: Ada", "--apply",
    )  # fmt: skip
    assert admitted.code == 0, admitted.err
    (change,) = (one for one in inside("diff", "--json").json["notes"] if one["change"] != "reworded")
    assert (change["change"], change["was_path"]) == ("admitted", "memory/inbox/plain.md")


@pytest.mark.parametrize(
    ("condition", "seen"),
    [
        ("lacks:a.py:legacy", "`a.py`: `no match`"),
        ("absent:old.py", "`old.py`: `is not there`"),
        ("after:2026-12-01", "`2026-12-01 has come`"),
    ],
)
def test_a_payment_is_told_with_what_was_seen_also_where_nothing_can_be_quoted(
    memory_repo: Repo, inside: Mem, condition: str, seen: str
) -> None:
    for name in ("a.py", "old.py"):
        memory_repo.write(name, "legacy\n")
    added = inside(
        "add", "It ends", "--debt", "--until", condition, "--anchor", "a.py", "--apply", "--now", "2026-11-30"
    )
    assert added.code == 0, added.err
    memory_repo.commit("owed")
    memory_repo.write("a.py", "new\n")
    (memory_repo.root / "old.py").unlink()
    assert inside("settle", *TODAY).code == 0
    told = inside("diff", "--format", "markdown", *TODAY).out
    assert f"  - {seen}\n" in told


def test_a_manifest_that_routes_nothing_is_said_so(memory_repo: Repo, inside: Mem) -> None:
    memory_repo.write("memory/manifest.md", MANIFEST + "\n## Tasks\n")
    memory_repo.write("memory/decisions/x.md", note_text("X", id="n-000000x1"))
    for face in ((), ("--format", "markdown")):
        ran = inside("diff", *face)
        assert ran.code == 0
        assert "The tasks could not be compared" in ran.out
        assert "n-000000x1" in ran.out


def test_a_note_that_cannot_be_read_any_more_is_named(memory_repo: Repo, inside: Mem) -> None:
    memory_repo.write("memory/decisions/x.md", note_text("X", id="n-000000x1"))
    memory_repo.commit("x")
    memory_repo.write("memory/decisions/x.md", "---\nid: [\n---\n")
    assert inside("diff", "--json").json["broken"] == ["memory/decisions/x.md"]
    assert "Files that cannot be read (1)\n  memory/decisions/x.md" in inside("diff").out


def test_before_the_first_commit_everything_is_new(repo: Repo, mem: Mem) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    assert changes(mem) == [("added", "n-br1ef000")]


def test_a_branch_without_a_memory_and_one_with_it(repo: Repo, mem: Mem) -> None:
    repo.write("a.py", "x\n")
    repo.commit("no memory yet")
    for words in (["diff"], ["diff", "HEAD"], ["diff", "--json"], ["diff", "--format", "markdown"]):
        ran = mem(*words)
        assert ran.code == 5
        assert "no memory/ in this repository" in ran.err
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    repo.commit("memory")
    assert changes(mem, "HEAD~1..HEAD") == [("added", "n-br1ef000")]
    assert changes(mem, "HEAD..HEAD~1") == [("removed", "n-br1ef000")]


def test_two_commits_without_a_memory_are_compared_in_kindness(repo: Repo, mem: Mem) -> None:
    for number in range(2):
        repo.write("a.py", f"{number}\n")
        repo.commit(f"{number}")
    ran = mem("diff", "HEAD~1..HEAD")
    assert (ran.code, ran.out, ran.err) == (0, "", "neither side has a memory\n")
    assert "Neither side has a memory." in mem("diff", "HEAD~1..HEAD", "--format", "markdown").out
    told = mem("diff", "HEAD~1..HEAD", "--json").json
    assert (told["same"], told["nowhere"]) == (True, True)


def test_a_memory_that_comes_tells_its_manifest_in_one_line_and_json_has_it_all(repo: Repo, mem: Mem) -> None:
    repo.write("a.py", "x\n")
    repo.commit("no memory yet")
    repo.write("memory/manifest.md", MANIFEST)
    repo.commit("memory")
    for face in ("text", "markdown"):
        (line,) = (line for line in mem("diff", "HEAD~1..HEAD", "--format", face).out.splitlines()
                   if "manifest" in line and "new" in line)  # fmt: skip
        assert line.lstrip(" -").startswith("new: the manifest, with ")
        assert "is also called" not in mem("diff", "HEAD~1..HEAD", "--format", face).out
        assert "no more manifest, with " in mem("diff", "HEAD..HEAD~1", "--format", face).out
    changes = mem("diff", "HEAD~1..HEAD", "--json").json["manifest"]
    assert "alias" in {one["what"] for one in changes}


def test_a_reason_that_somebody_gave_is_the_reason_of_the_change(memory_repo: Repo, inside: Mem) -> None:
    assert inside("add", "Owed", "--debt", "--anchor", "a.py", "--apply").code == 0
    memory_repo.commit("owed")
    assert inside("pay", "owed", "--reason", "the plan changed", "--apply").code == 0
    (paid,) = inside("diff", "--json").json["debts"]
    assert (paid["change"], paid["reason"]) == ("paid", "the plan changed")
    assert paid["reason"] == paid["event"]["reason"]


def test_every_note_is_told_with_its_path(branch: Repo, inside: Mem) -> None:
    found = inside("diff", "main..fix/retry", "--json", *TODAY).json
    text = inside("diff", "main..fix/retry", "--format", "markdown", *TODAY).out
    told = [one["path"] for one in (*found["debts"], *found["notes"])]
    assert {path: text.count(f"`{path}`") for path in told} == {path: told.count(path) for path in told}


def test_a_title_is_told_in_full_once_and_then_in_one_line(memory_repo: Repo, inside: Mem) -> None:
    title = "A title that is so long that it takes more than one line of any page, " * 3 + "to its very end"
    memory_repo.write("memory/decisions/x.md", note_text(title, id="n-000000x1"))
    out = inside("diff", env={"COLUMNS": "80"}).out
    assert " ".join(out.split()).count(title) == 1
    again = [line for line in out.splitlines() if line.startswith("    + n-000000x1 A title")]
    assert again
    assert all(len(line) <= 80 and line.endswith("…") for line in again)
    text = inside("diff", "--format", "markdown").out
    assert text.count(f"`{title}`") == 1
    assert text.count("to its very end") == 1
    assert text.count("`n-000000x1` `A title") == len(again)


@pytest.mark.parametrize(
    "name", ["long-" * 20 + ".md", "同步窗口必须在提交" * 6 + ".md", "two words " * 9 + ".md"]
)
def test_no_path_is_ever_broken(memory_repo: Repo, inside: Mem, name: str) -> None:
    old, new = f"memory/decisions/{name}", f"memory/constraints/{name}"
    file = memory_repo.write(old, note_text("X", id="n-000000x1"))
    memory_repo.commit("x")
    file.unlink()
    memory_repo.write(new, note_text("X", id="n-000000x1"))
    debt = note_text("D", id="n-000000d1", lifecycle="debt", condition=f'{{file_exists: "{name}"}}')
    memory_repo.write(f"memory/debts/{name}", debt)
    lines = [line.strip() for line in inside("diff", env={"COLUMNS": "80"}).out.splitlines()]
    for path in (old, new, f"memory/debts/{name}"):
        assert path in lines
    assert any(name in line for line in lines if "memory/" not in line)


def test_an_unknown_end_lists_those_that_exist(branch: Repo, mem: Mem) -> None:
    ran = mem("diff", "trunk..fix/retry")
    assert ran.code == 2
    assert "refs that exist: fix/retry, main" in ran.err


def test_a_newer_protocol_is_refused_at_either_end(branch: Repo, mem: Mem) -> None:
    branch.write("memory/manifest.md", MANIFEST.replace("protocol: 1", "protocol: 9"))
    branch.commit("the future")
    branch.git("switch", "-q", "main")
    assert mem("diff", "main..fix/retry").code == 2
    assert mem("diff", "fix/retry").code == 2


def test_a_secret_is_in_no_face(memory_repo: Repo, inside: Mem) -> None:
    secret = "ghp_" + "A1b2C3d4E5" * 4
    memory_repo.write("memory/decisions/x.md", note_text(f"token {secret}", id="n-000000x1"))
    memory_repo.write(f"memory/decisions/{secret}.md", note_text("named", id="n-000000x2"))
    memory_repo.write(f"memory/decisions/broken-{secret}.md", "---\nid: [\n---\n")
    for face in ("text", "markdown", "json"):
        ran = inside("diff", "--format", face)
        assert "n-000000x1" in ran.out
        assert "n-000000x2" in ran.out
        assert secret not in ran.out


def test_it_writes_nothing(branch: Repo, mem: Mem) -> None:
    before = branch.git("status", "--porcelain", "--ignored")
    json.loads(mem("diff", "main...fix/retry", "--json").out)
    assert branch.git("status", "--porcelain", "--ignored") == before


def test_the_number_of_git_processes_does_not_grow_with_the_notes(
    memory_repo: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    spawn = os.posix_spawnp

    def counting(*args: Any, **kwargs: Any) -> int:
        started.append(args[1])
        return int(spawn(*args, **kwargs))

    monkeypatch.setattr(os, "posix_spawnp", counting)
    counts = []
    for many in (1, 60):
        for number in range(many):
            note = note_text(str(number), id=f"n-{number:08}", subject=f"path:{number}.py")
            memory_repo.write(f"memory/decisions/{many}-{number}.md", note)
        memory_repo.commit()
        started.clear()
        assert inside("diff", "HEAD~1..HEAD").code == 0
        counts.append(len(started))
    assert 0 < counts[0] == counts[1] <= 8


def test_only_what_differs_is_read(memory_repo: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        note = note_text(str(number), id=f"n-{number:08}", subject=f"path:{number}.py")
        memory_repo.write(f"memory/preferences/{number}.md", note)
    memory_repo.commit()
    memory_repo.write("memory/preferences/7.md", note_text("Seven", id="n-00000007", subject="path:7.py"))
    memory_repo.commit()
    assert inside("list").code == 0  # so that the working tree is indexed
    read: list[str] = []
    reading = record_reader.reading_of

    def watching(path: str, data: bytes) -> Any:
        read.append(path)
        return reading(path, data)

    monkeypatch.setattr(record_reader, "reading_of", watching)
    assert inside("diff", "HEAD~1..HEAD").out.count("n-00000007") == 1
    assert set(read) <= {"memory/preferences/7.md"}


def test_a_change_that_was_cut_short_is_warned_of(branch: Repo, mem: Mem) -> None:
    file = Path(journal_file(find_place(str(branch.root))))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{}")
    ran = mem("diff", "main..fix/retry")
    assert (ran.code, "warning" in ran.err) == (0, True)
