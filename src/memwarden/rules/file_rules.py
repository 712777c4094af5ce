"""M0xx: the files of the memory, before anyone asks what they say."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.fitness import without_id
from memwarden.errors import ERROR, Finding
from memwarden.rules.scene import Scene


def frontmatter_can_be_read(scene: Scene) -> Iterator[Finding]:
    """A file's frontmatter cannot be read.

    Why: a note whose metadata is guessed at may be delivered with the wrong lifecycle or no condition.
    YAML is read strictly: every value is text, and duplicate keys, anchors, aliases, tags and merges are
    refused. Only a first line of exactly `---` opens frontmatter, and only such a line closes it.

    Fix: correct the named line. Quote a value that has `: ` or starts with `*`, `&` or `!`. Close the
    frontmatter with `---`, and let nothing stand before the first one.

    Example: `title: Split: core` is an error; `title: "Split: core"` is fine.
    """
    yield from scene.read("M001")


def merge_is_finished(scene: Scene) -> Iterator[Finding]:
    """A file holds conflict markers, or git has not merged it yet.

    Why: an unfinished merge is two texts at once. Such a note is never delivered.

    Fix: resolve the conflict. To show conflict markers as an example, indent them by four blanks.

    Example: a line that starts with seven `<` and a branch name.
    """
    yield from scene.read("M002")


def fence_is_meant(scene: Scene) -> Iterator[Finding]:
    """The first line of a candidate looks like a frontmatter fence but is none.

    Why: the file is read as plain prose, which may not be what was meant. Outside the inbox this is M001.

    Fix: write exactly `---` to open frontmatter, or start the prose with a blank line.

    Example: a first line of `----`.
    """
    yield from scene.read("M003")


def code_fence_is_closed(scene: Scene) -> Iterator[Finding]:
    """A code fence is never closed and swallows the headings after it.

    Why: what stands after it is delivered as code, and its headings are none.

    Fix: close it with a fence of the same kind and at least the same length.

    Example: a line of three backticks, then `## Steps`, and no second line of backticks.
    """
    yield from scene.read("M009")


def note_id_is_unique(scene: Scene) -> Iterator[Finding]:
    """Two files have one note ID.

    Why: events are kept by ID. Two notes with one ID would share their payments and misses.

    Fix: a copied note is a new note: remove its `id` line, move it to `memory/inbox/` and run `mem admit`,
    which mints one.

    Example: `memory/decisions/a.md` and `memory/decisions/b.md` both say `id: n-4f7k2m9q`.
    """
    for note_id, notes in scene.by_id.items():
        if len(notes) == 1:
            continue
        first, *others = notes
        for other in others:
            yield Finding(
                "M004",
                ERROR,
                f"the ID {note_id} belongs to {first.path} too",
                other.path,
                key="id",
                note=note_id,
                fix="remove the id from the copy, move it to memory/inbox/ and run mem admit",
            )


def active_note_has_an_id(scene: Scene) -> Iterator[Finding]:
    """A note outside the inbox has no ID.

    Why: without an identity nothing can be recorded about the note: no admission, no payment, no miss.

    Fix: move the file to `memory/inbox/` and run `mem admit`, which mints an ID.

    Example: a Markdown file put by hand into `memory/decisions/` without an `id` line.
    """
    yield from scene.lacking(without_id(note) for note in scene.active)


def file_can_be_read(scene: Scene) -> Iterator[Finding]:
    """A file of the memory cannot be read at all.

    Why: a link that leaves the repository, a device, a file without permission or over 1 MiB is not
    followed, opened or guessed at; every other file still works.

    Fix: replace the link by the file, correct its permissions, or split it: one file, one claim.

    Example: `memory/decisions/x.md` is a link to `/etc/passwd`.
    """
    yield from scene.read("M006")


def names_are_apart_everywhere(scene: Scene) -> Iterator[Finding]:
    """Two files have names that are one name on some systems (warning).

    Why: `Foo.md` and `foo.md`, or two spellings of one accent, overwrite each other on a checkout under
    macOS or Windows.

    Fix: rename one of them with `git mv`.

    Example: `memory/decisions/Retry.md` beside `memory/decisions/retry.md`.
    """
    yield from scene.read("M007")


def file_among_notes_is_a_note(scene: Scene) -> Iterator[Finding]:
    """A file that is no Markdown lies among the notes; it is ignored.

    Why: it looks like memory and is none.

    Fix: name it `*.md` to make it a note, or move it out of `memory/`.

    Example: `memory/decisions/retry.txt`.
    """
    yield from scene.read("M008")
