"""Purging: everything that is managed of a note, a text or a subject is found and goes."""

from __future__ import annotations

import json

import pytest

from tests.cli.purge_ground import OTHER, RULE, Tree, applied, assert_gone, scope
from tests.conftest import Mem, Repo, note_text


def test_a_purge_by_note_leaves_no_byte_of_it(purgeable: Repo, inside: Mem) -> None:
    inside("touch", "src/a.py", "--session", "s")
    inside("list", "--json")
    applied(inside, "purge", "n-aaaaaaaa")
    assert_gone(purgeable, "frobnicate")
    [event] = (purgeable.root / "memory/events/n-aaaaaaaa").iterdir()
    facts = json.loads(event.read_text())
    assert (facts["kind"], facts["mode"], "branch" in facts) == ("purged", "note", False)


def test_a_purge_without_its_plan_changes_no_byte(purgeable: Repo, inside: Mem, tree: Tree) -> None:
    before = tree()
    for more in ((), ("--apply",)):
        ran = inside("purge", "--match", "frobnicate", *more)
        assert ran.code == (1 if more else 0)
        assert tree() == before
        assert "mem apply " in ran.out


@pytest.mark.parametrize(
    "text", ["FROBNICATE", "  frobnicate   daily ", "\uff26\uff32\uff2f\uff22nicate", "robnicat"]
)
def test_a_text_is_matched_whatever_its_case_width_and_blanks(
    purgeable: Repo, inside: Mem, text: str
) -> None:
    applied(inside, "purge", "--match", "-", stdin=text)
    assert not (purgeable.root / RULE).exists()
    assert (purgeable.root / OTHER).exists()
    assert_gone(purgeable, "frobnicate")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"tags": "[zebra]"}, "a tag"),
        ({"evidence": "[{user: 'the Zebra said so'}]"}, "its evidence"),
        ({"subject": "path:src/zebra.py"}, "its subject"),
    ],
)
def test_a_text_in_a_tag_the_subject_or_the_evidence_targets_a_note(
    purgeable: Repo, inside: Mem, fields: dict[str, str], why: str
) -> None:
    purgeable.write("memory/inbox/c-cccccccc.md", note_text("A claim", id="n-cccccccc", **fields))
    ran = inside("purge", "--match", "zebra", "--json")
    assert ran.code == 0, ran.out
    [item] = scope(ran)["candidates"]["items"]
    assert item.endswith(why)
    applied(inside, "purge", "--match", "zebra")
    assert_gone(purgeable, "zebra")


def test_a_text_that_only_a_file_name_holds_is_found_by_its_slug(purgeable: Repo, inside: Mem) -> None:
    purgeable.write("memory/archive/old-zebra-dddddddd.md", note_text("Stripes", id="n-dddddddd"))
    applied(inside, "purge", "--match", "Old: Zebra!")
    assert_gone(purgeable, "zebra")


def test_archive_copies_and_files_that_cannot_be_read_go_with_the_note(purgeable: Repo, inside: Mem) -> None:
    purgeable.write("memory/archive/copy.md", purgeable.read(RULE))
    purgeable.write("memory/decisions/torn.md", purgeable.read(RULE).replace("facet", "<<<<<<< ours\nfacet"))
    applied(inside, "purge", "n-aaaaaaaa")
    assert_gone(purgeable, "frobnicate")


def test_a_plain_candidate_without_an_id_is_purged_by_its_path(purgeable: Repo, inside: Mem) -> None:
    purgeable.write("memory/inbox/zebra.md", "# The zebra idea\n")
    ran = applied(inside, "purge", "inbox/zebra.md")
    assert ran.json["notes"] == []
    assert_gone(purgeable, "zebra")


def test_odd_bytes_in_a_name_are_no_obstacle(purgeable: Repo, inside: Mem) -> None:
    name = b"memory/inbox/zebra-\xff\xfe.md".decode("utf-8", "surrogateescape")
    purgeable.write(name, "# The zebra idea\n")
    purgeable.git("add", "-A")
    applied(inside, "purge", "--match", "zebra")
    assert not (purgeable.root / name).exists()


def test_empty_folders_that_are_named_by_the_text_go_too(purgeable: Repo, inside: Mem) -> None:
    purgeable.write("memory/decisions/zebra/x-eeeeeeee.md", note_text("The zebra rule", id="n-eeeeeeee"))
    applied(inside, "purge", "--match", "zebra")
    assert not (purgeable.root / "memory/decisions/zebra").exists()


def test_purging_again_what_a_merge_brought_back_leaves_one_event(purgeable: Repo, inside: Mem) -> None:
    text = purgeable.read(RULE)
    applied(inside, "purge", "n-aaaaaaaa")
    first = sorted((purgeable.root / "memory/events/n-aaaaaaaa").iterdir())
    purgeable.write(RULE, text)
    applied(inside, "purge", "n-aaaaaaaa")
    assert sorted((purgeable.root / "memory/events/n-aaaaaaaa").iterdir()) == first


def test_a_purge_after_a_soft_forgetting_takes_the_tombstone(purgeable: Repo, inside: Mem) -> None:
    inside("forget", "n-aaaaaaaa", "--apply")
    applied(inside, "purge", "--match", "frobnicate")
    assert_gone(purgeable, "frobnicate")
    purgeable.git("add", "-A")
    assert inside("check", "--staged", "--strict").code == 0


SUBJECT = "---\nid: zebra\nname: Zebra\nkind: concept\naliases:\n  - Stripy Horse\n---\nAn animal.\n"


def test_a_subject_goes_with_its_notes_by_any_of_its_names(purgeable: Repo, inside: Mem) -> None:
    purgeable.write("memory/subjects/zebra.md", SUBJECT)
    purgeable.write(
        "memory/subjects/quagga.md", "---\nid: quagga\nname: Quagga\nkind: concept\nmerged_into: zebra\n---\n"
    )
    purgeable.write(
        "memory/decisions/q-cccccccc.md", note_text("Old stock", id="n-cccccccc", subject="quagga")
    )
    purgeable.write(
        "memory/decisions/z-dddddddd.md", note_text("Young stock", id="n-dddddddd", subject="zebra#feed")
    )
    ran = applied(inside, "purge", "--subject", "stripy  horse")
    assert sorted(ran.json["notes"]) == ["n-cccccccc", "n-dddddddd"]
    for text in ("zebra", "quagga", "stock"):
        assert_gone(purgeable, text)


def test_an_aspect_alone_takes_its_notes_and_leaves_the_subject(purgeable: Repo, inside: Mem) -> None:
    purgeable.write("memory/subjects/zebra.md", SUBJECT)
    purgeable.write(
        "memory/decisions/y-cccccccc.md", note_text("Old stock", id="n-cccccccc", subject="zebra")
    )
    purgeable.write(
        "memory/decisions/z-dddddddd.md", note_text("Young stock", id="n-dddddddd", subject="zebra#feed")
    )
    assert applied(inside, "purge", "--subject", "zebra#feed").json["notes"] == ["n-dddddddd"]
    assert (purgeable.root / "memory/subjects/zebra.md").exists()


def test_a_subject_still_referenced_is_not_purged_without_its_notes(
    purgeable: Repo, inside: Mem, tree: Tree
) -> None:
    purgeable.write("memory/subjects/zebra.md", SUBJECT)
    purgeable.write(
        "memory/subjects/quagga.md", "---\nid: quagga\nname: Quagga\nkind: concept\nmerged_into: zebra\n---\n"
    )
    before = tree()
    ran = inside("purge", "--match", "zebra", "--json")
    assert ran.code == 1
    assert [one["path"] for one in ran.json["blocked"]] == ["memory/subjects/quagga.md"] * 2
    assert tree() == before


def test_a_subject_keeps_its_file_where_only_an_alias_is_the_text(purgeable: Repo, inside: Mem) -> None:
    purgeable.write(
        "memory/subjects/animal.md", SUBJECT.replace("zebra", "animal").replace("Zebra", "Animal")
    )
    applied(inside, "purge", "--match", "stripy horse")
    assert "aliases" not in purgeable.read("memory/subjects/animal.md")
    assert "An animal." in purgeable.read("memory/subjects/animal.md")


def test_nothing_of_a_text_is_nothing_to_do(purgeable: Repo, inside: Mem) -> None:
    ran = inside("purge", "--match", "unheard of", "--json")
    assert (ran.code, ran.json["plan"]) == (0, None)
    assert {one["state"] for one in ran.json["scope"]} <= {"none", "unknown", "found"}


@pytest.mark.parametrize("words", [(), ("--match", "  "), ("--match", "-")])
def test_naming_nothing_is_a_mistake(purgeable: Repo, inside: Mem, words: tuple[str, ...]) -> None:
    assert inside("purge", *words).code == 2


def test_a_purge_is_applied_once(purgeable: Repo, inside: Mem) -> None:
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    assert inside("apply", plan).code == 0
    again = inside("apply", plan)
    assert (again.code, "already applied" in again.err) == (0, True)


def test_a_text_that_nothing_tells_makes_no_plan_and_claims_nothing(purgeable: Repo, mem: Mem) -> None:
    assert mem("list", "--json").code == 0
    ran = mem("purge", "--match", "zzzz")
    assert ran.code == 0
    assert ran.out.startswith("Found nothing of that in the memory\n")
    assert "removed by this plan" not in ran.out
    assert "there is no plan" in ran.err
    told = mem("purge", "--match", "zzzz", "--json")
    assert told.json["plan"] is None
    assert not [one for one in told.json["scope"] if one["state"] == "found"]
