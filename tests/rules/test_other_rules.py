"""M405, M5xx, M7xx, M8xx."""

from __future__ import annotations

import json

import pytest

from memwarden.edit.agent_block import put_block
from memwarden.edit.event_reader import name_hash, read_event
from memwarden.edit.starter import AGENT_BLOCK
from memwarden.errors import ERROR, WARNING
from memwarden.rules import Context
from tests.conftest import MANIFEST, Repo, note_text
from tests.rules.ground import TODAY, findings, only, told

A = "memory/decisions/a.md"
TOKEN = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


@pytest.mark.parametrize(
    ("anchor", "matched"),
    [
        ("src/a.py", True),
        ("a.py", True),
        ("src/", True),
        ("src", True),
        ("src/*.py", True),
        ("**/a.py", True),
        ("src/**", True),
        ("*.py", True),
        ("b.py", False),
        ("src/b.py", False),
        ("src/*.js", False),
        ("**/b.py", False),
    ],
)
def test_an_anchor_that_matches_nothing_is_a_warning(memory_repo: Repo, anchor: str, matched: bool) -> None:
    memory_repo.write("src/a.py", "x")
    memory_repo.write(A, note_text("a", anchors=f"['{anchor}']"))
    assert told(memory_repo) == ([] if matched else [("M405", A)])


def test_a_condition_that_reads_a_missing_file_is_a_warning(memory_repo: Repo) -> None:
    condition = "{any: [{file_contains: {path: a.py, pattern: b}}, {file_exists: later.py}]}"
    memory_repo.write(A, note_text("a", lifecycle="debt", condition=condition))
    found = only(memory_repo, "M405")
    assert (found.severity, found.key) == (WARNING, "condition.any[0].file_contains.path")


def test_a_rename_that_git_saw_is_named_with_the_command_that_follows_it(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", anchors="[old.py]"))
    found = only(memory_repo, "M405", Context(TODAY, fate=lambda path: "new.py"))
    assert "renamed to new.py" in found.message
    assert found.fix == "mem subject rename path:old.py path:new.py"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("config/app.yml", "config/app.yaml"),
        ("confg/app.yaml", "config/app.yaml"),
        ("confg/ap.yml", "config/app.yaml"),
        ("Config/App.yaml", "config/app.yaml"),
    ],
)
def test_a_mistyped_path_names_the_one_that_is_there_and_how_to_take_the_note_back(
    memory_repo: Repo, typed: str, meant: str
) -> None:
    memory_repo.write("config/app.yaml", "x")
    memory_repo.write("src/client.py", "x")
    memory_repo.write(A, note_text("a", anchors=f"[{typed}]"))
    found = only(memory_repo, "M405")
    assert found.fix.startswith(f"did you mean {meant}? mem edit {found.note} ")
    assert f"mem revoke {found.note}" in found.fix


def test_a_path_that_looks_like_nothing_here_is_not_guessed_at(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", anchors="[zzz/qqq.rs, 'src/*.rs']"))
    assert not any("did you mean" in found.fix for found in findings(memory_repo))


def test_a_missing_manifest_is_an_error(repo: Repo) -> None:
    repo.write(A, note_text("a"))
    assert told(repo) == [("M501", "memory/manifest.md")]


def test_a_manifest_that_cannot_be_read_is_told_under_the_same_code(memory_repo: Repo) -> None:
    manifest = memory_repo.root / "memory/manifest.md"
    manifest.unlink()
    manifest.symlink_to("/etc/hostname")
    found = only(memory_repo, "M501")
    assert (found.severity, found.path) == (ERROR, "memory/manifest.md")


def test_a_routed_file_that_is_not_there_is_an_error_and_a_folder_is_not(memory_repo: Repo) -> None:
    (memory_repo.root / "memory/brief.md").unlink()
    found = only(memory_repo, "M502")
    assert (found.severity, found.path, found.line) == (ERROR, "memory/manifest.md", 8)
    memory_repo.write("memory/manifest.md", MANIFEST.replace("- brief.md", "- brief.md (if present)"))
    assert told(memory_repo) == []


def test_a_module_that_nothing_reaches_is_a_warning_unless_its_notes_have_anchors(memory_repo: Repo) -> None:
    memory_repo.write("memory/ideas/a.md", note_text("a"))
    assert told(memory_repo) == [("M503", "memory/manifest.md")]
    assert "ideas/" in only(memory_repo, "M503").message
    memory_repo.write("memory/ideas/a.md", note_text("a", anchors="[memory/brief.md]"))
    assert told(memory_repo) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("ideas/", "- ideas/ to a task or to ## Explicit only"),
        ("areas/zzz/", "- areas/zzz/: `GLOB` to ## Areas"),
        ("profiles/zzz/", "- profiles/zzz/: PURPOSE to ## Profiles"),
    ],
)
def test_the_way_to_reach_a_module_is_told_by_its_kind(memory_repo: Repo, module: str, line: str) -> None:
    memory_repo.write(f"memory/{module}a.md", note_text("a"))
    assert only(memory_repo, "M503").fix.startswith(f"add {line},")


def test_a_budget_for_a_module_that_nothing_names_is_a_warning(memory_repo: Repo) -> None:
    memory_repo.write("memory/manifest.md", MANIFEST.rstrip() + "\n- decision/: 800\n")
    found = only(memory_repo, "M510")
    assert (found.severity, found.line) == (WARNING, len(MANIFEST.rstrip().split("\n")) + 1)
    assert told(memory_repo) == [("M510", "memory/manifest.md")]


def test_a_project_that_is_no_identity_is_a_warning(memory_repo: Repo) -> None:
    lines = [line for line in MANIFEST.split("\n") if not line.startswith("project:")]
    for name, codes in {"foo": ["M507"], "p-7q2m4x9": ["M507"], "p-7q2m4x9k": []}.items():
        memory_repo.write("memory/manifest.md", "\n".join([lines[0], f"project: {name}", *lines[1:]]))
        assert told(memory_repo) == [(code, "memory/manifest.md") for code in codes]
        assert all(f.severity == WARNING for f in findings(memory_repo) if f.code == "M507")


def test_a_secret_in_any_file_is_an_error_that_does_not_show_it(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", body=f"first line\nuse {TOKEN} and {TOKEN}"))
    memory_repo.write("memory/inbox/b.md", f"{TOKEN}\n")
    assert told(memory_repo) == [("M701", A), ("M701", A), ("M701", "memory/inbox/b.md")]
    assert all(TOKEN not in str(found) for found in findings(memory_repo))
    assert [(f.line, f.column) for f in findings(memory_repo) if f.path == A and f.code == "M701"] == [
        (11, 5),
        (11, 50),
    ]


def test_hidden_characters_are_told_once_each_with_their_place(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", body="one \u202e two \u202e\nthree \u200b \x1b[31m"))
    found = [f for f in findings(memory_repo) if f.code == "M702"]
    assert [(f.severity, f.line, f.column) for f in found] == [
        (ERROR, 10, 5),
        (WARNING, 11, 7),
        (ERROR, 11, 9),
    ]
    assert "\\u202e" in found[0].message
    assert "2 times" in found[0].message


ESCAPED = "".join(f"\\x{ord(char):02x}" for char in TOKEN)


@pytest.mark.parametrize(
    ("fields", "code", "key", "line"),
    [
        ({"tags": '["\\e[31m"]'}, "M702", "tags[0]", 7),
        ({"tags": '[a, "x\\u202ey"]'}, "M702", "tags[1]", 7),
        ({"tags": f'["{ESCAPED}"]'}, "M701", "tags[0]", 7),
        ({"evidence": '[{user: "Ada\\x1b"}]'}, "M702", "evidence[0].user", 5),
    ],
)
def test_what_an_escape_of_yaml_hides_is_told_where_the_value_is(
    memory_repo: Repo, fields: dict[str, str], code: str, key: str, line: int
) -> None:
    memory_repo.write(A, note_text("a", **fields))
    found = only(memory_repo, code)
    assert (found.severity, found.path, found.key, found.line) == (ERROR, A, key, line)
    assert TOKEN not in str(found)


def test_an_escape_that_hides_nothing_is_no_finding(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("a", tags='["a\\tb", "\\u00e9", \'C:\\e[31m\']'))
    assert told(memory_repo) == []


def test_escapes_in_subjects_and_the_manifest_are_told_too(memory_repo: Repo) -> None:
    path = "memory/subjects/x.md"
    memory_repo.write(path, '---\nid: x\nkind: concept\naliases: ["y\\u202e"]\n---\n')
    memory_repo.write(
        "memory/manifest.md", MANIFEST.replace("protocol: 1\n", 'protocol: 1\nnote: "\\e[31m"\n')
    )
    found = [(f.path, f.key) for f in findings(memory_repo) if f.code == "M702"]
    assert found == [("memory/manifest.md", "note"), (path, "aliases[0]")]


def test_escapes_in_an_event_are_told_but_not_in_the_name_of_a_file() -> None:
    facts = {
        **{"actor": {"kind": "human", "name": "Ada"}, "at": "2026-11-30T10:00:00Z", "kind": "revoked"},
        **{"note": "n-00000001", "schema": 1, "seq": 1},
        **{"reason": "\x1b[31m", "evidence": {"items": [{"path": "\x7f"}]}},
    }
    path = f"memory/events/n-00000001/0001-revoked-{name_hash(facts)}.json"
    event, found = read_event(path, json.dumps(facts).encode())
    assert event is not None
    assert [(f.code, f.key) for f in found] == [("M702", "reason")]


def test_the_name_of_a_file_is_looked_at_as_its_text_is(memory_repo: Repo) -> None:
    paths = [f"memory/decisions/{TOKEN}.md", f"memory/inbox/{TOKEN}/b.md", f"memory/decisions/{TOKEN}.txt"]
    for at, path in enumerate(paths):
        memory_repo.write(path, note_text("a", id=f"n-0000000{at}"))
    assert sorted(f.path for f in findings(memory_repo) if f.code == "M701") == sorted(paths)
    memory_repo.write("memory/decisions/a\u202eb.md", note_text("b", id="n-0000000b"))
    assert only(memory_repo, "M702").severity == ERROR


def test_carriage_returns_and_a_bom_are_not_hidden_characters(memory_repo: Repo) -> None:
    memory_repo.write(A, "\ufeff" + note_text("a").replace("\n", "\r\n"))
    assert told(memory_repo) == []


def test_agent_files_are_judged_by_their_block_alone(memory_repo: Repo) -> None:
    memory_repo.write("CLAUDE.md", "# Ours\n")
    memory_repo.write("AGENTS.md", put_block(b"# Ours\n", AGENT_BLOCK))
    assert told(memory_repo) == []
    memory_repo.write("AGENTS.md", put_block(b"# Ours\n", "old words\n"))
    memory_repo.write("CLAUDE.md", "<!-- memwarden:begin -->\n")
    assert told(memory_repo) == [("M802", "AGENTS.md"), ("M801", "CLAUDE.md")]
