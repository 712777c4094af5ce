"""Claude Code's memory folder as a harvest: topic files with frontmatter, and their index.

A topic says ``name``, ``description`` and ``type`` at the top or below ``metadata:``; it may lie in a
folder.  All of it was written by an agent, so all of it waits in the inbox.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memwarden.core.dates import is_date
from memwarden.core.glob import check_glob
from memwarden.core.paths import check_path
from memwarden.edit.fields import fields_of
from memwarden.edit.frontmatter import Unsound, split
from memwarden.edit.importing.harvest import Claim, Harvest, Loss
from memwarden.edit.importing.page import CODE, COMMENT, ITEM, NEVER_CLOSED, read_page, title_of
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from memwarden.edit.fields import Fields

INDEX = "MEMORY.md"
TAKEN = ("name", "description", "type", "modified", "created", "paths", "globs", "node_type", "metadata")

GLOBS = ("paths", "globs")
# Bounded, so that a line of brackets costs no more than its length.
_LINK = re.compile(
    r"\[(?P<text>[^\]]{0,300})\]\(<?(?P<target>[^()\[\]<>\s]{1,300}?\.md)(?:#[^()\[\]<>]{0,300})?>?\)"
)
_FENCED = re.compile(r"---[ \t]*\n.*?^---[ \t]*\n", re.DOTALL | re.MULTILINE)


def read(texts: Mapping[str, str], named: str = "this") -> Harvest:
    """The harvest of a memory folder that a person ``named``, its files keyed by their path in it.

    Raises :class:`UsageError` where nothing in it is a topic or an index.
    """
    if not texts:
        raise UsageError(
            f"{named} holds no Markdown file", "name the memory folder of a project in ~/.claude/projects"
        )
    claims: list[Claim] = []
    lost: list[Loss] = []
    for path, text in sorted(texts.items()):
        if path.rpartition("/")[2] == INDEX:
            found, losses = _index(path, text, texts)
        else:
            found, losses = _topic(path, text)
        claims += found
        lost += losses
    return Harvest(tuple(claims), lost=tuple(lost))


def _topic(path: str, text: str) -> tuple[list[Claim], list[Loss]]:
    data = text.encode()
    parts = split(data)
    lost: list[Loss] = []
    values: dict[str, Any] = {}
    try:
        if parts.fault:
            raise Unsound(parts.fault)
        fields = fields_of(parts)
        values, body = fields.values, parts.text[parts.body :]
        lost += _left_out(path, fields)
    except Unsound as unsound:
        lost.append(Loss(path, unsound.fault.line, f"its frontmatter: {unsound.fault.message}"))
        body = _FENCED.sub("", text.replace("\r\n", "\n"), count=1) if text.startswith("---") else text
    said = _flat(values)
    body = body.replace("\r\n", "\n").strip()
    lost += _unread(path, values, said)
    unclosed = read_page(body).open
    if unclosed:
        lost.append(Loss(path, 1, NEVER_CLOSED))
    title, body = _titled(path, said, body)
    if not body and not said.get("description"):
        return [], [*lost, Loss(path, 1, "there is no text in it")]
    kind = said.get("type", "")
    return [
        Claim(
            path,
            1,
            title,
            body,
            why=f"an agent's {kind} memory" if kind else "an agent's memory",
            anchors=_anchors(path, values, lost),
            evidence=(("agent", "Claude Code"),),
            created=_date(said),
            tags=(kind,) if kind.isidentifier() else (),
        )
    ], lost


def _flat(values: Mapping[str, Any]) -> dict[str, str]:
    """The fields, whether they stand at the top or below ``metadata``."""
    inner = values.get("metadata")
    found = {**(inner if isinstance(inner, dict) else {}), **values}
    return {key: value for key, value in found.items() if isinstance(value, str)}


def _unread(path: str, values: Mapping[str, Any], said: Mapping[str, str]) -> list[Loss]:
    """Known fields whose value is of no use: a date that is none, a list where a word is meant."""
    inner = values.get("metadata")
    lost = []
    if inner is not None and not isinstance(inner, dict):
        lost.append(Loss(path, 1, f"the field 'metadata' holds no fields: {inner!r}"))
    for key, value in {**(inner if isinstance(inner, dict) else {}), **values}.items():
        if key in TAKEN and key not in (*GLOBS, "metadata") and not isinstance(value, str):
            lost.append(Loss(path, 1, f"the field {key!r} is no word: {value!r}"))
    for key in ("created", "modified"):
        if said.get(key) and not is_date(said[key][:10]):
            lost.append(Loss(path, 1, f"the field {key!r} is no date: {said[key]!r}"))
    if said.get("type") and not said["type"].isidentifier():
        lost.append(Loss(path, 1, f"the type {said['type']!r} is no tag"))
    return lost


def _titled(path: str, said: Mapping[str, str], body: str) -> tuple[str, str]:
    """A title that says something: a name in words, else the first heading, else the description."""
    page = read_page(body, deepest=1)
    name = " ".join(said.get("name", "").split())
    description = " ".join(said.get("description", "").split())
    if page.title:
        body = "\n".join(line for line in body.split("\n") if line.strip() != f"# {page.title}").strip()
    stem = path.rpartition("/")[2].removesuffix(".md")
    title = (name if " " in name else "") or page.title or title_of(description)[0] or name or stem
    if description and description not in (title, *body.split("\n")):
        body = f"{description}\n\n{body}".strip()
    return title, body


def _left_out(path: str, fields: Fields) -> list[Loss]:
    inner = fields.values.get("metadata")
    keys = [*(inner if isinstance(inner, dict) else {}), *fields.values]
    lost = []
    for key in keys:
        if key == "originSessionId":
            lost.append(Loss(path, 1, "originSessionId is left out: session IDs are never committed"))
        elif key not in TAKEN:
            line = fields.place(key if key in fields.values else f"metadata.{key}")[0]
            lost.append(Loss(path, line, f"the field {key!r} means nothing here"))
    return lost


def _anchors(path: str, values: Mapping[str, Any], lost: list[Loss]) -> tuple[tuple[str, str], ...]:
    """Path globs, where the topic names any."""
    found = []
    for key in GLOBS:
        raw = values.get(key, [])
        for named in raw if isinstance(raw, list) else str(raw).split(","):
            glob = str(named).strip()
            if glob and not check_glob(glob) and not check_path(glob.lstrip("/")):
                found.append(("path", glob))
            elif glob:
                lost.append(Loss(path, 1, f"the glob {glob!r} is none of this repository's"))
    return tuple(dict.fromkeys(found))


def _date(said: Mapping[str, str]) -> str:
    for key in ("created", "modified"):
        if is_date(said.get(key, "")[:10]):
            return said[key][:10]
    return ""


def _index(path: str, text: str, texts: Mapping[str, str]) -> tuple[list[Claim], list[Loss]]:
    """What the index itself says: its links are the topics, everything else is a claim of its own.

    Words beside a link are lost where the topic does not say them too."""
    page = read_page(text)
    claims, lost = [], []
    if page.open:
        lost.append(Loss(path, page.open, NEVER_CLOSED))
    topics = _Topics(path, texts)
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        for target in topics.named(line) if number not in page.code else ():
            if topics.text(target) is None:
                lost.append(Loss(path, number, f"the index names {target}, which is not there"))
    for block in page.blocks:
        if block.kind == CODE:
            lost.append(Loss(path, block.line, "a code block of the index"))
        elif block.kind != COMMENT and topics.named(block.text):
            lost += topics.beside(block.text, block.line)
        elif block.kind != COMMENT:
            title, body = title_of(block.text)
            why = "a line of the index" if block.kind == ITEM else "prose of the index"
            claims.append(Claim(path, block.line, title, body, why=why))
    for section in page.sections:
        kept = []
        for number, line in enumerate(section.text.split("\n"), section.first):
            if topics.named(line):
                lost += topics.beside(line, number)
            else:
                kept.append(line)
        body = "\n".join(kept).strip("\n")
        if body.strip():
            claims.append(Claim(path, section.line, section.title, body, why="a section of the index"))
    return claims, lost


class _Topics:
    """The topics that an index may name, and what they say."""

    def __init__(self, index: str, texts: Mapping[str, str]) -> None:
        self._index = index
        self._folder = index.rpartition("/")[0]
        self._texts = texts

    def named(self, text: str) -> list[str]:
        """The files that a text links to: an address elsewhere is none."""
        return [link["target"] for link in _LINK.finditer(text) if "://" not in link["target"]]

    def text(self, target: str) -> str | None:
        return self._texts.get(_joined(self._folder, target))

    def beside(self, text: str, line: int) -> list[Loss]:
        """The words around the links of a text that none of the topics says."""
        told = " ".join(_words(self.text(target) or "") for target in self.named(text))
        words = _LINK.sub("\n", text).split("\n")
        lost = [part.strip(" \t-*+:.,;|\u2013\u2014>") for part in words]
        return [
            Loss(self._index, line, f"words beside a link, which its topic does not say: {part!r}")
            for part in lost
            if _words(part) and _words(part) not in told
        ]


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _joined(folder: str, target: str) -> str:
    parts: list[str] = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
