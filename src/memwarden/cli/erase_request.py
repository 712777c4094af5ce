"""What ``mem purge`` and ``mem forget --hard`` do with the words they were given, whoever took them apart."""

from __future__ import annotations

from memwarden.cli.carrying import desk_of, say_unkept
from memwarden.cli.from_here import FromHere
from memwarden.cli.given_text import standard_input
from memwarden.cli.stage import Running, common, ground, print_json, say, write
from memwarden.core.memory import Memory
from memwarden.core.record import TYPE_CHECKING
from memwarden.edge.erase.empty_folders import telling_folders
from memwarden.edge.erase.erasing import Erased, Traces, discreet, erase, is_plain, memory_to_erase, traces
from memwarden.edge.erase.exposure import Exposure, measure, without_staged
from memwarden.edge.erase.index_only import as_meant, with_index
from memwarden.edge.erase.outside import NONE, NOT_REACHED, REMOVED, Scope
from memwarden.edge.erase.private_traces import drop_rebuilt, is_rebuilt, private_span, worktree_places
from memwarden.edge.writing.mutation import Built, Desk, Stale, build
from memwarden.edge.writing.plans import save_plan
from memwarden.edge.writing.recovery import warning
from memwarden.edit.erasure import OTHERS, told
from memwarden.edit.targets import purge_intent, topic_of_text
from memwarden.errors import EXIT_DONE, EXIT_REFUSED, EXIT_STALE, MemError, Refused, StalePlan, UsageError
from memwarden.render.exposure import (
    blocker_fields,
    exposure_page,
    outside_fields,
    outside_scopes,
    scope_fields,
)
from memwarden.render.plan import plan_fields, plan_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from memwarden.edge.writing.mutation import MakeIntent
    from memwarden.edit.topic import Topic

IN_HISTORY = (
    "the text stood on the command line: your shell's history may keep it; --match - reads standard input"
)


def purge_memory(
    ctx: Running, notes: Sequence[str] = (), subject: str = "", match: str = "", apply: bool = False
) -> int:
    """The preview of a purge; the result is the exit code."""
    if not (notes or subject or match):
        raise UsageError("nothing is named", "give notes, --subject or --match")
    text = standard_input("--match").strip() if match == "-" else match
    if match and not text.strip():
        raise UsageError("--match has nothing to match", "give some text")
    remarks = (IN_HISTORY,) if match and match != "-" else ()

    def make_intent(memory: Memory) -> dict[str, Any]:
        about = FromHere(ground(ctx).place).known_subject(subject, memory, "--subject") if subject else ""
        return purge_intent(memory, notes, about, text)

    return erase_preview(ctx, "purge", make_intent, apply=apply, remarks=remarks, text=text)


def finish_erasing(
    ctx: Running,
    desk: Desk,
    plan_id: str,
    lock_timeout: float,
    verb: str = "apply",
    choices: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> int:
    """Apply a plan that forgets, or end one that was cut short, and report; residue is a failure.  ``more``
    are fields of the JSON object."""
    try:
        erased = erase(desk, plan_id, ground(ctx).env, lock_timeout, choices)
    except Stale as stale:
        _show_new(ctx, desk, stale)
        return EXIT_STALE
    if erased.topic is None:
        if common(ctx).json:
            print_json(
                verb, {**(more or {}), "plan": None, "applied": True, "already_applied": True, "notes": []}
            )
        say(ctx, f"plan {plan_id} is already applied")
        return EXIT_DONE
    if erased.again:
        say(ctx, f"plan {plan_id} had been cut short, and is ended now")
    _show_erased(ctx, desk, erased, verb, more or {})
    return EXIT_REFUSED if erased.residue else EXIT_DONE


def erase_preview(
    ctx: Running,
    verb: str,
    make_intent: MakeIntent,
    *,
    apply: bool,
    remarks: tuple[str, ...] = (),
    text: str = "",
) -> int:
    """The preview of what is applied by its plan ID alone; the result is the exit code."""
    here = ground(ctx)
    desk = desk_of(here)
    waiting = warning(here.place)
    if waiting:
        say(ctx, f"mem: warning: {waiting}")
    memory = memory_to_erase(here.place)
    memory, intent = with_index(here.place, memory, make_intent)
    alone = topic_of_text(text) if text and not intent["marks"] else None
    if alone is not None:
        span = private_span(worktree_places(here.place), alone)
        intent = {**intent, "marks": [span] if span else []}
    seen = traces(desk, memory, intent, here.env)
    sought = alone if alone is not None and not seen.topic.marks else seen.topic
    exposure = measure(here.place, sought, seen.cleared, plain=is_plain(memory))
    exposure = without_staged(exposure, intent)
    seen = seen._replace(risks=(*seen.risks, *remarks))
    if seen.blocked:
        _show(ctx, verb, None, seen, exposure, error=_blocked(seen))
        return EXIT_REFUSED
    built = build(discreet(desk, seen.topic), memory, intent)
    unkept = ""
    if intent["marks"] or not built.plan.is_empty:
        unkept = save_plan(here.place, built.plan)
    else:
        # What is dropped whole beside something else is looked into where there is nothing else.
        dropped = drop_rebuilt(worktree_places(here.place), sought)
        folders = [f"{path}/: an empty folder; remove it" for path in telling_folders(here.place, sought)]
        scopes = [_without_plan(one, dropped, folders) for one in seen.scopes]
        _show(ctx, verb, None, seen._replace(scopes=tuple(scopes)), exposure)
        say(ctx, "nothing of that is in the memory, so there is no plan")
        return EXIT_DONE
    refusal = None
    if apply:
        way = f"look at the preview, then run mem apply {built.plan.id}"
        what = "forget --hard" if verb == "forget" else verb
        refusal = Refused(f"{what} is applied by its plan ID only, so nothing was written", way)
    _show(ctx, verb, built, seen, exposure, error=refusal)
    if unkept:
        say_unkept(ctx, built.plan.id, unkept)
    return EXIT_REFUSED if refusal else EXIT_DONE


def _without_plan(one: Scope, dropped: Iterable[tuple[str, str]], folders: Sequence[str]) -> Scope:
    """A scope where no plan removes anything: an empty folder is left, and what is built again dropped."""
    if one.name == OTHERS and folders:
        return Scope(one.name, NOT_REACHED, tuple(folders))
    if not is_rebuilt(one.name):
        return one
    items = tuple(item for name, item in dropped if name == one.name)
    return Scope(one.name, REMOVED if items else NONE, items)


def _blocked(seen: Traces) -> Refused:
    count = len(seen.blocked)
    what = "1 other trace stands" if count == 1 else f"{count} other traces stand"
    return Refused(
        f"{what} in the way; nothing was removed", "rewrite them, or name those notes too, then run it again"
    )


def _show(
    ctx: Running,
    verb: str,
    built: Built | None,
    seen: Traces,
    exposure: Exposure,
    error: MemError | None = None,
) -> None:
    if common(ctx).json:
        fields: dict[str, Any] = {
            "plan": plan_fields(built.plan, built.findings) if built else None,
            "applied": False,
            "notes": sorted(seen.topic.ids),
            "remarks": list(seen.risks),
            **scope_and_outside(seen.scopes, exposure),
            "blocked": blocker_fields(seen.blocked),
        }
        if error:
            fields["error"] = _error_fields(error)
        print_json(verb, fields)
    else:
        scopes = (*seen.scopes, *outside_scopes(exposure))
        write(exposure_page(scopes, seen.blocked, seen.risks, nothing=not built and not seen.blocked))
        if built:
            # The files that go are listed above; their text is in mem show, and the diff in --json.
            stay = tuple(change for change in built.plan.changes if change.after is not None)
            write("\n" + plan_page(built.plan._replace(remarks=(), changes=stay), built.findings))
    if error:
        say(ctx, f"mem: {error.message}\n  next: {error.next_step}")


def _show_erased(ctx: Running, desk: Desk, erased: Erased, verb: str, more: Mapping[str, Any]) -> None:
    """What is said afterwards repeats no topic: files go by their digests, and there is no diff."""
    built, topic = erased.built, erased.topic
    assert topic is not None
    exposure = measure(desk.place, topic, erased.cleared, plain=erased.plain)
    count = "1 trace is" if len(erased.residue) == 1 else f"{len(erased.residue)} traces are"
    left = f"{count} left: {'; '.join(erased.residue)}" if erased.residue else ""
    remarks = [*(built.plan.remarks if built else ()), *(() if erased.whole else (_UNKNOWN_TEXT,))]
    if common(ctx).json:
        fields: dict[str, Any] = {
            **more,
            "plan": _discreet_fields(built, topic) if built else None,
            "applied": True,
            "notes": list(built.plan.notes) if built else sorted(topic.ids),
            "remarks": remarks,
            **scope_and_outside(erased.scopes, exposure),
            "residue": list(erased.residue),
        }
        if erased.again:
            fields["already_applied"] = True
        if left:
            fields["error"] = {"message": left, "next_step": _NEXT, "exit": EXIT_REFUSED}
        print_json(verb, fields)
    else:
        scopes = (*erased.scopes, *outside_scopes(exposure))
        write(exposure_page(scopes, (), remarks, applied=True))
    if left:
        say(ctx, f"mem: {left}\n  next: {_NEXT}")


def _discreet_fields(built: Built, topic: Topic) -> dict[str, Any]:
    plan = plan_fields(built.plan, built.findings, built.files)
    plan["changes"] = [{**change, "path": told(change["path"], topic)} for change in plan["changes"]]
    return {**plan, "diff": ""}


_UNKNOWN_TEXT = "the text went with its last file, unsearched for: mem purge --match - looks for it once more"
_NEXT = "somebody wrote it meanwhile, or it is no file of ours: remove it, or purge again"


def _show_new(ctx: Running, desk: Desk, stale: Stale) -> None:
    """The plan that a stale one has become, with its whole report."""
    place, intent = desk.place, stale.built.plan.intent
    memory = as_meant(place, memory_to_erase(place), intent)
    seen = traces(desk, memory, intent, ground(ctx).env)
    exposure = without_staged(measure(place, seen.topic, seen.cleared, plain=is_plain(memory)), intent)
    if seen.blocked:
        error = StalePlan(stale.message, _blocked(seen).next_step)
        _show(ctx, "apply", None, seen, exposure, error=error)
    else:
        _show(ctx, "apply", stale.built, seen, exposure, error=stale)


def scope_and_outside(scopes: Iterable[Scope], exposure: Exposure) -> dict[str, Any]:
    """The ``scope`` and ``outside`` fields of ``--json``."""
    return {
        "scope": scope_fields((*scopes, *outside_scopes(exposure))),
        "outside": outside_fields(exposure),
    }


def _error_fields(error: Any) -> dict[str, Any]:
    return {"message": error.message, "next_step": error.next_step, "exit": error.exit_code}
