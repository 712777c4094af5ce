"""``mem subject``: what the project is about, by one stable ID and many spellings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from memwarden.cli.app import Commands, command
from memwarden.cli.frame import common, ground, print_json, say, write
from memwarden.cli.from_here import FromHere, say_how_read
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, run_mutation
from memwarden.cli.said import one_line, prose, read_text
from memwarden.core.memory import Memory
from memwarden.core.paths import check_path
from memwarden.core.registry import PATH, Registry, split_aspect
from memwarden.core.subject import Subject
from memwarden.core.visible import plain, visible
from memwarden.edge.reading.opening import open_memory
from memwarden.edit.note_reader import body_of
from memwarden.edit.propose.renaming import names
from memwarden.errors import UsageError
from memwarden.render.screen import many

SubjectArgument = Annotated[str, typer.Argument(metavar="SUBJECT", help="Any of its spellings.")]


def register(app: typer.Typer) -> None:
    """Add ``subject`` with its own commands."""
    group = typer.Typer(
        cls=Commands,
        name="subject",
        help="What notes are about: subjects with one stable ID and many spellings.",
        no_args_is_help=True,
    )
    command(group, "add")(add)
    command(group, "alias")(alias)
    command(group, "rename")(rename)
    command(group, "merge")(merge)
    command(group, "list")(list_subjects)
    command(group, "show")(show)
    app.add_typer(group)


def add(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Its name, or a reference such as pypi:requests.")
    ],
    kind: Annotated[
        str,
        typer.Option(help="dependency, path, area, api, service, feature or concept.", show_default=False),
    ] = "",
    ref: Annotated[
        str, typer.Option(help="Its canonical reference, such as npm:@scope/x.", show_default=False)
    ] = "",
    identity: Annotated[
        str,
        typer.Option(
            "--id", metavar="SLUG", help="Its stable ID; else it is made of the name.", show_default=False
        ),
    ] = "",
    alias: Annotated[list[str] | None, typer.Option(help="Another spelling.", show_default=False)] = None,
    body: Annotated[str, typer.Option(help="What it is; - reads standard input.", show_default=False)] = "",
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Register a subject."""
    seen = FromHere(ground(ctx).place)
    intent = {
        "command": "subject-add",
        "name": seen.subject(one_line(name, "the name"), "NAME"),
        "id": one_line(identity, "--id") if identity else "",
        "kind": kind,
        "ref": seen.subject(ref.strip(), "--ref"),
        "aliases": [one_line(word, "--alias") for word in alias or ()],
        "body": prose(read_text(body, "--body"), "the body") if body else "",
    }
    say_how_read(ctx, seen)
    _run(ctx, lambda memory, seen: intent, apply, lock_timeout)


def alias(
    ctx: typer.Context,
    subject: SubjectArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new spelling.")],
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Give a subject one more spelling."""
    word = one_line(name, "the alias")

    def make_intent(memory: Memory, seen: FromHere) -> dict[str, Any]:
        known = seen.known_subject(subject, memory, "SUBJECT")
        return {"command": "subject-alias", "subject": known, "name": word}

    _run(ctx, make_intent, apply, lock_timeout)


def rename(
    ctx: typer.Context,
    subject: SubjectArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name, or path:NEW for path:OLD.")],
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Give a subject another name; its ID, every reference and the old name (as an alias) stay.

    rename path:OLD path:NEW rewrites every subject, anchor, evidence and condition that names OLD.
    """
    if subject.startswith(PATH) != name.startswith(PATH):
        raise UsageError("a path is renamed to a path", "mem subject rename path:OLD path:NEW")
    if not subject.startswith(PATH):
        intent = {"command": "subject-rename", "subject": subject, "name": one_line(name, "the name")}
        _run(ctx, lambda memory, seen: intent, apply, lock_timeout)
        return

    def make_intent(memory: Memory, seen: FromHere) -> dict[str, Any]:
        paths = subject[len(PATH) :], name[len(PATH) :]
        old, new = map(_checked, seen.rename(*paths, lambda path: names(memory, path)))
        return {"command": "path-rename", "old": old, "new": new}

    _run(ctx, make_intent, apply, lock_timeout)


def merge(
    ctx: typer.Context,
    merged: Annotated[str, typer.Argument(metavar="FROM", help="The subject that will forward.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The subject that stays.")],
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Let one subject forward to another; notes about either are about the one that stays."""

    def make_intent(memory: Memory, seen: FromHere) -> dict[str, Any]:
        first, last = (seen.known_subject(*one) for one in ((merged, memory, "FROM"), (into, memory, "INTO")))
        return {"command": "subject-merge", "from": first, "into": last}

    _run(ctx, make_intent, apply, lock_timeout)


def list_subjects(ctx: typer.Context) -> None:
    """List the registered subjects."""
    memory = open_memory(ground(ctx).place)
    registry = Registry(memory.subjects)
    rows = [_fields(memory, registry, subject) for subject in registry.subjects.values()]
    if common(ctx).json:
        print_json("subject", {"subjects": rows})
        return
    if not rows:
        say(ctx, "no subject is registered; project and path:PATH need no file")
    for row in rows:
        forwards = f" -> {row['merged_into']}" if row["merged_into"] else ""
        spelled = ", ".join([row["name"] or "", *row["aliases"]])
        write(
            plain(f"{row['id']}{forwards}  {row['kind'] or '-'}  {spelled}  {many(row['notes'], 'note')}")
            + "\n"
        )


def show(ctx: typer.Context, subject: SubjectArgument) -> None:
    """Show a subject, its spellings and the notes about it."""
    place = ground(ctx).place
    memory, seen = open_memory(place), FromHere(place)
    registry = Registry(memory.subjects)
    subject = seen.known_subject(subject, memory, "SUBJECT")
    say_how_read(ctx, seen)
    identity = registry.require(subject)
    found = registry.subject(subject)
    about = [note for note in memory.notes if _is_about(registry, note.subject, identity)]
    body = body_of(memory.workspace.read(found.path)) if found else ""
    fields: dict[str, Any] = {"id": identity, **(_fields(memory, registry, found) if found else {})}
    fields |= {"body": body, "about": [{"id": note.id or None, "path": note.path} for note in about]}
    if common(ctx).json:
        print_json("subject", fields)
        return
    head = [f"{key}: {fields[key]}" for key in ("id", "name", "kind", "ref") if fields.get(key)]
    head += [f"aliases: {', '.join(fields['aliases'])}"] if fields.get("aliases") else []
    lines = [plain(line) for line in head] + ([visible(body).strip()] if body.strip() else [])
    lines += [plain(f"{note.id or '(no ID)'}  {note.title}  {note.path}") for note in about]
    write("\n".join(lines) + "\n")


def _run(
    ctx: typer.Context,
    read: Callable[[Memory, FromHere], dict[str, Any]],
    apply: bool,
    lock_timeout: float,
) -> None:
    """``read`` makes the intent; what it read otherwise than it was written is said."""
    seen = FromHere(ground(ctx).place)

    def make_intent(memory: Memory) -> dict[str, Any]:
        intent = read(memory, seen)
        say_how_read(ctx, seen)
        return intent

    run_mutation(ctx, "subject", make_intent, apply=apply, lock_timeout=lock_timeout)


def _checked(path: str) -> str:
    why = check_path(path)
    if why:
        raise UsageError(f"{PATH}{path}: the path {why}", "name a path of the repository")
    return path


def _fields(memory: Memory, registry: Registry, subject: Subject) -> dict[str, Any]:
    about = [note for note in memory.notes if _is_about(registry, note.subject, subject.id)]
    return {
        "id": subject.id,
        "path": subject.path,
        "name": subject.name or None,
        "kind": subject.kind or None,
        "ref": subject.ref or None,
        "aliases": list(subject.aliases),
        "merged_into": subject.merged_into or None,
        "notes": len(about),
    }


def _is_about(registry: Registry, text: str, identity: str) -> bool:
    found = registry.canonical(text) if text else ""
    return found == identity or (bool(found) and split_aspect(found)[0] == identity)
