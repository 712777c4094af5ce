"""The same facts in each peer's own form, as its documents or its own files show it.

Where a peer has a command that sets up a project, that command is run first; facts are then written as
files or rows of its form, because ten thousand calls of its ``add`` would take the day.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from benchmarks.corpus import COLD_PATH, write_all
from benchmarks.peers.facts import KINDS, Fact, record, stage

DAY = "2026-11-30"
LETTERS = str.maketrans("0123456789", "ghijkmnpqr")
Run = Callable[..., None]


class Ground(NamedTuple):
    """Where one peer lives for one size: a repository, a home of its own, and a way to run it.

    ``run`` takes the words of a command of the peer and raises when it fails.
    """

    root: str
    home: str
    run: Run


Planter = Callable[[Ground, Sequence[Fact]], None]


def agentlore(ground: Ground, facts: Sequence[Fact]) -> None:
    """Four Markdown files, an entry for each heading, stamped with the content of what it is anchored to."""
    ground.run("init")
    files = {
        kind: (f".memory/{name}.md", [f"# {name}\n"])
        for kind, name in zip(KINDS, ("decisions", "hazards", "dead-ends", "conventions"), strict=True)
    }
    types = {"constraint": "decision"}
    for fact in facts:
        # A hazard needs a control outside the memory: constraints are told as decisions.
        kind = types.get(fact.kind, fact.kind)
        files[kind][1].append(_lore_entry(ground.root, kind, fact))
    write_all(ground.root, [(path, "\n".join(parts)) for path, parts in files.values()])
    record(ground.root)
    ground.run("index")
    ground.run("compile")
    record(ground.root)


def _lore_entry(root: str, kind: str, fact: Fact) -> str:
    with open(os.path.join(root, fact.source), "rb") as file:
        content = sha256(file.read()).hexdigest()[:16]
    stamp = sha256(f"{fact.source}:{content}".encode()).hexdigest()[:16]
    prefix = {"decision": "DEC", "dead-end": "DEAD", "convention": "CONV"}[kind]
    fields = (
        # Letters: a number after a date may pass for that of a payment card.
        ("id", f"{prefix}-{DAY}-{str(fact.number).translate(LETTERS)}"),
        ("type", kind),
        ("status", "accepted"),
        ("anchors", fact.source),
        ("evidence", "user: Ada"),
        ("author", "Ada"),
        ("created", DAY),
        ("anchor_hash", stamp),
    )
    lines = "\n".join(f"{key}: {value}" for key, value in fields)
    return f"## {fact.title}\n<!-- agentlore\n{lines}\n-->\n\n{fact.body}\n"


def facto(ground: Ground, facts: Sequence[Fact]) -> None:
    """Rows of its database, under one area for each folder of sources."""
    areas = {"sync": "app/sync", "store": "app/store", "render": "app/render"}
    config = {
        "brand": "Bench",
        "db_path": ".facto/facto.db",
        "git": {"enabled": True},
        "projects": {name: {"path": path, "label": name} for name, path in areas.items()},
    }
    write_all(ground.root, [("facto.config.json", json.dumps(config)), (".gitignore", ".facto/\n")])
    ground.run("add", "sync", "nota", "The first fact")
    kinds = dict(zip(KINDS, ("decisione", "vincolo", "bug", "pattern"), strict=True))
    names = list(areas)
    rows = [
        (names[fact.number % 3], kinds[fact.kind], f"{fact.title}. {fact.body}", DAY, "Ada", DAY)
        for fact in facts
    ]
    with sqlite3.connect(os.path.join(ground.root, ".facto", "facto.db")) as base:
        base.executemany(
            "INSERT INTO fatti (progetto, tipo, contenuto, valido_da, fonte, creato_il) VALUES (?,?,?,?,?,?)",
            rows,
        )
    base.close()
    record(ground.root)


def agent_memory(ground: Ground, facts: Sequence[Fact]) -> None:
    """A data repository beside the project, a Markdown file for each memory of this place."""
    data = os.path.join(ground.home, "data")
    ground.run("init", data)
    kinds = dict(zip(KINDS, ("project", "project", "feedback", "reference"), strict=True))
    write_all(os.path.join(data, "memories"), _agent_notes(ground, facts, kinds))
    # The first start of a session builds its index, and later prompts belong to that session.
    ground.run("hook", "session-start", "--tool", "claude-code", stdin=started(ground.root, "startup"))


def _agent_notes(ground: Ground, facts: Sequence[Fact], kinds: dict[str, str]) -> Iterator[tuple[str, str]]:
    for fact in facts:
        head = (
            f"id: m{fact.number:08d}\nname: {_slug(fact)}\ntype: {kinds[fact.kind]}\nscope: here\n"
            f"description: {fact.title}\ncreated: {DAY}T12:00:00Z\n"
            f"source:\n  cwd: {ground.root}\n  git_root: {ground.root}\n"
        )
        yield f"{kinds[fact.kind]}/{_slug(fact)}.md", f"---\n{head}---\n{fact.body}\n"


def ctxmem(ground: Ground, facts: Sequence[Fact]) -> None:
    """One line of JSON for each record, and its full-text index."""
    ground.run("init")
    kinds = dict(zip(KINDS, ("decision", "decision", "note", "note"), strict=True))
    lines = [
        json.dumps({
            "id": f"{fact.number:012x}", "type": kinds[fact.kind], "title": fact.title, "content": fact.body,
            "path": fact.source, "tags": [], "branch": "main", "commit": "", "ts": f"{DAY}T12:00:00+00:00",
        }, ensure_ascii=False)
        for fact in facts
    ]  # fmt: skip
    write_all(ground.root, [(".ctxmem/memory.jsonl", "\n".join(lines) + "\n")])
    ground.run("sync")
    record(ground.root)


def keepm(ground: Ground, facts: Sequence[Fact]) -> None:
    """A folder of Markdown notes beside the project; it builds its index when it is first asked."""
    vault = os.path.join(ground.home, "vault")
    os.makedirs(vault)
    write_all(ground.home, [(".claude/settings.json", "{}\n")])
    ground.run("setup", "--yes", "--root", vault, "--agent", "claude", "--project-dir", ground.root)
    kinds = dict(zip(KINDS, ("decision", "constraint", "reference", "capability"), strict=True))
    write_all(os.path.join(vault, "Memory", "global"), _keepm_notes(facts, kinds))
    ground.run("doctor", "--format", "json")


def _keepm_notes(facts: Sequence[Fact], kinds: dict[str, str]) -> Iterator[tuple[str, str]]:
    for fact in facts:
        identity = f"00000000-0000-4000-8000-{fact.number:012d}"
        head = (
            f"id: {identity}\nname: {_slug(fact)}\ndescription: {fact.title}\nscope: global\n"
            f"kind: {kinds[fact.kind]}\nlanguage: en\ncreated: '{DAY}'\nupdated: '{DAY}'\n"
            f"verified_at: '{DAY}'\nstatus: active\ntags: []\n"
        )
        yield f"{DAY}-{_slug(fact)}.md", f"---\n{head}---\n\n{fact.body}\n"


def basic_memory(ground: Ground, facts: Sequence[Fact]) -> None:
    """Its default project: a folder of Markdown notes, indexed; search by meaning is off, since it
    fetches a model."""
    notes = os.path.join(ground.home, "basic-memory")
    os.makedirs(notes)
    kinds = dict(zip(KINDS, ("decision", "constraint", "lesson", "convention"), strict=True))
    write_all(notes, _basic_notes(facts, kinds))
    settings = {"env": {}, "basicMemory": {"primaryProject": "main"}}
    write_all(ground.root, [(".claude/settings.json", json.dumps(settings))])
    ground.run("reindex", "--search", "--full")


def _basic_notes(facts: Sequence[Fact], kinds: dict[str, str]) -> Iterator[tuple[str, str]]:
    for fact in facts:
        head = (
            f"title: {fact.title} {fact.number}\ntype: {kinds[fact.kind]}\nstatus: open\n"
            f"permalink: {_slug(fact)}\ntags:\n- bench\n"
        )
        yield f"{kinds[fact.kind]}s/{_slug(fact)}.md", f"---\n{head}---\n\n# {fact.title}\n\n{fact.body}\n"


def memory_custodian(ground: Ground, facts: Sequence[Fact]) -> None:
    """Sections and list items of its four files, newest first."""
    ground.run("init", "--project-root", ".")
    files: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for fact in facts:
        files[fact.kind].append(_custodian_entry(fact))
    write_all(
        ground.root,
        [
            ("docs/memory/brief.md", "# Project Brief\n\nA small program.\n"),
            ("docs/memory/decisions.md", "# Decisions\n\n" + "\n".join(files["decision"])),
            (
                "docs/memory/constraints.md",
                "# Constraints\n\n" + "".join(files["constraint"] + files["convention"]),
            ),
            ("docs/memory/do-not-use.md", "# Do Not Use / Tombstones\n\n" + "\n".join(files["dead-end"])),
        ],
    )
    record(ground.root)


def _custodian_entry(fact: Fact) -> str:
    if fact.kind in ("constraint", "convention"):
        return f"- {fact.title}: {' '.join(fact.body.split())}\n"
    if fact.kind == "dead-end":
        return f"## Tombstone: {fact.title}\n\nDo not bring it back.\n\nReason:\n{fact.body}\n"
    return f"## {fact.title}\n\nDecision:\n- {' '.join(fact.body.split())}\n\nReason:\n- {fact.source}\n"


def pre_commit(ground: Ground, facts: Sequence[Fact]) -> None:
    """A hook of the repository's own that does nothing, and one staged file."""
    hook = "- id: nothing\n    name: nothing\n    language: system\n    entry: 'true'\n    always_run: true"
    write_all(ground.root, [(".pre-commit-config.yaml", f"repos:\n- repo: local\n  hooks:\n  {hook}\n")])
    record(ground.root)
    with open(os.path.join(ground.root, COLD_PATH), "a", encoding="utf-8") as file:
        file.write("# staged\n")
    stage(ground.root, COLD_PATH)


def started(root: str, source: str = "startup", number: int = 0) -> bytes:
    """The start of a session as Claude Code announces it."""
    return json.dumps(_event(root, "SessionStart", number) | {"source": source}).encode()


def prompted(root: str, number: int = 0) -> bytes:
    """A prompt as Claude Code announces it."""
    return json.dumps(_event(root, "UserPromptSubmit", number) | {"prompt": "Go on."}).encode()


def _event(root: str, name: str, number: int) -> dict[str, object]:
    return {
        "session_id": f"00000000-0000-4000-9000-{number:012d}",
        "transcript_path": "/nowhere.jsonl",
        "cwd": root,
        "permission_mode": "default",
        "hook_event_name": name,
    }


def _slug(fact: Fact) -> str:
    return "-".join(fact.title.lower().split()[:5]) + f"-{fact.number:05d}"
