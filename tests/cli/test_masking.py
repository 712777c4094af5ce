"""No command prints a secret, wherever in a note, a name or an event it stands, and JSON stays JSON."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Mem, Repo, note_text

TOKEN = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
OTHER = "AK" + "IA" + "QZ7Y6X5W4V3U2T1S"
DASHES = "-" * 5
COMMANDS = (
    *("list", "status", "log", "stats", "debts --all", "search token", "route --task plan --explain"),
    *("show n-0000000a", "show n-0000000b", "why n-0000000a", "inbox", "subject list", "subject show s"),
    *("touch src/a.py --write", "check", "diff"),
)


@pytest.fixture
def leaky(memory_repo: Repo) -> Repo:
    begins, ends = (f"{DASHES}{word} PRIVATE KEY{DASHES}" for word in ("BEGIN", "END"))
    rule = note_text(f"{TOKEN} and {OTHER}", f"{TOKEN}\n{begins}\nMIIabc\n{ends}", id="n-0000000a")
    memory_repo.write("memory/decisions/a.md", rule)
    debt = note_text(
        f"A token {TOKEN}", f"{begins}\nalone", id="n-0000000b", lifecycle="debt", anchors="[src/a.py]",
        evidence=f"[{{user: {TOKEN}}}]", tags=f"['{OTHER}']",
    )  # fmt: skip
    memory_repo.write("memory/debts/b.md", debt)
    memory_repo.write(f"memory/decisions/{TOKEN}.md", note_text(f"a token {ends}", id="n-0000000c"))
    memory_repo.write("memory/inbox/c.md", f"# Candidate {TOKEN}\n\n{OTHER}\n")
    memory_repo.write("memory/subjects/s.md", f"---\nid: s\nname: {TOKEN}\nkind: concept\n---\n{OTHER}\n")
    return memory_repo


@pytest.mark.parametrize("command", COMMANDS)
def test_no_face_of_a_command_shows_a_secret(leaky: Repo, inside: Mem, command: str) -> None:
    for more in ((), ("--json",)):
        ran = inside(*command.split(), *more)
        assert ran.out or ran.err
        for secret in (TOKEN, OTHER, "MIIabc"):
            assert secret not in ran.out + ran.err
        assert not more or json.loads(ran.out)["schema"].startswith("mem.")


def test_export_stays_one_object_a_line(leaky: Repo, inside: Mem) -> None:
    out = inside("export").out
    notes = [json.loads(line) for line in out.splitlines()]
    assert {note["id"] for note in notes} >= {"n-0000000a", "n-0000000b", "n-0000000c"}
    assert TOKEN not in out
    assert inside("export", "--json").json["notes"] == notes


def test_formats_of_a_check_name_a_file_by_its_mask(leaky: Repo, inside: Mem) -> None:
    for face in ("github", "sarif"):
        ran = inside("check", "--format", face)
        assert TOKEN not in ran.out
        assert "redacted" in ran.out


def test_what_holds_no_secret_is_printed_as_it_is(memory_repo: Repo, inside: Mem) -> None:
    body = "A task-force of github-like words, sk- and -----BEGIN nothing."
    memory_repo.write("memory/decisions/a.md", note_text("Plain", body, id="n-0000000a"))
    assert body in inside("show", "n-0000000a", "--json").json["body"]
