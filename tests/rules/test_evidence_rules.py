"""M2xx: evidence that can be looked at, and evidence that drifted."""

from __future__ import annotations

from memwarden.core.event import ADMITTED, Event
from memwarden.core.memory import Memory
from memwarden.rules import Context, check
from tests.conftest import Repo, note_text
from tests.rules.ground import TODAY, only, read, told

A = "memory/decisions/a.md"
ID = "n-4f7k2m9q"


def admitted(memory: Memory, blobs: dict[str, str]) -> Memory:
    event = Event(ID, 1, ADMITTED, facts={"blobs": blobs})
    return memory._replace(events={ID: (event,)})


def codes(memory: Memory, base: Memory | None = None) -> list[str]:
    return [f.code for f in check(memory, Context(TODAY, base=base)) if f.path == A]


def test_new_evidence_that_is_not_there_is_an_error(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("x", evidence="[{test: 'tests/test_a.py::test_b'}]"))
    assert told(memory_repo) == [("M202", A)]
    found = only(memory_repo, "M202")
    assert "tests/test_a.py is not there" in found.message
    assert found.key == "evidence[0].test"


def test_evidence_with_a_fragment_or_a_node_is_its_file(memory_repo: Repo) -> None:
    memory_repo.write("docs/a.md", "x")
    memory_repo.write(A, note_text("x", evidence="[{doc: 'docs/a.md#why'}, {test: 'docs/a.md::node'}]"))
    assert told(memory_repo) == []


def test_a_folder_is_no_evidence(memory_repo: Repo) -> None:
    memory_repo.write("docs/a.md", "x")
    memory_repo.write(A, note_text("x", evidence="[{doc: docs}]"))
    assert "not a regular file" in only(memory_repo, "M202").message


def test_evidence_outside_the_repository_is_refused_unread(memory_repo: Repo) -> None:
    (memory_repo.root / "out").symlink_to("/etc")
    memory_repo.write(A, note_text("x", evidence="[{user: Ada}, {file: ../x}, {file: out/passwd}]"))
    assert sorted(code for code, _ in told(memory_repo)) == ["M108", "M202"]


def test_evidence_that_was_there_before_the_change_only_drifted(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("x", evidence="[{file: gone.py}]"))
    memory = read(memory_repo)
    assert codes(memory, base=memory) == ["M204", "M203"]


def test_what_a_candidate_cites_is_new_when_it_becomes_memory(memory_repo: Repo) -> None:
    candidate = note_text("x", evidence="[{file: gone.py}, {commit: 1234567}]")
    memory_repo.write("memory/inbox/a.md", candidate)
    before = read(memory_repo)
    memory_repo.write(A, candidate)
    (memory_repo.root / "memory/inbox/a.md").unlink()
    context = Context(TODAY, base=before, has_commit=lambda text: False)
    found = [f.code for f in check(read(memory_repo), context) if f.path == A]
    assert sorted(found) == ["M202", "M204", "M205"]


def test_a_pinned_file_that_changed_is_a_notice_and_restoring_it_ends_that(memory_repo: Repo) -> None:
    memory_repo.write("a.py", "one\n")
    memory_repo.write(A, note_text("x", evidence="[{file: a.py}]"))
    pin = memory_repo.git("hash-object", "a.py").strip()
    assert codes(admitted(read(memory_repo), {"a.py": pin})) == []
    memory_repo.write("a.py", "two\n")
    assert codes(admitted(read(memory_repo), {"a.py": pin})) == ["M203"]
    memory_repo.write("a.py", "one\n")
    assert codes(admitted(read(memory_repo), {"a.py": pin})) == []


def test_a_difference_in_line_ends_alone_is_no_drift(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("x", evidence="[{file: a.py}]"))
    for first, second in (("one\ntwo\n", "one\r\ntwo\r\n"), ("one\r\ntwo\r\n", "one\ntwo\n")):
        memory_repo.write("a.py", first)
        pin = memory_repo.git("hash-object", "--no-filters", "a.py").strip()
        memory_repo.write("a.py", second)
        assert codes(admitted(read(memory_repo), {"a.py": pin})) == []


def test_a_pinned_file_that_vanished_is_a_notice(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("x", evidence="[{file: a.py}]"))
    assert codes(admitted(read(memory_repo), {"a.py": "0" * 40})) == ["M203"]


def test_a_missing_admission_is_a_notice(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("x"))
    assert (("M204", A) in told(memory_repo, quiet=())) is True


def test_a_new_commit_that_is_not_here_is_an_error_where_git_can_be_asked(memory_repo: Repo) -> None:
    memory_repo.write(A, note_text("x", evidence="[{commit: 7c1f0e5b}]"))
    assert told(memory_repo) == []
    assert told(memory_repo, Context(TODAY, has_commit=lambda name: False)) == [("M205", A)]
    assert told(memory_repo, Context(TODAY, has_commit=lambda name: True)) == []
