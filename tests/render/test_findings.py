"""One report, four faces."""

from __future__ import annotations

import pytest
from sarif_kit import validation_errors

from memwarden.errors import ERROR, NOTICE, WARNING, Finding, UsageError
from memwarden.render.findings import fields, page, summary
from memwarden.render.github import commands
from memwarden.render.sarif import failed_log, log
from memwarden.rules import RULES
from memwarden.rules.report import Paid, Report, narrowed, strictly

REPORT = Report(
    (
        Finding(
            "M103",
            ERROR,
            "unknown facet 'mood'",
            "memory/decisions/a.md",
            4,
            8,
            "facet",
            "n-4f7k2m9q",
            "use one",
        ),
        Finding(
            "M405", WARNING, "the anchor x.py matches nothing", "memory/decisions/a.md", 12, 5, "anchors[0]"
        ),
        Finding("M204", NOTICE, "no admission is recorded", "memory/decisions/a b.md"),
        Finding("M103", ERROR, "unknown facet 'mood'", "memory/decisions/a.md", 9, 8, "facet", "n-4f7k2m9q"),
    ),
    (False, False, False, True),
    compared=True,
    paid=(Paid("n-0000000d", "memory/debts/d.md", "flaky", "tests/a.py:1 has frozen_clock"),),
)


def test_text_is_one_aligned_line_a_finding_with_its_fix_below() -> None:
    assert page(REPORT, color=False) == (
        "memory/decisions/a.md:4:8:  M103 error   unknown facet 'mood'\n"
        "    fix: use one\n"
        "memory/decisions/a.md:12:5: M405 warning the anchor x.py matches nothing\n"
        "memory/decisions/a b.md:1:1: M204 notice  no admission is recorded\n"
        "memory/decisions/a.md:9:8:  M103 error   unknown facet 'mood'  (already there)\n"
        "\n"
        "paid by this commit\n"
        "  n-0000000d  flaky (tests/a.py:1 has frozen_clock)\n"
    )
    assert summary(REPORT) == "2 errors, 1 warning, 1 notice (1 already there)"
    assert summary(Report()) == "the memory is in order"


def test_what_a_commit_pays_stands_first_where_nothing_was_found() -> None:
    assert page(Report(paid=REPORT.paid), color=False).startswith("paid by this commit\n")


def test_of_many_notices_of_one_code_three_are_shown_and_json_has_all() -> None:
    notices = [Finding("M204", NOTICE, "no admission", f"memory/decisions/{at}.md") for at in range(6)]
    warnings = [Finding("M405", WARNING, "nothing", f"memory/decisions/{at}.md") for at in range(5)]
    other = Finding("M203", NOTICE, "changed", "memory/decisions/z.md")
    report = Report((*notices, *warnings, other))
    told = page(report, color=False)
    assert told.count("M204 notice") == 3
    assert told.count("M405") == 5
    assert told.endswith("and 3 more of M204: mem check --json lists them\n")
    assert len(fields(report)["findings"]) == 12
    assert summary(report) == "5 warnings, 7 notices"


def test_json_has_the_shape_that_scripts_rely_on() -> None:
    found = fields(REPORT)
    assert found["findings"][0] == {
        "code": "M103",
        "severity": "error",
        "path": "memory/decisions/a.md",
        "line": 4,
        "column": 8,
        "key": "facet",
        "note": "n-4f7k2m9q",
        "message": "unknown facet 'mood'",
        "fix": "use one",
        "already_there": False,
    }
    assert found["paid_by_this_commit"] == ["n-0000000d"]
    assert found["counts"] == {"error": 2, "warning": 1, "notice": 1, "already_there": 1}


def test_a_message_cannot_forge_another_line_or_colour_a_terminal() -> None:
    evil = Report((Finding("M103", ERROR, "a\nb.md:1:1: M001 \x1b[31m", "x\ny.md", fix="c\nd"),))
    assert (
        page(evil, color=False) == "x\\ny.md:1:1: M103 error   a\\nb.md:1:1: M001 \\x1b[31m\n    fix: c\\nd\n"
    )


def test_github_commands_escape_what_the_runner_undoes() -> None:
    finding = Finding("M103", ERROR, "100% wrong,\r\nreally: yes", "a,b:c%.md", 3, 7, fix="do, it")
    assert commands(Report((finding,))) == (
        "::error file=a%2Cb%3Ac%25.md,line=3,col=7,title=M103::"
        "100%25 wrong,\\x0d%0Areally: yes%0Afix: do, it\n"
    )


def test_github_shows_what_was_there_already_as_a_notice() -> None:
    lines = commands(REPORT).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::error", "::warning", "::notice", "::notice"]
    assert lines[3].endswith("::already there: unknown facet 'mood'")


@pytest.mark.parametrize("report", [REPORT, Report(), REPORT._replace(compared=False)])
def test_sarif_is_valid(report: Report) -> None:
    assert validation_errors(log(report)) == []


def test_a_check_that_could_judge_nothing_is_valid_sarif_that_says_why() -> None:
    told = failed_log(UsageError("this clone is shallow", "fetch the rest"))
    assert validation_errors(told) == []
    (run,) = told["runs"]
    (ended,) = run["invocations"]
    assert (run["results"], ended["executionSuccessful"], ended["exitCode"]) == ([], False, 2)
    assert (
        ended["toolExecutionNotifications"][0]["message"]["text"]
        == "this clone is shallow\nNext: fetch the rest"
    )


def test_what_sarif_does_not_know_is_refused() -> None:
    """The whole schema of the standard is behind these tests: it refuses a key, a level and a line of our own
    making."""
    report = log(REPORT)
    result = report["runs"][0]["results"][0]
    result["level"] = "fatal"
    result["mood"] = "bad"
    result["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert len(validation_errors(report)) == 3


def test_sarif_rules_and_results_agree() -> None:
    run = log(REPORT)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["M103", "M405", "M204", "M103"]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "error"]
    assert [result["baselineState"] for result in run["results"]] == ["new", "new", "new", "unchanged"]
    uris = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]
    ]
    assert uris[2] == "memory/decisions/a%20b.md"


def test_sarif_fingerprints_are_distinct_and_stay_when_lines_move() -> None:
    def prints(report: Report) -> list[str]:
        results = log(report)["runs"][0]["results"]
        return [value for result in results for value in result["partialFingerprints"].values()]

    moved = REPORT._replace(findings=tuple(f._replace(line=f.line + 10) for f in REPORT.findings))
    assert prints(REPORT) == prints(moved)
    assert len(set(prints(REPORT))) == 4


def test_every_rule_has_sarif_metadata() -> None:
    report = Report(tuple(Finding(rule.code, ERROR, "x", "a.md") for rule in RULES))
    found = log(report)
    assert validation_errors(found) == []
    assert len(found["runs"][0]["tool"]["driver"]["rules"]) == len(RULES)


def test_the_exit_code_is_a_property_of_the_report() -> None:
    assert REPORT.exit_code == 1
    assert REPORT._replace(old=(True, False, False, True)).exit_code == 0
    warned = Report((Finding("M405", WARNING, "x", "a.md"),))
    assert (warned.exit_code, strictly(warned).exit_code) == (0, 1)
    assert narrowed(REPORT, lambda path: path.endswith("a b.md")).exit_code == 0


def test_no_path_in_a_finding_is_broken(terminal: pytest.MonkeyPatch) -> None:
    path = "src/" + "同步窗口关闭" * 9 + ".py"
    found = Finding("M405", WARNING, f"the anchor {path} matches nothing", "memory/a.md", fix=f"edit {path}")
    told = page(Report((found,)), color=False)
    assert told.count(path) == 2
    assert len(told.splitlines()) > 3
