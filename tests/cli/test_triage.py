"""Going through the inbox: one answer a candidate, one plan, and none that keeps another waiting."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.inbox_ground import candidate as candidate
from tests.cli.inbox_ground import ready as ready
from tests.conftest import Mem, Repo, note_text


def standing(mem: Mem, note: str) -> str:
    return next(one["standing"] for one in mem("list", "--json").json["notes"] if one["id"] == note)


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A person at a terminal who gives these answers."""

    def at_terminal(*words: str) -> None:
        answers = iter(words)
        monkeypatch.setattr("memwarden.cli.admitting.may_ask", lambda ctx: True)
        monkeypatch.setattr("typer.prompt", lambda *a, **k: next(answers))

    return at_terminal


def test_the_inbox_lists_its_candidates(ready: Repo, inside: Mem, candidate: str) -> None:
    ready.write("memory/inbox/idea.md", "An idea.\n")
    assert [note["id"] for note in inside("inbox", "--json").json["notes"]] == [None, candidate]
    assert candidate in inside("inbox").out


def test_triage_makes_one_plan_of_all_decisions(
    ready: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("aaaaaaaa", "bbbbbbbb", "cccccccc"):
        ready.write(f"memory/inbox/{name}.md", note_text(name, id=f"n-{name}", subject=f"path:src/{name}.py"))
    answers = iter(["accept", "reject", "not true", "skip"])
    monkeypatch.setattr("memwarden.cli.admitting.may_ask", lambda ctx: True)
    monkeypatch.setattr("typer.prompt", lambda *a, **k: next(answers))
    ran = inside("inbox")
    assert ran.code == 0, ran.err
    plan = ran.out.split("mem apply ")[1].split()[0]
    assert inside("apply", plan).code == 0
    found = {note: standing(inside, note) for note in ("n-aaaaaaaa", "n-bbbbbbbb", "n-cccccccc")}
    assert found == {"n-aaaaaaaa": "active", "n-bbbbbbbb": "rejected", "n-cccccccc": "candidate"}
    assert list(next((ready.root / "memory/events").glob("n-bbbbbbbb/*")).name.split("-")[:2]) == [
        "0001",
        "rejected",
    ]


def test_of_two_accepted_candidates_for_one_key_neither_is_chosen_and_all_else_goes_through(
    ready: Repo, inside: Mem, answering: Callable[..., None]
) -> None:
    for name, subject in (("aaaaaaaa", "x"), ("bbbbbbbb", "y"), ("cccccccc", "x"), ("dddddddd", "z")):
        note = note_text(name, id=f"n-{name}", subject=f"path:src/{subject}.py")
        ready.write(f"memory/inbox/{name}.md", note)
    answering("accept", "accept", "accept", "reject", "not true")
    ran = inside("inbox")
    assert ran.code == 1
    assert "n-aaaaaaaa and n-cccccccc are left in the inbox" in ran.err
    assert "M301" in ran.err
    assert "mem admit the one that is right" in ran.err
    assert inside("apply", ran.out.split("mem apply ")[1].split()[0]).code == 0
    found = {letter: standing(inside, f"n-{letter * 8}") for letter in "abcd"}
    assert found == {"a": "candidate", "b": "active", "c": "candidate", "d": "rejected"}


def test_two_accepted_candidates_for_one_key_and_nothing_else_make_no_plan(
    ready: Repo, inside: Mem, answering: Callable[..., None]
) -> None:
    for name in ("aaaaaaaa", "bbbbbbbb"):
        ready.write(f"memory/inbox/{name}.md", note_text(name, id=f"n-{name}", subject="path:src/x.py"))
    answering("accept", "accept")
    ran = inside("inbox")
    assert (ran.code, "mem apply" in ran.out, "n-aaaaaaaa and n-bbbbbbbb" in ran.err) == (1, False, True)


@pytest.mark.parametrize(
    ("lacks", "code"),
    [
        ({"facet": "fancy"}, "M103"),
        ({"facet": ""}, "M101"),
        ({"evidence": "[{file: src/none.py}]"}, "M202"),
        ({"subject": "no such thing"}, "no such thing"),
        (
            {"lifecycle": "debt", "condition": "{file_exists: docs/adr.md}", "facet": "behavior"},
            "M401",
        ),
    ],
)
def test_a_candidate_that_cannot_be_accepted_keeps_no_other_waiting(
    ready: Repo, inside: Mem, answering: Callable[..., None], lacks: dict[str, str], code: str
) -> None:
    good = note_text("Good", id="n-aaaaaaaa", subject="path:src/a.py")
    ready.write("memory/inbox/a.md", good)
    ready.write(
        "memory/inbox/b.md", note_text("Bad", **{"id": "n-bbbbbbbb", "subject": "path:b.py", **lacks})
    )
    ready.write(
        "memory/inbox/c.md",
        good.replace("Good", "Too").replace("aaaaaaaa", "cccccccc").replace("a.py", "c.py"),
    )
    answering("accept", "accept", "accept")
    ran = inside("inbox")
    assert (ran.code, "n-bbbbbbbb is left in the inbox" in ran.err, code in ran.err) == (1, True, True), (
        ran.err
    )
    assert inside("apply", ran.out.split("mem apply ")[1].split()[0]).code == 0
    found = [standing(inside, f"n-{letter * 8}") for letter in "abc"]
    assert found == ["active", "candidate", "active"]


def test_a_memory_that_takes_no_change_says_so_once(
    ready: Repo, inside: Mem, answering: Callable[..., None]
) -> None:
    for name in ("aaaaaaaa", "bbbbbbbb"):
        ready.write(f"memory/inbox/{name}.md", note_text(name, id=f"n-{name}", subject=f"path:{name}.py"))
    (ready.root / "memory/manifest.md").unlink()
    answering("accept", "accept")
    ran = inside("inbox")
    assert (ran.code, ran.err.count("manifest.md is missing")) == (1, 1), ran.err


def test_a_card_says_who_wrote_it_what_brings_it_up_and_what_ends_it(
    ready: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    condition = "{file_contains: {path: a.py, pattern: new}}"
    ready.write(
        "memory/inbox/a.md",
        note_text("A", id="n-aaaaaaaa", lifecycle="debt", condition=condition,
                  anchors="[src/a.py, {command: '^git push'}]", evidence="[{agent: claude-code}]"),
    )  # fmt: skip
    ready.write("memory/inbox/b.md", "# B\n")
    ready.commit("candidates")
    ready.write("memory/inbox/c.md", "# C\n")
    answers = iter(["?", "acept", "skip", "s", "q"])
    monkeypatch.setattr("memwarden.cli.admitting.may_ask", lambda ctx: True)
    monkeypatch.setattr("typer.prompt", lambda *a, **k: next(answers))
    _, first, second, third = inside("inbox").out.split("\n[")
    assert "from      agent claude-code\n" in first
    assert "kind      debt, paid when a.py contains /new/\n" in first
    assert "anchors   src/a.py, command: ^git push\n" in first
    assert first.count("reject  it stays in the inbox") == 2
    assert "from      Ada, " in second
    assert "from      unknown" in third


def test_the_plan_of_a_triage_is_one_line_a_change(
    ready: Repo, inside: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready.write("memory/inbox/a.md", note_text("A", id="n-aaaaaaaa", subject="path:src/a.py"))
    ready.write("memory/inbox/b.md", note_text("B", id="n-bbbbbbbb", subject="path:src/b.py"))
    answers = iter(["a", "r", "no"])
    monkeypatch.setattr("memwarden.cli.admitting.may_ask", lambda ctx: True)
    monkeypatch.setattr("typer.prompt", lambda *a, **k: next(answers))
    shown = inside("inbox").out.rpartition("\n\n")[2].splitlines()
    assert [line[:20] for line in shown if line[:1] in "+-~"] == [
        "+ memory/decisions/a",
        "- memory/inbox/a.md",
        "+ event admitted n-a",
        "+ event rejected n-b",
    ]
