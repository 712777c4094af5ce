"""Purging: everything that is managed is found and goes, and whatever stands in the way is named first."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwarden.edge.command.trust import Entry, TrustStore, trust_folder
from memwarden.edge.place import find_place
from memwarden.edge.writing.lock import locked
from tests.conftest import MANIFEST, Mem, Ran, Repo, note_text

RULE = "memory/decisions/frobnicate-daily-aaaaaaaa.md"
OTHER = "memory/decisions/other-bbbbbbbb.md"
Tree = Callable[[], dict[str, bytes]]


@pytest.fixture
def ready(memory_repo: Repo) -> Repo:
    memory_repo.write(RULE, note_text("Frobnicate daily", id="n-aaaaaaaa", subject="path:src/a.py"))
    memory_repo.write(
        OTHER, note_text("Something else", "It stands alone.", id="n-bbbbbbbb", subject="path:b")
    )
    memory_repo.write("src/a.py", "a = 1\n")
    memory_repo.write("b", "b\n")
    memory_repo.commit("rules")
    return memory_repo


def scope(ran: Ran) -> dict[str, Any]:
    return {one["name"]: one for one in ran.json["scope"]}


def applied(mem: Mem, *arguments: str, stdin: str = "") -> Ran:
    seen = mem(*arguments, "--json", stdin=stdin)
    assert seen.code == 0, seen.err + seen.out
    ran = mem("apply", seen.json["plan"]["id"], "--json")
    assert ran.code == 0, ran.err + ran.out
    return ran


def managed(repo: Repo) -> dict[str, bytes]:
    """Every byte that is ours, in the tree, in private state and in the user's state folder."""
    tops = [repo.root / "memory", *repo.root.glob("*.md"), *repo.root.glob(".git/**/mem")]
    files = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*"))]
    return {str(path.relative_to(repo.root)): path.read_bytes() for path in files if path.is_file()}


def assert_gone(repo: Repo, text: str) -> None:
    """An independent byte search of everything managed."""
    wanted = text.lower().encode()
    assert [
        name
        for name, data in managed(repo).items()
        if wanted in data.lower() or wanted in name.lower().encode()
    ] == []


# What is removed


def test_a_purge_by_note_leaves_no_byte_of_it(ready: Repo, inside: Mem) -> None:
    inside("touch", "src/a.py", "--session", "s")
    inside("list", "--json")
    applied(inside, "purge", "n-aaaaaaaa")
    assert_gone(ready, "frobnicate")
    [event] = (ready.root / "memory/events/n-aaaaaaaa").iterdir()
    facts = json.loads(event.read_text())
    assert (facts["kind"], facts["mode"], "branch" in facts) == ("purged", "note", False)


def test_a_purge_without_its_plan_changes_no_byte(ready: Repo, inside: Mem, tree: Tree) -> None:
    before = tree()
    for more in ((), ("--apply",)):
        ran = inside("purge", "--match", "frobnicate", *more)
        assert ran.code == (1 if more else 0)
        assert tree() == before
        assert "mem apply " in ran.out


@pytest.mark.parametrize(
    "text", ["FROBNICATE", "  frobnicate   daily ", "\uff26\uff32\uff2f\uff22nicate", "robnicat"]
)
def test_a_text_is_matched_whatever_its_case_width_and_blanks(ready: Repo, inside: Mem, text: str) -> None:
    applied(inside, "purge", "--match", "-", stdin=text)
    assert not (ready.root / RULE).exists()
    assert (ready.root / OTHER).exists()
    assert_gone(ready, "frobnicate")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"tags": "[zebra]"}, "a tag"),
        ({"evidence": "[{user: 'the Zebra said so'}]"}, "its evidence"),
        ({"subject": "path:src/zebra.py"}, "its subject"),
    ],
)
def test_a_text_in_a_tag_the_subject_or_the_evidence_targets_a_note(
    ready: Repo, inside: Mem, fields: dict[str, str], why: str
) -> None:
    ready.write("memory/inbox/c-cccccccc.md", note_text("A claim", id="n-cccccccc", **fields))
    ran = inside("purge", "--match", "zebra", "--json")
    assert ran.code == 0, ran.out
    [item] = scope(ran)["candidates"]["items"]
    assert item.endswith(why)
    applied(inside, "purge", "--match", "zebra")
    assert_gone(ready, "zebra")


def test_a_text_that_only_a_file_name_holds_is_found_by_its_slug(ready: Repo, inside: Mem) -> None:
    ready.write("memory/archive/old-zebra-dddddddd.md", note_text("Stripes", id="n-dddddddd"))
    applied(inside, "purge", "--match", "Old: Zebra!")
    assert_gone(ready, "zebra")


def test_archive_copies_and_files_that_cannot_be_read_go_with_the_note(ready: Repo, inside: Mem) -> None:
    ready.write("memory/archive/copy.md", ready.read(RULE))
    ready.write("memory/decisions/torn.md", ready.read(RULE).replace("facet", "<<<<<<< ours\nfacet"))
    applied(inside, "purge", "n-aaaaaaaa")
    assert_gone(ready, "frobnicate")


def test_a_plain_candidate_without_an_id_is_purged_by_its_path(ready: Repo, inside: Mem) -> None:
    ready.write("memory/inbox/zebra.md", "# The zebra idea\n")
    ran = applied(inside, "purge", "inbox/zebra.md")
    assert ran.json["notes"] == []
    assert_gone(ready, "zebra")


def test_odd_bytes_in_a_name_are_no_obstacle(ready: Repo, inside: Mem) -> None:
    name = b"memory/inbox/zebra-\xff\xfe.md".decode("utf-8", "surrogateescape")
    ready.write(name, "# The zebra idea\n")
    ready.git("add", "-A")
    applied(inside, "purge", "--match", "zebra")
    assert not (ready.root / name).exists()


def test_empty_folders_that_are_named_by_the_text_go_too(ready: Repo, inside: Mem) -> None:
    ready.write("memory/decisions/zebra/x-eeeeeeee.md", note_text("The zebra rule", id="n-eeeeeeee"))
    applied(inside, "purge", "--match", "zebra")
    assert not (ready.root / "memory/decisions/zebra").exists()


def test_purging_again_what_a_merge_brought_back_leaves_one_event(ready: Repo, inside: Mem) -> None:
    text = ready.read(RULE)
    applied(inside, "purge", "n-aaaaaaaa")
    first = sorted((ready.root / "memory/events/n-aaaaaaaa").iterdir())
    ready.write(RULE, text)
    applied(inside, "purge", "n-aaaaaaaa")
    assert sorted((ready.root / "memory/events/n-aaaaaaaa").iterdir()) == first


def test_a_purge_after_a_soft_forgetting_takes_the_tombstone(ready: Repo, inside: Mem) -> None:
    inside("forget", "n-aaaaaaaa", "--apply")
    applied(inside, "purge", "--match", "frobnicate")
    assert_gone(ready, "frobnicate")
    ready.git("add", "-A")
    assert inside("check", "--staged", "--strict").code == 0


# Subjects


SUBJECT = "---\nid: zebra\nname: Zebra\nkind: concept\naliases:\n  - Stripy Horse\n---\nAn animal.\n"


def test_a_subject_goes_with_its_notes_by_any_of_its_names(ready: Repo, inside: Mem) -> None:
    ready.write("memory/subjects/zebra.md", SUBJECT)
    ready.write(
        "memory/subjects/quagga.md", "---\nid: quagga\nname: Quagga\nkind: concept\nmerged_into: zebra\n---\n"
    )
    ready.write("memory/decisions/q-cccccccc.md", note_text("Old stock", id="n-cccccccc", subject="quagga"))
    ready.write(
        "memory/decisions/z-dddddddd.md", note_text("Young stock", id="n-dddddddd", subject="zebra#feed")
    )
    ran = applied(inside, "purge", "--subject", "stripy  horse")
    assert sorted(ran.json["notes"]) == ["n-cccccccc", "n-dddddddd"]
    for text in ("zebra", "quagga", "stock"):
        assert_gone(ready, text)


def test_an_aspect_alone_takes_its_notes_and_leaves_the_subject(ready: Repo, inside: Mem) -> None:
    ready.write("memory/subjects/zebra.md", SUBJECT)
    ready.write("memory/decisions/y-cccccccc.md", note_text("Old stock", id="n-cccccccc", subject="zebra"))
    ready.write(
        "memory/decisions/z-dddddddd.md", note_text("Young stock", id="n-dddddddd", subject="zebra#feed")
    )
    assert applied(inside, "purge", "--subject", "zebra#feed").json["notes"] == ["n-dddddddd"]
    assert (ready.root / "memory/subjects/zebra.md").exists()


def test_a_subject_still_referenced_is_not_purged_without_its_notes(
    ready: Repo, inside: Mem, tree: Tree
) -> None:
    ready.write("memory/subjects/zebra.md", SUBJECT)
    ready.write(
        "memory/subjects/quagga.md", "---\nid: quagga\nname: Quagga\nkind: concept\nmerged_into: zebra\n---\n"
    )
    before = tree()
    ran = inside("purge", "--match", "zebra", "--json")
    assert ran.code == 1
    assert [one["path"] for one in ran.json["blocked"]] == ["memory/subjects/quagga.md"] * 2
    assert tree() == before


def test_a_subject_keeps_its_file_where_only_an_alias_is_the_text(ready: Repo, inside: Mem) -> None:
    ready.write("memory/subjects/animal.md", SUBJECT.replace("zebra", "animal").replace("Zebra", "Animal"))
    applied(inside, "purge", "--match", "stripy horse")
    assert "aliases" not in ready.read("memory/subjects/animal.md")
    assert "An animal." in ready.read("memory/subjects/animal.md")


# What stands in the way


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
    ready: Repo, inside: Mem, tree: Tree, path: str, content: str, found: str
) -> None:
    ready.write(path, content)
    before = tree()
    ran = inside("purge", "--match", "frobnicate", "--json")
    assert (ran.code, ran.json["plan"], ran.json["applied"]) == (1, None, False)
    assert [(one["path"], one["scope"]) for one in ran.json["blocked"]] == [(path, found)]
    assert ran.json["blocked"][0]["line"] > 0
    assert tree() == before


def test_a_note_that_is_named_too_blocks_no_more(ready: Repo, inside: Mem) -> None:
    ready.write(OTHER, note_text("Else", "One should frobnicate.", id="n-bbbbbbbb"))
    assert inside("purge", "--match", "frobnicate").code == 1
    applied(inside, "purge", "n-bbbbbbbb", "--match", "frobnicate")
    assert_gone(ready, "frobnicate")


def test_an_event_of_another_note_that_tells_the_text_blocks(ready: Repo, inside: Mem) -> None:
    inside("revoke", "n-bbbbbbbb", "--reason", "we frobnicate instead", "--apply")
    ran = inside("purge", "--match", "frobnicate")
    assert ran.code == 1
    assert "name n-bbbbbbbb too" in ran.out


def test_a_blocker_that_appears_between_preview_and_apply_is_refused(
    ready: Repo, inside: Mem, tree: Tree
) -> None:
    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]
    ready.write("CLAUDE.md", "Remember to frobnicate.\n")
    before = tree()
    ran = inside("apply", plan)
    assert ran.code == 1
    assert "CLAUDE.md" in ran.err
    assert tree() == before


def test_an_exception_to_what_would_be_gone_blocks(ready: Repo, inside: Mem) -> None:
    ready.write(
        "memory/areas/sync/e-cccccccc.md",
        note_text("Not in sync", id="n-cccccccc", subject="path:src/a.py", exception_to="n-aaaaaaaa"),
    )
    ran = inside("purge", "n-aaaaaaaa", "--json")
    assert ran.code == 1
    assert ran.json["blocked"][0]["path"] == "memory/areas/sync/e-cccccccc.md"


def test_a_note_that_changed_since_the_preview_makes_the_plan_stale(
    ready: Repo, inside: Mem, tree: Tree
) -> None:
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    ready.write(RULE, ready.read(RULE) + "more\n")
    before = tree()
    ran = inside("apply", plan)
    assert ran.code == 3
    assert "frobnicate" not in ran.err.lower()
    assert tree() == before


# The topic is written nowhere


def test_neither_plan_nor_journal_tells_the_topic(
    ready: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    from memwarden.edge.writing.disk import Disk

    original = Disk.write

    def write(self: Disk, descriptor: int, data: bytes) -> None:
        written.append(data)
        original(self, descriptor, data)

    monkeypatch.setattr(Disk, "write", write)
    ready.write("memory/decisions/zebra/x-eeeeeeee.md", note_text("A frobnicate rule", id="n-eeeeeeee"))
    applied(inside, "purge", "--match", "-", stdin="frobnicate")
    whole = b"".join(written).lower()
    assert whole
    assert b"frobnicate" not in whole
    assert b"zebra" not in whole


def test_what_is_said_after_applying_repeats_no_topic_of_the_tree(ready: Repo, inside: Mem) -> None:
    ready.git("rm", "-q", "-r", "--cached", "memory")
    ran = applied(inside, "purge", "--match", "frobnicate")
    assert "frobnicate" not in json.dumps(ran.json["plan"]).lower()


def test_a_text_on_the_command_line_is_warned_about(ready: Repo, inside: Mem) -> None:
    assert "shell" in " ".join(inside("purge", "--match", "frobnicate", "--json").json["remarks"])
    quiet = inside("purge", "--match", "-", "--json", stdin="frobnicate\n").json
    assert "shell" not in " ".join(quiet["remarks"])


# Private state, of every worktree


def test_other_plans_that_hold_the_text_are_dropped(ready: Repo, inside: Mem) -> None:
    plan = inside("add", "Also frobnicate weekly", "--json").json["plan"]["id"]
    ran = applied(inside, "purge", "n-aaaaaaaa", "--match", "frobnicate")
    assert any(plan in item for item in scope(ran)["plans"]["items"])
    assert inside("apply", plan).code == 2


def test_private_state_of_every_worktree_is_searched_and_scrubbed(
    ready: Repo, inside: Mem, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    ready.git("worktree", "add", "-q", str(second), "-b", "second")
    for folder in (ready.root, second):
        inside("touch", "src/a.py", "--write", "--session", "s", cwd=folder)
        inside("list", "--json", cwd=folder)
    state = ready.root / ".git/worktrees/second/mem"
    state.mkdir(parents=True, exist_ok=True)
    (state / "hook.log").write_text("kept line\n2026 claude: n-aaaaaaaa: asked\n")
    (state / "pending").write_text(
        "missed\tn-aaaaaaaa\tt\thuman\tAda\tsrc/a.py\nmissed\tn-bbbbbbbb\tt\thuman\tAda\tb\n"
    )
    (state / "counts").write_text("fire\tn-aaaaaaaa\ts\nfire\tn-bbbbbbbb\ts\n")
    applied(inside, "purge", "n-aaaaaaaa")
    assert (state / "hook.log").read_text() == "kept line\n"
    assert (state / "pending").read_text() == "missed\tn-bbbbbbbb\tt\thuman\tAda\tb\n"
    assert (state / "counts").read_text() == "fire\tn-bbbbbbbb\ts\n"
    for folder in (ready.root / ".git/mem", state):
        for path in folder.rglob("*"):
            assert path.is_dir() or b"n-aaaaaaaa" not in path.read_bytes(), path
            assert path.is_dir() or b"robnicate" not in path.read_bytes(), path


def test_every_worktrees_lock_is_taken(ready: Repo, inside: Mem, tmp_path: Path, tree: Tree) -> None:
    second = tmp_path / "second"
    ready.git("worktree", "add", "-q", str(second), "-b", "second")
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    before = tree()
    with locked(find_place(str(second)), "edit", "2026-11-30T00:00:00Z"):
        ran = inside("apply", plan, "--lock-timeout", "0")
    assert ran.code == 4
    assert "mem edit" in ran.err
    assert tree() == before


def test_matching_endorsements_are_dropped(ready: Repo, inside: Mem) -> None:
    import os

    store = TrustStore(trust_folder(os.environ))
    for note in ("n-aaaaaaaa", "n-bbbbbbbb"):
        store.add(Entry("p-7q2m4x9k", note, ("make", "test"), "."))
    store.add(Entry("p-other000", "n-aaaaaaaa", ("make",), "."))
    ran = applied(inside, "purge", "n-aaaaaaaa")
    assert scope(ran)["trust"]["state"] == "removed"
    assert [(one.project, one.note) for one in store.entries()] == [
        ("p-7q2m4x9k", "n-bbbbbbbb"),
        ("p-other000", "n-aaaaaaaa"),
    ]


def test_residue_is_a_failure_that_names_it_without_the_topic(
    ready: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memwarden.edge.writing.apply import apply_changes

    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]
    original = apply_changes

    def interfere(*given: Any, **named: Any) -> None:
        original(*given, **named)
        ready.write("memory/inbox/frobnicate-again.md", "# We FROBNICATE again\n")

    monkeypatch.setattr("memwarden.edge.erase.erasing.apply_changes", interfere)
    ran = inside("apply", plan, "--json")
    assert ran.code == 1
    assert len(ran.json["residue"]) == 1
    assert "memory/inbox/?" in ran.json["residue"][0]
    assert "frobnicate" not in json.dumps([ran.json["residue"], ran.json["error"], ran.err]).lower()


def test_a_purge_that_is_killed_is_carried_out_and_tells_nothing_meanwhile(
    ready: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memwarden.edge.writing.disk import Disk

    plan = inside("purge", "--match", "frobnicate", "--json").json["plan"]["id"]
    original = Disk.remove

    def die(self: Disk, path: str) -> None:
        if path.endswith(".md"):
            raise KeyboardInterrupt
        original(self, path)

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "remove", die)
        with contextlib.suppress(KeyboardInterrupt):
            inside("apply", plan)
    assert (ready.root / ".git/mem/journal").exists()
    assert (ready.root / RULE).exists()
    for path in (ready.root / ".git/mem").rglob("*"):
        assert path.is_dir() or b"frobnicate" not in path.read_bytes().lower(), path
    assert inside("recover").code == 0
    assert_gone(ready, "frobnicate")


def test_an_unfinished_change_of_another_worktree_comes_first(
    ready: Repo, inside: Mem, tmp_path: Path, tree: Tree
) -> None:
    ready.git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second")
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    state = ready.root / ".git/worktrees/second/mem"
    state.mkdir(parents=True)
    (state / "journal").write_text("{}")
    before = tree()
    ran = inside("apply", plan)
    assert (ran.code, tree()) == (5, before)
    assert "second" in ran.err


# Odd repositories


def test_without_any_commit_history_is_none(repo: Repo, inside: Mem) -> None:
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", id="n-br1ef000", facet="overview"))
    repo.write(RULE, note_text("Frobnicate daily", id="n-aaaaaaaa", subject="path:src/a.py"))
    ran = inside("purge", "--match", "frobnicate", "--json")
    assert {scope(ran)[name]["state"] for name in ("branches", "tags", "reflogs", "stashes")} == {"none"}
    assert scope(ran)["elsewhere"]["state"] == "unknown"
    applied(inside, "purge", "--match", "frobnicate")


def test_a_shallow_clone_never_says_none(ready: Repo, inside: Mem, tmp_path: Path) -> None:
    ready.write("later", "x\n")
    ready.commit("later")
    ready.git("clone", "-q", "--depth", "1", f"file://{ready.root}", str(tmp_path / "cut"))
    ran = inside("purge", "--match", "frobnicate", "--json", cwd=tmp_path / "cut")
    found = scope(ran)
    assert found["branches"]["state"] == "not-reached"
    assert found["tags"]["state"] == "unknown"
    assert ran.json["outside"]["searched"]["whole"] is False


def test_a_detached_head_is_named(ready: Repo, inside: Mem) -> None:
    ready.git("checkout", "-q", "--detach")
    ready.git("commit", "-q", "--allow-empty", "-m", "alone")
    names = [one["name"] for one in inside("purge", "n-aaaaaaaa", "--json").json["outside"]["branches"]]
    assert names == ["HEAD (detached)", "main"]


def test_a_note_that_only_the_index_has_is_told(ready: Repo, inside: Mem) -> None:
    ready.write("memory/decisions/staged-cccccccc.md", note_text("The zebra rule", id="n-cccccccc"))
    ready.git("add", "-A")
    (ready.root / "memory/decisions/staged-cccccccc.md").unlink()
    ran = inside("purge", "--match", "zebra", "--json")
    assert (ran.code, ran.json["plan"]) == (0, None)
    assert ran.json["outside"]["index"] == ["memory/decisions/staged-cccccccc.md"]


def test_what_a_sparse_checkout_left_out_blocks(ready: Repo, inside: Mem, tree: Tree) -> None:
    ready.git("sparse-checkout", "set", "--no-cone", "/*", "!/memory/decisions/")
    before = tree()
    ran = inside("purge", "n-aaaaaaaa", "--json")
    assert ran.code == 1
    assert "sparse" in ran.json["blocked"][0]["why"]
    assert tree() == before


def test_nothing_of_a_text_is_nothing_to_do(ready: Repo, inside: Mem) -> None:
    ran = inside("purge", "--match", "unheard of", "--json")
    assert (ran.code, ran.json["plan"]) == (0, None)
    assert {one["state"] for one in ran.json["scope"]} <= {"none", "unknown", "found"}


@pytest.mark.parametrize("words", [(), ("--match", "  "), ("--match", "-")])
def test_naming_nothing_is_a_mistake(ready: Repo, inside: Mem, words: tuple[str, ...]) -> None:
    assert inside("purge", *words).code == 2


def test_a_purge_is_applied_once(ready: Repo, inside: Mem) -> None:
    plan = inside("purge", "n-aaaaaaaa", "--json").json["plan"]["id"]
    assert inside("apply", plan).code == 0
    again = inside("apply", plan)
    assert (again.code, "already applied" in again.err) == (0, True)


def test_no_absolute_path_is_in_the_report(ready: Repo, inside: Mem) -> None:
    ran = inside("purge", "n-aaaaaaaa", "--json")
    assert str(ready.root) not in ran.out
    assert str(ready.root) not in inside("apply", ran.json["plan"]["id"], "--json").out


def test_a_text_that_stands_only_in_prose_blocks_though_it_targets_nothing(ready: Repo, inside: Mem) -> None:
    for path, content in (
        (OTHER, note_text("Else", "A zebra.", id="n-bbbbbbbb")),
        ("CLAUDE.md", "A zebra.\n"),
    ):
        ready.write(path, content)
        ran = inside("purge", "--match", "zebra", "--json")
        assert (ran.code, ran.json["plan"]) == (1, None)
        assert path in [one["path"] for one in ran.json["blocked"]]


def test_a_text_that_only_private_state_holds_is_erased_there(ready: Repo, inside: Mem) -> None:
    plan = inside("add", "The zebra rule", "--json").json["plan"]["id"]
    seen = inside("purge", "--match", "-", "--json", stdin="zebra")
    assert plan in scope(seen)["plans"]["items"][0]
    saved = ready.root / ".git/mem/plans" / f"{seen.json['plan']['id']}.json"
    assert "zebra" not in saved.read_text()
    assert inside("apply", seen.json["plan"]["id"]).code == 0
    assert_gone(ready, "zebra")
    assert inside("apply", plan).code == 2


def test_a_purge_in_a_linked_worktree_reports_the_main_one(ready: Repo, inside: Mem, tmp_path: Path) -> None:
    second = tmp_path / "second"
    ready.git("worktree", "add", "-q", str(second), "-b", "second")
    inside("list", "--json")
    seen = inside("purge", "n-aaaaaaaa", "--json", cwd=second)
    assert seen.code == 0, seen.err
    [other] = seen.json["outside"]["worktrees"]
    assert (other["name"], other["files"]) == ("main", [RULE])
    assert inside("apply", seen.json["plan"]["id"], cwd=second).code == 0
    assert not (second / RULE).exists()
    assert (ready.root / RULE).exists()
    for path in (ready.root / ".git/mem").rglob("*"):
        assert path.is_dir() or b"n-aaaaaaaa" not in path.read_bytes(), path


def test_the_preview_counts_our_own_files_and_fits_a_screen(ready: Repo, mem: Mem) -> None:
    ready.write(RULE, ready.read(RULE).replace("\n---\n", "\nanchors: [src/a.py]\n---\n", 1))
    for number in range(12):
        assert mem("search", f"word{number}", "--json").code == 0
        assert mem("touch", "src/a.py", "--session", f"s{number}").code == 0
    ran = mem("purge", "n-aaaaaaaa")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert len(lines) < 40
    assert any("12 ledgers naming the note" in line for line in lines)
    assert any("kept answers" in line for line in lines)
    assert RULE in ran.out
    assert len(scope(mem("purge", "n-aaaaaaaa", "--json"))["ledgers"]["items"]) == 12


def test_a_single_file_of_ours_is_named_also_beside_others_that_are_there_for_another_reason(
    ready: Repo, mem: Mem
) -> None:
    assert mem("add", "Frobnicate twice", "--facet", "security").code == 0  # a plan that holds the text
    assert mem("purge", "n-aaaaaaaa").code == 0  # and one that names the note
    told = mem("purge", "--match", "frobnicate").out
    assert ".json: it holds the text\n" in told
    assert ".json: it names the note\n" in told
    assert "1 plans" not in told


def test_a_text_that_nothing_tells_makes_no_plan_and_claims_nothing(ready: Repo, mem: Mem) -> None:
    assert mem("list", "--json").code == 0
    ran = mem("purge", "--match", "zzzz")
    assert ran.code == 0
    assert ran.out.startswith("Found nothing of that in the memory\n")
    assert "removed by this plan" not in ran.out
    assert "there is no plan" in ran.err
    told = mem("purge", "--match", "zzzz", "--json")
    assert told.json["plan"] is None
    assert not [one for one in told.json["scope"] if one["state"] == "found"]
