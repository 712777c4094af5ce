"""The files that a git command plainly writes or reads, and the folders that it puts back as they were."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.shell.operands import moved, operands, option_values
from memwarden.core.shell.shellcommand import Command, join, name_of
from memwarden.core.shell.shellword import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.shell.shellword import Word

HEAD = "HEAD"
UNTRACKED, IGNORED = "untracked", "ignored"
_GIT_WITH_VALUE = word_set("-C -c --git-dir --work-tree --namespace --exec-path")


class PutBack(NamedTuple):
    """What git does to everything below some folders: the files that differ from ``tree`` ("" the index,
    None none of them) become as they are there, and those that git does not know (:data:`UNTRACKED`,
    or also those that it ignores) go."""

    tree: str | None
    gone: str = ""


def folder_of(command: Command) -> str:
    """Where the command's paths are: ``git -C folder`` moves them."""
    folder = command.folder
    if command.words and name_of(command.words[0]) == "git":
        words = command.words
        for at, word in enumerate(words[1:-1], 1):
            if word.text == "-C":
                folder = join(folder, words[at + 1].text) if words[at + 1].plain else "\0"
            elif not word.text.startswith("-") and words[at - 1].text not in _GIT_WITH_VALUE:
                break
    return folder


def git_words(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """git's subcommand and what follows it."""
    at = 0
    while at < len(words) and words[at].text.startswith("-"):
        at += 2 if words[at].text in _GIT_WITH_VALUE else 1
    return words[at:]


def git_written(words: tuple[Word, ...]) -> Iterable[Word]:
    """The words of a git command that name files of the working tree which it changes."""
    words = git_words(words)
    if not words:
        return ()
    verb, rest = words[0].text, words[1:]
    options = {word.text for word in rest if word.text.startswith("-")}
    if verb == "checkout":
        return _checked_out(rest, options)
    if verb == "restore":
        staged_only = options & {"--staged", "-S"} and not options & {"--worktree", "-W"}
        return () if staged_only else operands(rest)
    if verb == "rm":
        return () if "--cached" in options else operands(rest)
    if verb == "mv":
        return moved(rest)
    if verb == "clean":
        return () if _only_shows(rest) else operands(rest)
    return ()


def put_back(words: tuple[Word, ...]) -> tuple[PutBack, tuple[Word, ...]] | None:
    """What a git command does to whole folders, and the words that name them; None for one that does
    nothing of the kind."""
    words = git_words(words)
    if not words:
        return None
    verb, rest = words[0].text, words[1:]
    options = {word.text.partition("=")[0] for word in rest if word.text.startswith("-")}
    found = tuple(git_written(words))
    if verb == "checkout" and found:
        return PutBack(_tree_before(rest, found)), found
    if verb == "restore" and found:
        named = tuple(option_values(rest, ("-s", "--source")))
        return PutBack(named[0].text if named else ""), tuple(word for word in found if word not in named)
    if verb == "reset" and "--hard" in options:
        named = operands(rest)
        return PutBack(named[0].text if named else HEAD), ()
    if verb == "clean" and not _only_shows(rest):
        every = any(letter in cluster for cluster in _clusters(rest) for letter in "xX")
        return PutBack(None, IGNORED if every else UNTRACKED), found
    if verb == "stash" and (not rest or rest[0].text in ("push", "save") or rest[0].text[:1] == "-"):
        new = options & {"-u", "--include-untracked", "-a", "--all"}
        kept = IGNORED if options & {"-a", "--all"} else UNTRACKED if new else ""
        return PutBack(HEAD, kept), _after_dashes(rest)
    return None


def _tree_before(rest: tuple[Word, ...], paths: tuple[Word, ...]) -> str:
    """The tree that ``git checkout TREE -- PATHS`` names; "" where the paths come from the index."""
    first = operands(rest)[:1]
    return first[0].text if first and first[0] not in paths and first[0].plain else ""


def _after_dashes(rest: tuple[Word, ...]) -> tuple[Word, ...]:
    return next((rest[at + 1 :] for at, word in enumerate(rest) if word.text == "--"), ())


def _only_shows(rest: tuple[Word, ...]) -> bool:
    """Whether ``git clean`` only says what it would remove."""
    return any(word.text == "--dry-run" for word in rest) or any("n" in one for one in _clusters(rest))


def _clusters(rest: tuple[Word, ...]) -> list[str]:
    """The short options, without their dash: ``-fdx`` is ``fdx``."""
    return [word.text[1:] for word in rest if word.text[:1] == "-" and word.text[1:2] != "-"]


def _checked_out(rest: tuple[Word, ...], options: set[str]) -> tuple[Word, ...]:
    """``git checkout``: what follows ``--``, or a tree and paths; a lone operand may be a branch, which
    then matches no anchor."""
    for at, word in enumerate(rest):
        if word.text == "--":
            return rest[at + 1 :]
    if options & {"-b", "-B", "--orphan", "--detach", "-d", "-t", "--track"}:
        return ()
    named = operands(rest)
    return named[1:] if len(named) > 1 else named


def git_read(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a git command that name files which it shows."""
    words = git_words(words)
    if not words or words[0].text not in ("diff", "log", "show", "blame", "grep", "annotate"):
        return ()
    for at, word in enumerate(words):
        if word.text == "--":
            return words[at + 1 :]
    return operands(words[1:]) if words[0].text in ("blame", "annotate", "diff") else ()
