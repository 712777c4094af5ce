"""What a host is told, and when."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import Repo, note_text
from tests.hook.calling import AGENTS, call, log_of, payload, silent


def test_nothing_to_say_is_zero_bytes(noted: Repo) -> None:
    assert silent(call(payload(noted, path="other.py")))


def test_anchored_note_is_told_to_the_model(noted: Repo) -> None:
    said = call(payload(noted))
    assert said.code == 0
    assert "Keep a.py small" in said.special["additionalContext"]
    assert silent(call(payload(noted, call="t2")))


@pytest.mark.parametrize("named", ["a.py", "./a.py", "x/../a.py", "{root}/a.py", "{root}/./x/..//a.py"])
def test_every_spelling_of_a_path_is_that_path(noted: Repo, named: str) -> None:
    asked = payload(noted)
    asked["tool_input"]["file_path"] = named.format(root=noted.root)
    assert "Keep a.py small" in call(asked).special["additionalContext"]


def test_path_is_meant_in_the_folder_of_the_payload(noted: Repo) -> None:
    (noted.root / "sub").mkdir()
    asked = payload(noted, cwd=str(noted.root / "sub"))
    asked["tool_input"]["file_path"] = "../a.py"
    assert "Keep a.py small" in call(asked).special["additionalContext"]


def test_path_outside_the_repository_is_nobody_s(noted: Repo, tmp_path: Path) -> None:
    asked = payload(noted)
    asked["tool_input"]["file_path"] = str(tmp_path / "a.py")
    assert silent(call(asked))
    assert log_of(noted) == []


def test_call_without_a_session_is_answered_each_time(noted: Repo) -> None:
    asked = payload(noted)
    del asked["session_id"]
    assert call(asked).special
    assert call(asked).special


def test_inherited_git_dir_is_not_believed(noted: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    said = call(payload(noted), env={"GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)})
    assert "Keep a.py small" in said.special["additionalContext"]
    assert not (other / ".git" / "mem").exists()


def test_linked_worktree_is_a_place_of_its_own(noted: Repo, tmp_path: Path) -> None:
    noted.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    assert "Keep a.py small" in call(payload(linked)).special["additionalContext"]
    assert (noted.root / ".git" / "worktrees" / "linked" / "mem").is_dir()
    assert call(payload(noted)).special


@pytest.mark.parametrize("host", AGENTS)
def test_repository_without_a_memory_hears_nothing(repo: Repo, host: str) -> None:
    said = call(payload(repo), host)
    assert (said.code, said.json, said.err) == (0, {}, b"")
    assert not (repo.root / ".git" / "mem").exists()


def test_shell_command_that_writes_is_a_touch(noted: Repo) -> None:
    asked = payload(noted, tool="Bash")
    asked["tool_input"] = {"command": "cd . && sed -i s/a/b/ ./a.py"}
    assert "Keep a.py small" in call(asked).special["additionalContext"]


@pytest.mark.parametrize("command", ["cat a.py", "echo 'x' > a.py", "bash -c 'rm a.py'", "cp b.py a.py"])
def test_shell_words_that_name_an_anchored_file_are_seen(noted: Repo, command: str) -> None:
    asked = payload(noted, tool="Bash")
    asked["tool_input"] = {"command": command}
    assert "Keep a.py small" in call(asked).special["additionalContext"]


def test_text_of_a_note_stays_valid_json_and_shows_its_control_characters(noted: Repo) -> None:
    body = 'quote " back \\ tag </x> \x1b[31mred\x07 \u202e中\u2028 tab\t'
    noted.write("memory/decisions/a.md", note_text("Keep", body, anchors="[a.py]", id="n-rv1e0000"))
    text = call(payload(noted)).special["additionalContext"]
    assert "\\x1b[31mred" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "中" in text


def test_answer_is_below_the_cap_of_the_host(noted: Repo) -> None:
    manifest = noted.read("memory/manifest.md").replace(
        "---\nprotocol: 1", "---\ndeliver_tokens: 90000\nprotocol: 1", 1
    )
    noted.write("memory/manifest.md", manifest)
    for number in range(30):
        noted.write(
            f"memory/decisions/{number}.md",
            note_text(
                f"Rule {number}",
                "x " * 400,
                anchors="[a.py]",
                id=f"n-{number:08d}",
                subject=f"path:p{number}",
            ),
        )
    text = call(payload(noted)).special["additionalContext"]
    assert 5_000 < len(text) <= 10_000
    assert text.endswith("more notes do not fit here; mem touch or mem list --anchor shows them.")


def test_note_longer_than_a_host_takes_is_named_without_its_text(noted: Repo) -> None:
    manifest = noted.read("memory/manifest.md")
    noted.write("memory/manifest.md", manifest.replace("---\n", "---\ndeliver_tokens: 90000\n", 1))
    noted.write(
        "memory/decisions/a.md",
        note_text("Keep a.py small", "x\n\n" * 4000, anchors="[a.py]", id="n-rv1e0000"),
    )
    text = call(payload(noted)).special["additionalContext"]
    assert "recorded for a.py: Keep a.py small\nIts text is longer than a host takes" in text
    assert len(text) < 500


def test_session_start_brings_the_pack_and_what_came_back(noted: Repo) -> None:
    noted.write("b.py", "done\n")
    assert silent(call(payload(noted, path="b.py")))
    call(payload(noted, "Stop"))
    assert list((noted.root / "memory/events/n-debt0000").iterdir())
    assert (
        "came back" not in call(payload(noted, "SessionStart", source="startup")).special["additionalContext"]
    )
    noted.write("b.py", "b\n")
    text = call(payload(noted, "SessionStart", source="startup")).special["additionalContext"]
    assert text.startswith("# Project memory")
    assert "A small program." in text
    assert "came back" in text
    assert "b.py waits" in text


def test_what_a_session_start_told_as_come_back_is_taken_back_by_its_close(noted: Repo) -> None:
    noted.write("b.py", "done\n")
    call(payload(noted, path="b.py"))
    call(payload(noted, "Stop"))
    noted.commit("paid")
    noted.write("b.py", "b\n")
    events = noted.root / "memory/events/n-debt0000"
    call(payload(noted, "SessionStart", session_id="s2", source="startup"))
    call(payload(noted, "Stop", session_id="s2"))
    assert not list(events.glob("*-reinstated-*"))  # HEAD still has the fix
    noted.commit("the bug is back")
    for _ in range(2):
        call(payload(noted, "Stop", session_id="s2"))
        assert len(list(events.glob("*-reinstated-*"))) == 1


@pytest.mark.parametrize("words", ["word " * 80, "\U0001f600 " * 80])
def test_pack_larger_than_the_host_takes_holds_whole_notes_and_counts_the_rest(
    noted: Repo, words: str
) -> None:
    noted.write(
        "memory/manifest.md",
        noted.read("memory/manifest.md").replace("- brief.md", "- brief.md\n- decisions/", 1),
    )
    for number in range(40):
        noted.write(
            f"memory/decisions/{number}.md",
            note_text(
                f"Rule {number}",
                f"{words}end{number}.",
                id=f"n-{number:08d}",
                subject=f"path:p{number}",
            ),
        )
    text = call(payload(noted, "SessionStart")).special["additionalContext"]
    assert 5_000 < len(text.encode("utf-16-le")) // 2 <= 10_000
    assert "do not fit here; mem route shows all of them." in text
    assert text.count("### Rule ") == sum(f"end{number}." in text for number in range(40))


def test_compaction_makes_warnings_eligible_again(noted: Repo) -> None:
    assert call(payload(noted)).special
    assert silent(call(payload(noted, call="t2")))
    assert silent(call(payload(noted, "PreCompact", trigger="auto")))
    assert call(payload(noted, call="t3")).special


def test_subagent_hears_for_itself(noted: Repo) -> None:
    assert call(payload(noted)).special
    assert call(payload(noted, call="t2", agent_id="agent-7")).special
    assert silent(call(payload(noted, call="t3", agent_id="agent-7")))


def test_pack_comes_with_the_next_prompt_where_the_host_says_nothing_after_a_compression(noted: Repo) -> None:
    base = {"session_id": "g", "cwd": str(noted.root)}
    assert silent(call({**base, "hook_event_name": "BeforeAgent", "prompt": "x"}, "gemini"))
    assert silent(call({**base, "hook_event_name": "PreCompress", "trigger": "auto"}, "gemini"))
    said = call({**base, "hook_event_name": "BeforeAgent", "prompt": "x"}, "gemini")
    assert "A small program." in said.special["additionalContext"]
    assert silent(call({**base, "hook_event_name": "BeforeAgent", "prompt": "x"}, "gemini"))


def test_plan_mode_leaves_the_working_tree_alone(noted: Repo) -> None:
    noted.write("b.py", "done\n")
    noted.commit("pay")
    call(payload(noted, path="b.py", permission_mode="plan"))
    call(payload(noted, "Stop", permission_mode="plan"))
    assert noted.git("status", "--porcelain") == ""
    call(payload(noted, "Stop"))
    assert "memory/events/" in noted.git("status", "--porcelain")


def test_ten_concurrent_hooks_count_once(noted: Repo) -> None:
    call(payload(noted, "SessionStart"))
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: call(payload(noted)), range(10)))
    assert [answer.code for answer in answers] == [0] * 10
    assert sum(bool(answer.out) for answer in answers) == 1


def test_pinned_date_decides_what_is_in_force(noted: Repo) -> None:
    text = note_text("Keep a.py small", anchors="[a.py]", id="n-rv1e0000", not_before="2030-01-01")
    noted.write("memory/decisions/a.md", text)
    assert silent(call(payload(noted), "claude", "--now", "2029-12-31"))
    assert call(payload(noted, call="t2"), "claude", "--now", "2030-01-01").special


def test_memory_of_a_newer_protocol_is_silence(noted: Repo) -> None:
    manifest = noted.read("memory/manifest.md")
    noted.write("memory/manifest.md", manifest.replace("protocol: 1", "protocol: 99", 1))
    before = noted.git("status", "--porcelain")
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"):
        assert silent(call(payload(noted, event)))
        assert "protocol 99 is newer" in log_of(noted)[-1]
    assert noted.git("status", "--porcelain") == before


def test_resumed_session_has_heard_what_it_was_told_and_another_one_has_not(noted: Repo) -> None:
    assert not silent(call(payload(noted)))
    for session, source, heard in (("s1", "resume", True), ("s2", "startup", False)):
        call({**payload(noted, "SessionStart"), "session_id": session, "source": source})
        said = call({**payload(noted, call=f"t-{session}"), "session_id": session})
        assert silent(said) == heard, session


def test_notebook_is_touched_by_its_own_path(noted: Repo) -> None:
    asked = payload(noted, tool="NotebookEdit")
    asked["tool_input"] = {"notebook_path": str(noted.root / "a.py"), "new_source": "1"}
    assert "Keep a.py small" in call(asked).special["additionalContext"]
