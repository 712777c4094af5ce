"""M0xx and M1xx: each bad note is named once, with its line; good notes are not named."""

from __future__ import annotations

import os

import pytest

from tests.conftest import Repo, note_text
from tests.rules.ground import findings, only, told

A = "memory/decisions/a.md"
B = "memory/decisions/b.md"


def test_a_clean_memory_has_nothing_to_say(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("Keep it"))
    assert told(memory_repo) == []


@pytest.mark.parametrize(
    ("fields", "code", "key"),
    [
        ({"id": ""}, "M005", "id"),
        ({"subject": ""}, "M101", "subject"),
        ({"facet": ""}, "M101", "facet"),
        ({"facet": "mood"}, "M103", "facet"),
        ({"lifecycle": "todo"}, "M104", "lifecycle"),
        ({"condition": "{file_exists: b.txt}"}, "M105", "condition"),
        ({"lifecycle": "debt", "verify": "{file_exists: b.txt}"}, "M112", "verify"),
        ({"lifecycle": "debt", "condition": "{file_exist: b.txt}"}, "M106", ""),
        ({"anchors": "[../../etc/passwd]"}, "M108", ""),
        ({"owner": "Ada"}, "M107", "owner"),
        ({"created": "2026-02-30"}, "M109", "created"),
        ({"supersedes": "[decision-12]"}, "M110", ""),
        ({"anchors": "[{command: '(deploy'}]"}, "M113", ""),
        ({"tags": "{a: 1}"}, "M102", "tags"),
        ({"evidence": ""}, "M201", "evidence"),
        ({"evidence": "[{agent: codex}]"}, "M201", "evidence"),
        ({"subject": "nobody"}, "M306", "subject"),
        ({"expires": "2020-01-01"}, "", ""),
        ({"id": "n-1"}, "M110", "id"),
        ({"id": "[a]"}, "M102", "id"),
        ({"subject": "path:../x"}, "M108", "subject"),
        ({"subject": "[a]"}, "M102", "subject"),
        ({"facet": "{a: b}"}, "M102", "facet"),
        ({"evidence": "[{rumour: x}]"}, "M111", ""),
        ({"evidence": "[{file: ../x}]"}, "M108", ""),
        ({"evidence": "[{agent: codex}, {commit: zz}]"}, "M111", ""),
        ({"evidence": "yes"}, "M102", "evidence"),
    ],
)
def test_a_bad_field_is_one_finding_with_its_key_and_line(
    memory_repo: Repo, fields: dict[str, str], code: str, key: str
) -> None:
    memory_repo.write(A, note_text("Keep it", **fields))
    assert told(memory_repo) == ([(code, A)] if code else [])
    if code and key and fields[key]:
        found = only(memory_repo, code)
        assert found.key.startswith(key)
        assert found.line > 1
        assert memory_repo.read(A).split("\n")[found.line - 1].startswith(f"{key}:")


@pytest.mark.parametrize(
    "condition",
    [
        "{file_exists: out}",
        "{file_absent: out/passwd}",
        "{file_contains: {path: out/passwd, pattern: root}}",
        "{file_lacks: {path: pipe, pattern: root}}",
        "{any: [{file_exists: b.txt}, {data_matches: {path: pipe.json, key: a, text: b}}]}",
    ],
)
def test_a_condition_on_what_leaves_the_repository_or_is_no_file_is_refused(
    memory_repo: Repo, condition: str
) -> None:
    (memory_repo.root / "out").symlink_to("/etc")
    os.mkfifo(memory_repo.root / "pipe")
    os.mkfifo(memory_repo.root / "pipe.json")
    memory_repo.write(A, note_text("Owed", lifecycle="debt", condition=condition))
    found = only(memory_repo, "M108")
    assert found.key.startswith("condition.")
    assert "/etc" not in found.message


def test_a_condition_through_a_link_that_stays_inside_or_dangles_is_fine(memory_repo: Repo) -> None:
    memory_repo.write("b.txt", "x\n")
    (memory_repo.root / "link").symlink_to("b.txt")
    (memory_repo.root / "later").symlink_to("not-yet.txt")
    for name in ("link", "later"):
        condition = f"{{file_contains: {{path: {name}, pattern: zz}}}}"
        memory_repo.write(A, note_text("Owed", lifecycle="debt", condition=condition))
        assert "M108" not in [code for code, _ in told(memory_repo)]


def test_a_condition_on_another_repository_cannot_be_told_and_is_no_error(memory_repo: Repo) -> None:
    memory_repo.write("inner/.git/HEAD", "ref: refs/heads/main\n")
    memory_repo.write("inner/a.py", "x\n")
    condition = "{file_contains: {path: inner/a.py, pattern: zz}}"
    memory_repo.write(A, note_text("Owed", lifecycle="debt", condition=condition))
    assert "M108" not in [code for code, _ in told(memory_repo)]


def test_a_candidate_may_lack_what_an_active_note_needs(memory_repo: Repo) -> None:
    memory_repo.write("memory/inbox/a.md", "Just prose.\n")
    assert told(memory_repo) == []


def test_two_files_with_one_id_are_told_at_the_second(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("One"))
    memory_repo.write("memory/archive/z.md", note_text("Two"))
    assert told(memory_repo) == [("M004", A)]
    assert "memory/archive/z.md" in only(memory_repo, "M004").message


def test_broken_files_are_named_and_the_others_still_judged(memory_repo: Repo) -> None:
    memory_repo.write(A, "---\nid: [\n---\n# x\n")
    memory_repo.write(B, note_text("Merge", body="<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"))
    memory_repo.write("memory/decisions/c.md", note_text("Keep it", facet="mood"))
    assert told(memory_repo) == [("M001", A), ("M002", B), ("M103", "memory/decisions/c.md")]


def test_findings_are_sorted_and_never_doubled(memory_repo: Repo) -> None:
    memory_repo.write(B, note_text("b", facet="mood", id="n-00000002"))
    memory_repo.write(A, note_text("a", facet="mood", evidence="", id="n-00000001"))
    found = findings(memory_repo)
    assert len(found) == len(set(found))
    assert [f.path for f in found] == sorted(f.path for f in found)


@pytest.mark.parametrize(
    ("anchor", "what"),
    [
        ("**", "every file"), ("*", "every file"), ("**/*", "every file"), ("/**", "every file"),
        ({"command": ".*"}, "every command"), ({"command": ""}, ""), ({"command": "^"}, "every command"),
        ({"command": "."}, "every command"), ({"command": "make|"}, "every command"),
        ({"command": "(deploy)?"}, "every command"), ({"command": "\\\\w+"}, "every command"),
        ("*.py", ""), ("src/**", ""), ("*/*", ""), ("?", ""), ("[ab]*", ""),
        ({"command": "deploy"}, ""), ({"command": "^make .*"}, ""), ({"command": "[0-9]{3}"}, ""),
        ({"command": "git|hg"}, ""),
    ],
)  # fmt: skip
def test_an_anchor_that_matches_everything_is_a_warning(
    memory_repo: Repo, anchor: str | dict[str, str], what: str
) -> None:
    raw = f'"{anchor}"' if isinstance(anchor, str) else f'{{command: "{anchor["command"]}"}}'
    memory_repo.write(A, note_text("Keep it", anchors=f"[{raw}]"))
    found = [one for one in findings(memory_repo) if one.code == "M115"]
    assert [(one.severity, one.message.partition(" matches ")[2]) for one in found] == (
        [("warning", what)] if what else []
    )


def test_what_is_kept_for_reading_may_have_any_anchor(memory_repo: Repo) -> None:
    memory_repo.write("memory/archive/a.md", note_text("Kept", anchors='["**"]'))
    assert told(memory_repo) == []
