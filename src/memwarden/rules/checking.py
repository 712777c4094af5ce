"""Running every rule over one memory, and telling what a change brought from what was there before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from memwarden.core.memory import Memory
from memwarden.core.secrets import may_hold_secret, redact
from memwarden.errors import ERROR, NOTICE, WARNING, Finding
from memwarden.rules.catalogue import NEAR, RULES, Rule
from memwarden.rules.locate import located
from memwarden.rules.scene import Context, Scene

# So many texts are looked at together: more would only be more to hold.
TOGETHER = 256
_RANK = {ERROR: 0, WARNING: 1, NOTICE: 2}


def check(memory: Memory, context: Context, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Everything that is wrong with the memory, sorted by place, each once.

    What a reader found is reported by the rule of its code; a code that has no rule is reported too.
    ``NEAR`` in place of all rules leaves out those that look at the whole memory: what the others find is
    right for every note whose neighbourhood is in ``memory``.
    """
    return check_scene(Scene(memory, context), rules)


def check_scene(scene: Scene, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """:func:`check`, for whoever asks more of the same scene."""
    memory = scene.memory
    found = [finding for rule in rules for finding in rule.find(scene)]
    found += memory.findings if rules is RULES or rules is NEAR else ()
    unique = dict.fromkeys(located(found, memory.workspace))
    return _sorted(_discreet(tuple(unique)))


def _sorted(findings: Sequence[Finding]) -> list[Finding]:
    """The findings in order; most files have one, so the whole key is made for few."""
    found: list[Finding] = []
    for _, of_file in groupby(sorted(findings, key=attrgetter("path")), attrgetter("path")):
        found += sorted(of_file, key=in_order)
    return found


def _discreet(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The findings without any secret that a quoted value brought into their words."""
    said = list({text for finding in findings for text in (finding.message, finding.fix)})
    some = ("\n".join(said[at : at + TOGETHER]) for at in range(0, len(said), TOGETHER))
    if not any(map(may_hold_secret, some)):
        return findings
    safe = {text: redact(text) for text in said}
    return [one._replace(message=safe[one.message], fix=safe[one.fix]) for one in findings]


def identity(finding: Finding) -> tuple[str, str, str, str]:
    """What stays the same about a finding when lines move and a note's file is renamed."""
    return finding.code, finding.note or finding.path, finding.key, finding.message


def already_there(findings: Iterable[Finding], *bases: Iterable[Finding]) -> list[bool]:
    """For each finding whether some base had it too; a second one of the same identity is new unless
    that base had two."""
    stocks = [Counter(identity(finding) for finding in base) for base in bases]
    seen: Counter[tuple[str, str, str, str]] = Counter()
    told = []
    for finding in findings:
        name = identity(finding)
        seen[name] += 1
        told.append(any(stock[name] >= seen[name] for stock in stocks))
    return told


def in_order(finding: Finding) -> tuple[str, int, int, int, str, str, str]:
    """What findings are sorted by: their place, then how grave they are."""
    return (
        finding.path,
        finding.line,
        finding.column,
        _RANK.get(finding.severity, 3),
        finding.code,
        finding.key,
        finding.message,
    )
