"""The rules of the memory, each once, by code: what ``mem check`` runs and ``mem explain`` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memwarden.core.nearest import Nearest
from memwarden.core.record import NamedTuple
from memwarden.errors import Finding, UsageError
from memwarden.rules import (
    agent_rules,
    debt_rules,
    event_rules,
    evidence_rules,
    file_rules,
    manifest_rules,
    note_rules,
    ownership_rules,
    rewording_rules,
    safety_rules,
)
from memwarden.rules.scene import Scene

# How far a rule looks, beside the manifest, the subjects and the date.  NOTE: at one note or file, its
# events, the files that it names and its own past.  KEY: also at the notes of its neighbourhood, which share
# its ID, its subject and facet, or a link (``core.neighbours``).  WHOLE: at anything.  Where a change does
# not reach, nothing need be looked at again (``edge.review.again``).
NOTE, KEY, WHOLE = "note", "key", "whole"


class Rule(NamedTuple):
    """One constraint: ``find`` gives its findings, and its docstring says what, why and how to fix;
    ``reach`` is how far it looks."""

    code: str
    find: Callable[[Scene], Iterable[Finding]]
    reach: str = NOTE

    @property
    def name(self) -> str:
        """The rule as a sentence that holds where nothing is found: ``note-id-is-unique``."""
        return self.find.__name__.replace("_", "-")

    @property
    def title(self) -> str:
        """What a finding of this rule says, in one line."""
        return self.text.partition("\n")[0]

    @property
    def text(self) -> str:
        """What ``mem explain`` prints."""
        from inspect import cleandoc  # for a person who asks

        return cleandoc(self.find.__doc__ or "")


RULES = (
    Rule("M001", file_rules.frontmatter_can_be_read),
    Rule("M002", file_rules.merge_is_finished),
    Rule("M003", file_rules.fence_is_meant),
    Rule("M004", file_rules.note_id_is_unique, KEY),
    Rule("M005", file_rules.active_note_has_an_id),
    Rule("M006", file_rules.file_can_be_read),
    Rule("M007", file_rules.names_are_apart_everywhere, WHOLE),
    Rule("M008", file_rules.file_among_notes_is_a_note),
    Rule("M009", file_rules.code_fence_is_closed),
    Rule("M101", note_rules.active_note_has_a_key),
    Rule("M102", note_rules.field_has_its_form),
    Rule("M103", note_rules.facet_is_known),
    Rule("M104", note_rules.lifecycle_is_known),
    Rule("M105", note_rules.only_debts_are_paid),
    Rule("M106", note_rules.condition_is_valid),
    Rule("M107", note_rules.field_is_known),
    Rule("M108", note_rules.path_stays_inside),
    Rule("M109", note_rules.date_is_a_date),
    Rule("M110", note_rules.id_has_its_form),
    Rule("M111", evidence_rules.evidence_has_its_form),
    Rule("M112", note_rules.only_rules_are_verified),
    Rule("M113", note_rules.command_anchor_is_valid),
    Rule("M114", note_rules.brief_is_filled_in),
    Rule("M115", note_rules.anchor_is_about_something),
    Rule("M201", evidence_rules.active_note_has_evidence),
    Rule("M202", evidence_rules.new_evidence_is_there),
    Rule("M203", evidence_rules.evidence_is_as_pinned),
    Rule("M204", evidence_rules.admission_is_recorded),
    Rule("M205", evidence_rules.cited_commit_is_there),
    Rule("M301", ownership_rules.key_has_one_owner, KEY),
    Rule("M302", ownership_rules.successors_and_exceptions_hold, KEY),
    Rule("M303", ownership_rules.spelling_has_one_subject, WHOLE),
    Rule("M304", ownership_rules.subject_file_is_valid, WHOLE),
    Rule("M305", ownership_rules.subject_field_is_known, WHOLE),
    Rule("M306", ownership_rules.subject_is_known),
    Rule("M307", ownership_rules.merged_subject_leads_somewhere, WHOLE),
    Rule("M401", debt_rules.new_debt_is_owed),
    Rule("M402", debt_rules.payment_still_holds),
    Rule("M403", debt_rules.command_is_endorsed),
    Rule("M404", debt_rules.rule_still_holds),
    Rule("M405", debt_rules.anchors_match_something),
    Rule("M406", debt_rules.payment_is_recorded),
    Rule("M407", debt_rules.payment_is_more_than_a_word),
    Rule("M408", debt_rules.payment_can_be_traced),
    Rule("M409", debt_rules.overdue_debt_is_not_passed_by),
    Rule("M410", rewording_rules.what_pays_is_as_it_was),
    Rule("M501", manifest_rules.manifest_is_there, WHOLE),
    Rule("M502", manifest_rules.routed_file_is_there, WHOLE),
    Rule("M503", manifest_rules.module_can_be_reached, WHOLE),
    Rule("M504", manifest_rules.manifest_names_things_once, WHOLE),
    Rule("M505", manifest_rules.module_may_be_routed, WHOLE),
    Rule("M506", manifest_rules.manifest_is_understood, WHOLE),
    Rule("M507", manifest_rules.setting_is_valid, WHOLE),
    Rule("M508", manifest_rules.manifest_is_read_whole, WHOLE),
    Rule("M509", manifest_rules.protocol_is_known, WHOLE),
    Rule("M510", manifest_rules.budget_has_a_module, WHOLE),
    Rule("M601", event_rules.event_is_well_formed),
    Rule("M603", event_rules.event_stays_as_written, KEY),
    Rule("M604", event_rules.erased_note_stays_away, KEY),
    Rule("M605", event_rules.record_has_its_note, KEY),
    Rule("M701", safety_rules.no_secret_is_kept),
    Rule("M702", safety_rules.no_character_hides),
    Rule("M801", agent_rules.agent_block_is_whole, WHOLE),
    Rule("M802", agent_rules.agent_block_is_fresh, WHOLE),
)

NEAR = tuple(rule for rule in RULES if rule.reach != WHOLE)
BY_CODE = {rule.code: rule for rule in RULES}


def rule_of(code: str) -> Rule:
    """The rule with this code; raises :class:`UsageError` that names the nearest ones."""
    wanted = code.strip().upper()
    found = BY_CODE.get(wanted) or next((rule for rule in RULES if rule.name == code.strip().lower()), None)
    if found is not None:
        return found
    near = Nearest([*BY_CODE, *(rule.name for rule in RULES)]).to(code)
    hint = f"did you mean {', '.join(near)}? " if near else ""
    raise UsageError(f"{code}: no rule has this code", f"{hint}mem explain lists them all")
