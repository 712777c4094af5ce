"""The commands that a shell text runs, with what wraps them taken off.

``sudo``, ``env``, ``timeout``, ``bash -c '...'`` and their like run another command: both it and the
whole are commands here.  ``cd`` moves the folder in which later relative paths are meant; ``ssh`` runs
its command elsewhere, so that its text counts and its paths do not.
"""

from __future__ import annotations

from memwarden.core.record import NamedTuple
from memwarden.core.shell.shelltext import lex
from memwarden.core.shell.shellword import Redirect, Script, Simple, Word, word_set

MOST_LAYERS = 8
LONGEST_PATH = 4096

HERE = ""
UNKNOWN = "\0"  # a folder that the text does not tell

# A wrapper's options that take a value of their own, and how many operands stand before the command.
_WRAPPERS = {
    "sudo": ("ugpChrtTUDR", 0),
    "doas": ("uC", 0),
    "env": ("uCS", 0),
    "timeout": ("ks", 1),
    "gtimeout": ("ks", 1),
    "nohup": ("", 0),
    "setsid": ("", 0),
    "nice": ("n", 0),
    "ionice": ("cnp", 0),
    "chrt": ("", 1),
    "taskset": ("", 1),
    "stdbuf": ("ioe", 0),
    "time": ("fo", 0),
    "command": ("", 0),
    "builtin": ("", 0),
    "exec": ("a", 0),
    "unbuffer": ("", 0),
    "caffeinate": ("tw", 0),
    "flock": ("wE", 1),
    "watch": ("n", 0),
    "xargs": ("IinPLlsdEea", 0),
}
_LONG_WITH_VALUE = word_set(
    """
    --user --group --prompt --host --chdir --unset --split-string --signal --kill-after --adjustment
    --format --output --timeout --interval --max-args --max-procs --max-lines --max-chars --replace
    --delimiter --arg-file --close-from
    """
)
_SHELLS = word_set("sh bash zsh dash ksh ash busybox fish")
_SHELL_OPTIONS_WITH_VALUE = word_set("-o +o -O +O --rcfile --init-file")
_POWERSHELLS = word_set("pwsh powershell")
_SSH_WITH_VALUE = "bcDEeFIiJLlmOopQRSWwB"
# Quoted words of these commands are text that they print or look for, not a part of the command.
_SPEAKERS = word_set("echo printf grep egrep fgrep rg ag awk sed jq : #")
_MESSAGE_OPTIONS = word_set("-m --message -am --body --title --notes")


class Command(NamedTuple):
    """One command that would run: its ``text`` for command anchors, its ``words`` and ``redirects``,
    the ``folder`` that its relative paths are in, and whether it runs on another machine.

    A wrapped command stands here as well as its wrapper, which keeps the redirections.
    """

    text: str
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    folder: str = HERE
    remote: bool = False


def commands_of(text: str, folder: str = HERE) -> tuple[Command, ...]:
    """Every command that a shell text would run, inner and unwrapped ones included."""
    found: list[Command] = []
    _collect(text, folder, remote=False, layer=0, found=found)
    return tuple(found)


def join(folder: str, path: str) -> str:
    """A path as written inside ``folder``; "" where the folder is not known and the path needs it."""
    if path.startswith(("/", "~", "\\")) or path[1:3] in (":\\", ":/"):
        return path
    if folder == UNKNOWN or not path or len(folder) + len(path) > LONGEST_PATH:
        return ""
    return f"{folder.rstrip('/') or '/'}/{path}".replace("//", "/", 1) if folder else path


def _collect(text: str, folder: str, *, remote: bool, layer: int, found: list[Command]) -> None:
    if layer > MOST_LAYERS:
        return
    folders = _Folders(lex(text), folder)
    for simple in folders.script.commands:
        here = folders.of(simple.scope)
        words = _after_assignments(simple.words)
        if words or simple.redirects:
            found.append(Command(_text(words), words, simple.redirects, here, remote))
        _unwrap(words, here, remote=remote, layer=layer, found=found)
        folders.move(simple, words)


def _unwrap(words: tuple[Word, ...], folder: str, *, remote: bool, layer: int, found: list[Command]) -> None:
    """Add the command inside each wrapper, from the outermost inwards."""
    for _ in range(MOST_LAYERS):
        if not words:
            return
        name = name_of(words[0])
        if name in _SHELLS or name == "su":
            inner = _shell_code(words)
            if inner is not None:
                _collect(inner, folder, remote=remote, layer=layer + 1, found=found)
            return
        if name in _POWERSHELLS:
            code = _powershell_code(words)
            if code:
                _collect(code, folder, remote=remote, layer=layer + 1, found=found)
            return
        if name == "eval":
            code = " ".join(word.text for word in words[1:])
            _collect(code, folder, remote=remote, layer=layer + 1, found=found)
            return
        if name == "ssh":
            code = " ".join(word.text for word in _ssh_words(words))
            _collect(code, UNKNOWN, remote=True, layer=layer + 1, found=found)
            return
        if name not in _WRAPPERS:
            return
        words, folder, code = _inside(name, words, folder)
        if code:
            _collect(code, folder, remote=remote, layer=layer + 1, found=found)
            return
        if words:
            found.append(Command(_text(words), words, (), folder, remote))


def name_of(word: Word) -> str:
    """A command's name without its folder and without ``.exe``."""
    name = word.text.replace("\\", "/").rsplit("/", 1)[-1]
    return name[:-4] if name.lower().endswith(".exe") else name


def _text(words: tuple[Word, ...]) -> str:
    """A command's text as an anchor meets it: one blank between words, quoted prose left out.

    A quoted word that holds no blank is the same command as without its quotes, so it stays, except
    where the command only prints it, looks for it or takes it as a message.
    """
    if not words:
        return ""
    speaks = name_of(words[0]) in _SPEAKERS
    shown = [words[0].text if not _is_prose(words[0]) else words[0].bare]
    before = ""
    for word in words[1:]:
        hide = word.quoted and (speaks or before in _MESSAGE_OPTIONS or _is_prose(word))
        shown.append((word.bare or "''") if hide else word.text)
        before = word.text
    return " ".join(shown)


def _is_prose(word: Word) -> bool:
    return word.quoted and any(char in word.text for char in " \t\n;|&")


def _after_assignments(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words after ``NAME=value`` ones."""
    first = 0
    while first < len(words) and _is_assignment(words[first]):
        first += 1
    return words[first:]


def _is_assignment(word: Word) -> bool:
    name, equals, _ = word.bare.partition("=")
    name = name.removesuffix("+").partition("[")[0]
    return bool(equals) and name.isidentifier() and word.text.startswith(name)


def _inside(name: str, words: tuple[Word, ...], folder: str) -> tuple[tuple[Word, ...], str, str]:
    """What the wrapper runs: its words, the folder it changes to, or code for a shell to read."""
    with_value, operands = _WRAPPERS[name]
    at = 1
    while at < len(words):
        text = words[at].text
        if text == "--":
            at += 1
            break
        if not text.startswith("-") or text == "-":
            break
        option, equals, value = text.partition("=")
        taken = _takes_next(option, with_value) and not equals
        if taken and at + 1 < len(words):
            value = words[at + 1].text
        if name == "env" and option in ("-S", "--split-string"):
            rest = " ".join(word.text for word in words[at + 1 + taken :])
            return (), folder, f"{value} {rest}"
        if name == "env" and option in ("-C", "--chdir"):
            folder = join(folder, value) or UNKNOWN
        if name == "flock" and option in ("-c", "--command"):
            return (), folder, words[at + 1].text if at + 1 < len(words) else ""
        if name == "command" and option in ("-v", "-V"):
            return (), folder, ""
        at += 1 + taken
    at += operands
    if name == "flock" and at < len(words) and words[at].text in ("-c", "--command"):
        return (), folder, words[at + 1].text if at + 1 < len(words) else ""
    return _after_assignments(words[at:]), folder, ""


def _takes_next(option: str, with_value: str) -> bool:
    """Whether an option's value is the next word: ``-u NAME`` but not ``-uNAME``."""
    if option.startswith("--"):
        return option in _LONG_WITH_VALUE
    for place, letter in enumerate(option[1:], 1):
        if letter in with_value:
            return place == len(option) - 1
    return False


def _shell_code(words: tuple[Word, ...]) -> str | None:
    """The text after ``-c`` of a shell (also ``-lc``, ``-euo pipefail -c``), or None."""
    at, wanted = 1, False
    while at < len(words):
        text = words[at].text
        if text in _SHELL_OPTIONS_WITH_VALUE:
            at += 2
            continue
        if text in ("-c", "--command"):
            wanted = True
        elif text[:1] in ("-", "+") and len(text) > 1:
            if not text.startswith("--"):
                wanted = wanted or "c" in text[1:]
                at += text.endswith("o")  # -euo pipefail
        elif wanted:
            return text
        elif name_of(words[0]) not in ("busybox", "su"):
            return None  # a script's path
        at += 1
    return None


def _powershell_code(words: tuple[Word, ...]) -> str:
    for at, word in enumerate(words[1:], 1):
        if word.text.lower() in ("-c", "-command"):
            return " ".join(w.text for w in words[at + 1 :])
    return ""


def _ssh_words(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """What ``ssh`` runs on the other machine."""
    at = 1
    while at < len(words) and words[at].text.startswith("-"):
        at += 1 + _takes_next(words[at].text, _SSH_WITH_VALUE)
    return words[at + 1 :]


class _Folders:
    """The folder of each scope as ``cd`` moves it; a scope starts where its parent stands."""

    def __init__(self, script: Script, start: str) -> None:
        self.script = script
        self._at: dict[int, str] = {0: start}
        self._before: dict[int, list[str]] = {}

    def of(self, scope: int) -> str:
        missing = []
        while scope not in self._at:
            missing.append(scope)
            scope = self.script.parents[scope]
        for below in missing:
            self._at[below] = self._at[scope]
        return self._at[scope]

    def move(self, simple: Simple, words: tuple[Word, ...]) -> None:
        """Follow ``cd``, ``pushd`` and ``popd``; what cannot be followed leaves the folder unknown."""
        name = words[0].text if words else ""
        if name not in ("cd", "pushd", "popd", "chdir"):
            return
        here = self.of(simple.scope)
        before = self._before.setdefault(simple.scope, [])
        targets = [word for word in words[1:] if word.text == "-" or not word.text.startswith("-")]
        if name == "popd" or (targets and targets[0].text == "-"):
            there = before.pop() if before else UNKNOWN
        elif len(targets) != 1 or not targets[0].plain or targets[0].glob:
            there = UNKNOWN
        else:
            there = join(here, targets[0].text) or UNKNOWN
        if name != "popd":
            before.append(here)
        self._at[simple.scope] = there
