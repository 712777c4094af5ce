"""What a person may have meant by a command line that is none of ours."""

from __future__ import annotations

import shlex

from memwarden.cli.verbs import GROUPS
from memwarden.core.note import DEBT, RULE
from memwarden.errors import UsageError

FORGET = "mem forget NOTE takes it out, mem revoke NOTE retires one that was wrong"
# Words that other programs have, with what does it here.
OTHER_WORDS = {
    "rm": FORGET,
    "remove": FORGET,
    "delete": FORGET,
    "new": 'mem add "TEXT" writes a note down',
    "create": 'mem add "TEXT" writes a note down',
    "ls": "mem list lists the notes",
    "cat": "mem show NOTE shows one",
    "grep": "mem search TEXT finds notes",
    "find": "mem search TEXT finds notes",
    "archive": "mem move NOTE archive retires it for reading",
    "mv": "mem move NOTE MODULE moves it",
    "done": "mem pay NOTE declares a debt paid, mem settle records those that are",
    "undo": "git takes files back, mem reinstate NOTE takes back a payment or a revocation",
}
VALUES = ("--root", "--now")
SWITCHES = ("--json", "--quiet", "-q", "--no-color")
VERBS = frozenset(verb for verbs in GROUPS.values() for verb in verbs)


def as_meant(words: list[str]) -> list[str]:
    """The command line with the common options behind the command, and help and version as options."""
    first, rest = leading(words)
    if not rest:
        if "--json" in first:
            raise UsageError("no command is given", "mem -h lists them, as in mem list --json")
        return []
    if rest[0] == "help":
        return [*rest[1:], "--help"]
    if rest[0] in ("version", "-V"):
        return ["--version"]
    return [rest[0], *first, *rest[1:]] if rest[0] in VERBS else rest


def refuse_other_words(verb: str) -> None:
    """Raise :class:`UsageError`, in one line, for a word that another program has for a command."""
    if verb in OTHER_WORDS:
        raise UsageError(f"there is no mem {verb}: {OTHER_WORDS[verb]}")


def refuse_extra(words: list[str]) -> None:
    """Raise :class:`UsageError` for a command line with more words than its command takes, where it is
    plain what was meant."""
    verb, rest = words[0], words[1:]
    said = []
    for word in rest:
        if word.startswith("-"):
            break
        said.append(word)
    if verb in ("add", "search") and len(said) > 1:
        text = " ".join(said)
        raise UsageError(
            f"{verb} takes one text, not {len(said)} words", f"quote it: mem {verb} {_quoted(text)}"
        )
    if verb == "route" and said:
        raise UsageError("route takes its task by an option", f"mem route --task {shlex.quote(said[0])}")
    if verb == "route":
        files = " ".join(f"--path {shlex.quote(word)}" for word in _beside_options(rest))
        raise UsageError("route takes files by an option", f"mem route --task TASK {files}")
    if verb == "diff" and len(said) == 2:
        raise UsageError("diff takes one range", f"mem diff {shlex.quote(f'{said[0]}..{said[1]}')}")
    if verb == "list" and said:
        raise UsageError("list takes its filters by options", f"mem list {_filter(said[0])}")
    if verb == "debts" and said:
        shown = f"mem show {shlex.quote(said[0])}"
        raise UsageError("debts lists all that is owed", f"one note is shown by {shown}")


def _beside_options(words: list[str]) -> list[str]:
    """The words that are neither options nor an option's value, of a command whose switches are known."""
    found, is_value = [], False
    for word in words:
        if word.startswith("-"):
            is_value = "=" not in word and word not in (*SWITCHES, "--explain")
        elif is_value:
            is_value = False
        else:
            found.append(word)
    return found


def _filter(word: str) -> str:
    """The option of ``list`` that takes such a word."""
    from memwarden.core.choosing import STANDINGS  # only a mistake comes here

    if word in STANDINGS:
        return f"--standing {word}"
    return f"--lifecycle {word}" if word in (RULE, DEBT) else f"--text {shlex.quote(word)}"


def _quoted(text: str) -> str:
    return shlex.quote(text) if any(char in text for char in '"$`\\!') else f'"{text}"'


def leading(words: list[str]) -> tuple[list[str], list[str]]:
    """The common options that lead, and what comes after them."""
    at = 0
    while at < len(words):
        name, equals, _ = words[at].partition("=")
        if words[at] in SWITCHES or (name in VALUES and equals):
            at += 1
        elif name in VALUES:
            at += 2
        else:
            break
    return words[:at], words[at:]
