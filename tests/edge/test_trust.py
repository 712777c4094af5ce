"""Only this user's own endorsement makes a command run, and only for exactly what was shown."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from platformdirs import user_state_dir

from memwarden.edge.command.trust import Entry, Everyone, TrustStore, trust_folder

ENTRY = Entry("p-7q2m4x9k", "n-4f7k2m9q", ("pytest", "-q", "tests/test_retry.py"), "/home/ada/repo")


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return TrustStore(str(tmp_path / "state" / "trust"))


def endorsed(store: TrustStore, entry: Entry) -> bool:
    return store.endorsed(entry.project, entry.note, entry.argv, entry.folder)


def test_nothing_is_endorsed_at_first(store: TrustStore) -> None:
    assert not endorsed(store, ENTRY)
    assert store.entries() == ()


def test_endorsement_is_kept_for_this_user_alone(store: TrustStore) -> None:
    store.add(ENTRY._replace(at="2026-11-30T16:40:12Z"))
    assert endorsed(store, ENTRY)
    assert stat.S_IMODE(Path(store.folder).stat().st_mode) == 0o700
    (file,) = Path(store.folder).iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "changed",
    [
        ENTRY._replace(project="p-00000000"),
        ENTRY._replace(note="n-00000000"),
        ENTRY._replace(argv=("pytest", "-q", "tests/test_retry.pY")),
        ENTRY._replace(argv=("pytest", "-q tests/test_retry.py")),
        ENTRY._replace(argv=(*ENTRY.argv, "")),
        ENTRY._replace(folder="/home/ada/repo2"),
    ],
)
def test_any_changed_word_is_untrusted_again(store: TrustStore, changed: Entry) -> None:
    store.add(ENTRY)
    assert not endorsed(store, changed)


def test_revoked_endorsement_is_gone(store: TrustStore) -> None:
    store.add(ENTRY)
    assert store.remove(ENTRY)
    assert not endorsed(store, ENTRY)
    assert not store.remove(ENTRY)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"argv": 3}', b"\xff\xfe"])
def test_damaged_entry_is_no_endorsement(store: TrustStore, content: bytes) -> None:
    store.add(ENTRY)
    (file,) = Path(store.folder).iterdir()
    file.write_bytes(content)
    assert not endorsed(store, ENTRY)
    assert store.entries() == ()


def test_file_under_another_entry_s_name_is_no_endorsement(store: TrustStore) -> None:
    store.add(ENTRY)
    (file,) = Path(store.folder).iterdir()
    other = ENTRY._replace(argv=("rm", "-rf", "."))
    file.rename(file.with_name(other.key() + ".json"))
    assert not endorsed(store, other)


def test_entry_says_what_was_endorsed(store: TrustStore) -> None:
    store.add(ENTRY._replace(at="2026-11-30T16:40:12Z"))
    (file,) = Path(store.folder).iterdir()
    assert json.loads(file.read_text())["argv"] == list(ENTRY.argv)
    assert store.entries() == (ENTRY._replace(at="2026-11-30T16:40:12Z"),)


def test_odd_bytes_in_a_word_have_a_name_too(store: TrustStore) -> None:
    odd = ENTRY._replace(folder="/tmp/\udcff")
    assert len(odd.key()) == 64
    assert odd.key() != ENTRY.key()


def test_folder_follows_the_state_home(tmp_path: Path) -> None:
    assert trust_folder({"XDG_STATE_HOME": str(tmp_path)}) == str(tmp_path / "memwarden" / "trust")


def test_where_everyone_is_trusted_any_command_is_endorsed() -> None:
    assert Everyone().endorsed("p", "n", ("x",), "/")


def test_without_a_folder_that_is_named_it_is_where_the_system_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folders: list[dict[str, str]] = [{}, {"XDG_STATE_HOME": "relative"}]
    for env in folders:
        monkeypatch.delenv("XDG_STATE_HOME", raising=False)
        for key, value in env.items():
            monkeypatch.setenv(key, value)
        told = user_state_dir("memwarden", appauthor=False)
        assert trust_folder(os.environ) == os.path.join(told, "trust")
