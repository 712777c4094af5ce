"""Judging the plainest conditions in plain files: what most touches come upon, and no more.

Whether a file is there and what its text holds, in a regular file of UTF-8 below plain folders of this
repository.  Everything else is :class:`NotPlain`, which leaves the whole touch to the full way; what is
answered here the judge (``judge.judge``) answers in the same words.
"""

import os

from memwarden.edge.turn.session_file import content_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_BYTES = 8 << 20
LFS_POINTER = "version https://git-lfs.github.com/spec/v1\n"
CONFLICT = "<<<<<<< "
GIT_NAMES = (".git", "git~1")
# What a digest says of a folder, as the full way does.
FOLDER = "a folder"
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KIND, _REGULAR, _FOLDER = 0o170000, 0o100000, 0o040000


class NotPlain(Exception):
    """This is for the full way."""


class PlainFiles:
    """The files of one touch, each looked at once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._folders: dict[str, bool] = {}
        self._contents: dict[str, bytes | str | None] = {}
        self._texts: dict[str, str] = {}

    def content(self, path: str) -> bytes | str | None:
        """A file's bytes, :data:`FOLDER`, or None where nothing is."""
        if path not in self._contents:
            if not _may_count(path):
                raise NotPlain
            self._contents[path] = self._read(path) if self._is_there(path.rpartition("/")[0]) else None
        return self._contents[path]

    def digest(self, path: str) -> str:
        """What tells whether a file's content changed; "" where nothing is."""
        found = self.content(path)
        return found if isinstance(found, str) else "" if found is None else content_digest(found)

    def text(self, path: str) -> str:
        """A file's text, its line ends as ``\\n``."""
        text = self._texts.get(path)
        if text is None:
            text = self._texts[path] = self._decoded(path)
        return text

    def _decoded(self, path: str) -> str:
        found = self.content(path)
        if not isinstance(found, bytes):
            raise NotPlain
        try:
            text = found.decode("utf-8")
        except UnicodeDecodeError:
            raise NotPlain from None
        if "\0" in text or text.startswith(("\ufeff", LFS_POINTER)) or CONFLICT in text:
            raise NotPlain
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def _is_there(self, folder: str) -> bool:
        """Whether a folder is there, this repository's own and reached by no link."""
        if not folder:
            return True
        known = self._folders.get(folder)
        if known is None:
            known = self._is_there(folder.rpartition("/")[0]) and self._is_folder(f"{self._root}/{folder}")
            self._folders[folder] = known
        return known

    def _is_folder(self, whole: str) -> bool:
        try:
            kind = os.lstat(whole).st_mode & _KIND
        except FileNotFoundError:
            return False
        except (OSError, ValueError):
            raise NotPlain from None
        if kind != _FOLDER or os.path.lexists(whole + "/.git"):
            raise NotPlain
        return True

    def _read(self, path: str) -> bytes | str | None:
        found = read_plain(f"{self._root}/{path}")
        if found == FOLDER and os.path.lexists(f"{self._root}/{path}/.git"):
            raise NotPlain
        return found


def read_plain(whole: str) -> bytes | str | None:
    """The bytes of a regular file, :data:`FOLDER`, or None where nothing is; a link is not followed."""
    try:
        handle = os.open(whole, _OPEN)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise NotPlain from None
    try:
        found = os.fstat(handle)
        kind = found.st_mode & _KIND
        if kind == _FOLDER:
            return FOLDER
        if kind != _REGULAR or found.st_size > MOST_BYTES:  # a pipe's size is 0, and so is a device's
            raise NotPlain
        data = os.read(handle, found.st_size + 1)
        if len(data) != found.st_size:
            raise NotPlain
        return data
    except OSError:
        raise NotPlain from None
    finally:
        os.close(handle)


def _may_count(path: str) -> bool:
    """Whether a path has one plain spelling and may satisfy a condition."""
    parts = path.lower().split("/")
    if "\0" in path or "\\" in path or parts[0] == "memory":
        return False
    return not any(part in ("", ".", "..") or part.rstrip(". ") in GIT_NAMES for part in parts)


class PlainJudge:
    """Judges conditions as plain tuples (``core.condition``'s records, each with its kind first)."""

    def __init__(self, files: PlainFiles, private: str) -> None:
        self._files = files
        self._private = private

    def judge(self, condition: "tuple[Any, ...]") -> tuple[bool, str]:
        """Whether it holds, and what was seen."""
        kind = condition[0]
        if kind in ("file_contains", "file_lacks"):
            return self._judge_text(*condition)
        if kind in ("file_exists", "file_absent"):
            path = condition[1]
            if self._files.content(_literal(path)) is None:
                return kind == "file_absent", f"{path} is not there"
            return kind == "file_exists", f"{_literal(path)} is there"
        if kind not in ("all", "any", "not"):
            raise NotPlain
        return self._judge_parts(kind, condition[1])

    def _judge_parts(self, kind: str, parts: "tuple[tuple[Any, ...], ...]") -> tuple[bool, str]:
        if kind == "not":
            holds, why = self.judge(parts[0])
            return not holds, why
        whys = []
        for part in parts:
            holds, why = self.judge(part)
            if holds == (kind == "any"):
                return holds, why
            whys.append(why)
        return kind == "all", "; ".join(whys)

    def _judge_text(self, kind: str, given: str, pattern: str, literal: bool) -> tuple[bool, str]:
        path, wants = _literal(given), kind == "file_contains"
        if not pattern:
            raise NotPlain
        if self._files.content(path) is None:
            return False, f"{given} is not there" if wants else f"anchor gone: {given} is not there"
        line = self._line_of(path, pattern, literal)
        if line:
            return wants, f"{path}:{line} has a match"
        return not wants, f"no match in {path}"

    def _line_of(self, path: str, pattern: str, literal: bool) -> int:
        """The line of the first match; 0 where there is none."""
        text = self._files.text(path)
        if literal:
            return _line_at(text, text.find(pattern.replace("\r\n", "\n")))
        from memwarden.core.pattern_text import needed_by, text_of

        plain = text_of(pattern)
        if plain:
            return _line_at(text, text.find(plain.replace("\r\n", "\n")))
        needed = needed_by(pattern)
        if needed and needed not in text:
            return 0
        from memwarden.edge.turn.found_lines import line_of  # few patterns are more than a text

        line = line_of(self._private, pattern, self._files.digest(path), text)
        if line is None:
            raise NotPlain
        return line


def _literal(path: str) -> str:
    """The one file that a condition's path means."""
    if any(char in path for char in "*?[\\"):
        raise NotPlain
    return path.rstrip("/")


def _line_at(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1 if at >= 0 else 0
