"""A note in the person's own editor: what they wrote is never lost to a refusal."""

from __future__ import annotations

import shlex
from typing import Any

import typer

from memwarden.cli.carrying import may_ask
from memwarden.cli.frame import Ground, show_error
from memwarden.cli.mutating import run_mutation
from memwarden.core.change import digest_of
from memwarden.core.secrets import find_secrets
from memwarden.edge.writing.editor import edited
from memwarden.edge.writing.kept_edits import drop_edit, keep_edit
from memwarden.errors import MemError, StalePlan, UsageError


def edit_in_editor(
    ctx: typer.Context, here: Ground, path: str, before: bytes, *, apply: bool, lock_timeout: float
) -> None:
    """Open the note, and again as often as the person wants where the text is refused."""
    name = path.rpartition("/")[2]
    data = before
    while True:
        data = edited(data, name, here.env)
        try:
            intent = edit_intent(path, before, _as_text(data))
            take_text(ctx, intent, apply=apply, lock_timeout=lock_timeout)
        except MemError as error:
            _keep(here, path, data, error)
            if isinstance(error, StalePlan) or not may_ask(ctx):
                raise
            show_error(error)
            if not typer.confirm("Open it again?", default=True, err=True):
                raise typer.Exit(error.exit_code) from None
            continue
        drop_edit(here.place, name)
        return


def take_text(ctx: typer.Context, intent: dict[str, Any], *, apply: bool, lock_timeout: float) -> None:
    """Preview or write an edit."""
    run_mutation(ctx, "edit", lambda memory: intent, apply=apply, lock_timeout=lock_timeout)


def edit_intent(path: str, before: bytes, text: str) -> dict[str, Any]:
    """An edit as an intent holds it."""
    return {"command": "edit", "path": path, "before": digest_of(before), "text": text}


def _as_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UsageError("the edited text is not UTF-8; nothing is changed", "save it as UTF-8") from None


def _keep(here: Ground, path: str, data: bytes, error: MemError) -> None:
    """Keep the text, and say in the error how to go on with it; what holds a secret is kept nowhere."""
    if any(True for _ in find_secrets(data.decode("utf-8", "replace"))):
        return
    kept = keep_edit(here.place, path.rpartition("/")[2], data)
    if kept:
        again = f"your text is kept: mem edit {shlex.quote(path)} --file {shlex.quote(kept)}"
        error.next_step = f"{error.next_step}; {again}" if error.next_step else again
