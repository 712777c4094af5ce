"""How a change ends: a preview with its plan ID, a question on a terminal, or an apply."""

from __future__ import annotations

import sys

from memwarden.cli.stage import Ground, Running, common, ground, print_json, say, write
from memwarden.core.change import FileChange
from memwarden.core.memory import Memory
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT
from memwarden.edge.writing.mutation import (
    Applied,
    Built,
    Desk,
    Stale,
    commit,
    commit_saved,
    has_authority,
    preview,
)
from memwarden.edit.plan import Plan
from memwarden.errors import EXIT_DONE, EXIT_STALE, Refused
from memwarden.render.plan import diff_of, plan_fields, plan_page, written_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memwarden.edge.writing.mutation import MakeIntent

    MoreFields = Callable[[Built], Mapping[str, Any]]


def carry(
    ctx: Running,
    command: str,
    make_intent: MakeIntent,
    *,
    apply: bool = False,
    lock_timeout: float = DEFAULT_TIMEOUT,
    more: MoreFields | None = None,
    page: Callable[[Built], str] | None = None,
    short: bool = False,
    nearby: bool = False,
) -> int:
    """Preview, and apply where that was asked for; the result is the exit code.

    ``make_intent`` turns the memory and what the person said into an intent.  ``more`` adds
    fields to the JSON object, ``page`` text before the preview, which ``short`` gives one line a file.
    ``nearby``: ``make_intent`` asks nothing of the memory but a free ID.
    """
    desk = desk_of(ground(ctx))
    show = _Shown(ctx, command, more, page, short)
    if apply:
        built = commit(desk, command, make_intent, lock_timeout, _allow, nearby)
        show.written(built)
        return EXIT_DONE
    built = preview(desk, make_intent, keep=True, nearby=nearby)
    if built.plan.is_empty or not has_authority(built.plan):
        if not built.plan.is_empty:
            intent = built.plan.intent
            built = commit(desk, command, lambda memory: intent, lock_timeout, nearby=nearby)
        show.written(built)
        return EXIT_DONE
    show.preview(built)
    if built.unkept:
        say_unkept(ctx, built.plan.id, built.unkept)
        return EXIT_DONE
    if not may_ask(ctx) or _plan_is_required(open_memory(desk.place)):
        return EXIT_DONE
    if not _is_wanted(built):
        return EXIT_DONE
    return carry_saved(ctx, command, desk, built.plan.id, lock_timeout, show)


def _is_wanted(built: Built) -> bool:
    """What the person says to the preview; on the way they may look at all of it."""
    from typer import prompt  # only where there is a person to ask

    while True:
        question = "Apply it? [y/N, d: the whole difference]"
        answer = prompt(question, default="n", show_default=False, err=True).strip().lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no"):
            return False
        if answer in ("d", "diff"):
            write(diff_of(built.plan))
        else:
            write("y applies it, n leaves everything as it is, d shows every file and event in full\n")


def carry_saved(
    ctx: Running,
    command: str,
    desk: Desk,
    plan_id: str,
    lock_timeout: float = DEFAULT_TIMEOUT,
    show: _Shown | None = None,
) -> int:
    """Apply a saved plan and say how that ended; for a stale one the new plan is shown."""
    show = show or _Shown(ctx, command)
    try:
        applied = commit_saved(desk, plan_id, lock_timeout)
    except Stale as stale:
        show.stale(stale)
        return EXIT_STALE
    show.applied(applied, plan_id)
    return EXIT_DONE


def say_unkept(ctx: Running, plan_id: str, why: str) -> None:
    """Take back what the preview promises where the plan could not be saved."""
    lost = f"mem: plan {plan_id} could not be kept ({why}), so mem apply will not know it"
    say(ctx, f"{lost}\n  next: make the git directory writable, with room, and run the command again")


def desk_of(here: Ground) -> Desk:
    """The desk at which the running command works."""
    return Desk(here.place, here.now, here.today, here.actor)


class _Shown:
    """What the person, or the program that asked for JSON, gets to see."""

    def __init__(
        self,
        ctx: Running,
        command: str,
        more: MoreFields | None = None,
        page: Callable[[Built], str] | None = None,
        short: bool = False,
    ) -> None:
        self.ctx = ctx
        self.command = command
        self.more = more
        self.page = page
        self.short = short
        self.previewed = ""

    def preview(self, built: Built) -> None:
        if common(self.ctx).json:
            self._json(built, applied=False)
            return
        before = self.page(built) if self.page else ""
        write(before + plan_page(built.plan, built.findings, short=self.short))
        self.previewed = built.plan.id

    def written(self, built: Built) -> None:
        empty = built.plan.is_empty
        if common(self.ctx).json:
            self._json(built, applied=not empty, written=built.files)
        elif empty:
            say(self.ctx, "nothing to do: everything is like that already")
        else:
            said = self.previewed == built.plan.id
            write(written_page(built.plan, built.findings, built.files, said=said))

    def applied(self, applied: Applied, plan_id: str) -> None:
        if applied.built is not None:
            self.written(applied.built)
        elif common(self.ctx).json:
            fields: dict[str, Any] = {"plan": None, "applied": True, "already_applied": True, "notes": []}
            print_json(self.command, fields)
        else:
            say(self.ctx, f"plan {plan_id} is already applied")

    def stale(self, stale: Stale) -> None:
        if common(self.ctx).json:
            error = {"message": stale.message, "next_step": stale.next_step, "exit": stale.exit_code}
            self._json(stale.built, applied=False, error=error)
            return
        if not stale.built.plan.is_empty:
            write(plan_page(stale.built.plan, stale.built.findings))
        say(self.ctx, f"mem: {stale.message}\n  next: {stale.next_step}")

    def _json(
        self,
        built: Built,
        *,
        applied: bool,
        written: tuple[FileChange, ...] | None = None,
        error: Mapping[str, Any] | None = None,
    ) -> None:
        plan = built.plan
        fields: dict[str, Any] = {
            "plan": None if plan.is_empty else plan_fields(plan, built.findings, written),
            "applied": applied,
            "notes": list(plan.notes),
            "remarks": list(plan.remarks),
        }
        if error:
            fields["error"] = error
        print_json(self.command, {**fields, **(self.more(built) if self.more else {})})


def _allow(memory: Memory, plan: Plan) -> None:
    if has_authority(plan) and not plan.is_empty and _plan_is_required(memory):
        raise Refused(
            "the manifest says require_plan: true, so --apply is not enough",
            "leave --apply out, look at the preview, then run mem apply with its plan ID",
        )


def _plan_is_required(memory: Memory) -> bool:
    return memory.manifest is not None and memory.manifest.settings.require_plan


def may_ask(ctx: Running) -> bool:
    """Whether a person sits there who can answer: on a terminal both ways, and not asking for JSON."""
    return not common(ctx).json and sys.stdin.isatty() and sys.stdout.isatty()
