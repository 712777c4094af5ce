"""A memory of any size from a seed, inside a git repository of its own.

The same size and seed give the same bytes.  The memory is legal (``mem check`` finds no error in it) and
looks like one that people keep: most notes are rules about one file, a fifth are debts with a file
condition, some carry events, one body in ten is Chinese or Japanese.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterable, Iterator
from hashlib import sha256

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
FACETS = (
    "adoption-policy", "version-policy", "architecture", "behavior", "compatibility", "security",
    "performance", "data-model", "interface", "workflow", "lifecycle",
)  # fmt: skip
AREAS = ("sync", "store", "render")
NOTES_PER_SOURCE = 8

# A path that exactly HOT_NOTES notes are anchored to, and one that no note knows.
HOT_PATH = "app/hot/spot.py"
COLD_PATH = "app/cold/quiet.py"
HOT_NOTES = 4
# What these notes say, and no other.
HOT_WORDS = "touched all the time"

_LINES = (
    "retry queue cursor window batch shard token lease worker socket parser cache buffer lock schema",
    "release payload header signal timeout budget index journal snapshot replica quorum router stream",
    "the a of to when while because never always only before after each every keeps breaks waits reads",
    "branch handler writes holds drops orders merges splits trusts checks moves grows fails passes",
)
WORDS = tuple(" ".join(_LINES).split())
CJK = (
    "同步窗口必须在提交之前关闭，否则下一次读取会看到旧的数据。",
    "この設定は生成されるので、直接編集せずにテンプレートを直してください。",
    "重试队列依赖墙上时钟，在高负载下会偶尔失败。",
    "キャッシュの鍵にはパスだけでなく内容の要約も含めます。",
)

MANIFEST = """---
protocol: 1
project: p-7q2m4x9k
---
# Memory manifest

## Always load
- brief.md

## Tasks

### plan
Also: planning, architecture
- decisions/
- constraints/
- do-not-use/

### implement
Also: implementation, debug
- decisions/
- constraints/
- do-not-use/
- debts/
- preferences/ (if present)

## Areas
- areas/sync/: `app/sync/**`, `tests/sync/**`
- areas/store/: `app/store/**`
- areas/render/: `app/render/**`

## Explicit only
- inbox/
- archive/

## Budgets
- total: 4000
"""

# Module and its share of a hundred notes.
SHARES = (
    ("decisions", 34), ("constraints", 14), ("do-not-use", 5), ("preferences", 5), ("debts", 20),
    ("areas", 6), ("inbox", 6), ("archive", 10),
)  # fmt: skip


def plant(root: str, notes: int, seed: int = 20261130) -> None:
    """Write a memory of ``notes`` notes and the sources it speaks of, and commit them."""
    dice = random.Random(f"{seed}/{notes}")
    os.makedirs(root)
    sources = source_paths(notes)
    write_all(root, source_files(sources))
    write_all(root, _memory(dice, notes, sources))
    commit(root)


def source_paths(notes: int) -> list[str]:
    """The sources that a memory of this size speaks of."""
    return [f"app/{_folder(n)}/mod_{n:05d}.py" for n in range(max(notes // NOTES_PER_SOURCE, 12))]


def _folder(number: int) -> str:
    return (*AREAS, "api", "jobs", "web")[number % 6] + f"/p{number // 60:03d}"


def source_files(paths: list[str]) -> Iterator[tuple[str, str]]:
    for path in [*paths, HOT_PATH, COLD_PATH]:
        name = os.path.basename(path)[:-3]
        yield path, f'"""{name}"""\n\n\ndef run_{name}(clock):\n    return clock()\n'
    yield "docs/guide.md", "# Guide\n\nHow it works.\n"


def _memory(dice: random.Random, notes: int, sources: list[str]) -> Iterator[tuple[str, str]]:
    yield "memory/manifest.md", MANIFEST
    yield "memory/.gitattributes", "events/** text eol=lf linguist-generated\n"
    yield "memory/brief.md", _note("n-br1ef000", "project", "overview", "The project", "A small program.", [])
    yield from _subjects()
    ids = _ids(dice)
    hot = [_hot_note(next(ids), n) for n in range(min(HOT_NOTES, notes))]
    yield from hot
    folders = [name for name, share in SHARES for _ in range(share)]
    for number in range(notes - len(hot) - 1):
        folder = dice.choice(folders)
        yield from _one(dice, next(ids), folder, number, sources)


def _subjects() -> Iterator[tuple[str, str]]:
    for number in range(12):
        yield (
            f"memory/subjects/service-{number:02d}.md",
            f"---\nid: service-{number:02d}\nname: Service {number:02d}\nkind: service\n"
            f"aliases: [svc {number:02d}]\n---\nThe service number {number}.\n",
        )


def _ids(dice: random.Random) -> Iterator[str]:
    taken = set()
    while True:
        text = "n-" + "".join(dice.choices(ALPHABET, k=8))
        if text not in taken:
            taken.add(text)
            yield text


def _hot_note(note: str, number: int) -> tuple[str, str]:
    kind = [] if number % 2 else [
        "lifecycle: debt",
        "condition:",
        f"  file_contains: {{path: {HOT_PATH}, text: frozen_clock_{number}}}",
    ]  # fmt: skip
    facet = FACETS[number]
    anchor = HOT_PATH if number < 2 else "app/hot/**"
    fields = [*kind, "anchors:", f'  - "{anchor}"']
    folder = "decisions" if number % 2 else "debts"
    title = f"The hot spot, part {number}"
    return (
        f"memory/{folder}/the-hot-spot-{number}-{note[2:]}.md",
        _note(note, f"path:{HOT_PATH}", facet, title, f"It is {HOT_WORDS}.", fields),
    )


def _one(
    dice: random.Random, note: str, folder: str, number: int, sources: list[str]
) -> Iterator[tuple[str, str]]:
    # One (subject, facet) for each number: the key that one rule may own.
    source = sources[number % len(sources)]
    subject = f"path:{source}#part-{number}" if number % 9 else f"service-{number % 12:02d}#part-{number}"
    facet = FACETS[number // len(sources) % len(FACETS)]
    title, body = told(dice, number)
    fields = ["anchors:", *_anchors(number, source)] if number % 10 else []
    if folder == "debts":
        fields += ["lifecycle: debt", "condition:"]
        fields += [f"  file_contains: {{path: {source}, pattern: frozen_clock_{number}}}"]
    if number % 7 == 0:
        fields += [f"tags: [{dice.choice(WORDS)}, {dice.choice(WORDS)}]"]
    slug = "-".join(title.lower().split()[:6])
    place = f"areas/{AREAS[number % 3]}" if folder == "areas" else folder
    evidence = "agent: claude-code" if folder == "inbox" else ("file: docs/guide.md", "user: Ada")[number % 2]
    text = _note(note, subject, facet, title, body, fields, evidence, number)
    yield f"memory/{place}/{slug}-{note[2:]}.md", text
    if folder != "inbox" and number % 10 == 3:
        yield _event(note, 1, "admitted", {"evidence": {"items": []}})
        if folder == "debts":
            yield _event(note, 2, "missed", {"count": 1 + number % 3, "paths": [source]})


def _anchors(number: int, source: str) -> list[str]:
    folder = os.path.dirname(source)
    kinds = (
        f'  - "{source}"', f'  - "{source}"', f'  - "{source}"', f'  - "{source}"', f'  - "{source}"',
        f'  - "{source}"', f'  - "{folder}/**"', f'  - "{folder}/*.py"', f'  - "{os.path.basename(source)}"',
        f'  - "tests/**/test_{number:05d}*.py"',
    )  # fmt: skip
    # One in a hundred names a file that is not written yet.
    kind = number // 10 % 100
    lines = [kinds[9 if kind == 9 else kind % 9]]
    if number % 50 == 7:
        lines.append(f'  - command: "^make deploy-{number}\\\\b"')
    return lines


def told(dice: random.Random, number: int) -> tuple[str, str]:
    """The title and the text of one note."""
    return " ".join(dice.choices(WORDS, k=dice.randint(4, 9))).capitalize(), _body(dice, number)


def _body(dice: random.Random, number: int) -> str:
    if number % 10 == 4:
        return "\n\n".join(dice.choices(CJK, k=3))
    lines = []
    for _ in range(dice.randint(1, 4)):
        lines.append(" ".join(dice.choices(WORDS, k=dice.randint(12, 40))).capitalize() + ".")
    return "\n\n".join(lines)


def _note(
    note: str, subject: str, facet: str, title: str, body: str, fields: list[str],
    evidence: str = "user: Ada, 2026-11-30", number: int = 0,
) -> str:  # fmt: skip
    day = f"2026-{1 + number % 11:02d}-{1 + number % 28:02d}"
    lines = [f"id: {note}", f'subject: "{subject}"', f"facet: {facet}", *fields]
    lines += ["evidence:", f"  - {evidence}", f"created: {day}"]
    return "---\n" + "\n".join(lines) + f"\n---\n# {title}\n\n{body}\n"


def _event(note: str, seq: int, kind: str, facts: dict[str, object]) -> tuple[str, str]:
    fields = {
        "actor": {"kind": "human", "name": "Ada"},
        "at": f"2026-11-{seq:02d}T12:00:00Z",
        "branch": "main",
        "commit": None,
        "dirty": False,
        "kind": kind,
        "note": note,
        "schema": 1,
        "seq": seq,
        **facts,
    }
    exact = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    name = f"{seq:04d}-{kind}-{sha256(exact.encode()).hexdigest()[:8]}.json"
    return f"memory/events/{note}/{name}", json.dumps(fields, sort_keys=True, indent=2) + "\n"


def write_all(root: str, files: Iterable[tuple[str, str]]) -> None:
    made = set()
    for path, text in files:
        target = os.path.join(root, path)
        folder = os.path.dirname(target)
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        with open(target, "wb") as file:
            file.write(text.encode())


def commit(root: str) -> None:
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("config", "user.name", "Ada"),
        ("config", "user.email", "ada@example.org"),
        ("config", "gc.auto", "0"),
        ("add", "-A"),
        ("commit", "-q", "-m", "start"),
        ("repack", "-adq"),
    ):
        subprocess.run(["git", *arguments], cwd=root, check=True, stdout=subprocess.DEVNULL)
