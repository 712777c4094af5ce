"""A purge that dies half-way is ended by whoever comes next, as thoroughly as one that did not."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable

import pytest

from memwarden.edge.writing.disk import Disk
from tests.cli.purge_ground import OTHER, RULE, assert_gone, scope
from tests.conftest import Mem, Ran, Repo, note_text

SECOND = "memory/decisions/frobnicate-weekly-cccccccc.md"
Cut = Callable[[int], str]


@pytest.fixture
def two(purgeable: Repo) -> Repo:
    purgeable.write(SECOND, note_text("Frobnicate weekly", id="n-cccccccc", subject="path:src/c.py"))
    purgeable.write("src/c.py", "c = 1\n")
    purgeable.commit("another")
    return purgeable


@pytest.fixture
def cut(two: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch) -> Cut:
    """Apply a purge of both notes that dies at a removal; the result is the plan."""

    def die_at(number: int, *words: str) -> str:
        plan = str(inside(*(words or ("purge", "--match", "frobnicate")), "--json").json["plan"]["id"])
        original, left = Disk.remove, [number]

        def remove(self: Disk, path: str) -> None:
            if path.endswith(".md"):
                left[0] -= 1
                if left[0] < 0:
                    raise KeyboardInterrupt
            original(self, path)

        with monkeypatch.context() as patch:
            patch.setattr(Disk, "remove", remove)
            with contextlib.suppress(KeyboardInterrupt):
                inside("apply", plan)
        assert (two.root / ".git/mem/journal").exists()
        return plan

    return die_at


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("reader", [("list", "--json"), ("search", "frob"), ("check",)], ids=" ".join)
@pytest.mark.parametrize("end", ["apply", "recover"])
def test_what_a_reader_kept_of_the_half_erased_tree_goes(
    two: Repo, inside: Mem, cut: Cut, at: int, reader: tuple[str, ...], end: str
) -> None:
    plan = cut(at)
    inside(*reader)
    ran = inside("apply", plan) if end == "apply" else inside("recover")
    assert ran.code == 0
    assert "had been cut short, and is ended now" in ran.err
    assert "Outside of this, and still there" in ran.out
    assert_gone(two, "frobnicate")
    assert not (two.root / f".git/mem/plans/{plan}.json").exists()
    assert inside("apply", plan).err == f"plan {plan} is already applied\n"


def test_the_writer_that_ends_a_purge_keeps_nothing_of_it_and_the_plan_ends_the_rest(
    two: Repo, inside: Mem, cut: Cut
) -> None:
    plan = cut(1)
    inside("list", "--json")
    assert inside("add", "Something new", "--anchor", "b", "--apply").code == 0
    two.write("CLAUDE.md", "n-aaaaaaaa\n")
    assert_gone(two, "frobnicate")
    ran = inside("apply", plan, "--json")
    assert (ran.code, ran.json["applied"], ran.json["already_applied"]) == (0, True, True)
    assert scope(ran)["notes"]["items"] == ["n-aaaaaaaa", "n-cccccccc"]


def test_the_text_is_searched_for_once_more_as_its_last_file_goes_last(
    two: Repo, inside: Mem, cut: Cut
) -> None:
    cut(1)
    two.write("CLAUDE.md", "They frobnicate.\n")
    ran = inside("recover", "--json")
    assert (ran.code, ran.json["residue"]) == (1, ["agent files: CLAUDE.md: its content"])
    assert ran.json["recovered"]["command"] == "purge"
    assert ran.json["remarks"] == []


def test_a_text_that_went_with_its_last_file_is_told_as_not_searched_for(
    two: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]

    def die(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("memwarden.edge.erase.erasing.remove_empty_folders", die)
        with contextlib.suppress(KeyboardInterrupt):
            inside("apply", plan)
    assert not (two.root / RULE).exists()
    ran = inside("apply", plan, "--json")
    assert (ran.code, ran.json["plan"]) == (0, None)
    [remark] = ran.json["remarks"]
    assert "mem purge --match - looks for it once more" in remark


def test_recover_ends_what_another_writer_or_the_last_step_left_unsearched(
    two: Repo, inside: Mem, cut: Cut
) -> None:
    plan = cut(1)
    assert inside("add", "Something new", "--anchor", "b", "--apply").code == 0
    ran = inside("recover", "--json")
    assert (ran.code, ran.json["recovered"]["plan"], ran.json["residue"]) == (0, plan, [])
    assert inside("recover").err == "nothing to recover\n"


def test_an_edited_file_is_kept_by_its_name_and_is_then_what_is_left(
    two: Repo, inside: Mem, cut: Cut
) -> None:
    cut(0)
    two.write(RULE, two.read(RULE) + "Edited.\n")
    asked = inside("recover")
    assert asked.code == 5
    assert RULE in asked.out
    assert RULE in asked.err
    ran = inside("recover", "--keep", RULE)
    assert ran.code == 1
    assert "2 traces are left" in ran.err or "1 trace is left" in ran.err
    assert two.read(RULE).endswith("Edited.\n")
    assert not (two.root / SECOND).exists()


def test_what_only_kept_answers_tell_is_dropped_without_a_plan(purgeable: Repo, inside: Mem) -> None:
    inside("list")
    kept = purgeable.root / ".git/mem/answers/0123456789abcdef"
    kept.parent.mkdir(exist_ok=True)
    for data, state in ((b"of another branch: The Zebra rule", "removed"), (b"nothing of it", "none")):
        kept.write_bytes(data)
        ran = inside("purge", "--match", "-", "--json", stdin="zebra")
        assert (ran.code, ran.json["plan"], scope(ran)["answers"]["state"]) == (0, None, state)
        assert kept.exists() == (state == "none")


@pytest.mark.parametrize("text", ["purged", "match", "sha256", "absent", "command", "Ada"])
def test_no_record_of_a_purge_tells_what_was_purged(purgeable: Repo, inside: Mem, text: str) -> None:
    for path in purgeable.root.glob("memory/events/*"):
        for event in path.iterdir():
            event.unlink()
    purgeable.write(OTHER, note_text(f"About {text} words", id="n-bbbbbbbb", subject="path:b", evidence="[]"))
    purgeable.write(RULE, "".join(purgeable.read(RULE).replace("Ada", "Bob")))
    for path in ("memory/brief.md",):
        purgeable.write(path, purgeable.read(path).replace("Ada", "Bob"))
    seen = inside("purge", "--match", "-", "--json", stdin=text)
    assert seen.code == 0, seen.out
    ran = inside("apply", seen.json["plan"]["id"], "--json")
    assert (ran.code, ran.json["residue"]) == (0, [])
    [record] = (purgeable.root / "memory/events/n-bbbbbbbb").glob("*-purged-*.json")
    name = json.loads(record.read_text())["actor"]["name"]
    assert name == ("?" if text == "Ada" else name)
    assert text.lower() not in name.lower()
    assert inside("check", "--json").code == 0


def test_an_empty_folder_that_bears_the_text_goes_too(purgeable: Repo, inside: Mem) -> None:
    folder = purgeable.root / "memory/decisions/old-frobnicate/deeper"
    folder.mkdir(parents=True)
    seen = inside("purge", "--match", "frobnicate", "--json")
    assert scope(seen)["other files"]["items"] == ["memory/decisions/old-frobnicate/: an empty folder"]
    assert inside("apply", seen.json["plan"]["id"]).code == 0
    assert not folder.parent.exists()
    folder.mkdir(parents=True)
    (purgeable.root / "memory/profiles/old-frobnicate").mkdir(parents=True)
    alone = inside("purge", "--match", "old-frobnicate", "--json")
    assert (alone.json["plan"], scope(alone)["other files"]["state"]) == (None, "not-reached")
    assert len(scope(alone)["other files"]["items"]) == 2


def stale(ran: Ran) -> tuple[int, str]:
    return ran.code, ran.err.splitlines()[0].partition("changed since the preview: ")[2]


def test_a_note_that_is_gone_makes_the_plan_stale_and_is_named(two: Repo, inside: Mem) -> None:
    for words in (("purge", "--match", "frobnicate"), ("purge", "n-aaaaaaaa", "n-cccccccc")):
        for path, note_id in ((RULE, "n-aaaaaaaa"), (SECOND, "n-cccccccc")):
            data = two.read(path)
            plan = inside(*words, "--json").json["plan"]["id"]
            (two.root / path).unlink()
            two.git("rm", "-q", "--cached", path)
            assert stale(inside("apply", plan)) == (3, note_id)
            two.write(path, data)
            two.git("add", path)


def test_a_note_that_would_be_meant_too_by_now_makes_the_plan_stale(two: Repo, inside: Mem) -> None:
    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]
    two.write("memory/inbox/more.md", note_text("Frobnicate more", id="n-dddddddd"))
    ran = inside("apply", plan, "--json")
    assert ran.code == 3
    assert ran.json["error"]["message"].endswith("changed since the preview: n-dddddddd")
    assert scope(ran)["candidates"]["items"] == ["memory/inbox/more.md: its title"]
    assert inside("apply", ran.json["plan"]["id"]).code == 0
    assert_gone(two, "frobnicate")


def test_a_note_about_the_subject_that_is_new_by_now_makes_the_plan_stale(two: Repo, inside: Mem) -> None:
    two.write("memory/subjects/bar.md", "---\nid: bar\nname: Bar\n---\n# Bar\n")
    two.write(OTHER, note_text("Slow", id="n-bbbbbbbb", subject="bar"))
    plan = inside("purge", "--subject", "bar", "--json").json["plan"]["id"]
    two.write("memory/inbox/more.md", note_text("Slower", id="n-dddddddd", subject="bar"))
    ran = inside("apply", plan, "--json")
    assert (ran.code, "n-dddddddd" in ran.json["error"]["message"]) == (3, True)
    assert inside("apply", ran.json["plan"]["id"]).code == 0
    assert not (two.root / "memory/inbox/more.md").exists()


def test_an_agent_is_told_the_very_command_that_a_person_may_run(purgeable: Repo, inside: Mem) -> None:
    ran = inside("forget", "n-aaaaaaaa", "--hard", env={"MEM_ACTOR": "agent:claude-code"})
    assert "let a person run mem forget n-aaaaaaaa --hard, or" in ran.err


def test_a_subject_that_nobody_knows_is_not_offered_to_be_made_for_a_purge(
    purgeable: Repo, inside: Mem
) -> None:
    ran = inside("purge", "--subject", "nope")
    assert ran.code == 2
    assert "mem subject list" in ran.err
    assert "--new-subject" not in ran.err
