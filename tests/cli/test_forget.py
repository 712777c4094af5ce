"""Forgetting a note: a tombstone that keeps its topic out, or nothing that tells it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.conftest import Mem, Repo, note_text

RULE = "memory/decisions/use-one-clock-aaaaaaaa.md"
Tree = Callable[[], dict[str, bytes]]


@pytest.fixture
def ready(memory_repo: Repo) -> Repo:
    memory_repo.write("src/clock.py", "now = 0\n")
    memory_repo.write(
        RULE,
        note_text("Use one clock", id="n-aaaaaaaa", subject="path:src/clock.py", anchors="[src/clock.py]"),
    )
    memory_repo.commit("a rule")
    return memory_repo


def plan_of(mem: Mem, *arguments: str) -> str:
    ran = mem(*arguments, "--json")
    assert ran.code == 0, ran.err
    return str(ran.json["plan"]["id"])


def applied(mem: Mem, *arguments: str) -> None:
    ran = mem("apply", plan_of(mem, *arguments))
    assert ran.code == 0, ran.err


def tombstone_of(repo: Repo) -> str:
    [path] = sorted((repo.root / "memory/do-not-use").iterdir())
    return path.relative_to(repo.root).as_posix()


def test_a_soft_forgetting_leaves_a_tombstone_of_the_same_key_and_evidence(ready: Repo, inside: Mem) -> None:
    ran = inside("forget", "n-aaaaaaaa", "--apply", "--json")
    assert ran.code == 0, ran.err
    assert not (ready.root / RULE).exists()
    shown = inside("show", ran.json["notes"][0], "--json").json
    assert shown["path"] == tombstone_of(ready)
    assert "Use one clock" in shown["title"]
    assert (shown["subject"], shown["facet"], shown["standing"]) == (
        "path:src/clock.py",
        "workflow",
        "active",
    )
    assert shown["evidence"] == [{"user": "Ada, 2026-11-30"}]
    assert shown["id"] != "n-aaaaaaaa"


def test_forgetting_tells_its_scope_and_what_is_out_of_reach(ready: Repo, inside: Mem) -> None:
    ran = inside("forget", "n-aaaaaaaa", "--json")
    scope = {one["name"]: one["state"] for one in ran.json["scope"]}
    assert (scope["notes"], scope["branches"], scope["remotes"]) == ("found", "not-reached", "none")
    assert [one["name"] for one in ran.json["outside"]["branches"]] == ["main"]


@pytest.mark.parametrize("hard", [False, True])
def test_a_forgotten_note_passes_the_strict_check_of_what_is_staged(
    ready: Repo, inside: Mem, hard: bool
) -> None:
    applied(inside, "forget", "n-aaaaaaaa", *(["--hard"] if hard else []))
    ready.git("add", "-A")
    ran = inside("check", "--staged", "--strict")
    assert ran.code == 0, ran.out


def test_a_tombstone_owns_the_key_so_the_topic_cannot_come_back(ready: Repo, inside: Mem) -> None:
    applied(inside, "forget", "n-aaaaaaaa")
    ran = inside("add", "Use two clocks", "--subject", "path:src/clock.py", "--facet", "workflow", "--apply")
    assert ran.code == 1
    assert "M301" in ran.err


def test_a_tombstone_stands_for_what_its_note_superseded(ready: Repo, inside: Mem) -> None:
    ready.write(
        "memory/decisions/newer-bbbbbbbb.md",
        note_text(
            "Use the newer clock", id="n-bbbbbbbb", subject="path:src/clock.py", supersedes="[n-aaaaaaaa]"
        ),
    )
    applied(inside, "forget", "n-bbbbbbbb")
    assert inside("show", "n-aaaaaaaa", "--json").json["standing"] == "superseded"


def test_an_area_note_leaves_its_tombstone_in_its_area(ready: Repo, inside: Mem) -> None:
    ready.write("memory/areas/sync/order-cccccccc.md", note_text("Sync in order", id="n-cccccccc"))
    ran = inside("forget", "n-cccccccc", "--apply", "--json")
    assert inside("show", ran.json["notes"][0], "--json").json["scope"] == "area:sync"


def test_a_debt_leaves_a_rule_beside_the_owner_of_its_key(ready: Repo, inside: Mem) -> None:
    ready.write(
        "memory/debts/pay-dddddddd.md",
        note_text("Pay it back", id="n-dddddddd", lifecycle="debt", subject="path:src/clock.py"),
    )
    ran = inside("forget", "n-dddddddd", "--apply", "--json")
    assert ran.code == 0, ran.err
    shown = inside("show", ran.json["notes"][0], "--json").json
    assert (shown["lifecycle"], shown["subject"]) == ("rule", "path:src/clock.py#pay-it-back")


def test_a_candidate_is_rejected_and_not_forgotten(ready: Repo, inside: Mem) -> None:
    ready.write("memory/inbox/idea.md", "# An idea\n")
    ran = inside("forget", "inbox/idea.md")
    assert ran.code == 1
    assert "mem reject" in ran.err


def test_hard_forgetting_is_never_applied_without_its_plan(ready: Repo, inside: Mem, tree: Tree) -> None:
    before = tree()
    ran = inside("forget", "n-aaaaaaaa", "--hard", "--apply", "--json")
    assert ran.code == 1
    assert ran.json["error"]["exit"] == 1
    assert tree() == before
    assert f"mem apply {ran.json['plan']['id']}" in ran.err
    assert inside("apply", ran.json["plan"]["id"]).code == 0


def test_hard_forgetting_leaves_one_event_that_tells_no_topic(ready: Repo, inside: Mem) -> None:
    applied(inside, "forget", "n-aaaaaaaa", "--hard")
    [event] = (ready.root / "memory/events/n-aaaaaaaa").iterdir()
    facts = json.loads(event.read_text())
    assert (facts["kind"], facts["mode"], facts["seq"]) == ("forgotten", "hard", 1)
    assert "branch" not in facts
    assert "clock" not in event.read_text()


@pytest.mark.parametrize("by", ["the note", "the tombstone"])
def test_hard_after_soft_takes_the_tombstone_too(ready: Repo, inside: Mem, by: str) -> None:
    applied(inside, "forget", "n-aaaaaaaa")
    tombstone = tombstone_of(ready)
    name = "n-aaaaaaaa" if by == "the note" else f"n-{tombstone.removesuffix('.md')[-8:]}"
    applied(inside, "forget", name, "--hard")
    assert not (ready.root / tombstone).exists()
    kinds = sorted(path.name[5:14] for path in (ready.root / "memory/events").rglob("*.json"))
    assert kinds == ["forgotten", "forgotten"]
    ready.git("add", "-A")
    assert inside("check", "--staged", "--strict").code == 0


def test_a_tombstone_is_not_softly_forgotten(ready: Repo, inside: Mem) -> None:
    ran = inside("forget", "n-aaaaaaaa", "--apply", "--json")
    again = inside("forget", ran.json["notes"][0])
    assert again.code == 1
    assert "--hard" in again.err


@pytest.mark.parametrize(
    "verb", [("forget", "n-aaaaaaaa"), ("forget", "n-aaaaaaaa", "--hard"), ("purge", "n-aaaaaaaa")]
)
def test_a_merge_that_brings_back_an_erased_note_is_refused_by_the_check(
    ready: Repo, inside: Mem, verb: tuple[str, ...]
) -> None:
    ready.git("checkout", "-q", "-b", "other")
    ready.write(RULE, ready.read(RULE) + "\nMore.\n")
    ready.commit("reworded")
    ready.git("checkout", "-q", "main")
    applied(inside, *verb)
    ready.commit("erased")
    ready.git("merge", "-q", "other", check=False)
    ready.git("add", "-A")
    ran = inside("check", "--staged")
    assert ran.code == 1
    assert "M604" in ran.out
