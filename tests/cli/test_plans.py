"""Plans: what was previewed is applied, and nothing else."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memwarden.edge.place import find_place
from memwarden.edge.writing.disk import Disk
from memwarden.edge.writing.lock import locked
from tests.conftest import MANIFEST, Mem, Repo, note_text

RULE = "memory/decisions/rule-aaaaaaaa.md"


@pytest.fixture
def ready(memory_repo: Repo) -> Repo:
    memory_repo.write(RULE, note_text("Use one clock", id="n-aaaaaaaa", subject="path:src/clock.py"))
    memory_repo.commit("a rule")
    return memory_repo


def plan_of(mem: Mem, *arguments: str) -> str:
    ran = mem(*arguments, "--json")
    assert ran.code == 0, ran.err
    return str(ran.json["plan"]["id"])


def test_a_preview_shows_diff_plan_and_next_command_and_writes_nothing(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
) -> None:
    before = tree()
    ran = inside("add", "Templates are edited, never config/app.yaml", "--anchor", "config/app.yaml")
    assert ran.code == 0
    assert "+++ b/memory/decisions/templates-are-edited-never-config-app-yaml-" in ran.out
    assert "+# Templates are edited, never config/app.yaml" in ran.out
    assert "+ event admitted n-" in ran.out
    assert '"kind": "admitted"' not in ran.out
    plan = ran.out.split("mem apply ")[1].split()[0]
    assert (len(plan), tree()) == (12, before)
    assert inside("apply", plan).code == 0
    assert len(tree()) == len(before) + 2


def test_json_shows_each_change_with_its_digests(ready: Repo, inside: Mem) -> None:
    ran = inside("move", "n-aaaaaaaa", "archive", "--json")
    plan = ran.json["plan"]
    created, removed = plan["changes"]
    assert ran.json["schema"] == "mem.move/1"
    assert (created["path"], created["action"], created["before"]) == (
        "memory/archive/rule-aaaaaaaa.md",
        "create",
        None,
    )
    assert (removed["path"], removed["action"], removed["after"]) == (RULE, "remove", None)
    assert removed["before"] == created["after"]
    assert (ran.json["applied"], ran.json["notes"]) == (False, ["n-aaaaaaaa"])
    assert plan["command"] == "move"
    assert str(ready.root) not in ran.out


def test_an_applied_plan_applied_twice_is_already_applied(ready: Repo, inside: Mem) -> None:
    for command in (("move", "n-aaaaaaaa", "archive"), ("reinstate", "n-aaaaaaaa")):
        plan = plan_of(inside, *command)
        assert inside("apply", plan).code == 0
        again = inside("apply", plan)
        assert again.code == 0
        assert "already applied" in again.err
        assert inside("apply", plan, "--json").json == {
            "schema": "mem.apply/1",
            "plan": None,
            "applied": True,
            "already_applied": True,
            "notes": [],
        }


def test_a_plan_that_git_took_back_can_be_applied_again(ready: Repo, inside: Mem) -> None:
    plan = plan_of(inside, "move", "n-aaaaaaaa", "archive")
    assert inside("apply", plan).code == 0
    ready.git("checkout", "-q", "--", ".")
    ready.git("clean", "-fdq")
    assert inside("apply", plan).code == 0
    assert (ready.root / "memory/archive/rule-aaaaaaaa.md").exists()


def test_a_plan_that_git_took_back_over_other_content_is_stale_and_not_already_applied(
    ready: Repo, inside: Mem
) -> None:
    for command in (("move", "n-aaaaaaaa", "archive"), ("reinstate", "n-aaaaaaaa")):
        plan = plan_of(inside, *command)
        assert inside("apply", plan).code == 0
        ready.git("checkout", "-q", "--", ".")
        ready.git("clean", "-fdq")
        ready.write(RULE, ready.read(RULE) + "\nMore words.\n")
        ready.commit("more words")
        assert inside("apply", plan).code == 3


def test_what_is_remembered_of_an_applied_plan_names_no_file(ready: Repo, inside: Mem) -> None:
    assert inside("add", "Telemetry is off", "--anchor", "src/telemetry.py", "--apply").code == 0
    kept = [file.read_text() for file in (ready.root / ".git/mem/applied").iterdir()]
    assert kept
    assert not any("elemetry" in text for text in kept)


@pytest.mark.parametrize("plan", ["0123456789ab", "xyz", "../../config", ""])
def test_an_unknown_plan_is_exit_2(ready: Repo, inside: Mem, plan: str) -> None:
    ran = inside("apply", plan)
    assert ran.code == 2
    assert "no plan" in ran.err


def test_a_stale_plan_is_exit_3_writes_nothing_and_shows_the_new_one(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
) -> None:
    plan = plan_of(inside, "move", "n-aaaaaaaa", "archive")
    ready.write(RULE, ready.read(RULE) + "\nMore words.\n")
    before = tree()
    ran = inside("apply", plan)
    assert ran.code == 3
    assert RULE in ran.err
    assert tree() == before
    new = ran.out.split("mem apply ")[1].split()[0]
    assert new != plan
    assert inside("apply", new).code == 0


def test_a_stale_plan_in_json_has_the_new_plan_and_the_error(ready: Repo, inside: Mem) -> None:
    plan = plan_of(inside, "revoke", "n-aaaaaaaa", "--reason", "it was wrong")
    ready.write(RULE, ready.read(RULE) + "\nMore words.\n")
    ran = inside("apply", plan, "--json")
    assert (ran.code, ran.json["error"]["exit"], ran.json["applied"]) == (3, 3, False)
    assert ran.json["plan"]["id"] != plan


def test_a_new_event_of_the_note_makes_its_plan_stale(ready: Repo, inside: Mem) -> None:
    plan = plan_of(inside, "revoke", "n-aaaaaaaa")
    assert inside("reinstate", "n-aaaaaaaa", "--apply").code == 0
    ran = inside("apply", plan)
    assert ran.code == 3
    assert "memory/events/n-aaaaaaaa/" in ran.err


def test_a_changed_manifest_makes_every_plan_stale(ready: Repo, inside: Mem) -> None:
    plan = plan_of(inside, "revoke", "n-aaaaaaaa")
    ready.write("memory/manifest.md", MANIFEST.replace("4000", "5000"))
    ran = inside("apply", plan)
    assert ran.code == 3
    assert "memory/manifest.md" in ran.err


def test_a_blocker_that_appears_after_the_preview_is_refused_under_the_lock(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
) -> None:
    plan = plan_of(inside, "add", "One", "--subject", "path:src/x.py", "--facet", "security")
    assert inside("add", "Two", "--subject", "path:src/x.py", "--facet", "security", "--apply").code == 0
    before = tree()
    ran = inside("apply", plan)
    assert ran.code == 1
    assert "M301" in ran.err
    assert tree() == before


def test_a_file_turned_into_a_link_after_the_preview_is_refused(ready: Repo, inside: Mem) -> None:
    text = ready.read(RULE) + "\nMore words.\n"
    ran = inside("edit", "n-aaaaaaaa", "--json", stdin=text)
    plan = ran.json["plan"]["id"]
    (ready.root / RULE).rename(ready.root / "elsewhere.md")
    (ready.root / RULE).symlink_to("../../elsewhere.md")
    before = ready.read("elsewhere.md")
    assert inside("apply", plan).code == 3
    assert (ready.root / RULE).is_symlink()
    assert ready.read("elsewhere.md") == before


def test_a_link_out_of_the_repository_is_never_written_through(
    ready: Repo, inside: Mem, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(note_text("Outside", id="n-bbbbbbbb"))
    (ready.root / "memory/decisions/link.md").symlink_to(outside)
    ran = inside("edit", "memory/decisions/link.md", "--apply", stdin=note_text("Changed", id="n-bbbbbbbb"))
    assert ran.code in (1, 2)
    assert "Outside" in outside.read_text()


def test_the_same_content_at_another_path_gives_the_same_plan(
    ready: Repo, inside: Mem, tmp_path: Path
) -> None:
    other = tmp_path / "a" / "very" / "different" / "place"
    subprocess.run(["git", "clone", "-q", str(ready.root), str(other)], check=True)
    command = ("revoke", "n-aaaaaaaa", "--reason", "it was wrong", "--json")
    here, there = inside(*command), inside(*command, cwd=other)
    assert here.json["plan"] == there.json["plan"]


def test_a_saved_plan_is_good_in_another_checkout_and_names_no_place(
    ready: Repo, inside: Mem, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(ready.root), str(other)], check=True)
    plan = plan_of(inside, "add", "A new claim", "--anchor", "src/x.py")
    saved = (ready.root / f".git/mem/plans/{plan}.json").read_text()
    assert str(tmp_path) not in saved
    target = other / f".git/mem/plans/{plan}.json"
    target.parent.mkdir(parents=True)
    target.write_text(saved)
    assert inside("apply", plan, cwd=other).code == 0
    assert inside("apply", plan).code == 0
    (mine,) = (ready.root / "memory/decisions").glob("a-new-claim-*.md")
    assert (other / mine.relative_to(ready.root)).read_bytes() == mine.read_bytes()


def test_a_plan_made_in_one_worktree_applies_in_another(ready: Repo, inside: Mem, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    ready.git("worktree", "add", "-q", str(linked), "-b", "side")
    plan = plan_of(inside, "move", "n-aaaaaaaa", "archive")
    assert inside("apply", plan, cwd=linked).code == 0
    assert (linked / "memory/archive/rule-aaaaaaaa.md").exists()
    assert (ready.root / RULE).exists()
    assert inside("apply", plan).code == 0


def test_a_saved_plan_that_was_tampered_with_is_not_the_confirmed_one(ready: Repo, inside: Mem) -> None:
    plan = plan_of(inside, "revoke", "n-aaaaaaaa", "--reason", "it was wrong")
    file = ready.root / f".git/mem/plans/{plan}.json"
    fields = json.loads(file.read_text())
    fields["intent"]["reason"] = "something else"
    file.write_text(json.dumps(fields))
    assert inside("apply", plan).code == 3
    assert not (ready.root / "memory/events/n-aaaaaaaa").exists()


def test_a_plan_older_than_seven_days_is_unknown(ready: Repo, inside: Mem) -> None:
    plan = plan_of(inside, "revoke", "n-aaaaaaaa")
    file = ready.root / f".git/mem/plans/{plan}.json"
    os.utime(file, (0, 0))
    assert inside("apply", plan).code == 2
    plan_of(inside, "reinstate", "n-aaaaaaaa")
    assert not file.exists()


def test_require_plan_forbids_the_short_way(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
) -> None:
    ready.write("memory/manifest.md", MANIFEST.replace("protocol: 1", "protocol: 1\nrequire_plan: true"))
    before = tree()
    ran = inside("add", "A claim", "--apply")
    assert ran.code == 1
    assert "require_plan" in ran.err
    assert tree() == before
    assert inside("apply", plan_of(inside, "add", "A claim")).code == 0
    assert inside("add", "A candidate", "--candidate").code == 0


def test_a_held_lock_is_exit_4_and_names_the_holder(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
) -> None:
    before = tree()
    with locked(find_place(str(ready.root)), "settle", "2026-11-30T10:00:00Z"):
        ran = inside("add", "A claim", "--apply", "--lock-timeout", "0")
        assert ran.code == 4
        assert f"mem settle (process {os.getpid()}" in ran.err
        assert tree() == before
        assert inside("add", "A claim").code == 0  # a preview only reads


def test_a_memory_without_a_readable_manifest_is_not_changed(ready: Repo, inside: Mem) -> None:
    ready.write("memory/manifest.md", "---\nprotocol: [\n")
    assert inside("add", "A claim", "--apply").code == 1


def test_a_newer_protocol_refuses_every_change(ready: Repo, inside: Mem) -> None:
    ready.write("memory/manifest.md", MANIFEST.replace("protocol: 1", "protocol: 2"))
    assert inside("add", "A claim").code != 0
    assert inside("add", "A claim", "--apply").code != 0


def test_the_plan_is_refused_before_it_is_saved_where_it_holds_a_secret(ready: Repo, inside: Mem) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    for command in (("add", f"The token is {token}"), ("revoke", "n-aaaaaaaa", "--reason", token)):
        ran = inside(*command)
        assert ran.code == 1
        assert "M701" in ran.err
        assert token not in ran.out + ran.err
    private = ready.root / ".git/mem"
    assert not any(token in file.read_text(errors="replace") for file in private.rglob("*") if file.is_file())


@pytest.mark.slow
def test_twenty_processes_adding_at_once_leave_twenty_notes(ready: Repo) -> None:
    command = [sys.executable, "-m", "memwarden", "add", "--apply", "--lock-timeout", "60"]
    running = [
        subprocess.Popen([*command, f"Claim number {n}"], cwd=ready.root, stderr=subprocess.PIPE)
        for n in range(20)
    ]
    errors = [process.communicate()[1] for process in running]
    assert [process.returncode for process in running] == [0] * 20, errors
    assert len(list((ready.root / "memory/decisions").glob("claim-number-*.md"))) == 20
    assert len(list((ready.root / "memory/events").glob("*/*-admitted-*.json"))) == 20
    done = subprocess.run([sys.executable, "-m", "memwarden", "check"], cwd=ready.root, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("words", [("add", "A claim"), ("purge", "aaaaaaaa")])
def test_a_plan_that_cannot_be_kept_is_not_promised(ready: Repo, inside: Mem, words: tuple[str, ...]) -> None:
    ready.write(".git/mem/plans", "in the way of the folder")
    ran = inside(*words)
    assert ran.code == 0, ran.err
    assert "could not be kept (File exists), so mem apply will not know it" in ran.err
    assert not list((ready.root / ".git/mem").glob("**/*.tmp"))


def test_a_plan_whose_keeping_fails_half_way_leaves_no_file(
    ready: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Disk, descriptor: int, data: bytes) -> None:
        os.write(descriptor, data[:7])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Disk, "write", full)
    ran = inside("add", "A claim")
    assert "could not be kept (No space left on device)" in ran.err
    assert list((ready.root / ".git/mem/plans").iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("add", "x", "--subject", "nobody-knows-it"),
        ("add", "x", "--no-such-option"),
        ("revoke", "n-zzzzzzzz", "--reason", "wrong"),
        ("supersede", "n-zzzzzzzz", "n-yyyyyyyy"),
        ("subject", "alias", "nobody-knows-it", "x"),
        ("purge", "n-zzzzzzzz"),
        ("apply", "0" * 12),
    ],
)
def test_a_change_that_is_refused_has_the_fields_of_one_that_is_not(
    ready: Repo, inside: Mem, words: tuple[str, ...]
) -> None:
    ran = inside(*words, "--json")
    assert ran.code in (1, 2)
    assert (ran.json["plan"], ran.json["applied"], ran.json["notes"]) == (None, False, [])
    assert ran.json["error"]["exit"] == ran.code


@pytest.mark.usefixtures("ready")
def test_a_reading_command_that_fails_tells_of_no_plan(inside: Mem) -> None:
    assert "plan" not in inside("show", "n-zzzzzzzz", "--json").json
