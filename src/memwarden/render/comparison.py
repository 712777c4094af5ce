"""What a branch does to the memory: JSON, lines for a screen, and Markdown for a pull request."""

from __future__ import annotations

from typing import Any

from memwarden.core import comparison as changed
from memwarden.core.comparison import Comparison, Difference
from memwarden.core.visible import plain
from memwarden.render.screen import styled

HEADINGS = (
    ("Notes", (changed.ADDED, changed.ADMITTED, changed.REMOVED, changed.MOVED, changed.REWORDED)),
    ("Debts", (changed.OPENED, changed.PAID, changed.MISSES, changed.CAME_BACK)),
    ("Owners and routes", (changed.OWNER, changed.ROUTES)),
)
OTHER = "Standing"
STYLES = {
    changed.PAID: "cyan",
    changed.ADDED: "green",
    changed.ADMITTED: "green",
    changed.OPENED: "yellow",
    changed.MISSES: "yellow",
    changed.CAME_BACK: "red",
    changed.REMOVED: "red",
}


def diff_fields(found: Comparison, start: str, end: str) -> dict[str, Any]:
    """``changes`` and ``tasks`` between two commits (``to`` is null for the working tree)."""
    return {
        "from": start or None,
        "to": end or None,
        "changes": [
            {
                "kind": one.kind,
                "note": one.note or None,
                "path": one.path or None,
                "title": one.title,
                "detail": one.detail,
            }
            for one in found.differences
        ],
        "tasks": [
            {"task": task.task, "loads": list(task.loads), "no_longer": list(task.no_longer)}
            for task in found.tasks
        ],
    }


def diff_page(found: Comparison, color: bool) -> str:
    """One line a change, then what tasks load; "" where nothing changed."""
    lines = []
    for one in found.differences:
        word = styled(f"{one.kind:<11}", STYLES.get(one.kind, ""), color)
        what = f"{one.note or one.path}  {plain(one.title)}" if one.path else plain(one.title)
        lines.append(f"{word} {what}" + (f" ({plain(one.detail)})" if one.detail else ""))
    for task in found.tasks:
        lines += [f"{task.task}: loads {plain(path)}" for path in task.loads]
        lines += [f"{task.task}: no longer loads {plain(path)}" for path in task.no_longer]
    return "".join(line + "\n" for line in lines)


def diff_markdown(found: Comparison) -> str:
    """Headings with lists, inert in a comment: nothing in a note can open a tag or a mention."""
    if not found.differences and not found.tasks:
        return "No change to the memory.\n"
    lines: list[str] = []
    placed = {kind for _, kinds in HEADINGS for kind in kinds}
    sections = [(title, [d for d in found.differences if d.kind in kinds]) for title, kinds in HEADINGS]
    sections.append((OTHER, [d for d in found.differences if d.kind not in placed]))
    for title, differences in sections:
        if differences:
            lines += [f"### {title}", "", *(_item(one) for one in differences), ""]
    if found.tasks:
        lines += ["### What tasks load", ""]
        for task in found.tasks:
            lines += [f"- **{_inert(task.task)}** loads {_code(path)}" for path in task.loads]
            lines += [f"- **{_inert(task.task)}** no longer loads {_code(path)}" for path in task.no_longer]
        lines.append("")
    return "\n".join(lines)


def _item(one: Difference) -> str:
    where = f" {_code(one.path)}" if one.path else ""
    detail = f": {_inert(one.detail)}" if one.detail else ""
    return f"- **{_inert(one.kind)}** {_inert(one.title)}{where}{detail}"


def _code(text: str) -> str:
    fence = "`" * (1 + max((len(run) for run in _ticks(text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{plain(text)}{pad}{fence}"


def _ticks(text: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in text).split(" ") if run]


def _inert(text: str) -> str:
    """Plain words: no markup of Markdown or HTML, no mention of a person or an issue."""
    escaped = "".join(f"\\{char}" if char in "\\`*_[]#|~!" else char for char in plain(text))
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        escaped = escaped.replace(char, entity)
    return escaped.replace("@", "@\u200b")
