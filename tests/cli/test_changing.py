"""Notes that are there: superseded, revoked, reinstated, moved and edited."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Mem, Repo, note_text

RULE = "memory/decisions/rule.md"
DEBT = "memory/debts/debt.md"
CONDITION = "{file_contains: {path: src/a.py, pattern: fixed}}"


@pytest.fixture
def ready(memory_repo: Repo) -> Repo:
    memory_repo.write("src/a.py", "broken\n")
    memory_repo.write(RULE, note_text("A rule", id="n-aaaaaaaa", subject="path:src/a.py"))
    memory_repo.write(
        DEBT,
        note_text("A debt", id="n-dddddddd", subject="path:src/a.py", lifecycle="debt", condition=CONDITION),
    )
    memory_repo.commit("notes")
    return memory_repo


def standing(mem: Mem, note: str) -> str:
    return next(one["standing"] for one in mem("list", "--json").json["notes"] if one["id"] == note)


def last_event(repo: Repo, note: str) -> dict[str, Any]:
    found = sorted((repo.root / "memory/events" / note).glob("*.json"))
    event: dict[str, Any] = json.loads(found[-1].read_text())
    return event


def test_a_revoked_note_is_silent_and_show_gives_the_reason(ready: Repo, inside: Mem) -> None:
    before = ready.read(RULE)
    assert inside("revoke", "n-aaaaaaaa", "--reason", "it was wrong", "--apply").code == 0
    assert (standing(inside, "n-aaaaaaaa"), ready.read(RULE)) == ("revoked", before)
    assert "it was wrong" in inside("show", "n-aaaaaaaa").out
    assert "A rule" not in inside("route", "--task", "plan", "--json").json["text"]
    assert inside("reinstate", "n-aaaaaaaa", "--reason", "it was right", "--apply").code == 0
    assert standing(inside, "n-aaaaaaaa") == "active"


def test_revoking_twice_is_nothing_to_do(ready: Repo, inside: Mem) -> None:
    assert inside("revoke", "n-aaaaaaaa", "--apply").code == 0
    again = inside("revoke", "n-aaaaaaaa", "--apply")
    assert again.code == 0
    assert "nothing to do" in again.err
    assert len(list((ready.root / "memory/events/n-aaaaaaaa").iterdir())) == 1


def test_a_candidate_is_rejected_and_not_revoked(ready: Repo, inside: Mem) -> None:
    ready.write("memory/inbox/c.md", note_text("C", id="n-cccccccc"))
    ran = inside("revoke", "n-cccccccc", "--apply")
    assert ran.code == 1
    assert "mem reject" in ran.err


def test_reinstating_an_active_note_is_harmless_and_recorded(ready: Repo, inside: Mem) -> None:
    assert inside("reinstate", "n-aaaaaaaa", "--apply").code == 0
    assert standing(inside, "n-aaaaaaaa") == "active"
    assert last_event(ready, "n-aaaaaaaa")["why"] == "manual"


def test_a_paid_debt_reinstated_is_owed_again_and_holds_its_verdict(ready: Repo, inside: Mem) -> None:
    from memwarden.core.actor import Actor
    from memwarden.core.canonical import condition_digest
    from memwarden.core.condition import TextTest
    from memwarden.edit.event_writer import Stamp, draft, event_file

    digest = condition_digest(TextTest("file_contains", "src/a.py", "fixed"))
    stamp = Stamp("2026-11-30T10:00:00Z", Actor("human", "Ada"))
    for seq, (kind, facts) in enumerate(
        [("missed", {"count": 2}), ("paid", {"condition_digest": digest, "how": "touch"})], 1
    ):
        path, data = event_file(draft("n-dddddddd", kind, (), facts)._replace(seq=seq), stamp)
        ready.write(path, data)
    assert standing(inside, "n-dddddddd") == "paid"
    assert inside("reinstate", "n-dddddddd", "--reason", "came back", "--apply").code == 0
    event = last_event(ready, "n-dddddddd")
    assert (event["seq"], event["condition_digest"], event["verdict"]["state"]) == (
        3,
        digest,
        "does not hold",
    )
    shown = inside("show", "n-dddddddd", "--json").json
    assert (shown["standing"], shown["misses"]) == ("owed", 2)
    assert [one["kind"] for one in shown["events"]] == ["missed", "paid", "reinstated"]


def test_reinstating_a_revoked_note_whose_key_has_a_new_owner_is_refused(ready: Repo, inside: Mem) -> None:
    assert inside("revoke", "n-aaaaaaaa", "--apply").code == 0
    key = ("--subject", "path:src/a.py", "--facet", "workflow")
    assert inside("add", "Another rule", *key, "--apply").code == 0
    ran = inside("reinstate", "n-aaaaaaaa", "--apply")
    assert ran.code == 1
    assert "M301" in ran.err


def test_supersede_writes_one_line_in_the_successor(ready: Repo, inside: Mem) -> None:
    key = {"id": "n-bbbbbbbb", "subject": "path:src/a.py", "facet": "workflow"}
    ready.write("memory/decisions/new.md", note_text("New", **key))
    before = ready.read("memory/decisions/new.md")
    assert inside("supersede", "n-aaaaaaaa", "n-bbbbbbbb", "--apply").code == 0
    after = ready.read("memory/decisions/new.md")
    assert [line for line in after.splitlines() if line not in before.splitlines()] == [
        "supersedes:",
        "  - n-aaaaaaaa",
    ]
    assert (standing(inside, "n-aaaaaaaa"), standing(inside, "n-bbbbbbbb")) == ("superseded", "active")
    again = inside("supersede", "n-aaaaaaaa", "n-bbbbbbbb", "--apply", "--json")
    assert (again.code, again.json["plan"]) == (0, None)
    assert inside("revoke", "n-bbbbbbbb", "--apply").code == 0
    assert standing(inside, "n-aaaaaaaa") == "active"


@pytest.mark.parametrize(
    ("fields", "old", "new", "said"),
    [
        ({}, "n-aaaaaaaa", "n-aaaaaaaa", "itself"),
        ({"facet": "security"}, "n-aaaaaaaa", "n-bbbbbbbb", "M302"),
        ({"supersedes": "[n-aaaaaaaa]"}, "n-bbbbbbbb", "n-aaaaaaaa", "go round"),
    ],
)
def test_a_supersession_that_cannot_stand_is_refused(
    ready: Repo, inside: Mem, fields: dict[str, str], old: str, new: str, said: str
) -> None:
    ready.write(
        "memory/decisions/new.md",
        note_text("New", **{"id": "n-bbbbbbbb", "subject": "path:src/a.py", **fields}),
    )
    ran = inside("supersede", old, new, "--apply")
    assert ran.code == 1
    assert said in ran.err


def test_superseding_a_superseded_note_names_its_successor(ready: Repo, inside: Mem) -> None:
    key = {"subject": "path:src/a.py", "facet": "workflow"}
    ready.write("memory/decisions/b.md", note_text("B", id="n-bbbbbbbb", supersedes="[n-aaaaaaaa]", **key))
    ready.write("memory/decisions/c.md", note_text("C", id="n-cccccccc", supersedes="[n-bbbbbbbb]", **key))
    ran = inside("supersede", "n-aaaaaaaa", "n-cccccccc", "--apply")
    assert ran.code == 1
    assert "n-bbbbbbbb" in ran.err or "n-cccccccc" in ran.err


def test_a_moved_note_keeps_its_bytes_its_id_and_its_name(ready: Repo, inside: Mem) -> None:
    before = ready.read(RULE)
    assert inside("move", "n-aaaaaaaa", "archive", "--apply").code == 0
    assert ready.read("memory/archive/rule.md") == before
    assert standing(inside, "n-aaaaaaaa") == "archived"
    assert inside("move", "n-aaaaaaaa", "constraints/", "--apply").code == 0
    assert standing(inside, "n-aaaaaaaa") == "active"
    assert inside("move", "n-aaaaaaaa", "constraints", "--apply", "--json").json["plan"] is None


def test_a_move_never_overwrites(ready: Repo, inside: Mem) -> None:
    ready.write("memory/archive/rule.md", note_text("Old", id="n-bbbbbbbb"))
    ran = inside("move", "n-aaaaaaaa", "archive", "--apply")
    assert ran.code == 1
    assert "there already" in ran.err


def test_a_candidate_becomes_memory_by_admission_only(ready: Repo, inside: Mem) -> None:
    ready.write("memory/inbox/c.md", note_text("C", id="n-cccccccc"))
    ran = inside("move", "n-cccccccc", "decisions", "--apply")
    assert ran.code == 1
    assert "mem admit" in ran.err


def test_an_edit_takes_the_text_from_standard_input(ready: Repo, inside: Mem) -> None:
    text = ready.read(RULE) + "\nMore.\n"
    assert inside("edit", "n-aaaaaaaa", "--apply", stdin=text).code == 0
    assert ready.read(RULE) == text
    again = inside("edit", "n-aaaaaaaa", "--apply", "--json", stdin=text)
    assert (again.code, again.json["plan"]) == (0, None)


def test_an_edit_takes_the_text_from_a_file_byte_for_byte(ready: Repo, inside: Mem) -> None:
    text = "\ufeff" + ready.read(RULE).replace("\n", "\r\n") + "no end"
    ready.write("new.md", text)
    assert inside("edit", "n-aaaaaaaa", "--file", "new.md", "--apply").code == 0
    assert (ready.root / RULE).read_bytes() == text.encode()


def test_an_edit_may_mend_a_broken_note(ready: Repo, inside: Mem) -> None:
    ready.write("memory/decisions/broken.md", "---\nid: [\n")
    text = note_text("Mended", id="n-bbbbbbbb", subject="path:src/b.py")
    assert inside("edit", "memory/decisions/broken.md", "--apply", stdin=text).code == 0
    assert standing(inside, "n-bbbbbbbb") == "active"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (note_text("A rule", id="n-zzzzzzzz", subject="path:src/a.py"), "ID of a note never changes"),
        (note_text("A rule", id="n-aaaaaaaa", subject="path:src/a.py", facet="vibes"), "M103"),
        (note_text("A rule", id="n-aaaaaaaa", subject="path:src/a.py", evidence=""), "M201"),
        ("---\nid: [\n", "M001"),
        ("", "empty"),
    ],
)
def test_an_edit_that_breaks_the_law_is_refused(ready: Repo, inside: Mem, text: str, said: str) -> None:
    before = ready.read(RULE)
    ran = inside("edit", "n-aaaaaaaa", "--apply", stdin=text)
    assert ran.code in (1, 2)
    assert said in ran.err
    assert ready.read(RULE) == before


def test_a_reworded_condition_must_fail_and_its_verdict_is_kept(ready: Repo, inside: Mem) -> None:
    text = ready.read(DEBT).replace("fixed", "mended")
    assert inside("edit", "n-dddddddd", "--apply", stdin=text).code == 0
    event = last_event(ready, "n-dddddddd")
    assert (event["kind"], event["verdict"]["state"]) == ("admitted", "does not hold")
    assert event["condition"]["file_contains"]["pattern"] == "mended"
    ran = inside("edit", "n-dddddddd", "--apply", stdin=text.replace("mended", "broken"))
    assert ran.code == 1
    assert "M401" in ran.err


def test_the_editor_works_on_a_copy(
    ready: Repo, inside: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.sh"
    script.write_text("#!/bin/sh\nprintf 'More.\\n' >> \"$2\"\n")
    script.chmod(0o755)
    monkeypatch.setattr("memwarden.cli.changing._on_terminal", lambda: True)
    before = ready.read(RULE)
    ran = inside("edit", "n-aaaaaaaa", "--json", env={"EDITOR": f"{script} --flag"})
    assert ran.code == 0, ran.err
    assert ready.read(RULE) == before
    assert inside("apply", ran.json["plan"]["id"]).code == 0
    assert ready.read(RULE) == before + "More.\n"
    assert inside("edit", "n-aaaaaaaa", env={"EDITOR": "false"}).code == 2
    assert inside("edit", "n-aaaaaaaa", env={"EDITOR": "no-such-editor"}).code == 2


def test_a_text_that_is_refused_is_kept_and_can_be_taken_up_again(
    ready: Repo, inside: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.sh"
    script.write_text(
        "#!/bin/sh\nsed -i 's/^facet:.*/facet: [x/' \"$1\"\nprintf 'Long thoughts.\\n' >> \"$1\"\n"
    )
    script.chmod(0o755)
    monkeypatch.setattr("memwarden.cli.changing._on_terminal", lambda: True)
    before = ready.read(RULE)
    ran = inside("edit", "n-aaaaaaaa", "--apply", env={"EDITOR": str(script)})
    assert ran.code == 1
    assert f"{RULE}:" in ran.err
    assert ready.read(RULE) == before
    kept = ran.err.split("--file ")[1].split()[0]
    assert kept.startswith(".git/mem/edits/")
    assert ready.read(kept).endswith("Long thoughts.\n")
    assert (ready.root / kept).stat().st_mode & 0o077 == 0

    mend = "#!/bin/sh\nsed -i 's/^facet:.*/facet: workflow/' \"$1\"\n"
    answers = iter([True])
    monkeypatch.setattr("memwarden.cli.editing.may_ask", lambda ctx: True)
    monkeypatch.setattr("typer.confirm", lambda *a, **k: script.write_text(mend) and next(answers))
    ran = inside("edit", "n-aaaaaaaa", "--apply", env={"EDITOR": str(script)})
    assert ran.code == 0, ran.err
    assert ready.read(RULE).endswith("Long thoughts.\n")
    assert not (ready.root / kept).exists()


def test_a_text_with_a_secret_is_refused_and_kept_nowhere(
    ready: Repo, inside: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "ghp_" + "a1B2" * 9
    script = tmp_path / "editor.sh"
    script.write_text(f"#!/bin/sh\nprintf '{token}\\n' >> \"$1\"\n")
    script.chmod(0o755)
    monkeypatch.setattr("memwarden.cli.changing._on_terminal", lambda: True)
    ran = inside("edit", "n-aaaaaaaa", "--apply", env={"EDITOR": str(script)})
    assert ran.code == 1
    assert "M701" in ran.err
    assert not (ready.root / ".git/mem/edits").exists()


def test_an_outside_edit_while_the_editor_is_open_is_not_overwritten(
    ready: Repo, inside: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.sh"
    script.write_text(f"#!/bin/sh\nprintf 'Mine.\\n' >> \"$1\"\nprintf 'Theirs.\\n' >> {ready.root / RULE}\n")
    script.chmod(0o755)
    monkeypatch.setattr("memwarden.cli.changing._on_terminal", lambda: True)
    ran = inside("edit", "n-aaaaaaaa", "--apply", env={"EDITOR": str(script)})
    assert ran.code == 3
    assert ready.read(RULE).endswith("Theirs.\n")
    assert "Mine." not in ready.read(RULE)


def test_a_note_is_named_by_a_part_of_its_id_or_path(
    ready: Repo, inside: Mem, tree: Callable[[], dict[str, bytes]]
) -> None:
    assert inside("revoke", "aaaa", "--json").json["notes"] == ["n-aaaaaaaa"]
    assert inside("revoke", RULE, "--json").json["notes"] == ["n-aaaaaaaa"]
    assert inside("revoke", "nothing-like-it").code == 2


def test_a_file_name_with_odd_bytes_is_a_name_like_any_other(ready: Repo, inside: Mem) -> None:
    odd = os.fsdecode(b"memory/decisions/caf\xe9.md")
    (ready.root / odd).write_text(note_text("Odd", id="", subject="path:src/odd.py"))
    ran = inside("move", odd, "archive", "--json")
    assert ran.code == 0, ran.err
    assert inside("apply", ran.json["plan"]["id"]).code == 0
    assert (ready.root / os.fsdecode(b"memory/archive/caf\xe9.md")).exists()


def test_the_archive_is_no_way_round_the_admission(ready: Repo, inside: Mem) -> None:
    agent = {"CLAUDECODE": "1"}
    ran = inside("add", "Claims a person", "--evidence", "user: said so", "--json", env=agent)
    (note,) = ran.json["notes"]
    assert inside("move", note, "archive", "--apply", env=agent).code == 0
    ran = inside("move", note, "decisions", "--apply", env=agent)
    assert ran.code == 1
    assert "never admitted" in ran.err
    assert f"mem move {note} inbox, and let a person admit it" in ran.err
    assert standing(inside, note) == "archived"
    assert inside("move", note, "inbox", "--apply").code == 0
    assert inside("admit", note, "--apply").code == 0
    assert inside("move", note, "archive", "--apply").code == 0
    assert inside("move", note, "decisions", "--apply").code == 0
    assert standing(inside, note) == "active"


def test_a_rule_may_be_narrowed_to_an_area_and_widened_again(ready: Repo, inside: Mem) -> None:
    for module in ("areas/sync", "decisions"):
        ran = inside("move", "n-aaaaaaaa", module, "--apply")
        assert ran.code == 0, ran.err
        assert inside("show", "n-aaaaaaaa", "--json").json["path"].startswith(f"memory/{module}/")
