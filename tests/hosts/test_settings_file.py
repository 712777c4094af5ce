"""Wiring a host keeps every other byte of its settings, and unwiring gives the original bytes back."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from memwarden.errors import Refused
from memwarden.hosts.settings_file import install, uninstall, wired_events
from memwarden.hosts.wiring import WIRINGS, Caller, Wiring, is_ours

CALLER = Caller("mem")
HOSTS = sorted(WIRINGS)

OTHERS = """{
  "permissions": {"deny": ["Bash(rm:*)"]},
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "./mine.sh"}]},
      {
        "hooks": [
          {"type": "command", "command": "memo hook claude-ish"},
          {"type": "http", "url": "https://example.org/hook"}
        ]
      }
    ],
    "Notification": [],
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]
  },
  "model": "x",
  "env": {"A": "é"}
}
"""
FLAT = """{
    "version": 1,
    "hooks": {
        "preToolUse": [{"command": "./mine.sh", "matcher": "Shell"}],
        "postToolUse": [
            {
                "command": "./other.sh"
            }
        ]
    }
}
"""
ORIGINALS = {
    "others": OTHERS,
    "tabs": OTHERS.replace("  ", "\t"),
    "crlf": OTHERS.replace("\n", "\r\n"),
    "bom": "\ufeff" + OTHERS,
    "no final newline": OTHERS.rstrip("\n"),
    "one line": json.dumps(json.loads(OTHERS)),
    "compact": json.dumps(json.loads(OTHERS), separators=(",", ":")),
    "empty object": "{}",
    "empty object with blanks": "{ \n }\n",
    "empty hooks": '{\n  "hooks": {}\n}\n',
    "flat": FLAT,
    "empty lists": '{"hooks": {"PreToolUse": [], "preToolUse": [ ], "BeforeTool": []}}',
}


@pytest.fixture
def memory(tmp_path: Path) -> str:
    return str(tmp_path / "state")


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "settings.json"
    file.write_bytes(text.encode())
    return file


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", sorted(ORIGINALS))
def test_install_keeps_everything_else_and_uninstall_gives_the_bytes_back(
    tmp_path: Path, memory: str, host: str, name: str
) -> None:
    wiring, original = WIRINGS[host], ORIGINALS[name].encode()
    file = written(tmp_path, ORIGINALS[name])
    assert install(str(file), wiring, CALLER, memory).action == "changed"
    first = file.read_bytes()
    assert without_ours(json.loads(first.decode("utf-8-sig")), wiring) == without_ours(
        json.loads(original.decode("utf-8-sig")), wiring
    )
    assert set(wired_events(str(file), wiring)) == {event for event, _ in wiring.events}
    assert install(str(file), wiring, CALLER, memory).action == "unchanged"
    assert file.read_bytes() == first
    assert uninstall(str(file), wiring, memory).action == "changed"
    assert file.read_bytes() == original


def without_ours(value: dict[str, object], wiring: Wiring) -> dict[str, object]:
    """A settings value without our handlers, and without what was left empty."""
    hooks = {}
    for event, entries in dict(value.get("hooks", {})).items():  # type: ignore[call-overload]
        kept = []
        for entry in entries:
            if "hooks" in entry:
                inner = [handler for handler in entry["hooks"] if not is_ours(handler, wiring.host)]
                kept += [{**entry, "hooks": inner}] if inner else []
            elif not is_ours(entry, wiring.host):
                kept.append(entry)
        if kept:
            hooks[event] = kept
    return {key: item for key, item in {**value, "hooks": hooks, "version": 1}.items() if item}


@pytest.mark.parametrize("host", HOSTS)
def test_new_file_is_created_with_its_folder_and_removed_again(
    tmp_path: Path, memory: str, host: str
) -> None:
    wiring = WIRINGS[host]
    file = tmp_path / "a" / wiring.project_file
    assert install(str(file), wiring, CALLER, memory).action == "created"
    first = file.read_bytes()
    assert json.loads(first)["hooks"].keys() == {event for event, _ in wiring.events}
    assert install(str(file), wiring, CALLER, memory).action == "unchanged"
    assert uninstall(str(file), wiring, memory).action == "removed"
    assert [path.name for path in tmp_path.iterdir() if path != Path(memory)] == []


def test_folder_that_was_there_stays_when_the_file_in_it_goes(tmp_path: Path, memory: str) -> None:
    file = tmp_path / ".github" / "hooks" / "memwarden.json"
    (tmp_path / ".github").mkdir()
    install(str(file), WIRINGS["copilot"], CALLER, memory)
    uninstall(str(file), WIRINGS["copilot"], memory)
    assert list((tmp_path / ".github").iterdir()) == []


@pytest.mark.parametrize("host", HOSTS)
def test_without_its_memory_uninstall_still_takes_out_ours_alone(
    tmp_path: Path, memory: str, host: str
) -> None:
    wiring = WIRINGS[host]
    original = FLAT if not wiring.grouped else OTHERS
    file = written(tmp_path, original)
    install(str(file), wiring, CALLER, memory)
    uninstall(str(file), wiring, str(tmp_path / "elsewhere"))
    assert file.read_text() == original


def test_what_others_changed_after_the_install_is_kept(tmp_path: Path, memory: str) -> None:
    wiring = WIRINGS["claude"]
    file = written(tmp_path, OTHERS)
    install(str(file), wiring, CALLER, memory)
    file.write_text(file.read_text().replace('"model": "x"', '"model": "y",\n  "extra": [1]'))
    uninstall(str(file), wiring, memory)
    assert file.read_text() == OTHERS.replace('"model": "x"', '"model": "y",\n  "extra": [1]')


def test_hook_that_a_person_put_into_our_group_survives(tmp_path: Path, memory: str) -> None:
    wiring = WIRINGS["claude"]
    file = written(tmp_path, "{}")
    install(str(file), wiring, CALLER, memory)
    value = json.loads(file.read_text())
    value["hooks"]["PreToolUse"][0]["hooks"].insert(0, {"type": "command", "command": "./theirs.sh"})
    file.write_text(json.dumps(value, indent=2))
    assert install(str(file), wiring, CALLER, memory).action == "unchanged"
    uninstall(str(file), wiring, memory)
    left = json.loads(file.read_text())["hooks"]
    assert left == {
        "PreToolUse": [
            {
                "matcher": value["hooks"]["PreToolUse"][0]["matcher"],
                "hooks": [{"type": "command", "command": "./theirs.sh"}],
            }
        ]
    }


def test_older_line_of_ours_is_replaced_not_doubled(tmp_path: Path, memory: str) -> None:
    wiring = WIRINGS["claude"]
    old = {
        "hooks": {
            "PreToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "mem hook claude"}]}]
        }
    }
    file = written(tmp_path, json.dumps(old, indent=2))
    install(str(file), wiring, CALLER, memory)
    hooks = json.loads(file.read_text())["hooks"]["PreToolUse"]
    assert len(hooks) == 1
    assert hooks[0]["matcher"].startswith("Read|")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b'{\n  // mine\n  "a": 1\n}\n',
        b'{"a": 1,}',
        b"[]",
        b'{"hooks": []}',
        b'{"hooks": {"PreToolUse": {}, "preToolUse": {}, "BeforeTool": {}}}',
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b'{"a": [-Infinity]}',
        b"\xff\xfe{\x00}\x00",
    ],
)
@pytest.mark.parametrize("host", HOSTS)
def test_file_that_cannot_be_edited_safely_is_refused_and_unchanged(
    tmp_path: Path, memory: str, host: str, text: bytes
) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(text)
    with pytest.raises(Refused, match="nothing was changed"):
        install(str(file), WIRINGS[host], CALLER, memory)
    assert file.read_bytes() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["settings.json"]


def test_switches_beside_the_events_are_kept(tmp_path: Path, memory: str) -> None:
    text = '{"hooks": {"enabled": true, "disabled": ["x"], "notifications": false}}'
    file = written(tmp_path, text)
    install(str(file), WIRINGS["gemini"], CALLER, memory)
    assert json.loads(file.read_text())["hooks"]["disabled"] == ["x"]
    uninstall(str(file), WIRINGS["gemini"], memory)
    assert file.read_text() == text


def test_mode_is_kept_and_a_link_is_written_through(tmp_path: Path, memory: str) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o600)
    link = tmp_path / "settings.json"
    link.symlink_to(real)
    install(str(link), WIRINGS["claude"], CALLER, memory)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert "mem hook claude" in real.read_text()


def test_uninstall_where_nothing_is_ours_changes_nothing(tmp_path: Path, memory: str) -> None:
    file = written(tmp_path, OTHERS)
    assert uninstall(str(file), WIRINGS["claude"], memory).action == "unchanged"
    assert uninstall(str(tmp_path / "none.json"), WIRINGS["claude"], memory).action == "unchanged"
    assert file.read_text() == OTHERS


def test_memory_of_an_install_holds_nothing_of_the_file(tmp_path: Path, memory: str) -> None:
    file = written(tmp_path, OTHERS.replace('"A": "é"', '"A": "very-secret"'))
    install(str(file), WIRINGS["claude"], CALLER, memory)
    kept = "".join(path.read_text() for path in Path(memory).iterdir())
    assert "very-secret" not in kept


@pytest.mark.parametrize("program", ["mem", "memwarden", "/opt/it's here/bin/mem"])
@pytest.mark.parametrize("host", HOSTS)
def test_every_line_of_ours_is_known_again(host: str, program: str) -> None:
    wiring = WIRINGS[host]
    for event, _ in wiring.events:
        assert is_ours(wiring.handler(Caller(program), event), host)
    for other in HOSTS:
        assert (other == host) == is_ours(wiring.handler(Caller(program), "x"), other)


@pytest.mark.parametrize(
    "line", ["memo hook claude", "mem hook claudette", "xmem hook claude", "mem hooks claude"]
)
def test_other_programs_lines_are_not_ours(line: str) -> None:
    assert not is_ours({"command": line}, "claude")


def test_place_that_cannot_be_written_is_refused(tmp_path: Path, memory: str) -> None:
    (tmp_path / ".claude").write_text("in the way")
    with pytest.raises(Refused, match=r"cannot (read|write)"):
        install(str(tmp_path / ".claude" / "settings.json"), WIRINGS["claude"], CALLER, memory)
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(Refused, match="cannot read"):
        install(str(tmp_path / "folder.json"), WIRINGS["claude"], CALLER, memory)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".claude", "folder.json"]


def test_disk_that_fails_leaves_the_old_bytes(
    tmp_path: Path, memory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, OTHERS)

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("memwarden.hosts.foreign_file.os.replace", full)
    with pytest.raises(Refused, match="No space left"):
        install(str(file), WIRINGS["claude"], CALLER, memory)
    assert file.read_text() == OTHERS
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]
