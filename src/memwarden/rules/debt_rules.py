"""M4xx: debts, their conditions and payments, and what rules verify."""

from __future__ import annotations

from collections.abc import Iterator

from memwarden.core.authority import PAY, may
from memwarden.core.canonical import condition_digest
from memwarden.core.condition import FAILS, HOLDS, Verdict
from memwarden.core.condition_parts import commands_in, looked_at
from memwarden.core.dates import days_between
from memwarden.core.glob import matches
from memwarden.core.note import ACTIVE, DEBT, RULE, Note, place_of
from memwarden.core.record import TYPE_CHECKING
from memwarden.core.standing import DECLARED, OWED, SETTLED, seen_failing
from memwarden.errors import ERROR, NOTICE, WARNING, Finding
from memwarden.rules.scene import Scene

if TYPE_CHECKING:
    from memwarden.core.event import Event


def new_debt_is_owed(scene: Scene) -> Iterator[Finding]:
    """A debt that this change adds or re-words has a condition that already holds.

    Why: red, then green. A condition that holds before anything was done is met already, or it is the wrong
    one and would pay the debt for the wrong reason. A recorded failing verdict for the condition counts as
    red; in a range each condition is judged at the commit that introduced it.

    Fix: write a condition that fails today, or drop the debt.

    Example: `condition: {file_contains: {path: a.py, pattern: import}}` where `a.py` imports something.
    """
    for note in scene.active:
        if note.lifecycle != DEBT or note.condition is None:
            continue
        if scene.standings[note.path].name not in (OWED, SETTLED):
            continue
        verdict = held_when_written(scene, note)
        if verdict is not None:
            fix = "write a condition that fails today, or drop the debt"
            yield _about(note, "M401", ERROR, f"the condition already holds: {verdict.why}", fix)


def payment_still_holds(scene: Scene) -> Iterator[Finding]:
    """A recent payment's condition no longer holds (warning).

    Why: the branch was switched, the fix discarded, or the bug is back. Until `recheck_days` have passed the
    debt is delivered as owed; older payments are history.

    Fix: bring the fix back, or let `mem settle` record the regression. Where git saw the file renamed, let
    `mem subject rename path:OLD path:NEW` follow it first.

    Example: a `git revert` of the commit that had paid the debt.
    """
    settings = scene.memory.settings
    for note in scene.active:
        standing = scene.standings[note.path]
        if standing.name != SETTLED or standing.paid is None or note.condition is None:
            continue
        if standing.paid.facts.get("how") == DECLARED:
            continue  # a person's word, not a verdict: there is nothing to come back
        age = days_between(standing.paid.at[:10], scene.context.today)
        verdict = scene.verdict(note) if age < settings.recheck_days else None
        if verdict is not None and verdict.state == FAILS:
            message = f"paid on {standing.paid.at[:10]}, but the condition no longer holds: {verdict.why}"
            fix = "mem settle records that it came back"
            old, new = _moved(scene, note)
            if new:
                message += f"; git saw {old} renamed to {new}"
                fix = f"mem subject rename path:{old} path:{new}"
            yield _about(note, "M402", WARNING, message, fix)


def command_is_endorsed(scene: Scene) -> Iterator[Finding]:
    """A command condition is not endorsed here (notice).

    Why: a note may name a command, and a clone must not run it unasked. It is run only where this user has
    endorsed exactly this command, of this note, in this folder; until then nobody can tell whether it holds.

    Fix: `mem trust NOTE` shows the command and asks. CI opts in with `--allow-commands`.

    Example: `condition: {command: {run: [pytest, -q, tests/test_retry.py]}}`.
    """
    endorsed = scene.context.endorsed
    if endorsed is None:
        return
    for note in scene.live:
        field, condition = (
            ("condition", note.condition) if note.lifecycle == DEBT else ("verify", note.verify)
        )
        for test in commands_in(condition) if condition is not None else ():
            if not endorsed(note, test):
                yield Finding(
                    "M403",
                    NOTICE,
                    f"the command {' '.join(test.run)!r} is not endorsed here, so it is not run",
                    note.path,
                    key=field,
                    note=note.id,
                    fix=f"mem trust {note.name} shows it and asks",
                )
                break


def rule_still_holds(scene: Scene) -> Iterator[Finding]:
    """A rule's `verify` fails (warning).

    Why: the workspace no longer has the property that the rule is about. That never ends the rule by itself:
    someone decides whether the workspace or the rule is wrong.

    Fix: restore the property, or supersede or revoke the rule.

    Example: `verify: {file_contains: {path: config/app.yaml, text: generated}}` and the header is gone.
    """
    for note in scene.live:
        if note.lifecycle != RULE or note.verify is None:
            continue
        verdict = scene.verdict(note)
        if verdict is not None and verdict.state == FAILS:
            yield Finding(
                "M404",
                WARNING,
                f"verify fails: {verdict.why}",
                note.path,
                key="verify",
                note=note.id,
                fix="restore what the rule is about, or supersede or revoke the rule",
            )


def anchors_match_something(scene: Scene) -> Iterator[Finding]:
    """An anchor or condition path matches nothing (warning).

    Why: an anchor that matches nothing never comes up, and a condition that looks at a file that is not
    there cannot tell. A file that is still to come is fine: the anchor fires once the path is touched.

    Fix: correct the path. Where git saw a rename, `mem subject rename path:OLD path:NEW` rewrites anchors,
    evidence, conditions and subjects in one plan.

    Example: `anchors: [src/retyr.py]`.
    """
    for note in scene.live:
        for at, anchor in enumerate(note.anchors):
            if anchor.kind == "path" and not scene.tree.matches(anchor.text):
                key = f"anchors[{at}]"
                yield _orphan(scene, note, anchor.text, f"the anchor {anchor.text} matches nothing", key)
        for field, condition in (("condition", note.condition), ("verify", note.verify)):
            for key, path in looked_at(condition, field) if condition is not None else ():
                if not scene.tree.matches(path):
                    message = f"the condition looks at {path}, which matches nothing"
                    yield _orphan(scene, note, path, message, key)


def payment_is_recorded(scene: Scene) -> Iterator[Finding]:
    """An owed debt's condition holds and no payment is recorded yet (notice).

    Why: the debt is done; the event that says so, with its evidence and commit, is still to be written.

    Fix: `mem settle` records it, as does the next turn close of an agent that meets it.

    Example: the fix was merged by a colleague whose machine has no `mem`.
    """
    for note, verdict in payable(scene):
        if held_when_written(scene, note):
            continue  # M401 has said it
        message = f"the condition holds, and no payment is recorded yet: {verdict.why}"
        yield _about(note, "M406", NOTICE, message, "mem settle records it")


def payment_is_more_than_a_word(scene: Scene) -> Iterator[Finding]:
    """A debt was declared paid while its condition does not hold (notice).

    Why: a person's word counts over a condition that is wrong or cannot see. It stays visible who gave it and
    for what reason, as long as the condition says otherwise. An agent's or a build's word goes so
    far only where the manifest says `agents_may_admit`: elsewhere it is a warning.

    Fix: nothing, if the word is good; else `mem reinstate` it, or give the debt a condition that tells.

    Example: `mem pay NOTE --reason "fixed in the library"` while the condition looks at this repository.
    """
    settings = scene.memory.settings
    for note in scene.active:
        paid = scene.standings[note.path].paid
        if paid is None or note.condition is None or paid.facts.get("how") != DECLARED:
            continue
        verdict = scene.verdict(note)
        if verdict is None or verdict.state != FAILS:
            continue
        kind, name = paid.actor
        reason = str(paid.facts.get("reason") or "no reason given")
        allowed = may(kind, PAY, settings)
        yield _about(
            note,
            "M407",
            NOTICE if allowed else WARNING,
            f"declared paid by {name} on {paid.at[:10]} ({reason}), while the condition says: {verdict.why}",
            f"nothing, if the word is good; else mem reinstate {note.id}",
        )


def payment_can_be_traced(scene: Scene) -> Iterator[Finding]:
    """A payment's commit is unreachable and its blobs are not found (notice).

    Why: after a squash merge the recorded commit is often gone, and the standing rests on the blobs and the
    condition. Where those are gone too, nothing but the event itself says that the debt was paid.

    Fix: nothing, if the condition still holds; `mem blame NOTE` finds the commit that it landed as.

    Example: a branch was squashed, rewritten and garbage-collected.
    """
    lost = scene.context.lost
    if lost is None:
        return
    paid = [(note, scene.standings[note.path].paid) for note in scene.active]
    payments = {event.path: note for note, event in paid if event is not None}
    events: list[Event] = [event for _, event in paid if event is not None]
    for path in sorted(lost(events)) if events else ():
        note = payments[path]
        message = "the commit and the blobs that its payment rests on are not in this repository"
        yield _about(note, "M408", NOTICE, message, f"mem blame {note.id}")


def overdue_debt_is_not_passed_by(scene: Scene) -> Iterator[Finding]:
    """This commit writes an overdue debt's anchor and leaves it owed.

    Why: the debt was shown at this file `ask_after` times and more, and the file is being changed again
    without it. The manifest's `overdue` says whether that is a warning or an error.

    Fix: pay the debt, declare it paid with `mem pay`, or revoke it if it was wrong.

    Example: `tests/test_retry.py` is changed for the fourth time and is still flaky.
    """
    settings = scene.memory.settings
    severity = ERROR if settings.overdue == "error" else WARNING
    for note in scene.live if scene.context.written else ():
        standing = scene.standings[note.path]
        if standing.name != OWED or standing.misses < settings.ask_after:
            continue
        written = _written(note, scene.context.written)
        verdict = scene.verdict(note) if written and note.condition is not None else None
        if written and (verdict is None or verdict.state != HOLDS):
            yield _about(
                note,
                "M409",
                severity,
                f"{written} is written and the debt is left owed after {standing.misses} misses",
                f"pay it, or mem pay {note.id}, or mem revoke {note.id}",
            )


def payable(scene: Scene) -> Iterator[tuple[Note, Verdict]]:
    """Every owed debt whose condition holds and would be paid by that."""
    for note in scene.live:
        standing = scene.standings[note.path]
        if standing.name != OWED or note.condition is None or standing.awaits_red:
            continue
        verdict = scene.verdict(note)
        if verdict is None or verdict.state != HOLDS:
            continue
        if verdict.ran and not _was_red(scene, note):
            continue  # a command pays only after it was seen failing
        yield note, verdict


def held_when_written(scene: Scene, note: Note) -> Verdict | None:
    """The verdict of a debt that this change adds or re-words and whose condition held from the start."""
    if _stood_before(scene, note):
        return None
    verdict = scene.first_verdict(note)
    return verdict if verdict is not None and verdict.holds and not _was_red(scene, note) else None


def _stood_before(scene: Scene, note: Note) -> bool:
    """Whether the debt was there before this change, with the same condition."""
    return any(
        old.lifecycle == DEBT and old.condition == note.condition and place_of(old.path) == ACTIVE
        for old in scene.before(note)
    )


def _was_red(scene: Scene, note: Note) -> bool:
    """Whether some event holds a failing verdict for the condition."""
    events = scene.memory.events.get(note.id, ()) if note.id else ()
    return bool(events) and seen_failing(events, condition_digest(note.condition))


def _written(note: Note, paths: tuple[str, ...]) -> str:
    """The first of ``paths`` that an anchor of the note matches, or ""."""
    globs = [anchor.text for anchor in note.anchors if anchor.kind == "path"]
    return next((path for path in paths if any(matches(glob, path) for glob in globs)), "")


def _about(note: Note, code: str, severity: str, message: str, fix: str) -> Finding:
    return Finding(code, severity, message, note.path, key="condition", note=note.id, fix=fix)


def _moved(scene: Scene, note: Note) -> tuple[str, str]:
    """A path that the condition looks at, and where git saw it go; else ("", "")."""
    for _, path in looked_at(note.condition, "condition") if note.condition is not None else ():
        fate = scene.context.fate(path) if scene.context.fate and not scene.tree.matches(path) else None
        if fate:
            return path, fate
    return "", ""


def _orphan(scene: Scene, note: Note, path: str, message: str, key: str) -> Finding:
    fate = scene.context.fate(path) if scene.context.fate else None
    name = note.name
    near = scene.tree.nearest(path) if fate is None else ""
    fix = f"mem edit {name} corrects the path; or leave it for a file that is still to come"
    if near:
        fix = f"did you mean {near}? mem edit {name} corrects it, mem revoke {name} takes the note back"
    if fate:
        message += f"; git saw it renamed to {fate}"
        fix = f"mem subject rename path:{path} path:{fate}"
    elif fate == "":
        message += "; git saw it deleted"
        fix = "move the note to memory/archive/ if it went with the file, or name where it lives now"
    return Finding("M405", WARNING, message, note.path, key=key, note=note.id, fix=fix)
