"""What an apply keeps, refuses and counts when nothing goes wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memwarden.core.change import FileChange
from memwarden.edge.place import Place, find_place
from memwarden.edge.writing.apply import ChangedUnderneath, apply_changes
from memwarden.edge.writing.disk import Disk, real_path
from memwarden.edge.writing.journal import read_journal
from memwarden.edge.writing.recovery import conflicts, recover, require_finished, warning
from memwarden.errors import NeedsRecovery, Refused


@pytest.fixture
def place(repo: Any) -> Place:
    found = find_place(str(repo.root))
    os.makedirs(found.private)
    return found


class Counting(Disk):
    flushes = 0

    def flush(self, descriptor: int) -> None:
        self.flushes += 1
        super().flush(descriptor)


def test_a_note_and_its_event_cost_four_flushes(place: Place) -> None:
    disk = Counting()
    note = FileChange("memory/decisions/a.md", None, b"a")
    event = FileChange("memory/events/n-4f7k2m9q/0001-admitted-00000000.json", None, b"{}")
    apply_changes(place, [note, event], disk=disk)
    assert disk.flushes == 4


def test_a_hundred_files_cost_two_flushes_more_than_the_files(place: Place) -> None:
    disk = Counting()
    apply_changes(place, [FileChange(f"memory/x/{n}.md", None, b"x") for n in range(100)], disk=disk)
    assert disk.flushes == 102


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600])
def test_a_changed_files_mode_is_kept_whatever_the_umask(repo: Any, place: Place, mode: int) -> None:
    file = repo.write("memory/a.md", "old")
    file.chmod(mode)
    before = os.umask(0o077)
    try:
        apply_changes(place, [FileChange("memory/a.md", b"old", b"new")])
    finally:
        os.umask(before)
    assert (file.read_text(), file.stat().st_mode & 0o7777) == ("new", mode)


def test_a_new_file_follows_the_umask(repo: Any, place: Place) -> None:
    before = os.umask(0o027)
    try:
        apply_changes(place, [FileChange("memory/a.md", None, b"new")])
    finally:
        os.umask(before)
    assert (repo.root / "memory/a.md").stat().st_mode & 0o7777 == 0o640


def test_a_link_inside_the_repository_is_written_through(repo: Any, place: Place) -> None:
    repo.write("docs/a.md", "old")
    (repo.root / "memory").mkdir()
    (repo.root / "memory/a.md").symlink_to("../docs/a.md")
    apply_changes(place, [FileChange("memory/a.md", b"old", b"new")])
    assert repo.read("docs/a.md") == "new"
    assert (repo.root / "memory/a.md").is_symlink()


@pytest.mark.parametrize(
    "target", ["../outside.md", "../.git/config", "../nowhere.md", "/etc/hostname", "a.md"]
)
def test_a_link_that_leaves_or_dangles_is_refused_before_anything_is_written(
    repo: Any, place: Place, target: str
) -> None:
    (repo.root.parent / "outside.md").write_text("outside")
    (repo.root / "memory").mkdir()
    link = repo.root / "memory/a.md"
    link.symlink_to("../../outside.md" if target == "../outside.md" else target)
    with pytest.raises(Refused, match=r"memory/a\.md: "):
        apply_changes(place, [FileChange("b.md", None, b"b"), FileChange("memory/a.md", None, b"new")])
    assert not (repo.root / "b.md").exists()
    assert (repo.root.parent / "outside.md").read_text() == "outside"


def test_a_folder_that_leads_out_is_refused(repo: Any, place: Place, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo.root / "memory").symlink_to(outside)
    with pytest.raises(Refused, match="leads out of the repository"):
        apply_changes(place, [FileChange("memory/a.md", None, b"new")])
    assert list(outside.iterdir()) == []


def test_a_link_is_not_removed_in_place_of_its_file(repo: Any, place: Place) -> None:
    repo.write("memory/real.md", "real")
    (repo.root / "memory/a.md").symlink_to("real.md")
    with pytest.raises(Refused, match=r"memory/a\.md is a link"):
        apply_changes(place, [FileChange("memory/a.md", b"real", None)])


def test_two_names_of_one_file_are_refused(repo: Any, place: Place) -> None:
    repo.write("memory/real.md", "real")
    (repo.root / "memory/a.md").symlink_to("real.md")
    changes = [FileChange("memory/a.md", b"real", b"one"), FileChange("memory/real.md", b"real", b"two")]
    with pytest.raises(Refused, match="are one, through a link"):
        apply_changes(place, changes)


@pytest.mark.parametrize("found", [b"edited", None])
def test_a_file_that_is_not_what_the_change_starts_from_stops_it(
    repo: Any, place: Place, found: bytes | None
) -> None:
    if found is not None:
        repo.write("memory/z.md", found)
    changes = [FileChange("memory/a.md", None, b"a"), FileChange("memory/z.md", b"old", b"new")]
    with pytest.raises(ChangedUnderneath, match=r"memory/z\.md changed"):
        apply_changes(place, changes)
    assert not (repo.root / "memory/a.md").exists()


def test_a_file_edited_while_the_others_are_written_takes_the_change_back(repo: Any, place: Place) -> None:
    repo.write("memory/z.md", "old")

    class Intruded(Disk):
        def replace(self, staged: str, target: str) -> None:
            super().replace(staged, target)
            if target.endswith("a.md"):
                repo.write("memory/z.md", "edited")

    changes = [FileChange("memory/a.md", None, b"a"), FileChange("memory/z.md", b"old", b"new")]
    with pytest.raises(ChangedUnderneath):
        apply_changes(place, changes, disk=Intruded())
    assert repo.read("memory/z.md") == "edited"
    assert not (repo.root / "memory/a.md").exists()
    assert list(Path(place.private).iterdir()) == []


def test_a_planted_link_in_a_staged_files_place_is_not_followed(
    repo: Any, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = repo.write("victim", "precious")
    monkeypatch.setattr("memwarden.edge.writing.apply.os.urandom", lambda size: b"\0")
    (repo.root / ".mem-00.tmp").symlink_to(victim)
    with pytest.raises(Refused):
        apply_changes(place, [FileChange("a.md", None, b"a")])
    assert repo.read("victim") == "precious"


def test_the_last_event_of_a_note_takes_its_folder_with_it(repo: Any, place: Place) -> None:
    event = "memory/events/n-4f7k2m9q/0001-admitted-00000000.json"
    repo.write(event, "{}")
    repo.write("memory/decisions/a.md", "a")
    apply_changes(place, [FileChange(event, b"{}", None), FileChange("memory/decisions/a.md", b"a", None)])
    assert not (repo.root / "memory/events/n-4f7k2m9q").exists()
    assert (repo.root / "memory/decisions").exists()


def test_nothing_to_change_writes_nothing(place: Place) -> None:
    apply_changes(place, [FileChange("a.md", b"same", b"same")])
    assert list(Path(place.private).iterdir()) == []


def cut_short(place: Place, changes: list[FileChange], discreet: bool = False) -> None:
    """Leave what a process leaves that dies right after its decision."""

    class Dead(BaseException):
        pass

    class Dying(Disk):
        def flush_folder(self, path: str) -> None:
            raise Dead

    with pytest.raises(Dead):
        apply_changes(place, changes, plan="0123456789ab", disk=Dying(), discreet=discreet)


def test_readers_warn_and_the_check_refuses_while_a_change_waits(repo: Any, place: Place) -> None:
    assert warning(place) == ""
    require_finished(place)
    cut_short(place, [FileChange("a.md", None, b"a")])
    assert "cut short" in warning(place)
    with pytest.raises(NeedsRecovery) as refused:
        require_finished(place)
    assert refused.value.exit_code == 5
    recover(place)
    assert warning(place) == ""
    assert repo.read("a.md") == "a"


def test_a_conflict_shows_what_is_there_and_what_was_planned(repo: Any, place: Place) -> None:
    repo.write("a.md", "old")
    cut_short(place, [FileChange("a.md", b"old", b"new")])
    repo.write("a.md", "edited")
    (conflict,) = conflicts(place)
    assert (conflict.path, conflict.found, conflict.planned, conflict.lost) == (
        "a.md",
        b"edited",
        b"new",
        False,
    )
    recover(place, choices={"a.md": "take"})
    assert repo.read("a.md") == "new"


def test_a_staged_content_that_was_cleaned_away_is_a_conflict(repo: Any, place: Place) -> None:
    cut_short(place, [FileChange("a.md", None, b"new")])
    repo.git("clean", "-fdq")
    (conflict,) = conflicts(place)
    assert conflict.lost
    recover(place, choices={"a.md": "keep"})
    assert not (repo.root / "a.md").exists()


def test_a_discreet_journal_names_no_removed_file_and_is_carried_out(repo: Any, place: Place) -> None:
    repo.write("memory/decisions/secret-topic-4f7k2m9q.md", "the topic")
    cut_short(
        place, [FileChange("memory/decisions/secret-topic-4f7k2m9q.md", b"the topic", None)], discreet=True
    )
    written = [file.read_text() for file in Path(place.private).iterdir()]
    assert len(written) == 2
    assert not any("topic" in text for text in written)
    recover(place)
    assert not (repo.root / "memory/decisions/secret-topic-4f7k2m9q.md").exists()
    assert read_journal(place) is None


def test_a_journal_that_cannot_be_read_is_said_and_left(place: Place) -> None:
    (Path(place.private) / "journal").write_text("{")
    with pytest.raises(NeedsRecovery, match="cannot be read"):
        recover(place)
    assert (Path(place.private) / "journal").exists()


def test_a_path_that_climbs_out_is_refused(place: Place) -> None:
    for path in ("../x", "/etc/passwd", ".git/config", "a/../../x"):
        with pytest.raises(Refused):
            real_path(place.root, path)
