"""Which command conditions this user has endorsed: outside the repository, and void once a word changes.

Persistence does not grant authority: a note may name a command, and only a person at a terminal makes it
run.  An entry is a file named by the digest of exactly (project, note, argv, folder), so a changed word, a
moved checkout or another note has no entry.  A file whose content does not give its own name is nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from memwarden.core.canonical import digest
from memwarden.core.record import NamedTuple

APP = "memwarden"


class Entry(NamedTuple):
    """One endorsement: this note's command, word by word, in this folder."""

    project: str
    note: str
    argv: tuple[str, ...]
    folder: str
    at: str = ""

    def key(self) -> str:
        """What its file is named by."""
        value = {"argv": list(self.argv), "folder": self.folder, "note": self.note, "project": self.project}
        return digest(_unicode(value)).removeprefix("sha256:")


def _unicode(value: object) -> object:
    """Odd bytes in words and paths, spelt out: a digest covers Unicode only."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    if isinstance(value, list):
        return [_unicode(item) for item in value]
    if isinstance(value, dict):
        return {key: _unicode(item) for key, item in value.items()}
    return value


def trust_folder(env: Mapping[str, str]) -> str:
    """Where this user's endorsements are kept."""
    if env.get("XDG_STATE_HOME") and os.path.isabs(env["XDG_STATE_HOME"]):
        return os.path.join(env["XDG_STATE_HOME"], APP, "trust")
    if sys.platform == "linux" and not env.get("XDG_STATE_HOME") and "ANDROID_DATA" not in env:
        # As below, without what it loads.
        return os.path.join(os.path.expanduser("~/.local/state"), APP, "trust")
    from platformdirs import user_state_dir  # each system has its own place for state

    return os.path.join(user_state_dir(APP, appauthor=False), "trust")


class Everyone:
    """CI's ``--allow-commands``: whoever wrote the workflow has endorsed what the checkout holds."""

    def endorsed(self, project: str, note: str, argv: tuple[str, ...], folder: str) -> bool:
        return True


class OwnWord:
    """This user's endorsements, looked for when the first command asks: most memories have none."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env

    def endorsed(self, project: str, note: str, argv: tuple[str, ...], folder: str) -> bool:
        return TrustStore(trust_folder(self._env)).endorsed(project, note, argv, folder)


class TrustStore:
    """The endorsements in one folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def endorsed(self, project: str, note: str, argv: tuple[str, ...], folder: str) -> bool:
        """Whether this exact command of this note may run in this folder."""
        wanted = Entry(project, note, argv, folder)
        found = self._read(wanted.key() + ".json")
        return found is not None and found._replace(at="") == wanted

    def add(self, entry: Entry) -> None:
        """Keep an endorsement; the folder and the file are this user's alone."""
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        path = os.path.join(self.folder, entry.key() + ".json")
        staged = f"{path}.{os.getpid()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        import json  # as below

        with os.fdopen(os.open(staged, flags, 0o600), "w", encoding="utf-8") as file:
            json.dump({**entry._asdict(), "argv": list(entry.argv)}, file, indent=2, sort_keys=True)
            file.write("\n")
        os.replace(staged, path)

    def remove(self, entry: Entry) -> bool:
        """Forget an endorsement; whether there was one."""
        try:
            os.unlink(os.path.join(self.folder, entry.key() + ".json"))
        except FileNotFoundError:
            return False
        return True

    def entries(self) -> tuple[Entry, ...]:
        """Every endorsement, sorted."""
        try:
            names = sorted(os.listdir(self.folder))
        except OSError:
            return ()
        found = [self._read(name) for name in names if name.endswith(".json")]
        return tuple(sorted(entry for entry in found if entry is not None))

    def _read(self, name: str) -> Entry | None:
        try:
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                import json  # few checks meet an endorsement, and it loads re

                raw = json.loads(file.read(1 << 20))
            argv = raw["argv"]
            texts = [raw[key] for key in ("project", "note", "folder", "at")]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not isinstance(argv, list) or not all(isinstance(text, str) for text in (*argv, *texts)):
            return None
        entry = Entry(texts[0], texts[1], tuple(argv), texts[2], texts[3])
        return entry if entry.key() + ".json" == name else None
