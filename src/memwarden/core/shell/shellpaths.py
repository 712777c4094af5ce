"""The files that a shell command plainly writes or reads, by the tables of what common tools do.

Only what the text itself says: no file is looked at.  An operand that holds a variable or a
substitution says nothing.  Naming a path too many costs nothing (it only counts where an anchor
matches it), so the tables skip options' values only where they look like files.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.shell.copies import COPIERS, MOVERS, copied, target_options
from memwarden.core.shell.gitpaths import PutBack, folder_of, git_read, git_words, git_written, put_back
from memwarden.core.shell.operands import destination, moved, operands, option_values
from memwarden.core.shell.shellcommand import UNKNOWN, Command, commands_of, join, name_of
from memwarden.core.shell.shellword import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.shell.shellword import Word

MOST_BRACES = 64

_WRITE_ALL = word_set(
    """
    tee mv rm unlink rmdir shred truncate touch mkdir sponge chmod mkfifo vi vim nvim nano emacs ed
    ex code subl patch trash Set-Content Add-Content Out-File Remove-Item Move-Item New-Item
    Clear-Content Rename-Item del erase move ren
    """
)
# What takes a folder away with everything below it.
_REMOVERS = word_set("rm trash Remove-Item del erase")
_READ_ALL = word_set(
    """
    cat head tail less more bat nl wc sort uniq cut diff cmp comm paste join file stat od xxd
    hexdump strings tac rev fold column md5sum sha1sum sha256sum cksum source . python python3 node
    ruby bash sh zsh perl deno bun Get-Content type gc
    """
)
_READ_AFTER_FIRST = word_set("grep egrep fgrep rg ag ack awk gawk mawk jq yq Select-String")
_PATCHERS = word_set("apply_patch applypatch")
_PATCHED = ("Update File", "Add File", "Delete File", "Move to")
_PATTERN_OPTIONS = word_set("-e -f --regexp --file --expression --from-file")
# Options of any command whose value is a file that it writes.
_OUTPUT_OPTIONS = {
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document"),
    "sort": ("-o", "--output"),
    "patch": ("-o", "--output"),
    "gcc": ("-o",),
    "cc": ("-o",),
    "clang": ("-o",),
    "pandoc": ("-o", "--output"),
}


class ShellPath(NamedTuple):
    """A path as a command names it, in the folder that ``cd`` led to; ``glob`` where the shell would
    expand it to the files that match."""

    text: str
    glob: bool = False


class Copied(NamedTuple):
    """A path that goes to another with all below it, and how: see :mod:`copies`."""

    source: ShellPath
    target: ShellPath
    how: str


class ShellTouches(NamedTuple):
    """What a shell text runs and plainly touches: command texts, paths written, paths read.  ``gone`` are
    those written that go with everything below them, where they are folders; ``copied`` are those that go
    somewhere whole, where they are folders, and the files of patterns; ``back`` is what git puts back or
    takes away below the folders named beside it (the one that the command runs in where none is)."""

    commands: tuple[str, ...] = ()
    writes: tuple[ShellPath, ...] = ()
    reads: tuple[ShellPath, ...] = ()
    gone: tuple[ShellPath, ...] = ()
    copied: tuple[Copied, ...] = ()
    back: tuple[tuple[PutBack, tuple[ShellPath, ...]], ...] = ()


def touches_of(text: str) -> ShellTouches:
    """The commands of a shell text and the paths that they plainly write and read; never raises."""
    commands = commands_of(text)
    writes: dict[ShellPath, None] = {}
    reads: dict[ShellPath, None] = {}
    gone: dict[ShellPath, None] = {}
    whole: dict[Copied, None] = {}
    back: list[tuple[PutBack, tuple[ShellPath, ...]]] = []
    for command in commands:
        if command.remote:
            continue
        for redirect in command.redirects:
            if redirect.operator == "<":
                _add(reads, command.folder, (redirect.target,))
            elif redirect.operator not in ("<<", "<<-", "<<<", "<&"):
                _add(writes, command.folder, (redirect.target,))
        if command.words:
            folder = folder_of(command)
            _add(writes, folder, _written(command))
            _add(reads, folder, _read(command))
            _add(gone, folder, _gone(command))
            _add_copied(whole, folder, command)
            told = put_back(command.words[1:]) if name_of(command.words[0]) == "git" else None
            if told is not None and folder != UNKNOWN:
                below: dict[ShellPath, None] = {}
                _add(below, folder, told[1])
                if below or not told[1]:
                    back.append((told[0], tuple(below) or (ShellPath(folder or "."),)))
    if any(name_of(command.words[0]) in _PATCHERS for command in commands if command.words):
        _add_patched(writes, text)
    texts = dict.fromkeys(command.text for command in commands if command.text)
    read = tuple(path for path in reads if path not in writes)
    return ShellTouches(tuple(texts), tuple(writes), read, tuple(gone), tuple(whole), tuple(back))


def _add_patched(found: dict[ShellPath, None], text: str) -> None:
    """The files that an ``apply_patch`` text names, which stands in a here-document or in quotes."""
    for line in text.split("\n"):
        kind, colon, path = line.removeprefix("*** ").partition(": ")
        if colon and line.startswith("*** ") and kind in _PATCHED and path.strip():
            found[ShellPath(path.strip())] = None


def _add_copied(found: dict[Copied, None], folder: str, command: Command) -> None:
    for source, target, how in copied(name_of(command.words[0]), command.words[1:]):
        sources: dict[ShellPath, None] = {}
        targets: dict[ShellPath, None] = {}
        _add(sources, folder, (source,))
        _add(targets, folder, (target,))
        found.update((Copied(one, other, how), None) for one in sources for other in targets)


def _add(found: dict[ShellPath, None], folder: str, words: Iterable[Word]) -> None:
    for word in words:
        if not word.plain:
            continue
        for text in _braces(word.text) if "{" in word.bare else (word.text,):
            path = join(folder, text)
            if path and "\0" not in path and path != "/dev/null":
                found[ShellPath(path, word.glob)] = None


def _written(command: Command) -> Iterable[Word]:
    name = name_of(command.words[0])
    words = command.words[1:]
    yield from option_values(words, _OUTPUT_OPTIONS.get(name, ()))
    if name in _WRITE_ALL:
        yield from moved(words) if name == "mv" else operands(words)
    elif name in COPIERS:
        yield from destination(words, target_options(name))
    elif name == "dd":
        yield from _assigned(words, "of=")
    elif name in ("sed", "gsed", "perl", "ruby"):
        if _edits_in_place(words):
            yield from _after_script(words)
    elif name in ("awk", "gawk"):
        if any(word.text == "inplace" for word in words):
            yield from _after_script(words)
    elif name == "git":
        yield from git_written(words)


def _gone(command: Command) -> Iterable[Word]:
    """What a command removes or moves away."""
    name, words = name_of(command.words[0]), command.words[1:]
    if name == "git":
        words = git_words(words)
        verb, words = (words[0].text, words[1:]) if words else ("", ())
        name = {"rm": "rm", "mv": "mv"}.get(verb, "")
        if any(word.text == "--cached" for word in words):
            return ()
    if name in _REMOVERS:
        return operands(words)
    if name not in MOVERS:
        return ()
    target = next(iter(option_values(words, ("-t", "--target-directory"))), None)
    named = operands(words)
    return named[:-1] if target is None else tuple(word for word in named if word is not target)


def _read(command: Command) -> Iterable[Word]:
    name = name_of(command.words[0])
    words = command.words[1:]
    if name in _READ_ALL:
        return operands(words)
    if name in _READ_AFTER_FIRST:
        return _after_script(words)
    if name in ("sed", "gsed"):
        return _after_script(words) if not _edits_in_place(words) else ()
    if name in ("cp", "install", "rsync", "scp", "gcp", "ln"):
        return operands(words)[:-1]
    if name == "dd":
        return _assigned(words, "if=")
    if name == "git":
        return git_read(words)
    return ()


def _assigned(words: tuple[Word, ...], prefix: str) -> Iterable[Word]:
    for word in words:
        if word.text.startswith(prefix):
            yield word._replace(text=word.text[len(prefix) :])


def _edits_in_place(words: tuple[Word, ...]) -> bool:
    """Whether ``sed``, ``perl`` or ``ruby`` was given ``-i``, alone, in a cluster or with a suffix."""
    for word in words:
        text = word.text
        if text == "--":
            return False
        if text.startswith("--in-place"):
            return True
        if text.startswith("-") and not text.startswith("--") and "i" in _before_value(text):
            return True
    return False


def _before_value(cluster: str) -> str:
    """The letters of a short option cluster up to the first that takes the rest as its value."""
    for at, letter in enumerate(cluster):
        if letter in "efI":
            return cluster[:at]
    return cluster


def _after_script(words: tuple[Word, ...]) -> Iterable[Word]:
    """The files of a tool whose first operand is a script or a pattern, unless an option gave it."""
    found: list[Word] = []
    scripted, skip = False, False
    for at, word in enumerate(words):
        text = word.text
        if skip:
            skip = False
        elif text == "--":
            found += words[at + 1 :]
            break
        elif text.startswith("-") and text != "-":
            option, equals, _ = text.partition("=")
            if option in _PATTERN_OPTIONS or (not text.startswith("--") and text[-1:] in "ef"):
                scripted, skip = True, not equals
        elif text or not word.quoted:
            found.append(word)  # an empty word is BSD's `sed -i ''`
    return found if scripted else found[1:]


def _braces(text: str) -> tuple[str, ...]:
    """``{a,b}.py`` as the shell expands it: lists only, and only so many."""
    done: list[str] = []
    waiting = [text]
    while waiting and len(done) + len(waiting) < MOST_BRACES:
        word = waiting.pop(0)
        start, comma, end = _brace_list(word)
        if not comma:
            done.append(word)
            continue
        waiting += [word[:start] + part + word[end + 1 :] for part in word[start + 1 : end].split(",")]
    return tuple(done + waiting)


def _brace_list(text: str) -> tuple[int, bool, int]:
    """The place of the first innermost ``{...}`` with a comma."""
    start = -1
    for at, char in enumerate(text):
        if char == "{":
            start = at
        elif char == "}" and start >= 0:
            if "," in text[start:at]:
                return start, True, at
            start = -1
    return 0, False, 0
