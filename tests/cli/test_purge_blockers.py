"""What stands in the way of a purge is named first, and then nothing is removed."""

from __future__ import annotations

import pytest

from tests.cli.purge_ground import OTHER, RULE, Tree, applied, assert_gone, scope
from tests.conftest import MANIFEST, Mem, Repo, note_text


@pytest.mark.parametrize(
    ("path", "content", "found"),
    [
        (OTHER, note_text("Else", "As one\nshould frob-\nFROBNICATE it.", id="n-bbbbbbbb"), "other notes"),
        ("memory/manifest.md", MANIFEST.replace("Also: debug", "Also: frobnicate"), "manifest"),
        ("CLAUDE.md", "Remember to frobnicate.\n", "agent files"),
        ("AGENTS.md", "Remember to fro\\u0062nicate.\n", "agent files"),
        ("GEMINI.md", "see ?q=%66robnicate\n", "agent files"),
        ("memory/decisions/README.md", "We frobnicate.\n", "other files"),
    ],
)
def test_a_text_elsewhere_blocks_and_nothing_is_partly_removed(
    purgeable: Repo, inside: Mem, tree: Tree, path: str, content: str, found: str
) -> None:
    purgeable.write(path, content)
    before = tree()
    ran = inside("purge", "--match", "frobnicate", "--json")
    assert (ran.code, ran.json["plan"], ran.json["applied"]) == (1, None, False)
    assert [(one["path"], one["scope"]) for one in ran.json["blocked"]] == [(path, found)]
    assert ran.json["blocked"][0]["line"] > 0
    assert tree() == before


def test_a_note_that_is_named_too_blocks_no_more(purgeable: Repo, inside: Mem) -> None:
    purgeable.write(OTHER, note_text("Else", "One should frobnicate.", id="n-bbbbbbbb"))
    assert inside("purge", "--match", "frobnicate").code == 1
    applied(inside, "purge", "n-bbbbbbbb", "--match", "frobnicate")
    assert_gone(purgeable, "frobnicate")


def test_an_event_of_another_note_that_tells_the_text_blocks(purgeable: Repo, inside: Mem) -> None:
    inside("revoke", "n-bbbbbbbb", "--reason", "we frobnicate instead", "--apply")
    ran = inside("purge", "--match", "frobnicate")
    assert ran.code == 1
    assert "name n-bbbbbbbb too" in ran.out


def test_a_blocker_that_appears_between_preview_and_apply_is_refused(
    purgeable: Repo, inside: Mem, tree: Tree
) -> None:
    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]
    purgeable.write("CLAUDE.md", "Remember to frobnicate.\n")
    before = tree()
    ran = inside("apply", plan)
    assert ran.code == 1
    assert "CLAUDE.md" in ran.err
    assert tree() == before


def test_an_exception_to_what_would_be_gone_blocks(purgeable: Repo, inside: Mem) -> None:
    purgeable.write(
        "memory/areas/sync/e-cccccccc.md",
        note_text("Not in sync", id="n-cccccccc", subject="path:src/a.py", exception_to="n-aaaaaaaa"),
    )
    ran = inside("purge", "n-aaaaaaaa", "--json")
    assert ran.code == 1
    assert ran.json["blocked"][0]["path"] == "memory/areas/sync/e-cccccccc.md"


def test_a_note_that_changed_since_the_preview_makes_the_plan_stale(
    purgeable: Repo, inside: Mem, tree: Tree
) -> None:
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    purgeable.write(RULE, purgeable.read(RULE) + "more\n")
    before = tree()
    ran = inside("apply", plan)
    assert ran.code == 3
    assert "changed since the preview: n-aaaaaaaa\n" in ran.err
    assert "frobnicate" not in ran.err.lower()
    assert tree() == before
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    purgeable.write("memory/manifest.md", purgeable.read("memory/manifest.md") + "\nProse.\n")
    assert "changed since the preview: memory/manifest.md\n" in inside("apply", plan).err


def test_a_stale_plan_is_followed_by_the_whole_report_of_the_new_one(purgeable: Repo, inside: Mem) -> None:
    words = ("forget", "n-aaaaaaaa", "--hard")
    plan = inside(*words, "--json").json["plan"]["id"]
    purgeable.write(RULE, purgeable.read(RULE) + "more\n")
    page, told = inside("apply", plan), inside("apply", plan, "--json")
    seen = inside(*words)
    assert (page.code, told.code) == (3, 3)
    assert page.out.partition("plans  ")[0] == seen.out.partition("plans  ")[0]
    for head in ("Found, and removed by this plan", "Outside of this", "Searched, and nothing there"):
        assert head in page.out
    assert f"apply it with: mem apply {told.json['plan']['id']}" in page.out
    assert scope(told)["notes"] == scope(inside(*words, "--json"))["notes"]
    assert told.json["error"]["exit"] == 3
    assert inside("apply", told.json["plan"]["id"]).code == 0


@pytest.mark.parametrize(
    ("prose", "line"),
    [("One.\nIt says fro\nzen water.\n", 2), ("Zen.\n\nThree, fro \t\n \n zen, fro\nzen.\n", 3)],
)
def test_a_text_over_two_lines_is_named_at_the_line_that_it_begins_at(
    purgeable: Repo, inside: Mem, prose: str, line: int
) -> None:
    purgeable.write("CLAUDE.md", prose)
    ran = inside("purge", "--match", "fro zen", "--json")
    assert [(one["path"], one["line"]) for one in ran.json["blocked"]] == [("CLAUDE.md", line)]


def test_a_text_that_stands_only_in_prose_blocks_though_it_targets_nothing(
    purgeable: Repo, inside: Mem
) -> None:
    for path, content in (
        (OTHER, note_text("Else", "A zebra.", id="n-bbbbbbbb")),
        ("CLAUDE.md", "A zebra.\n"),
    ):
        purgeable.write(path, content)
        ran = inside("purge", "--match", "zebra", "--json")
        assert (ran.code, ran.json["plan"]) == (1, None)
        assert path in [one["path"] for one in ran.json["blocked"]]


def test_a_note_that_is_only_a_link_blocks_before_anything_is_removed(purgeable: Repo, inside: Mem) -> None:
    path = inside("show", "n-aaaaaaaa", "--json").json["path"]
    purgeable.write("real.md", purgeable.read(path))
    (purgeable.root / path).unlink()
    (purgeable.root / path).symlink_to(purgeable.root / "real.md")
    inside("touch", "src/a.py", "--write", "--session", "s")
    waiting = purgeable.root / ".git/mem/pending"
    waiting.parent.mkdir(exist_ok=True)
    waiting.write_text("missed\tn-aaaaaaaa\tt\thuman\tAda\tsrc/a.py\n")
    ran = inside("purge", "n-aaaaaaaa", "--json")
    assert (ran.code, ran.json["plan"]) == (1, None)
    assert [(one["path"], one["why"]) for one in ran.json["blocked"]] == [(path, "it is a link")]
    assert "n-aaaaaaaa" in waiting.read_text()
