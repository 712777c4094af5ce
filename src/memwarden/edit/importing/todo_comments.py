"""``TODO`` comments of the source as candidate debts, each with what it seems to wait for.

That the comment is gone is no payment: half of such comments are deleted with the work undone.  So a
condition is suggested only where the words name one (a date, a version, a file, a tag), and the person who
admits the debt decides; every other one asks what would end it.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Mapping

from memwarden.core.note import DEBT
from memwarden.core.paths import check_path
from memwarden.core.record import NamedTuple
from memwarden.edit.importing.harvest import Claim, Harvest, Loss
from memwarden.edit.importing.page import title_of
from memwarden.edit.importing.waited_for import waited_for

MARKERS = ("TODO", "FIXME", "XXX", "HACK")
MOST_CLAIMS = 5_000
MOST_REMARK = 8  # lines
# A line beyond this was written by a program, where Python's tokenizer does not say that it is a comment.
LONGEST_LINE = 2_000

_MARKER = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b(?:\(([^()]{0,80})\))?[ \t]*[:\-—]?[ \t]*(.*)")
# What opens a comment where a file is not Python: at the start of a line, or behind code and a blank.
_COMMENT = re.compile(
    r"(?:^|(?<=\s))(?:#+|//+!?|/\*+|\(\*+|@\*|\*|--+|\{-+|;+|%+|<!--|<%--|<%#|\{#|\"\"\"|'|::|REM\b|dnl\b)"
    r"[ \t]*(?=\S)",
    re.IGNORECASE,
)
_VIM_COMMENT = re.compile(r"(?:^|(?<=\s))\"+[ \t]*(?=\S)")
_PROSE = (".md", ".rst", ".txt", ".adoc")
_PYTHON = (".py", ".pyi")
_VIM = (".vim", "vimrc")
# What opens a comment that goes on until it is closed, and what closes it.
_BLOCKS = (
    ("/*", "*/"),
    ("(*", "*)"),
    ("<!--", "-->"),
    ("<%--", "--%>"),
    ("{-", "-}"),
    ("@*", "*@"),
    ("{#", "#}"),
)
_ONLY_CLOSES = re.compile(r"[ \t]*(?:\*+[/)@]|-->|--%>|%>|-+\}|#\}|\"\"\")[ \t]*")
_LED = re.compile(r"[ \t]*(?:[*|#;-]+(?=[ \t]|$))?[ \t]*")
_CLOSING = re.compile(r"[ \t]*(?:\*+/|\*+\)|\*@|-->|--%>|%>|-+\}|#\}|\"\"\")[ \t]*$")

# Lengths are bounded: a long line costs no more than its length.
_ISSUE = re.compile(
    r"(?:\b([\w.-]{1,100}/[\w.-]{1,100}))?#(\d{1,18})\b"
    r"|(https?://[^\s<>\"')]{1,300}?/(?:issues|pull)/\d{1,18})"
)


class Remark(NamedTuple):
    """One comment: its line, its marker, who is named in it, and its words."""

    line: int
    marker: str
    who: str
    text: str


def read(texts: Mapping[str, str]) -> Harvest:
    """The harvest of source texts, keyed by their repository-relative paths."""
    claims: list[Claim] = []
    lost: list[Loss] = []
    for path, text in sorted(texts.items()):
        if not any(marker in text for marker in MARKERS):
            continue
        for remark in remarks(path, text):
            if check_path(path):
                lost.append(Loss(_shown(path), remark.line, f"the path {check_path(path)}"))
            elif len(claims) >= MOST_CLAIMS:
                lost.append(Loss(path, remark.line, f"more than {MOST_CLAIMS} comments: import a part"))
            else:
                claims.append(_claim(path, remark))
        lost += [
            Loss(_shown(path), line, f"a line longer than {LONGEST_LINE}") for line in _overlong(path, text)
        ]
    return Harvest(tuple(claims), lost=tuple(lost))


def remarks(path: str, text: str) -> Iterator[Remark]:
    """Every marked comment of a file, with the comment lines that carry it on."""
    comments = _python_comments(text) if path.endswith(_PYTHON) else None
    found = comments if comments is not None else _comments(path, text)
    waiting: Remark | None = None
    for line, words in found:
        marked = _MARKER.match(words)
        if marked:
            if waiting:
                yield waiting
            waiting = Remark(line, marked[1], (marked[2] or "").strip(), marked[3].strip())
        elif waiting:
            length = waiting.text.count("\n") + 1
            if line == waiting.line + length and words and length < MOST_REMARK:
                waiting = waiting._replace(text=f"{waiting.text}\n{words}".strip())
            else:
                yield waiting
                waiting = None
    if waiting:
        yield waiting


def _claim(path: str, remark: Remark) -> Claim:
    raw, how = waited_for(remark.text, remark.who, path)
    words, rest = title_of(remark.text) if remark.text else ("", "")
    name = path.rpartition("/")[2]
    title = words or f"{remark.marker} in {name}"
    quoted = "\n".join(f"> {line}" for line in (rest or remark.text).split("\n")) if remark.text else ""
    who = f" ({remark.who})" if remark.who else ""
    article = "An" if remark.marker == "XXX" else "A"
    told = f"{article} {remark.marker} comment{who} in `{path}`"
    told += f":\n\n{quoted}" if quoted else " without a word."
    if raw:
        ask = f"Suggested condition, from its words: {how}. Would the debt then be paid, or only be due?"
        ask += " A person decides."
    else:
        ask = (
            "What would make this debt paid? That the comment is gone is not enough. Admit it with a"
            " condition (--until), leave it to be declared paid (mem pay), or reject it."
        )
    return Claim(
        path,
        remark.line,
        title,
        f"{told}\n\n{ask}",
        why=f"{article.lower()} {remark.marker} comment" + (f"; suggested condition: {how}" if how else ""),
        lifecycle=DEBT,
        until=raw,
        anchors=(("path", _literal(path)),),
        evidence=(("file", f"{path}#L{remark.line}"), *_issues(remark.text)),
        tags=(remark.marker.lower(),),
    )


def _python_comments(text: str) -> list[tuple[int, str]] | None:
    """Comments by Python's own tokenizer, which strings do not fool; None where it is not Python."""
    try:
        return [
            (token.start[0], token.string.lstrip("#!: \t").rstrip())
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None


def _comments(path: str, text: str) -> Iterator[tuple[int, str]]:
    prose = path.lower().endswith(_PROSE)
    opens = _VIM_COMMENT if path.lower().endswith(_VIM) else _COMMENT
    closing, left = "", 0
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if len(line) > LONGEST_LINE:
            continue
        if closing and left:
            words, closed, _ = line.partition(closing)
            closing, left = "" if closed else closing, left - 1
            yield number, _LED.sub("", words, count=1).strip()
            if closed:
                yield number, ""  # what stands below it is another comment
            continue
        if _ONLY_CLOSES.fullmatch(line):
            continue  # its star opens nothing
        opening = opens.search(line)
        if opening:
            words = line[opening.end() :]
            marker = _MARKER.search(words)
            if marker and not words[: marker.start()].strip("*#/-;%<>!{ \t:@"):
                words = words[marker.start() :]
            closing = next((end for sign, end in _BLOCKS if opening[0].startswith(sign)), "")
            words, closed, _ = words.partition(closing) if closing else (words, "", "")
            closing, left = "" if closed or not _MARKER.match(words) else closing, MOST_REMARK
            yield number, _CLOSING.sub("", words).strip()
            if closed:
                yield number, ""
        elif prose and _MARKER.match(line.strip()) and line.strip().partition(" ")[0].endswith(":"):
            yield number, line.strip()


def _issues(text: str) -> tuple[tuple[str, str], ...]:
    """Issues that the comment names: evidence that it was known, and nothing the repository can see end."""
    found = []
    for match in _ISSUE.finditer(text):
        value = match[3] or (f"{match[1]}#{match[2]}" if match[1] else match[2])
        found.append(("pr" if "/pull/" in value else "issue", value))
    return tuple(dict.fromkeys(found))


def _literal(path: str) -> str:
    """The path as a glob that means it alone, as far as a glob can; a name at the top is tied there."""
    glob = re.sub(r"[*?\[\]]", "?", path)
    return glob if "/" in glob else "/" + glob


def _overlong(path: str, text: str) -> list[int]:
    """The lines with a marker that are too long to be read."""
    lines = enumerate(text.split("\n"), 1)
    found = [number for number, line in lines if len(line) > LONGEST_LINE and _MARKER.search(line)]
    if found and path.endswith(_PYTHON) and _python_comments(text) is not None:
        return []
    return found


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
