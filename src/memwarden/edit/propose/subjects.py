"""``mem subject``: names of what the project is about, added, renamed and merged on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memwarden.core.registry import spelling_key, split_aspect
from memwarden.core.subject import PROJECT, Subject
from memwarden.edit.document import append_to_list, set_field
from memwarden.edit.plan import Proposal
from memwarden.edit.propose.bench import Bench
from memwarden.edit.propose.registering import new_subject, require_no_aspect
from memwarden.errors import Refused, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.memory import Memory
    from memwarden.edit.plan import Surroundings


def propose_subject_add(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """A new subject's file."""
    bench = Bench(memory, around)
    path, data, _ = new_subject(
        bench,
        intent["name"],
        intent["kind"],
        intent["ref"],
        intent["aliases"],
        intent["body"],
        intent.get("id", ""),
    )
    return Proposal(changes={path: data})


def propose_subject_alias(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """One more spelling of a subject."""
    bench = Bench(memory, around)
    subject = registered(bench, intent["subject"])
    require_no_aspect(intent["name"])
    if not _is_free(bench, subject, intent["name"]):
        return Proposal()
    data = append_to_list(bench.content(subject.path), "aliases", intent["name"])
    return Proposal(changes={subject.path: data})


def propose_subject_rename(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """Another name for a subject: its ID and every reference stay, the old name becomes an alias."""
    bench = Bench(memory, around)
    subject = registered(bench, intent["subject"])
    if subject.name == intent["name"]:
        return Proposal()
    require_no_aspect(intent["name"])
    _is_free(bench, subject, intent["name"])
    data = bench.content(subject.path)
    kept = [alias for alias in subject.aliases if spelling_key(alias) != spelling_key(intent["name"])]
    if subject.name and subject.name not in kept:
        kept.append(subject.name)
    if list(subject.aliases) != kept:
        data = set_field(data, "aliases", list(kept))
    return Proposal(changes={subject.path: set_field(data, "name", intent["name"])})


def propose_subject_merge(memory: Memory, intent: Mapping[str, Any], around: Surroundings) -> Proposal:
    """One subject forwards to another; notes about either reach the live one."""
    bench = Bench(memory, around)
    merged, into = registered(bench, intent["from"], forward=False), bench.registry.canonical(intent["into"])
    target, aspect = split_aspect(into)
    if not into:
        bench.registry.require(intent["into"])
    if aspect or (target != PROJECT and target not in bench.registry.subjects):
        raise UsageError(f"{intent['into']!r} is no registered subject", "merge into a subject by its name")
    if merged.merged_into and bench.registry.forwarded(merged.id) == target:
        return Proposal()
    if target == merged.id:
        raise Refused(f"{merged.id} and {intent['into']} are one subject already", "name two different ones")
    data = set_field(bench.content(merged.path), "merged_into", target)
    reads = {bench.registry.subjects[target].path} if target in bench.registry.subjects else set()
    return Proposal(changes={merged.path: data}, reads=frozenset(reads))


def registered(bench: Bench, text: str, *, forward: bool = True) -> Subject:
    """The registered subject that ``text`` spells; with ``forward`` through its merges."""
    found = bench.registry.require(text)
    identity = split_aspect(found)[0] if forward else bench.registry.owner_of(text) or split_aspect(found)[0]
    subject = bench.registry.subjects.get(identity)
    if subject is None:
        raise UsageError(
            f"{text!r} is no registered subject: {found} needs none",
            "mem subject list names the registered ones",
        )
    return subject


def _is_free(bench: Bench, subject: Subject, name: str) -> bool:
    """Whether a spelling is new; raises :class:`Refused` where another subject has it."""
    owner = bench.registry.owner_of(name)
    if not owner:
        return True
    if owner != subject.id:
        raise Refused(f"M303: {name!r} belongs to {owner} already", "merge the two, or choose another name")
    return False
