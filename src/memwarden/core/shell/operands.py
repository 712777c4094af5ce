"""The words of a command that name files: operands, the values of options, where things are moved to."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwarden.core.shell.shellword import Word


def operands(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words that are not options; after ``--`` all of them."""
    found: list[Word] = []
    for at, word in enumerate(words):
        if word.text == "--" and not word.quoted:
            return (*found, *words[at + 1 :])
        if not word.text.startswith("-") or word.text == "-":
            found.append(word)
    return tuple(found)


def option_values(words: tuple[Word, ...], options: tuple[str, ...]) -> Iterable[Word]:
    """The values that any of ``options`` has, as a word of its own or after ``=``."""
    for at, word in enumerate(words):
        option, equals, value = word.text.partition("=")
        if option not in options:
            continue
        if equals:
            yield word._replace(text=value)
        elif at + 1 < len(words):
            yield words[at + 1]


def moved(words: tuple[Word, ...]) -> Iterable[Word]:
    """``mv``: what moved away, and where it went."""
    yield from operands(words)
    yield from destination(words)


def destination(
    words: tuple[Word, ...], into: tuple[str, ...] = ("-t", "--target-directory")
) -> Iterable[Word]:
    """Where ``cp`` and its like write: the last operand or the value of ``into``, itself and, because it
    may be a folder, the file of each source's name inside it (but of a pattern: :mod:`copies`)."""
    named = operands(words)
    target = next(iter(option_values(words, into)), None)
    if target is None and len(named) < 2:
        return
    target = target or named[-1]
    yield target
    for source in named:
        base = source.text.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        if source is not target and base and source.plain and not source.glob:
            yield target._replace(text=f"{target.text.rstrip('/')}/{base}")
