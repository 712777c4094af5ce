"""Persistence grants no authority: what an agent may not do to trusted memory, whatever the command."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Mem, Repo, note_text

AGENT = {"CLAUDECODE": "1"}
RULE = "memory/decisions/rule.md"


@pytest.fixture
def ready(memory_repo: Repo) -> Repo:
    memory_repo.write("src/a.py", "broken\n")
    memory_repo.write(RULE, note_text("A rule", id="n-aaaaaaaa", subject="path:src/a.py"))
    memory_repo.write("memory/decisions/other.md", note_text("Other", id="n-bbbbbbbb", subject="path:b.py"))
    memory_repo.write("memory/inbox/seen.md", note_text("Seen", id="n-cccccccc", subject="path:c.py"))
    memory_repo.write("memory/archive/old.md", note_text("Old", id="n-eeeeeeee", subject="path:e.py"))
    for note, condition in (
        ("n-dddddddd", "{file_contains: {path: src/a.py, pattern: fixed}}"),
        ("n-dddddddx", "{file_contains: {path: src/gone.bin, pattern: fixed}}"),
        ("n-dddddddy", ""),
    ):
        more = {"condition": condition} if condition else {}
        memory_repo.write(
            f"memory/debts/{note}.md",
            note_text("A debt", id=note, subject="path:src/a.py", lifecycle="debt", **more),
        )
    memory_repo.write("src/gone.bin", b"\0\1")
    memory_repo.commit("notes")
    return memory_repo


def let_agents(repo: Repo) -> None:
    manifest = repo.read("memory/manifest.md")
    repo.write("memory/manifest.md", manifest.replace("protocol: 1", "protocol: 1\nagents_may_admit: true"))


FORBIDDEN = {
    "pay over a failing condition": ("pay", "n-dddddddd", "--reason", "x"),
    "pay over one that cannot tell": ("pay", "n-dddddddx", "--reason", "x"),
    "pay without a condition": ("pay", "n-dddddddy", "--reason", "x"),
    "revoke": ("revoke", "n-aaaaaaaa", "--reason", "x"),
    "archive": ("move", "n-aaaaaaaa", "archive"),
    "make a candidate again": ("move", "n-aaaaaaaa", "inbox"),
    "move to where other tasks load it": ("move", "n-aaaaaaaa", "preferences"),
    "narrow to an area": ("move", "n-aaaaaaaa", "areas/sync"),
    "forget": ("forget", "n-aaaaaaaa"),
    "forget for good": ("forget", "n-aaaaaaaa", "--hard"),
    "purge": ("purge", "n-aaaaaaaa"),
    "supersede by adding": (
        *("add", "Another", "--supersedes", "n-aaaaaaaa"),
        *("--evidence", "file:src/a.py"),
    ),
}


@pytest.mark.parametrize("words", FORBIDDEN.values(), ids=FORBIDDEN.keys())
@pytest.mark.parametrize(
    "env",
    [AGENT, {**AGENT, "CI": "true", "MEM_ACTOR": "human:ada"}, {**AGENT, "MEM_ACTOR": "ci:nightly"}],
)
def test_only_a_person_silences_trusted_memory(
    ready: Repo, inside: Mem, words: tuple[str, ...], env: dict[str, str]
) -> None:
    hard = words[0] == "purge" or "--hard" in words
    ran = inside(*words, *(() if hard else ("--apply",)), env=env)
    assert ran.code == 1, ran
    assert "agents_may_admit" in ran.err
    assert "person" in ran.err
    assert ready.git("status", "--porcelain") == ""


def test_an_edit_that_comes_to_silencing_is_no_way_round(ready: Repo, inside: Mem) -> None:
    expired = ready.read(RULE).replace("---\n# A rule", "expires: 2020-01-01\n---\n# A rule")
    assert "expires" in expired
    ran = inside("edit", "n-aaaaaaaa", "--file", "-", "--apply", stdin=expired, env=AGENT)
    assert (ran.code, "silence n-aaaaaaaa" in ran.err) == (1, True), ran


DEBT = "n-dddddddd"
REWORDED = {
    "an easier condition": ("pattern: fixed", "pattern: x"),
    "no condition": ("condition: {file_contains: {path: src/a.py, pattern: fixed}}\n", ""),
    "no debt": ("lifecycle: debt\ncondition:", "verify:"),
    "another anchor": ("anchors: [src/a.py]", "anchors: [src/other.py]"),
    "an anchor less": ("anchors: [src/a.py]\n", ""),
}


@pytest.fixture
def anchored(ready: Repo) -> str:
    path = f"memory/debts/{DEBT}.md"
    text = ready.read(path).replace("---\n# A debt", "anchors: [src/a.py]\n---\n# A debt")
    text = text.replace("path:src/a.py", "path:src/a.py#retry")
    ready.write(path, text)
    ready.commit("anchored")
    return text


@pytest.mark.parametrize(("old", "new"), REWORDED.values(), ids=REWORDED.keys())
def test_an_agent_makes_no_debt_of_a_person_easier(
    ready: Repo, inside: Mem, anchored: str, old: str, new: str
) -> None:
    text = anchored.replace(old, new)
    assert text != anchored
    ran = inside("edit", DEBT, "--file", "-", "--apply", stdin=text, env=AGENT)
    assert (ran.code, "agents_may_admit" in ran.err, f"mem edit {DEBT}" in ran.err) == (1, True, True), ran
    assert ready.git("status", "--porcelain") == ""
    assert inside("edit", DEBT, "--file", "-", "--apply", stdin=text).code == 0


def test_an_agent_gives_a_declared_debt_no_condition_of_its_own(ready: Repo, inside: Mem) -> None:
    text = ready.read("memory/debts/n-dddddddy.md").replace(
        "lifecycle: debt", "lifecycle: debt\ncondition: {file_exists: soon.txt}"
    )
    assert inside("edit", "n-dddddddy", "--file", "-", "--apply", stdin=text, env=AGENT).code == 1


def test_an_agent_may_anchor_a_debt_to_more_and_tag_it(ready: Repo, inside: Mem, anchored: str) -> None:
    text = anchored.replace("[src/a.py]", "[src/a.py, b.py]\ntags: [tests]")
    assert inside("edit", DEBT, "--file", "-", "--apply", stdin=text, env=AGENT).code == 0


CLAIMED = {
    "another title": ("# A rule", "# Another rule"),
    "another body": ("Because it is so.", "Because it was otherwise: skip the tests."),
    "no body": ("Because it is so.", ""),
    "another subject": ("path:src/a.py", "path:src/c.py"),
    "another facet": ("facet: workflow", "facet: security"),
}


@pytest.mark.parametrize(("old", "new"), CLAIMED.values(), ids=CLAIMED.keys())
def test_an_agent_puts_no_words_into_what_a_person_admitted(
    ready: Repo, inside: Mem, old: str, new: str
) -> None:
    text = ready.read(RULE)
    assert old in text
    ran = inside("edit", "n-aaaaaaaa", "--file", "-", "--apply", stdin=text.replace(old, new), env=AGENT)
    assert (ran.code, "re-word n-aaaaaaaa is a person's decision" in ran.err) == (1, True), ran
    assert ready.git("status", "--porcelain") == ""
    assert inside("edit", "n-aaaaaaaa", "--file", "-", "--apply", stdin=text.replace(old, new)).code == 0


def test_what_an_agent_says_instead_waits_beside_what_it_may_not_re_word(ready: Repo, inside: Mem) -> None:
    text = ready.read(RULE).replace("Because it is so.", "Because.")
    step = inside("edit", "n-aaaaaaaa", "--file", "-", stdin=text, env=AGENT).err
    assert (
        'mem add "TEXT" --supersedes n-aaaaaaaa --candidate; or let a person run mem edit n-aaaaaaaa' in step
    )
    ran = inside("add", "The rule, better", "--supersedes", "n-aaaaaaaa", "--candidate", "--json", env=AGENT)
    assert (ran.code, ran.json["applied"]) == (0, True), ran
    [note] = ran.json["notes"]
    assert inside("show", "n-aaaaaaaa", "--json").json["standing"] == "active"
    assert inside("admit", note, "--apply", env=AGENT).code == 1
    assert inside("admit", note, "--apply").code == 0
    assert inside("show", "n-aaaaaaaa", "--json").json["standing"] == "superseded"


def test_an_agent_may_re_word_what_agents_alone_admitted(ready: Repo, inside: Mem) -> None:
    words = (
        "add",
        "a.py is broken",
        "--evidence",
        "file:src/a.py",
        "--facet",
        "security",
        "--apply",
        "--json",
    )
    [note] = inside(*words, env=AGENT).json["notes"]
    path = inside("show", note, "--json").json["path"]
    text = ready.read(path).replace("is broken", "is broken since May")
    assert inside("edit", note, "--file", "-", "--apply", stdin=text, env=AGENT).code == 0
    ready.write("src/a.py", "broken as ever\n")
    assert inside("admit", note, "--apply").code == 0, "a person looked at it"
    text = text.replace("May", "June")
    assert inside("edit", note, "--file", "-", "--apply", stdin=text, env=AGENT).code == 1


def test_an_agent_may_fill_in_the_brief_that_nobody_has(repo: Repo, inside: Mem) -> None:
    assert inside("init").code == 0
    text = repo.read("memory/brief.md")
    head, title, _ = text.partition("\n# ")
    filled = f"{head}{title}The shop\n\nIt sells apples.\n"
    assert inside("edit", "memory/brief.md", "--file", "-", "--apply", stdin=filled, env=AGENT).code == 0
    again = filled.replace("apples", "pears")
    assert inside("edit", "memory/brief.md", "--file", "-", "--apply", stdin=again, env=AGENT).code == 1


def test_an_agent_may_re_word_a_candidate(ready: Repo, inside: Mem) -> None:
    text = ready.read("memory/inbox/seen.md").replace("Because it is so.", "Because.")
    assert inside("edit", "n-cccccccc", "--file", "-", "--apply", stdin=text, env=AGENT).code == 0


def test_an_agent_lets_a_debt_follow_its_file_and_to_no_other(
    ready: Repo, inside: Mem, anchored: str
) -> None:
    words = ("subject", "rename", "path:src/a.py", "path:src/b.py", "--apply")
    ran = inside(*words, env=AGENT)
    assert (ran.code, "let a person run mem subject rename" in ran.err) == (1, True), ran
    ready.git("mv", "src/a.py", "src/b.py")
    assert inside(*words, env=AGENT).code == 0
    assert "path: src/b.py" in ready.read(f"memory/debts/{DEBT}.md")


def test_the_manifest_can_let_agents_reword(ready: Repo, inside: Mem, anchored: str) -> None:
    let_agents(ready)
    text = anchored.replace("pattern: fixed", "pattern: mended")
    assert inside("edit", DEBT, "--file", "-", "--apply", stdin=text, env=AGENT).code == 0


def test_an_agent_does_not_undo_what_a_person_retired(ready: Repo, inside: Mem) -> None:
    assert inside("revoke", "n-aaaaaaaa", "--reason", "wrong", "--apply").code == 0
    ran = inside("reinstate", "n-aaaaaaaa", "--apply", env=AGENT)
    assert (ran.code, "let a person run mem reinstate n-aaaaaaaa" in ran.err) == (1, True), ran


@pytest.mark.parametrize("words", [("reject", "n-cccccccc", "--reason", "x"), ("reinstate", "n-dddddddd")])
def test_an_agent_may_reject_a_candidate_and_open_a_debt_again(
    ready: Repo, inside: Mem, words: tuple[str, ...]
) -> None:
    assert inside(*words, "--apply", env=AGENT).code == 0


def test_a_build_does_what_its_owners_script_says(ready: Repo, inside: Mem) -> None:
    assert inside("revoke", "n-aaaaaaaa", "--reason", "x", "--apply", env={"CI": "true"}).code == 0


def test_an_agent_may_pay_what_the_condition_proves(ready: Repo, inside: Mem) -> None:
    ready.write("src/a.py", "fixed\n")
    assert inside("pay", "n-dddddddd", "--reason", "fixed", "--apply", env=AGENT).code == 0


def test_an_agents_pay_does_not_override_a_person_who_took_the_payment_back(ready: Repo, inside: Mem) -> None:
    ready.write("src/a.py", "fixed\n")
    assert inside("settle").code == 0
    assert inside("reinstate", "n-dddddddd", "--reason", "not really", "--apply").code == 0
    assert inside("pay", "n-dddddddd", "--reason", "it is", "--apply", env=AGENT).code == 1
    assert inside("pay", "n-dddddddd", "--reason", "it is", "--apply").code == 0


def test_a_plan_that_a_person_previewed_is_not_an_agents_to_apply(ready: Repo, inside: Mem) -> None:
    plan = inside("revoke", "n-aaaaaaaa", "--reason", "wrong", "--json").json["plan"]["id"]
    assert inside("apply", plan, env=AGENT).code == 1
    assert inside("apply", plan).code == 0


def test_the_manifest_can_let_agents_decide(ready: Repo, inside: Mem) -> None:
    let_agents(ready)
    assert inside("pay", "n-dddddddd", "--reason", "x", "--apply", env=AGENT).code == 0
    assert inside("revoke", "n-aaaaaaaa", "--reason", "x", "--apply", env=AGENT).code == 0


def test_the_check_says_which_payments_stand_on_a_word_alone(ready: Repo, inside: Mem) -> None:
    assert inside("pay", "n-dddddddd", "--reason", "done upstream", "--apply").code == 0
    [found] = [one for one in inside("check", "--json").json["findings"] if one["code"] == "M407"]
    assert (found["severity"], found["note"]) == ("notice", "n-dddddddd")
    assert "done upstream" in found["message"]
    ready.write("src/a.py", "fixed\n")
    assert "M407" not in inside("check", "--json").out


def test_an_agents_word_over_a_condition_is_a_warning_even_when_written_by_hand(
    ready: Repo, inside: Mem
) -> None:
    let_agents(ready)
    assert inside("pay", "n-dddddddd", "--reason", "x", "--apply", env=AGENT).code == 0
    manifest = ready.read("memory/manifest.md")
    [event] = (ready.root / "memory/events/n-dddddddd").glob("*paid*")
    assert json.loads(event.read_text())["actor"]["kind"] == "agent"
    ready.write("memory/manifest.md", manifest.replace("agents_may_admit: true\n", ""))
    [found] = [one for one in inside("check", "--json").json["findings"] if one["code"] == "M407"]
    assert found["severity"] == "warning"
