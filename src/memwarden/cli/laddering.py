"""The ladder's own verbs: what a touch says, what a turn's end comes to, and what is owed."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from memwarden.cli.app import command
from memwarden.cli.arguments import NoteArgument, Reason
from memwarden.cli.frame import Ground, common, ground, print_json, say, write
from memwarden.cli.mutating import TIMEOUT, Apply, LockTimeout, run_with_reason
from memwarden.core.canonical import condition_digest
from memwarden.core.condition import FAILS
from memwarden.core.fitness import unfit
from memwarden.core.memory import Memory
from memwarden.core.note import DEBT
from memwarden.core.secrets import redact
from memwarden.core.standing import OWED, SETTLED, standings
from memwarden.core.turn.counts import Count
from memwarden.edge.command.judging import Running, judge_all_now
from memwarden.edge.reading.opening import open_memory
from memwarden.edge.reading.whole_memory import WholeMemory
from memwarden.edge.turn.came_back import is_watched
from memwarden.edge.turn.closing import Close
from memwarden.edge.turn.closing import close as close_turn
from memwarden.edge.turn.counts import read_counts
from memwarden.edge.turn.touching import Touch
from memwarden.edge.turn.touching import touch as touch_place
from memwarden.edge.turn.waiting import read_pending
from memwarden.errors import EXIT_REFUSED, NoMemory, UsageError
from memwarden.render.laddering import (
    Debt,
    Fired,
    debt_fields,
    debt_lines,
    delivery_fields,
    fired_fields,
    fired_table,
    suggestion,
)


def register(app: typer.Typer) -> None:
    """Add the verbs of the ladder."""
    command(app, "touch")(touch)
    command(app, "close")(close)
    command(app, "settle")(settle)
    command(app, "debts")(debts)
    command(app, "stats")(stats)
    command(app, "pay")(pay)


Session = Annotated[str, typer.Option(help="The agent session, whose ledger is kept.", metavar="ID")]
Agent = Annotated[str, typer.Option(help="The subagent inside the session.", metavar="ID")]
Run = Annotated[bool, typer.Option("--run", help="Run the commands that you have endorsed.")]
Allow = Annotated[
    bool, typer.Option("--allow-commands", help="Run every command, as CI does in a checkout it trusts.")
]


def touch(
    ctx: typer.Context,
    path: Annotated[
        list[str], typer.Argument(metavar="[PATH]...", help="What is read or written.", show_default=False)
    ] = [],
    is_write: Annotated[bool, typer.Option("--write", help="The paths are about to be written.")] = False,
    shell_text: Annotated[str, typer.Option("--command", help="A shell text about to run.")] = "",
    session: Session = "",
    agent: Agent = "",
    tool_use: Annotated[str, typer.Option(help="The tool call's ID.", metavar="ID")] = "",
    ran: Annotated[bool, typer.Option("--ran", help="The tool call has run.")] = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Tell what the memory holds about files or a command before a tool touches them."""
    here = ground(ctx)
    if not path and not shell_text:
        raise UsageError("nothing is touched", "name a path, or a command with --command TEXT")
    paths = tuple(path)
    request = Touch(
        writes=paths if is_write else (),
        reads=() if is_write else paths,
        command=shell_text,
        cwd=os.getcwd(),
        session=session,
        agent=agent,
        call=tool_use,
        ran=ran,
        at_once=True,
        patience=lock_timeout,
    )
    touched = touch_place(here.place, request, here.now, here.actor)
    if common(ctx).json:
        print_json(
            "touch",
            {
                "deliveries": [delivery_fields(delivery) for delivery in touched.deliveries],
                "paid": list(touched.paid),
                "omitted": touched.omitted,
            },
        )
        return
    if touched.context:
        write(touched.context + "\n")
    for note in touched.paid:
        say(ctx, f"paid: {note}")


def close(
    ctx: typer.Context,
    session: Session = "",
    wrote: Annotated[list[str], typer.Option(help="A path that the turn wrote.", metavar="PATH")] = [],
    agent: Agent = "",
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """End a turn: debts whose anchor was written are paid, or missed once."""
    here = ground(ctx)
    request = Close(session, tuple(wrote), os.getcwd(), agent, at_once=True, patience=lock_timeout)
    closed = close_turn(here.place, request, here.now, here.actor)
    if common(ctx).json:
        print_json(
            "close",
            {"missed": list(closed.missed), "paid": list(closed.paid), "written": list(closed.written)},
        )
        return
    for note in closed.missed:
        write(f"missed: {note}\n")
    for note in closed.paid:
        write(f"paid: {note}\n")


def settle(
    ctx: typer.Context,
    run: Run = False,
    allow_commands: Allow = False,
    staged: Annotated[
        bool, typer.Option("--staged", help="As a pre-commit hook: record what this commit pays.")
    ] = False,
    stage: Annotated[bool, typer.Option("--stage", help="Also stage the files that it writes.")] = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Record every payment that holds, every payment that no longer does, and the misses that wait."""
    if staged or stage:
        _settle_staged(ctx, stage, lock_timeout)
        return
    here = ground(ctx)
    from memwarden.edge.turn.settling import settle as settle_all

    running = _running(here, run, allow_commands)
    settled = settle_all(here.place, here.now, here.actor, running, lock_timeout)
    written = settled.written
    if common(ctx).json:
        print_json(
            "settle",
            {
                "paid": written.paid,
                "reinstated": written.reinstated,
                "missed": written.missed,
                "failed": written.failed,
                "unproven": list(settled.unproven),
                "written": written.paths,
            },
        )
        return
    for word in ("paid", "reinstated", "missed", "failed"):
        for note in getattr(written, word):
            write(f"{word}: {note}\n")
    for note in settled.unproven:
        say(ctx, f"{note}: its command succeeds, but was never seen failing, so it stays owed")
        say(ctx, f"  next: mem settle --run where it still fails, or mem pay {note} --reason ...")
    if not written.paths:
        say(ctx, "nothing to record")


def _settle_staged(ctx: typer.Context, stage: bool, lock_timeout: float) -> None:
    """A pre-commit hook passes quietly where there is no memory, or not even a repository."""
    from memwarden.edge.turn.staged_payments import StagedPayments, settle_staged

    try:
        here = ground(ctx, memory=False)
        settled = settle_staged(here.place, here.now, here.actor, here.env, stage, lock_timeout)
    except NoMemory:
        settled = StagedPayments()
    if common(ctx).json:
        fields = {"paid": list(settled.paid), "written": list(settled.paths), "staged": settled.staged}
        print_json("settle", fields)
    elif settled.paths:
        write("".join(f"paid by this commit: {note}\n" for note in settled.paid))
        if not settled.staged:
            say(ctx, f"next: git add -- {' '.join(settled.paths)}")
            if settled.partial:
                say(ctx, "      and name these paths in the commit too: it takes only what is named")
    if settled.paths and not settled.staged:
        raise typer.Exit(EXIT_REFUSED)


def debts(
    ctx: typer.Context,
    show_all: Annotated[bool, typer.Option("--all", help="Paid debts too.")] = False,
    run: Run = False,
    allow_commands: Allow = False,
) -> None:
    """List what is owed, the most pressing first: its misses, its age, and what its condition sees."""
    here = ground(ctx)
    memory = open_memory(here.place)
    source = WholeMemory(memory, here.today)
    pending = read_pending(here.place)
    counts = read_counts(here.place).notes
    watched = {
        note.path
        for note, standing in source.all()
        if is_watched(note, standing, here.today, source.settings)
    }
    wanted = (OWED, SETTLED) if show_all else (OWED,)
    found = [
        one
        for one in source.all()
        if one.note.lifecycle == DEBT and (one.standing.name in wanted or one.note.path in watched)
    ]
    running = _running(here, run, allow_commands)
    verdicts = {
        one.note.path: judged.verdict
        for one, judged in judge_all_now(here.place, memory, found, here.today, running)
    }
    rows = []
    for note, standing in found:
        verdict = verdicts.get(note.path)
        fails = verdict is not None and verdict.state == FAILS
        misses = standing.misses + pending.misses.get(note.id, 0)
        waits = not fails and pending.pays(note.id, condition_digest(note.condition))
        fires = counts.get(note.id, Count()).fires
        rows.append(Debt(note, standing, misses, fires, verdict, waits, fails and note.path in watched))
    rows = [row for row in rows if show_all or row.state == OWED]
    rows += _invalid_debts(memory, here.today)
    rows.sort(key=lambda row: (row.state, -row.misses, row.note.created or "9", row.note.path))
    if common(ctx).json:
        print_json("debts", {"debts": [debt_fields(row, here.today) for row in rows]})
        return
    write(debt_lines(rows, here.today, source.settings.ask_after, here.common.color))


def _invalid_debts(memory: Memory, today: str) -> list[Debt]:
    """What is owed by notes that are not delivered: their condition, or something else, is invalid."""
    faults = unfit(memory)
    if not faults:
        return []
    standing = standings(memory, today)
    return [
        Debt(note, standing[note.path], standing[note.path].misses, 0, faults=told)
        for note in memory.notes
        if note.lifecycle == DEBT and note.path in faults and standing[note.path].name == OWED
        if (told := tuple(f"{one.code} {redact(one.message)}" for one in faults[note.path]))
    ]


def stats(ctx: typer.Context) -> None:
    """Tell how often each note was told, and what that suggests.

    Written counts the turns in which a rule's anchor was written; a debt that stays owed is missed then.
    """
    here = ground(ctx)
    source = WholeMemory(open_memory(here.place), here.today)
    pending = read_pending(here.place)
    counts = read_counts(here.place)
    rows = []
    for note, standing in source.all():
        if not (standing.live or standing.name == SETTLED):
            continue
        count = counts.notes.get(note.id, Count())
        misses = standing.misses + pending.misses.get(note.id, 0)
        suggests = suggestion(note, count.fires, count.sessions, count.writes, counts.sessions)
        rows.append(Fired(note, count.fires, count.sessions, misses, count.writes, suggests))
    rows.sort(key=lambda row: (-row.fires, -row.misses, row.note.path))
    if common(ctx).json:
        print_json("stats", {"sessions": counts.sessions, "notes": [fired_fields(row) for row in rows]})
        return
    write(fired_table(rows, counts.sessions, here.common.color))


def pay(
    ctx: typer.Context,
    note: NoteArgument,
    reason: Reason = "",
    apply: Apply = False,
    lock_timeout: LockTimeout = TIMEOUT,
) -> None:
    """Declare a debt paid; your name and your reason are recorded."""
    run_with_reason(ctx, "pay", note, reason, apply, lock_timeout)


def _running(here: Ground, run: bool, allow_commands: bool) -> Running | None:
    """Whose word counts for running commands; None where none is run."""
    if not run and not allow_commands:
        return None
    from memwarden.edge.command.trust import Everyone, TrustStore, trust_folder

    return Running(Everyone() if allow_commands else TrustStore(trust_folder(here.env)), here.env)
