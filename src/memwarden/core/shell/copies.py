"""What a shell command copies or moves to a place that its words alone do not name: folders that go whole,
whose files are written below where they go, and the files that a pattern stands for."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING
from memwarden.core.shell.gitpaths import git_words
from memwarden.core.shell.operands import operands, option_values
from memwarden.core.shell.shellword import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memwarden.core.shell.shellword import Word

# How the files come to lie: below the folder's own name, right there, or the one or the other by whether
# the target is a folder already; or only files are taken, each below its own name.
NAMED, CONTENT, EITHER, FILES = "named", "content", "either", "files"

MOVERS = word_set("mv Move-Item Rename-Item move ren")
COPIERS = word_set("cp ln install rsync scp gcp Copy-Item copy xcopy")
_DEEP = {"cp": "rRa", "gcp": "rRa", "rsync": "ra"}


def copied(name: str, words: tuple[Word, ...]) -> Iterator[tuple[Word, Word, str]]:
    """Each operand that goes whole if it is a folder, or is a pattern; the word that says where to; how."""
    if name == "git":
        words = git_words(words)
        if not words or words[0].text != "mv":
            return
        name, words = "mv", words[1:]
    deep = name in MOVERS or _goes_deep(name, words)
    if not deep and name not in COPIERS:
        return
    target = next(iter(option_values(words, target_options(name))), None)
    named = operands(words)
    how = EITHER if target is None and len(named) == 2 else NAMED
    if any(_is_no_folder(word.text) for word in words) and name != "rsync":
        how = CONTENT
    if target is None and len(named) > 1:
        target = named[-1]
    for source in named if target is not None else ():
        if target is None or source is target or not (deep or source.glob):
            continue
        if not deep:
            yield source, target, FILES
            continue
        if name == "rsync":
            how = CONTENT if source.text.endswith(("/", "/.")) or source.text == "." else NAMED
        yield source, target, CONTENT if source.text.endswith("/.") or source.text == "." else how


def _is_no_folder(text: str) -> bool:
    """``cp -T``, also in a cluster: the target is no folder to put things into."""
    cluster = text[1:] if text[:1] == "-" else ""
    return text == "--no-target-directory" or (
        cluster.isalpha() and "T" in cluster and cluster[0] not in "tS"
    )


def target_options(name: str) -> tuple[str, ...]:
    """The options whose value is the folder that all operands go to; to rsync ``-t`` means times."""
    return () if name == "rsync" else ("-t", "--target-directory")


def _goes_deep(name: str, words: Iterable[Word]) -> bool:
    """Whether a copy takes folders: ``-r`` in whatever cluster or spelling."""
    if name == "Copy-Item":
        return any(word.text.lower() == "-recurse" for word in words)
    letters = _DEEP.get(name, "")
    for word in words if letters else ():
        if word.text == "--":
            return False
        if word.text in ("--recursive", "--archive"):
            return True
        if word.text[:1] == "-" and word.text[1:2] != "-" and any(letter in word.text for letter in letters):
            return True
    return False
