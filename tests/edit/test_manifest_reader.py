"""The manifest is the only routing authority: what it declares, and every way in which it may not."""

from __future__ import annotations

import pytest

from memwarden.core.manifest import Area, Manifest, Profile, Settings
from memwarden.edit.manifest_reader import read_manifest
from memwarden.edit.starter import MANIFEST as STARTER
from memwarden.errors import ERROR, WARNING, Finding
from tests.conftest import MANIFEST

PATH = "memory/manifest.md"
HEAD = "---\nprotocol: 1\nproject: p-7q2m4x9k\n---\n"


def read(text: str) -> tuple[Manifest, tuple[Finding, ...]]:
    manifest, findings = read_manifest(PATH, text.encode())
    assert manifest is not None
    return manifest, findings


def codes(text: str) -> list[tuple[str, int]]:
    """What is found in a page below a good head; the page's first line is 5."""
    return [(finding.code, finding.line) for finding in read_manifest(PATH, (HEAD + text).encode())[1]]


def test_the_whole_example_is_read_in_order() -> None:
    manifest, findings = read(MANIFEST)
    assert findings == ()
    assert [route.module for route in manifest.always] == ["brief.md"]
    assert [task.name for task in manifest.tasks] == ["plan", "implement"]
    assert manifest.tasks[0].aliases == ("planning", "architecture")
    assert [r.module for r in manifest.tasks[1].routes] == [
        "decisions/", "constraints/", "do-not-use/", "debts/", "preferences/"]  # fmt: skip
    assert [r.if_present for r in manifest.tasks[1].routes] == [False, False, False, False, True]
    assert manifest.areas == (Area("sync", "areas/sync/", ("src/sync/**", "tests/sync/**"), 27),)
    assert manifest.profiles == (
        Profile("release", "profiles/release/", "cutting and publishing a release", 30),
    )
    assert [route.module for route in manifest.explicit_only] == ["inbox/", "archive/"]
    assert manifest.budget("total") == 4000
    assert manifest.tasks[0].line == 12
    assert manifest.tasks[0].routes[0].line == 14


def test_what_init_writes_reads_without_a_finding() -> None:
    assert read(STARTER.format(project="p-7q2m4x9k"))[1] == ()


def test_crlf_and_a_bom_change_nothing() -> None:
    assert read_manifest(PATH, b"\xef\xbb\xbf" + MANIFEST.replace("\n", "\r\n").encode()) == read_manifest(
        PATH, MANIFEST.encode()
    )


def test_missing_sections_are_tolerated() -> None:
    manifest, findings = read(HEAD)
    assert findings == ()
    assert manifest == Manifest(project="p-7q2m4x9k")


@pytest.mark.parametrize(
    "page",
    [
        "```\n## Tasks\n### plan\n- decisions/\n```\n",
        "~~~\n## Always load\n```\n- decisions/\n~~~\n",
        "````\n```\n## Always load\n- x/\n```\n````\n",
        "<!--\n## Always load\n- decisions/\n-->\n",
        "> ## Always load\n> - decisions/\n",
        "- ## Always load\n- decisions/\n",
        "    ## Always load\n    - decisions/\n",
    ],
)
def test_a_heading_that_is_not_at_the_top_of_the_page_is_inert(page: str) -> None:
    manifest, _ = read(HEAD + page)
    assert manifest.modules() == ()


def test_a_code_span_that_holds_a_comment_opener_opens_none() -> None:
    manifest, findings = read(HEAD + "Write `<!--` to hide.\n\n## Always load\n- brief.md\n\n--> end\n")
    assert manifest.modules() == ("brief.md",)
    assert findings == ()


def test_a_setext_heading_is_a_heading() -> None:
    manifest, _ = read(HEAD + "Always load\n-----------\n- brief.md\n")
    assert manifest.modules() == ("brief.md",)


def test_prose_between_lists_is_ignored() -> None:
    page = (
        "## Always load\nRead these.\n\n- brief.md\nand this prose with a `code` span\n\n"
        "Not a route: other.md\n\n## Areas\n- areas/x/: `src/**`\nsee `docs/**` too\n"
    )
    manifest, findings = read(HEAD + page)
    assert findings == ()
    assert manifest.modules() == ("brief.md", "areas/x/")
    assert manifest.areas[0].globs == ("src/**",)


def test_a_comment_beside_an_entry_is_no_part_of_it() -> None:
    manifest, findings = read(HEAD + "## Always load\n- brief.md <!-- first -->\n* `notes.md`\n")
    assert findings == ()
    assert manifest.modules() == ("brief.md", "notes.md")


def test_globs_may_go_on_after_a_comma() -> None:
    manifest, findings = read(HEAD + "## Areas\n- areas/x/: `src/**`,\n  `tests/**`\n")
    assert findings == ()
    assert manifest.areas[0].globs == ("src/**", "tests/**")


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("## Tasks\n### plan\n## Tasks\n", [("M504", 7)]),
        ("## Tasks\n### plan\n### Plan\n", [("M504", 7)]),
        ("## Tasks\n### plan\nAlso: think\n### think\n", [("M504", 8)]),
        ("## Tasks\n### a\nAlso: x, y\n### b\nAlso: Y\n", [("M504", 9)]),
        ("## Areas\n- areas/x/: `a`\n- areas/x/: `b`\n", [("M504", 7)]),
        ("## Profiles\n- profiles/x/: a\n- profiles/x/\n", [("M504", 7)]),
        ("## Budgets\n- total: 1\n- total: 2\n", [("M504", 7)]),
        ("## Always load\n- /etc/passwd.md\n", [("M505", 6)]),
        ("## Always load\n- ../x.md\n", [("M505", 6)]),
        ("## Always load\n- a/../x.md\n", [("M505", 6)]),
        ("## Always load\n- a\\x.md\n", [("M505", 6)]),
        ("## Always load\n- C:x.md\n", [("M506", 6)]),
        ("## Always load\n- C:/x.md\n", [("M506", 6)]),
        ("## Always load\n- %2e%2e/x.md\n", [("M505", 6)]),
        ("## Always load\n- decisions\n", [("M505", 6)]),
        ("## Always load\n- memory/decisions/\n", [("M505", 6)]),
        ("## Always load\n- subjects/\n- manifest.md\n", [("M505", 6), ("M505", 7)]),
        ("## Always load\n- events/x/\n", [("M505", 6)]),
        ("## Always load\n- inbox/\n", [("M505", 6)]),
        ("## Tasks\n### a\n- archive/\n", [("M505", 7)]),
        ("## Always load\n- d*/\n", [("M505", 6)]),
        ("## Always load\n- **brief.md**\n", []),
        ("## Always load\n- brief.md and more\n", [("M505", 6)]),
        ("## Always load\n- brief.md: words\n", [("M506", 6)]),
        ("## Always load\n- brief.md (sometimes)\n", [("M506", 6)]),
        ("## Always load\n- a/\n  - b/\n", [("M506", 7)]),
        ("## Always load\n-\n", [("M505", 6)]),
        ("## Always load\n- a/\n- a/\n", [("M508", 7)]),
        ("## Tasks\n- a/\n", [("M506", 6)]),
        ("## Tasks\n###\n", [("M506", 6)]),
        ("## Areas\n- sync/: `a`\n", [("M505", 6)]),
        ("## Areas\n- areas/a/b/: `a`\n", [("M505", 6)]),
        ("## Areas\n- areas/x/: src/**\n", [("M506", 6), ("M506", 6)]),
        ("## Areas\n- areas/x/: `a`, src/**\n", [("M506", 6)]),
        ("## Areas\n- areas/x/: `!a`\n", [("M505", 6)]),
        ("## Areas\n- areas/x/\n", []),
        ("## Profiles\n- release/: x\n", [("M505", 6)]),
        ("## Budgets\n- total: many\n", [("M506", 6)]),
        ("## Budgets\n- total: -1\n", [("M506", 6)]),
        ("## Budgets\n- total\n", [("M506", 6)]),
        ("## Budget\n- total: 1\n", [("M508", 5)]),
    ],
)  # fmt: skip
def test_each_fault_of_the_page_is_found_at_its_line(page: str, found: list[tuple[str, int]]) -> None:
    assert codes(page) == found


@pytest.mark.parametrize(
    ("setting", "code", "severity"),
    [
        ("ask_after: 0", "M507", ERROR),
        ("ask_after: many", "M507", ERROR),
        ("ask_after: [3]", "M507", ERROR),
        ("recheck_days: -1", "M507", ERROR),
        ("miss_per: week", "M507", ERROR),
        ("on_no_ask: ask", "M507", ERROR),
        ("overdue: yes", "M507", ERROR),
        ("require_plan: maybe", "M507", ERROR),
        ("facets: [Upper]", "M507", ERROR),
        ("facets: {a: b}", "M507", ERROR),
        ("ask_afer: 3", "M508", WARNING),
    ],
)
def test_a_bad_setting_is_found_at_its_line_and_its_default_stands(
    setting: str, code: str, severity: str
) -> None:
    manifest, findings = read(f"---\nprotocol: 1\nproject: p-7q2m4x9k\n{setting}\n---\n")
    assert [(f.code, f.severity, f.line) for f in findings] == [(code, severity, 4)]
    assert manifest.settings == Settings()


def test_good_settings_are_read() -> None:
    text = (
        "---\nprotocol: 1\nproject: p-7q2m4x9k\nask_after: 5\nrecheck_days: 0\nmiss_per: turn\n"
        "on_no_ask: warn\noverdue: error\nagents_may_admit: true\nrequire_plan: true\nfacets: [style, a-b]\n"
        "command_timeout: 9\ndeliver_tokens: 100\n---\n"
    )
    manifest, findings = read(text)
    assert findings == ()
    assert manifest.settings == Settings(5, 0, 9, 100, "turn", "warn", "error", True, ("style", "a-b"), True)


def test_a_manifest_without_protocol_and_project_is_read_and_warned_about() -> None:
    manifest, findings = read("## Always load\n- brief.md\n")
    assert manifest.modules() == ("brief.md",)
    assert {finding.severity for finding in findings} == {WARNING}


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"---\nprotocol: 1\nprotocol: 2\n---\n", "M501", 3),
        (b"---\nprotocol: 1\n", "M501", 1),
        (b"\xff", "M501", 1),
        (b"---\nprotocol: 1\n---\n<<<<<<< ours\n## Tasks\n", "M002", 4),
        (b"<!-- x -->\n---\nprotocol: 1\n---\n", "M501", 1),
    ],
)
def test_an_unreadable_manifest_is_one_finding(data: bytes, code: str, line: int) -> None:
    manifest, findings = read_manifest(PATH, data)
    assert manifest is None
    assert [(finding.code, finding.line) for finding in findings] == [(code, line)]


def test_a_newer_protocol_is_an_error_at_its_line() -> None:
    _, findings = read("---\nprotocol: 2\nproject: p-7q2m4x9k\n---\n")
    assert [(finding.code, finding.line) for finding in findings] == [("M509", 2)]


@pytest.mark.parametrize("opened", ["```", "~~~~", "<!-- to do", "<script>", "<?x", "<![CDATA[ x"])
def test_what_is_never_closed_may_not_swallow_routes_unsaid(opened: str) -> None:
    swallowed = f"# M\n\n{opened}\n\n## Tasks\n\n### plan\n- decisions/\n"
    assert codes(swallowed) == [("M506", 7)]
    closed = {"```": "```", "~~~~": "~~~~", "<!-- to do": "-->", "<script>": "</script>", "<?x": "?>"}
    end = closed.get(opened, "]]>")
    assert codes(f"# M\n\n{opened}\n\n## Stuff\n{end}\n\n## Tasks\n\n### plan\n- decisions/\n") == []
    assert codes(f"# M\n\n## Tasks\n\n### plan\n- decisions/\n\n{opened}\n\nlast words\n") == []
