"""M1xx: what a note says about itself."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.condition_parts import named
from memwarden.core.fitness import unknown_facet, without_key
from memwarden.core.glob import matches
from memwarden.core.note import ARCHIVED, Anchor, place_of
from memwarden.core.pattern_text import needed_by
from memwarden.core.workspace import OTHER, Unreadable, Workspace
from memwarden.edit.starter import unfilled
from memwarden.errors import ERROR, NOTICE, WARNING, Finding
from memwarden.rules.scene import Scene

# What an anchor comes up with that comes up with anything.
ANY_PATH = ("a", ".b", "c/d.e", "\u00e9/-/9")
ANY_COMMAND = ("ls", "git status", "make -j4", "./run.sh a b")


def active_note_has_a_key(scene: Scene) -> Iterator[Finding]:
    """An active note has no subject or no facet.

    Why: subject and facet say what a note governs; without them nobody can tell two notes apart that
    claim the same thing, and the note is not delivered.

    Fix: add `subject:` (a subject ID, `project`, or `path:<file>`) and `facet:` to the frontmatter, or move
    the note to `memory/inbox/`.

    Example: `subject: path:config/app.yaml` and `facet: workflow`.
    """
    yield from scene.lacking(finding for note in scene.active for finding in without_key(note))


def facet_is_known(scene: Scene) -> Iterator[Finding]:
    """A note has a facet that the memory does not know.

    Why: facets are a controlled list, so that two notes about one dimension of a subject meet. A note with
    an unknown one is not delivered.

    Fix: use a known facet, or add it to `facets` in the frontmatter of `memory/manifest.md`.

    Example: `facet: behaviour` is unknown; `facet: behavior` is known.
    """
    for note in scene.memory.notes:
        finding = unknown_facet(note, scene.facets)
        if finding is not None:
            yield finding


def lifecycle_is_known(scene: Scene) -> Iterator[Finding]:
    """A note has a lifecycle that is neither rule nor debt; it is read as a rule.

    Why: a rule holds on and is never escalated; that is the safe reading, but maybe not the meant one.

    Fix: write `lifecycle: rule` or `lifecycle: debt`, or remove the line.

    Example: `lifecycle: todo`.
    """
    yield from scene.read("M104")


def only_debts_are_paid(scene: Scene) -> Iterator[Finding]:
    """A rule carries a payment condition.

    Why: a debt ends when its `condition` holds; a rule holds on. On a rule the same check would mean the
    opposite: its `verify` passing means that the rule still holds, and failing never ends it.

    Fix: rename `condition` to `verify`, or say `lifecycle: debt`.

    Example: a note without `lifecycle` that has `condition: {file_exists: docs/api.md}`.
    """
    yield from scene.read("M105")


def only_rules_are_verified(scene: Scene) -> Iterator[Finding]:
    """A debt carries `verify`.

    Why: what ends a debt is its `condition`. A second check beside it would say two things.

    Fix: move the check into `condition`, or say `lifecycle: rule`.

    Example: `lifecycle: debt` with `verify: {file_exists: docs/api.md}`.
    """
    yield from scene.read("M112")


def condition_is_valid(scene: Scene) -> Iterator[Finding]:
    """A condition is not valid.

    Why: a condition that cannot be read must not count as no condition, and one that always holds would
    pay a debt by itself. Unknown predicates and keys, empty or all-matching patterns, patterns that are not
    RE2, impossible dates, `not` over a text predicate and nesting deeper than four are refused.

    Fix: correct the named key. `file_contains` takes `path` and `pattern` (or `text`); for `not` over a
    text predicate use its opposite, `file_lacks`.

    Example: `condition: {file_contains: {path: a.py, pattern: ".*"}}` matches everything.
    """
    yield from scene.read("M106")


def path_stays_inside(scene: Scene) -> Iterator[Finding]:
    """A path leaves the repository, or may not be named.

    Why: a note must not look at, or make anyone look at, a file outside the repository or inside `.git`,
    and a path must mean the same file on every system. What a condition names may be no link that leads
    out, no FIFO and no device.

    Fix: write the path relative to the top of the repository, with `/`, without `..`, drive letters or
    percent codes.

    Example: `anchors: [../../etc/passwd]`.
    """
    yield from scene.read("M108")
    plain: set[str] = set()
    for note in scene.memory.notes:
        if note.condition is None and note.verify is None:
            continue
        for field, condition in (("condition", note.condition), ("verify", note.verify)):
            for key, path in named(condition, field) if condition is not None else ():
                reason = "" if path in plain else _why_out(scene.memory.workspace, path, plain)
                if reason:
                    yield Finding(
                        "M108",
                        ERROR,
                        f"the condition looks at {path}, {reason}",
                        note.path,
                        key=key,
                        note=note.id,
                        fix="name a file or folder of this repository; else declare the debt paid",
                    )


def _why_out(workspace: Workspace, path: str, plain: set[str]) -> str:
    """Why what is at ``path`` is nothing that a condition may look at, or "".  A link that dangles is a
    file to come, and what lies in a submodule cannot be told.  ``plain`` gathers the files and folders that
    were seen to be nothing else: many conditions go the same way."""
    parts = path.split("/")
    found = None
    try:
        for count in range(1, len(parts) + 1):
            step = "/".join(parts[:count])
            if step in plain:
                continue
            found = workspace.entry(step)
            if found is None or (found.kind == OTHER and not found.link):
                break
            if found.link:
                workspace.resolved(step)
            elif found.kind != OTHER:
                plain.add(step)
    except Unreadable as reason:
        return f"which is refused: {reason}"
    # Only a disk has FIFOs and devices; a submodule has no stamp there.
    special = found is not None and found.kind == OTHER and not found.link and bool(found.stamp)
    return "which is no file or folder" if special and workspace.name == "working tree" else ""


def brief_is_filled_in(scene: Scene) -> Iterator[Finding]:
    """The brief is still the form that `mem init` wrote (notice).

    Why: every task is to be told what the project is. A form says nothing, so a session is not started with
    it; a route still shows it, so that somebody fills it in.

    Fix: say in a few lines what the project is, what it is for, and where it is going.

    Example: `memory/brief.md` on the day of `mem init`.
    """
    for path in unfilled(scene.memory):
        note = next(note for note in scene.memory.notes if note.path == path)
        fix = f"say what the project is: mem edit {note.id or path}"
        yield Finding("M114", NOTICE, "nobody has filled in the brief", path, note=note.id, fix=fix)


def field_has_its_form(scene: Scene) -> Iterator[Finding]:
    """A field has the wrong type or form.

    Why: a field that cannot be read is left out, and the note would mean less than it says.

    Fix: write one text where one is wanted, and lists as `- item` lines.

    Example: `tags: {a: 1}`.
    """
    yield from scene.read("M102")


def field_is_known(scene: Scene) -> Iterator[Finding]:
    """A note has an unknown field.

    Why: unknown fields are kept as they are, but they mean nothing; most are a slip of the pen.

    Fix: correct the spelling, or leave it: this is a warning.

    Example: `anchor: a.py` for `anchors: [a.py]`.
    """
    yield from scene.read("M107")


def date_is_a_date(scene: Scene) -> Iterator[Finding]:
    """A date is none, or `not_before` comes after `expires`.

    Why: a window that cannot be read would leave the note on, or off, for good.

    Fix: write dates as `2026-11-30`.

    Example: `expires: 2026-02-30`.
    """
    yield from scene.read("M109")


def id_has_its_form(scene: Scene) -> Iterator[Finding]:
    """Something is not a note ID.

    Why: IDs are minted once and never changed; what is not one names nothing.

    Fix: copy the ID from `mem list`, or remove the `id` line and let `mem admit` mint one.

    Example: `supersedes: [decision-12]`.
    """
    yield from scene.read("M110")


def command_anchor_is_valid(scene: Scene) -> Iterator[Finding]:
    """A command anchor's pattern is empty, or not a valid RE2 expression.

    Why: an anchor that cannot match never speaks, and an empty one would match every command.

    Fix: correct the pattern; RE2 has no look-around and no back-references.

    Example: `anchors: [{command: "(deploy"}]`.
    """
    yield from scene.read("M113")


def anchor_is_about_something(scene: Scene) -> Iterator[Finding]:
    """An anchor matches everything (warning).

    Why: a note that comes up with every file, or with every command, is soon no longer read, and a debt that
    is anchored so is missed by every turn that writes anything.

    Fix: anchor it to the files or the commands that it is about. What holds everywhere needs no anchor: it
    belongs into a module that is always loaded.

    Example: `anchors: ["**"]`, or `anchors: [{command: ".*"}]`.
    """
    for note in scene.memory.notes:
        if place_of(note.path) == ARCHIVED:
            continue
        for at, anchor in enumerate(note.anchors):
            if _is_about_all(anchor):
                what = "every command" if anchor.kind == "command" else "every file"
                yield Finding(
                    "M115",
                    WARNING,
                    f"the anchor {anchor.text!r} matches {what}",
                    note.path,
                    key=f"anchors[{at}]",
                    note=note.id,
                    fix="anchor it to what it is about; what holds everywhere needs no anchor, but a module "
                    "that is always loaded",
                )


def _is_about_all(anchor: Anchor) -> bool:
    if anchor.kind != "command":
        return not anchor.text.strip("*/") and all(matches(anchor.text, path) for path in ANY_PATH)
    if needed_by(anchor.text):
        return False
    from memwarden.edit.pattern import BadPattern, compiled  # the engine, for a pattern without any text

    try:
        regex = compiled(anchor.text)
    except BadPattern:
        return False
    return regex.search("") is not None or all(regex.search(text) is not None for text in ANY_COMMAND)
