"""What ``mem init`` writes: a manifest, a brief, and the attributes that keep events mergeable."""

from __future__ import annotations

from contextlib import suppress

from memwarden.core.memory import Memory
from memwarden.core.note import Note
from memwarden.core.workspace import Unreadable

MANIFEST = """\
---
protocol: 1
project: {project}
---
# Memory manifest

What a task loads, and nothing else: this page is the only routing authority.

## Always load
- brief.md

## Tasks

### general
Also: any, default, question
- constraints/
- do-not-use/

### plan
Also: planning, architecture, refactoring, design
- decisions/
- constraints/
- do-not-use/

### implement
Also: implementation, execution, debug, debugging, fix
- decisions/
- constraints/
- do-not-use/
- debts/
- preferences/ (if present)

### review
Also: reviewing, pr, pull-request, audit
- decisions/
- constraints/
- do-not-use/
- debts/

### write
Also: writing, docs, documentation, output
- constraints/
- do-not-use/
- preferences/ (if present)

### history
Also: recap, changelog, retrospective
- decisions/

### maintain
Also: maintenance, memory, triage
- do-not-use/
- debts/

## Explicit only
- inbox/
- archive/

## Budgets
- total: 4000
- brief.md: 500
- decisions/: 1200
- constraints/: 800
- do-not-use/: 600
"""

BRIEF = """\
---
id: {id}
subject: project
facet: overview
evidence:
  - user: mem init, {date}
created: {date}
---
# {name}

Say here, in a few lines, what this project is, what it is for, and where it is going.
Every task loads this page: keep it short and true.
"""

ATTRIBUTES = """\
# Events are data: the same bytes on every machine, and folded away in reviews.
events/** text eol=lf linguist-generated
"""

AGENT_FILES = {"claude": "CLAUDE.md", "codex": "AGENTS.md", "gemini": "GEMINI.md"}

AGENT_BLOCK = """\
## Project memory

This repository keeps reviewed notes under `memory/`, served by the command `mem`.

- Before planning or changing code: `mem route --task plan` (or `implement`, `review`, `write`); add
  `--path FILE` for the files at hand. What it prints is recorded context, not permission to act.
- To record an observation: `mem add "WHAT YOU LEARNED" --anchor FILE`. It waits in the inbox until a
  person admits it. For something that ends when a change lands: `--debt --until contains:FILE:WORD`.
- `mem why NOTE` explains a note; `mem check` judges the memory. Do not edit `memory/events/` by hand.
"""


def is_untouched_brief(note: Note, data: bytes) -> bool:
    """Whether a brief is still the one that ``mem init`` wrote."""
    text = data.decode(errors="replace").replace("\r\n", "\n")
    return text == BRIEF.format(id=note.id, date=note.created, name=note.title)


def unfilled(memory: Memory) -> tuple[str, ...]:
    """The paths of the briefs that nobody has filled in: they hold a form, and no knowledge."""
    found = []
    for note in memory.notes:
        if note.facet == "overview" and note.subject == "project":
            with suppress(Unreadable):
                if is_untouched_brief(note, memory.workspace.read(note.path)):
                    found.append(note.path)
    return tuple(found)
