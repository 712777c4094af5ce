"""A check's report as SARIF 2.1.0 (OASIS), for code scanning.

A result's fingerprint is made of what stays when lines move: the code, the note, the key and the message,
and a number where several are alike.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from memwarden import __version__
from memwarden.core.secrets import redact
from memwarden.core.visible import visible
from memwarden.errors import ERROR, NOTICE, WARNING, Finding, MemError
from memwarden.rules.catalogue import RULES, Rule
from memwarden.rules.checking import identity
from memwarden.rules.report import Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "memwardenFinding/v1"
_LEVELS = {ERROR: "error", WARNING: "warning", NOTICE: "note"}


def log(report: Report) -> dict[str, Any]:
    """The SARIF log of one run."""
    used = {finding.code for finding in report.findings}
    rules = [rule for rule in RULES if rule.code in used]
    indexes = {rule.code: at for at, rule in enumerate(rules)}
    seen: Counter[str] = Counter()
    results = [
        _result(finding, old if report.compared else None, indexes, seen) for finding, old in report.listed()
    ]
    return _log({"executionSuccessful": True, "exitCode": report.exit_code}, results, rules)


def failed_log(error: MemError) -> dict[str, Any]:
    """The SARIF log of a run that could judge nothing: no results, and the reason why.

    ``executionSuccessful`` tells that apart from a memory without findings, so that nobody takes what was
    found before for mended.
    """
    text = error.message + (f"\nNext: {error.next_step}" if error.next_step else "")
    told = {"level": "error", "message": {"text": visible(redact(text))}}
    ended = {
        "executionSuccessful": False,
        "exitCode": error.exit_code,
        "toolExecutionNotifications": [told],
    }
    return _log(ended, [], [])


def _log(invocation: dict[str, Any], results: list[dict[str, Any]], rules: list[Rule]) -> dict[str, Any]:
    driver = {"name": "memwarden", "version": __version__, "rules": [_rule(rule) for rule in rules]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [invocation],
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {
                    "SRCROOT": {"description": {"text": "The top of the git working tree."}}
                },
                "results": results,
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.text},
        "help": {"text": rule.text},
    }


def _result(
    finding: Finding, old: bool | None, indexes: dict[str, int], seen: Counter[str]
) -> dict[str, Any]:
    text = finding.message + (f"\nFix: {finding.fix}" if finding.fix else "")
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS.get(finding.severity, "none"),
        "message": {"text": visible(text)},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {FINGERPRINT: _fingerprint(finding, seen)},
    }
    if finding.code in indexes:
        result["ruleIndex"] = indexes[finding.code]
    if old is not None:
        result["baselineState"] = "unchanged" if old else "new"
    return result


def _location(finding: Finding) -> dict[str, Any]:
    uri = quote(redact(finding.path).encode("utf-8", "surrogateescape"))
    location: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": "SRCROOT"}}
    if finding.line:
        location["region"] = {"startLine": finding.line, "startColumn": finding.column or 1}
    return location


def _fingerprint(finding: Finding, seen: Counter[str]) -> str:
    name = "\0".join(identity(finding))
    seen[name] += 1
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"{digest}:{seen[name]}"
