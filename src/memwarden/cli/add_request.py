"""What ``mem add`` does with the words it was given, whoever took them apart."""

from __future__ import annotations

from memwarden.cli.carrying import carry, may_ask
from memwarden.cli.from_here import FromHere, note_said, say_how_read
from memwarden.cli.said import (
    anchors_said,
    condition_said,
    date_said,
    default_evidence,
    evidence_said,
    new_id,
    one_line,
    prose,
    read_text,
    reference,
)
from memwarden.cli.stage import Running, ground, say
from memwarden.core.memory import Memory
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.secrets import redact
from memwarden.core.visible import plain
from memwarden.edge.writing.lock import DEFAULT_TIMEOUT
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from typing import Any

# How a person says at the question that a debt will be declared paid.
DECLARED = ("paid", "declared", "event")
RULES = ("nothing", "rule")
MOST_ANSWERS = 3
QUESTION = """What would make this note unnecessary?
  Enter                           nothing: it is a rule
  contains:src/x.py:new_name      it is a debt, and this check pays it
  absent:src/old.py               likewise; also exists:, lacks:, after:DATE
  paid                            a debt, and you will say when it is paid"""


class Claims(NamedTuple):
    """The options that ``add`` and ``admit`` have in common, as they were typed."""

    debt: bool = False
    until: str = ""
    anchor: list[str] | None = None
    on_command: list[str] | None = None
    subject: str = ""
    new_subject: bool = False
    facet: str = ""
    module: str = ""
    evidence: list[str] | None = None
    supersedes: list[str] | None = None
    exception_to: str = ""
    verify: str = ""
    expires: str = ""
    not_before: str = ""
    tag: list[str] | None = None


class Wording(NamedTuple):
    """The text of ``add``, and how it ends."""

    text: str = ""
    title: str = ""
    body: str = ""
    candidate: bool = False
    apply: bool = False
    lock_timeout: float = DEFAULT_TIMEOUT


def add_note(ctx: Running, wording: Wording, claims: Claims) -> int:
    """Preview or write one new note; the result is the exit code."""
    here = ground(ctx)
    words, seen = _worded(wording), FromHere(here.place)
    if not (claims.debt or claims.until or claims.verify or wording.apply) and may_ask(ctx):
        debt, until = ask_what_ends_it(ctx, seen)
        claims = claims._replace(debt=debt, until=until)
    said = {
        **words,
        "command": "add",
        "date": here.today,
        **said_claims(claims, seen),
        "candidate": wording.candidate,
    }
    actor = here.actor
    said["by"] = actor.kind
    said["evidence"] = said["evidence"] or default_evidence(actor, here.today)
    say_how_read(ctx, seen)

    def make_intent(memory: Memory) -> dict[str, Any]:
        return {**said, "id": new_id(memory), **said_notes(memory, claims)}

    named = bool(claims.supersedes or claims.exception_to)
    return carry(
        ctx, "add", make_intent, apply=wording.apply, lock_timeout=wording.lock_timeout, nearby=not named
    )


def said_claims(claims: Claims, seen: FromHere) -> dict[str, Any]:
    """The claims as an intent holds them, but for the notes that they name."""
    debt = claims.debt or bool(claims.until)
    if debt and claims.verify:
        raise UsageError("--verify is for rules", "a debt has --until: what makes it paid")
    if claims.new_subject and not claims.subject:
        raise UsageError("--new-subject needs --subject", "name the subject that is to be created")
    return {
        "debt": debt,
        "until": condition_said(claims.until, "--until", seen),
        "verify": condition_said(claims.verify, "--verify", seen),
        "anchors": anchors_said(claims.anchor or (), claims.on_command or (), seen),
        "subject": seen.subject(one_line(claims.subject, "--subject")) if claims.subject else "",
        "new_subject": claims.new_subject,
        "facet": one_line(claims.facet, "--facet") if claims.facet else "",
        "module": claims.module,
        "evidence": evidence_said(claims.evidence or (), seen),
        "expires": date_said(claims.expires, "--expires"),
        "not_before": date_said(claims.not_before, "--not-before"),
        "tags": [one_line(word, "--tag") for word in claims.tag or ()],
    }


def said_notes(memory: Memory, claims: Claims) -> dict[str, Any]:
    """The notes that the claims name."""
    return {
        "supersedes": [reference(memory, note_said(name)) for name in claims.supersedes or ()],
        "exception_to": reference(memory, note_said(claims.exception_to)) if claims.exception_to else "",
    }


def _worded(wording: Wording) -> dict[str, str]:
    """The title and the body: TEXT is the title, or with ``--title`` the body."""
    text, title, body = wording.text, wording.title, wording.body
    if title and text and body:
        raise UsageError(
            "TEXT, --title and --body are one too many", "TEXT is the body when --title is given"
        )
    said_body = read_text(body, "--body") if body else ""
    if title:
        said_body = said_body or read_text(text, "TEXT")
    elif not text:
        raise UsageError(
            "nothing to add", 'say it: mem add "config/app.yaml is generated: edit the template"'
        )
    else:
        title, _, rest = read_text(text, "TEXT").strip().partition("\n")
        said_body = said_body or rest
    return {"title": one_line(title, "the title"), "body": prose(said_body, "the body").strip("\n")}


def ask_what_ends_it(ctx: Running, seen: FromHere) -> tuple[bool, str]:
    """The one question: what would make this note unnecessary?  An answer that is none is asked for
    again; nothing has been written by then."""
    from typer import Abort, prompt  # only where there is a person to ask

    say(ctx, QUESTION)
    for _ in range(MOST_ANSWERS):
        answer = prompt("Enter, paid, or a condition", default="", show_default=False, err=True).strip()
        if not answer or answer.lower() in RULES:
            return False, ""
        if answer.lower() in DECLARED:
            return True, ""
        try:
            if answer == "-":  # there is no other input than these answers
                raise UsageError("a condition is asked for", "write it, as in the examples")
            condition_said(answer, "--until", FromHere(seen.place))
        except UsageError as error:
            say(ctx, f"  {plain(redact(error.message))}\n  {plain(redact(error.next_step))}".rstrip())
            continue
        return True, answer
    say(ctx, "mem: nothing is written; --debt --until CONDITION says it on the command line")
    raise Abort
