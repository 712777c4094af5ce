"""Whatever goes wrong is silence, exit 0 and one bounded line: a hook never breaks the agent."""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memwarden import hook
from memwarden.edge.turn.hooklog import LONGEST_LINE, MOST_BYTES, record
from memwarden.edge.turn.hooklog import lines as log_lines
from tests.conftest import Repo
from tests.hook.calling import AGENTS, call, log_of, payload, silent

GOLDEN = Path(__file__).parent.parent / "golden" / "hosts"

BROKEN = {
    "empty": b"",
    "blank": b" \n",
    "not json": b"hello",
    "truncated": b'{"hook_event_name": "PreToolUse", "cwd": "',
    "a list": b"[]",
    "not utf-8": b'{"hook_event_name": "\xff\xfe"}',
    "utf-16": '{"hook_event_name": "Stop"}'.encode("utf-16"),
    "two values": b"{}{}",
    "nested deep": b"[" * 200_000,
    "unknown event": b'{"hook_event_name": "NoSuchEvent"}',
    "no event": b"{}",
    "nul": b"\0" * 100,
}


@pytest.mark.parametrize("name", sorted(BROKEN))
@pytest.mark.parametrize("host", AGENTS)
def test_bad_input_is_silence_and_one_line_in_the_log(noted: Repo, host: str, name: str) -> None:
    assert silent(call(BROKEN[name], host, cwd=noted.root))
    assert len(log_of(noted)) == 1
    assert host in log_of(noted)[0]


def test_byte_order_mark_is_tolerated(noted: Repo) -> None:
    data = b"\xef\xbb\xbf" + json.dumps(payload(noted)).encode()
    assert call(data).special


def test_ten_megabytes_of_input_are_read(noted: Repo) -> None:
    asked = payload(noted, tool="Write")
    asked["tool_input"]["content"] = "é\n" * 4_000_000
    assert "Keep a.py small" in call(asked).special["additionalContext"]


def test_input_without_end_is_given_up(noted: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "MOST_INPUT", 10)
    read, write = os.pipe()
    os.write(write, b"x" * 100)
    os.close(write)
    monkeypatch.setattr(hook.os, "read", lambda fd, size: os.pread(fd, 0, 0) if fd else b"x" * 100)
    with pytest.raises(hook.BadInput):
        hook._read_input()
    os.close(read)


def test_broken_note_is_skipped_and_the_others_speak(noted: Repo) -> None:
    noted.write("memory/decisions/broken.md", "---\nid: [\n---\n# x\n")
    noted.write("memory/decisions/conflict.md", "<<<<<<< a\n=======\n>>>>>>> b\n")
    assert "Keep a.py small" in call(payload(noted)).special["additionalContext"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 5000, b"memwarden index\n" + b"\xff" * 9000, random.Random(7).randbytes(3000)],
    ids=["empty", "zeros", "right name, wrong rest", "noise"],
)
def test_corrupt_index_is_rebuilt(noted: Repo, content: bytes) -> None:
    call(payload(noted, "UserPromptSubmit"))
    noted.write(".git/mem/index", content)
    assert "Keep a.py small" in call(payload(noted)).special["additionalContext"]


@pytest.mark.parametrize("content", [b"\0\xff\n\n", b"told\tx\n" * 1000, b"x" * 100_000])
def test_corrupt_ledger_is_an_empty_one(noted: Repo, content: bytes) -> None:
    call(payload(noted))
    for ledger in (noted.root / ".git/mem/sessions").iterdir():
        ledger.write_bytes(content)
    assert call(payload(noted, call="t2")).special


def test_corrupt_pending_and_manifest_break_nothing(noted: Repo) -> None:
    call(payload(noted, "UserPromptSubmit"))
    noted.write(".git/mem/pending", b"\xff\0paid\t\t\t\n")
    noted.write("memory/manifest.md", "---\nprotocol: 1\nprotocol: 1\n---\n<<<<<<< x\n")
    assert call(payload(noted)).code == 0
    assert call(payload(noted, "Stop")).code == 0
    assert call(payload(noted, "SessionStart")).code == 0


def test_private_state_that_is_no_folder_breaks_nothing(noted: Repo) -> None:
    shutil.rmtree(noted.root / ".git" / "mem", ignore_errors=True)
    noted.write(".git/mem", "in the way")
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop"):
        said = call(payload(noted, event))
        assert said.code == 0
        assert said.err == b""


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit"])
def test_full_or_read_only_disk_breaks_nothing(noted: Repo, event: str) -> None:
    said = without_space(payload(noted, event))
    assert ("Keep a.py small" in said) == (event == "PreToolUse")


def test_full_disk_warns_each_time_and_refuses_nothing(noted: Repo) -> None:
    """What cannot be noted is told as to a session that nobody knows: a refusal would never end."""
    manifest = noted.read("memory/manifest.md")
    noted.write("memory/manifest.md", manifest.replace("---\n", "---\nask_after: 1\n", 1))
    call(payload(noted, tool="Edit", path="b.py"))
    noted.write("b.py", "still\n")
    call(payload(noted, "PostToolUse", tool="Edit", path="b.py"))
    call(payload(noted, "Stop"))
    asked = payload(noted, tool="Edit", path="b.py", session_id="s2", permission_mode="bypassPermissions")
    for _ in range(2):
        said = json.loads(without_space(asked))["hookSpecificOutput"]
        assert "b.py waits" in said["additionalContext"]
        assert "permissionDecision" not in said
    assert call(asked).special["permissionDecision"] == "deny"


def without_space(asked: Any) -> str:
    """What is said where every file that a hook would write fails: the limit on file sizes is zero."""
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
        "from memwarden.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "hook", "claude"],
        input=json.dumps(asked).encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_folder_without_the_right_to_write_breaks_nothing(noted: Repo) -> None:
    private = noted.root / ".git" / "mem"
    private.mkdir(exist_ok=True)
    private.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        for event in ("PreToolUse", "Stop", "SessionStart"):
            said = call(payload(noted, event))
            assert (said.code, said.err) == (0, b"")
    finally:
        private.chmod(0o755)


def test_held_lock_breaks_nothing(noted: Repo) -> None:
    import fcntl

    noted.write("b.py", "done\n")
    call(payload(noted, path="b.py"))
    lock = noted.root / ".git" / "mem" / "lock"
    with lock.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert call(payload(noted)).code == 0
        assert silent(call(payload(noted, "Stop")))
        assert len(log_of(noted)) == 1
        assert "lock" in log_of(noted)[0]


def test_missing_git_breaks_nothing(noted: Repo, tmp_path: Path) -> None:
    for event in ("PreToolUse", "PostToolUse", "Stop", "SessionStart"):
        said = call(payload(noted, event), env={"PATH": str(tmp_path)})
        assert (said.code, said.err) == (0, b"")


def test_removed_working_folder_breaks_nothing(noted: Repo, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); from memwarden.__main__ import main; sys.exit(main())"
    for asked in (payload(noted, cwd=str(gone)), {"hook_event_name": "Stop"}, payload(noted)):
        gone.mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-c", code, "hook", "claude"],
            input=json.dumps(asked).encode(),
            capture_output=True,
            cwd=gone,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")


def test_host_that_stops_listening_breaks_nothing(noted: Repo) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "memwarden", "hook", "claude"],
        input=json.dumps(payload(noted)).encode(),
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("host", AGENTS)
def test_mutated_payloads_never_break_the_agent(
    noted: Repo, host: str, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded payloads with fields dropped, swapped, repeated, cut and garbled, in one process."""
    rng = random.Random(host)
    recorded = [json.loads(file.read_text()) for file in sorted((GOLDEN / host).glob("*.json"))]
    junk: list[Any] = [
        None,
        0,
        -1,
        1e300,
        "",
        "\ud800",
        "\0",
        [],
        {},
        [[]],
        {"a": []},
        True,
        "x" * 5000,
        "/",
        "../..",
    ]
    for number in range(150):
        case = rng.choice(recorded)
        asked = mutate(case["payload"], rng, junk)
        asked["cwd"] = rng.choice([str(noted.root), str(noted.root), "/nowhere", "", 3, None])
        data = json.dumps(asked).encode()
        if number % 5 == 0:
            at = rng.randrange(len(data) + 1)
            data = data[:at] + bytes([rng.randrange(256)]) * rng.randrange(3) + data[at + rng.randrange(3) :]
        feed(data, monkeypatch)
        monkeypatch.chdir(noted.root)
        assert hook.answer(host, case.get("event", "")) == 0
        out, err = capfdbinary.readouterr()
        assert err == b""
        assert out == b"" or isinstance(json.loads(out), dict)


def mutate(value: dict[str, Any], rng: random.Random, junk: list[Any]) -> dict[str, Any]:
    changed = json.loads(json.dumps(value))
    for _ in range(rng.randrange(4)):
        target = changed
        inner = target.get("tool_input")
        if isinstance(inner, dict) and inner and rng.random() < 0.5:
            target = inner
        key = rng.choice(sorted(target))
        how = rng.randrange(3)
        if how == 0:
            target.pop(key)
        elif how == 1:
            target[key] = rng.choice(junk)
        else:
            target[key] = target[rng.choice(sorted(target))]
        if not changed or not target:
            break
    return dict(changed)


def feed(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "_read_input", lambda: data)


def test_log_is_bounded_and_a_line_cannot_forge_another(tmp_path: Path) -> None:
    private = str(tmp_path / "mem")
    for number in range(2000):
        record(private, "2026-11-30T00:00:00Z", "claude", "Stop", f"{number}\nforged {'x' * 400}\x1b[0m")
    assert (tmp_path / "mem" / "hook.log").stat().st_size < 2 * MOST_BYTES
    kept = log_lines(private)
    assert kept[-1].startswith("2026-11-30T00:00:00Z claude Stop: 1999?forged")
    assert all(len(line) <= LONGEST_LINE for line in kept)


def test_log_never_holds_a_payload(noted: Repo) -> None:
    asked = {**payload(noted), "hook_event_name": "NoSuch", "prompt": "very secret"}
    call(asked)
    call(b'{"prompt": "very secret"', cwd=noted.root)
    assert len(log_of(noted)) == 2
    assert "very secret" not in "\n".join(log_of(noted))


@pytest.mark.parametrize("name", ["memory", "memory/events"])
@pytest.mark.parametrize("event", ["PreToolUse", "SessionStart", "Stop"])
def test_memory_that_cannot_be_looked_into_is_silence_and_one_line(
    noted: Repo, tmp_path: Path, name: str, event: str
) -> None:
    noted.write("memory/events/n-00000000/README.md", "")
    call(payload(noted))
    (noted.root / name).rename(tmp_path / "elsewhere")
    (noted.root / name).symlink_to(tmp_path / "elsewhere")
    before = log_of(noted)
    assert silent(call(payload(noted, event, call="t2")))
    (line,) = log_of(noted)[len(before) :]
    assert f"{name}/ is a link that leaves the repository" in line


def test_note_whose_events_cannot_be_read_says_nothing(noted: Repo) -> None:
    (path,) = [one for one in (noted.root / "memory").rglob("*.md") if "Keep a.py small" in one.read_text()]
    note = next(line[4:] for line in path.read_text().split("\n") if line.startswith("id: "))
    noted.write("elsewhere/0001-revoked.json", "{}")
    noted.write("memory/events/README.md", "")
    (noted.root / "memory/events" / note).symlink_to(noted.root / "elsewhere")
    assert silent(call(payload(noted)))
