"""A text written in all the ways that people, editors and formats have for it, from a seed."""

from __future__ import annotations

import random
from html.entities import html5
from unicodedata import normalize

from memwarden.edit.normal_texts import normal_form
from memwarden.edit.sieve import folded

ALIKE: dict[str, list[str]] = {}
for _char, _form in folded().items():
    ALIKE.setdefault(_form, []).append(_char)
NAMED: dict[str, list[str]] = {}
for _name, _means in html5.items():
    NAMED.setdefault(normal_form(_means), []).append(f"&{_name}")


def spelt(dice: random.Random, text: str) -> str:
    """The text with some of its characters written in another way, some of them twice over."""
    written = _once(dice, text)
    return _once(dice, written) if dice.random() < 0.2 else written


def _once(dice: random.Random, text: str) -> str:
    found, at = [], 0
    while at < len(text):
        size = dice.choice((1, 1, 1, 1, 2, 3))
        ways = [*ALIKE.get(text[at : at + size], ()), *NAMED.get(text[at : at + size], ())]
        if size > 1 and not ways:
            size = 1
        found.append(dice.choice(ways) if size > 1 else _char(dice, text[at]))
        at += size
        if dice.random() < 0.05:
            found.append(dice.choice(("&#1;", "\\%0A  ", "\\\r\n", "&#xfdd0;")))
    return "".join(found)


def _char(dice: random.Random, char: str) -> str:
    code = ord(char)
    wide = char.encode("utf-16-be", "surrogatepass")
    ways = [
        char,
        char.upper(),
        normalize("NFD", char),
        dice.choice(ALIKE.get(char, [char])),
        dice.choice(NAMED.get(normal_form(char), [char])),
        "".join(f"\\u{wide[at] << 8 | wide[at + 1]:04x}" for at in range(0, len(wide), 2)),
        f"\\U{code:08x}",
        f"\\x{code:02x}" if code < 256 else char,
        f"&#{code};",
        f"&#X{code:x}",
        "".join(f"%{one:02X}" for one in char.encode("utf-8", "surrogatepass")),
        "\\" * dice.randint(1, 2) + char,
        char + "\\\n  ",
    ]
    return char if dice.random() < 0.4 else dice.choice(ways)
