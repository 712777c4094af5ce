"""What a check found, as one value: every face of it (text, JSON, annotations, SARIF) shows the same."""

from __future__ import annotations

from collections.abc import Callable

from memwarden.core.record import NamedTuple
from memwarden.errors import ERROR, EXIT_DONE, EXIT_REFUSED, NOTICE, WARNING, Finding


class Paid(NamedTuple):
    """A debt that this change pays: its condition holds now, and did not before."""

    note: str
    path: str
    title: str
    why: str = ""


class Report(NamedTuple):
    """``findings`` in order; ``old`` says for each whether the base had it already; ``compared`` that
    there was a base; ``paid`` are the debts that this change pays."""

    findings: tuple[Finding, ...] = ()
    old: tuple[bool, ...] = ()
    compared: bool = False
    paid: tuple[Paid, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 where there is an error that the base had not."""
        fresh = (finding.severity for finding, old in self.listed() if not old)
        return EXIT_REFUSED if ERROR in fresh else EXIT_DONE

    def listed(self) -> list[tuple[Finding, bool]]:
        """Every finding with whether it was there already."""
        return list(zip(self.findings, self.old or (False,) * len(self.findings), strict=True))

    def counts(self) -> dict[str, int]:
        """How many errors, warnings and notices there are, and how many of all were there already."""
        severities = [finding.severity for finding in self.findings]
        counts = {severity: severities.count(severity) for severity in (ERROR, WARNING, NOTICE)}
        return {**counts, "already_there": sum(self.old)}


def strictly(report: Report) -> Report:
    """The report with its warnings made errors."""
    made = tuple(
        finding._replace(severity=ERROR) if finding.severity == WARNING else finding
        for finding in report.findings
    )
    return report._replace(findings=made)


def narrowed(report: Report, wanted: Callable[[str], bool]) -> Report:
    """The report with the findings whose path is ``wanted``."""
    kept = [(finding, old) for finding, old in report.listed() if wanted(finding.path)]
    paid = tuple(one for one in report.paid if wanted(one.path))
    return report._replace(findings=tuple(f for f, _ in kept), old=tuple(o for _, o in kept), paid=paid)
