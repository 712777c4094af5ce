"""What an idle call may load and do, and that its quick ways agree with the plain ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwarden import hook
from memwarden.edge.place import find_place
from memwarden.edge.tree.touched_paths import spellings
from tests.conftest import Repo, note_text
from tests.edge.index_ground import settled
from tests.hook.calling import call, payload


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a.py",
            "./a.py",
            "x/../a.py",
            "../repo/a.py",
            "{root}/a.py",
            "{root}",
            "..",
            "/etc/passwd",
            "link/a.py",
        ),
        *(
            "link",
            "dir\\b.py",
            ".git/HEAD",
            ".GIT/x",
            "",
            "\0",
            "a\0b",
            "~/x",
            "new/deep/file.py",
            "abs/link.py",
            "C:{root}/dir/b.py",
            "z:{root}/link\\b.py",
            "C:a.py",
            "C:",
            "odd:\\name",
            "C:/odd\\name",
        ),
    ],
)
@pytest.mark.parametrize("cwd", ["", "dir", "gone", "/"])
def test_quick_paths_are_the_plain_ones(repo: Repo, text: str, cwd: str) -> None:
    repo.write("dir/b.py", "b")
    repo.write("a.py", "a")
    repo.write("odd:\\name", "a")
    (repo.root / "link").symlink_to("dir")
    (repo.root / "abs").symlink_to("/")
    place = find_place(str(repo.root))
    folder = cwd if cwd == "/" else os.path.join(place.root, cwd)
    given = text.format(root=place.root)
    quick = hook.paths_of(place.root, folder, given)
    assert sorted(quick) == sorted(path for path in spellings(place, given, folder) if path)


def test_quick_finder_finds_what_the_plain_one_finds(repo: Repo, tmp_path: Path) -> None:
    repo.write("a/b/c.py", "x")
    repo.commit()
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    (repo.root / "decoy" / ".git").mkdir(parents=True)
    for folder in ("", "a", "a/b", "decoy", "a/gone"):
        start = str(repo.root / folder)
        place = find_place(start)
        assert hook.near(start) == (place.root, place.git_dir)
    place = find_place(str(tmp_path / "linked"))
    assert hook.near(str(tmp_path / "linked")) == (place.root, place.git_dir)
    assert hook.near(str(tmp_path)) is None


FORBIDDEN = (
    *("typing", "re", "pathlib", "subprocess", "dataclasses", "json", "collections", "typer", "rich", "git"),
    *("yaml", "frontmatter", "markdown_it", "re2", "enum", "datetime", "hashlib", "importlib.metadata"),
)
# As an installation does it: only a working copy watches its own sources, with one module more.
IDLE = """
import sys
sys.modules["memwarden.edge.source_mark"] = type(sys)("source_mark")
sys.modules["memwarden.edge.source_mark"].source_mark = lambda folder: ""
sys.argv[1:] = ["hook", "claude"]
before = set(sys.modules)
from memwarden.__main__ import main
main()
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def modules_loaded(asked: object) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", IDLE], input=json.dumps(asked).encode(), capture_output=True, check=True
    )
    return set(done.stderr.decode().split())


def shell(repo: Repo, command: str) -> Any:
    return {**payload(repo, tool="Bash"), "tool_input": {"command": command}}


@pytest.mark.parametrize(
    "make",
    [
        lambda repo: payload(repo, path="other.py"),
        lambda repo: payload(repo, tool="Edit", path="src/deep/other.py"),
        lambda repo: payload(repo, tool="Grep"),
        lambda repo: payload(repo, "Notification"),
        lambda repo: shell(repo, "pytest -q tests/test_x.py && git status"),
    ],
)
def test_idle_hook_loads_next_to_nothing(noted: Repo, make: Callable[[Repo], Any]) -> None:
    modules_loaded(payload(noted, "UserPromptSubmit"))
    loaded = modules_loaded(make(noted))
    assert not loaded & set(FORBIDDEN)
    assert len(loaded) <= 8, sorted(loaded)


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse"])
def test_touch_of_a_file_that_was_just_edited_loads_few_modules(noted: Repo, event: str) -> None:
    noted.write(
        "memory/debts/glob.md", note_text("Waits", anchors="['*.py', 'src/**']", **waiting("time\\.sleep\\("))
    )
    settled(find_place(str(noted.root)))
    modules_loaded(payload(noted, "UserPromptSubmit"))
    noted.write("b.py", "b\nedited\n")
    loaded = modules_loaded(payload(noted, event, tool="Edit", path="b.py"))
    assert "memwarden.edge.turn.plain_touch" in loaded
    assert "memwarden.edge.turn.touching" not in loaded
    assert not loaded & set(FORBIDDEN)
    assert len(loaded) <= 26, sorted(loaded)
    said = call(payload(noted, tool="Edit", path="b.py", session_id="s2"))
    assert "n-wa1ts000" in said.out.decode()


def waiting(pattern: str) -> dict[str, str]:
    condition = f"{{file_contains: {{path: b.py, pattern: '{pattern}'}}}}"
    return {"id": "n-wa1ts000", "lifecycle": "debt", "facet": "security", "condition": condition}


def test_idle_hook_writes_nothing_and_starts_nothing(noted: Repo) -> None:
    call(payload(noted, "UserPromptSubmit"))
    before = {path: path.stat().st_mtime_ns for path in (noted.root / ".git/mem").rglob("*")}
    code = "import sys; WATCHED = ('os.fork', 'os.exec', 'os.posix_spawn', 'os.mkdir', 'os.rename');"
    code += "sys.addaudithook(lambda event, given: event in WATCHED and print(event, file=sys.stderr));"
    code += "from memwarden.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, "hook", "claude"],
        input=json.dumps(payload(noted, path="other.py")).encode(),
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert before == {path: path.stat().st_mtime_ns for path in (noted.root / ".git/mem").rglob("*")}


def test_note_added_in_mid_turn_speaks_at_once(noted: Repo) -> None:
    call(payload(noted, "UserPromptSubmit"))
    noted.write(
        "memory/decisions/new.md", note_text("New", anchors="[c.py]", id="n-new00000", subject="path:c.py")
    )
    assert "New" in call(payload(noted, path="c.py")).special["additionalContext"]


def test_anchor_that_an_editor_changes_in_mid_turn_is_seen_by_the_next_prompt(noted: Repo) -> None:
    call(payload(noted, "UserPromptSubmit"))
    file = noted.root / "memory/decisions/a.md"
    file.write_text(file.read_text().replace("[a.py]", "[other.py]"))
    call(payload(noted, "UserPromptSubmit"))
    assert "Keep a.py small" in call(payload(noted, path="other.py")).special["additionalContext"]


def test_note_that_the_agent_writes_is_seen_at_its_next_touch(noted: Repo) -> None:
    call(payload(noted, "UserPromptSubmit"))
    file = noted.root / "memory/decisions/a.md"
    file.write_text(file.read_text().replace("[a.py]", "[other.py]"))
    call(payload(noted, "PostToolUse", tool="Edit", path="memory/decisions/a.md", call="w"))
    assert "Keep a.py small" in call(payload(noted, path="other.py")).special["additionalContext"]


def test_note_that_a_shell_command_writes_is_seen_at_the_next_touch(noted: Repo) -> None:
    call(payload(noted, "UserPromptSubmit"))
    file = noted.root / "memory/decisions/a.md"
    file.write_text(file.read_text().replace("[a.py]", "[other.py]"))
    call(
        {
            **shell(noted, "cd memory && sed -i s/a.py/other.py/ decisions/a.md"),
            "hook_event_name": "PostToolUse",
        }
    )
    assert "Keep a.py small" in call(payload(noted, path="other.py", call="t2")).special["additionalContext"]


def test_words_after_the_host_that_are_not_ours_go_to_the_command_line() -> None:
    assert hook.main(["install", "claude"]) is None
    assert hook.main(["claude", "--help"]) is None
    assert hook.main([]) is None
    assert hook.main(["git"]) is None


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_a_start_and_a_prompt_leave_the_memory_in_its_index(noted: Repo, event: str) -> None:
    settled(find_place(str(noted.root)))
    modules_loaded(payload(noted, "UserPromptSubmit"))
    loaded = modules_loaded(payload(noted, event, source="startup"))
    assert "memwarden.edge.reading.full_look" in loaded
    assert not loaded & {"memwarden.hosts.whole_start", "memwarden.edge.reading.index", *FORBIDDEN}
