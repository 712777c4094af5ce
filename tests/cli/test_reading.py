"""``list``, ``show``, ``search``, ``status`` and ``export`` read the tree and change nothing."""

from __future__ import annotations

import json
import os

import pytest

from tests.conftest import Mem, Repo, note_text

SHAPE = ["id", "path", "module", "title", "subject", "facet", "scope", "lifecycle", "standing", "created"]


@pytest.fixture
def stocked(memory_repo: Repo) -> Repo:
    memory_repo.write(
        "memory/decisions/log-a1.md",
        note_text(
            "Log to standard error",
            "Results are for pipes.",
            id="n-aaaaaaa1",
            subject="path:src/log.py",
            anchors="[src/log.py]",
            tags="[output]",
        ),
    )
    memory_repo.write(
        "memory/debts/flaky-b2.md",
        note_text(
            "The retry test is flaky",
            id="n-bbbbbbb2",
            lifecycle="debt",
            facet="behavior",
            subject="path:tests/test_retry.py",
            condition="{file_contains: {path: tests/test_retry.py, text: frozen_clock}}",
        ),
    )
    memory_repo.write(
        "memory/areas/sync/wire.md", note_text("The wire is JSON", id="n-ccccccc3", facet="interface")
    )
    memory_repo.write("memory/inbox/idea.md", "# An idea\n\nPerhaps.\n")
    memory_repo.write("memory/archive/old.md", note_text("An old thing", id="n-ddddddd4", facet="behavior"))
    memory_repo.commit("stock")
    return memory_repo


def ids(listed: object) -> list[str]:
    return [note["id"] for note in listed["notes"]]  # type: ignore[index]


@pytest.mark.usefixtures("stocked")
def test_list_gives_every_note_once_by_path_in_the_shape_that_scripts_rely_on(mem: Mem) -> None:
    listed = mem("list", "--json").json
    assert listed["schema"] == "mem.list/1"
    assert [list(note) for note in listed["notes"]] == [SHAPE] * 6
    paths = [note["path"] for note in listed["notes"]]
    assert paths == sorted(paths)
    by_path = {note["path"]: note for note in listed["notes"]}
    assert by_path["memory/inbox/idea.md"]["standing"] == "candidate"
    assert by_path["memory/inbox/idea.md"]["id"] is None
    assert by_path["memory/archive/old.md"]["standing"] == "archived"
    assert by_path["memory/debts/flaky-b2.md"]["standing"] == "owed"
    assert by_path["memory/areas/sync/wire.md"]["scope"] == "area:sync"
    assert by_path["memory/areas/sync/wire.md"]["module"] == "areas/sync/"


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (["--lifecycle", "debt"], ["n-bbbbbbb2"]),
        (["--standing", "archived"], ["n-ddddddd4"]),
        (["--module", "decisions/"], ["n-aaaaaaa1"]),
        (["--module", "decisions"], ["n-aaaaaaa1"]),
        (["--subject", "path:src/log.py"], ["n-aaaaaaa1"]),
        (["--facet", "interface"], ["n-ccccccc3"]),
        (["--anchor", "src/log.py"], ["n-aaaaaaa1"]),
        (["--text", "FOR  pipes"], ["n-aaaaaaa1"]),
        (["--text", "output"], ["n-aaaaaaa1"]),
        (["--lifecycle", "debt", "--facet", "workflow"], []),
    ],
)
@pytest.mark.usefixtures("stocked")
def test_filters_hold_together(mem: Mem, filters: list[str], expected: list[str]) -> None:
    assert ids(mem("list", "--json", *filters).json) == expected


@pytest.mark.usefixtures("stocked")
def test_search_finds_text_in_bodies_and_titles_whatever_the_case(mem: Mem) -> None:
    assert ids(mem("search", "STANDARD error", "--json").json) == ["n-aaaaaaa1"]
    assert mem("search", "no such words").out == ""


@pytest.mark.usefixtures("stocked")
@pytest.mark.parametrize("name", ["n-aaaaaaa1", "memory/decisions/log-a1.md", "log-a1", "aaaaaaa1"])
def test_show_finds_a_note_by_id_path_or_part(mem: Mem, name: str) -> None:
    shown = mem("show", name, "--json").json
    assert shown["schema"] == "mem.show/1"
    assert shown["id"] == "n-aaaaaaa1"
    assert shown["anchors"] == ["src/log.py"]
    assert "Results are for pipes." in shown["body"]
    assert shown["misses"] == shown["fires"] == 0
    assert shown["events"] == []


@pytest.mark.usefixtures("stocked")
def test_an_ambiguous_or_unknown_note_is_exit_2_and_names_candidates(mem: Mem) -> None:
    ambiguous = mem("show", "n-")
    assert ambiguous.code == 2
    assert "n-aaaaaaa1" in ambiguous.err
    assert mem("show", "n-zzzzzzz9").code == 2


@pytest.mark.usefixtures("stocked")
def test_export_is_one_json_object_a_line_with_every_standing(mem: Mem) -> None:
    lines = [json.loads(line) for line in mem("export").out.splitlines()]
    assert len(lines) == 6
    assert {line["standing"] for line in lines} == {"active", "owed", "candidate", "archived"}
    assert all("body" in line for line in lines)


def test_status_counts_what_there_is(mem: Mem, stocked: Repo) -> None:
    counts = mem("status", "--json").json
    assert counts["standings"] == {"active": 3, "archived": 1, "candidate": 1, "owed": 1}
    stocked.write("memory/decisions/broken.md", "---\na: [\n---\n# x\n")
    assert mem("status", "--json").json["broken"] == 1


def test_one_broken_note_hides_no_other(mem: Mem, stocked: Repo) -> None:
    stocked.write("memory/decisions/broken.md", b"\xff\xfe\x00")
    listed = mem("list", "--json")
    assert listed.code == 0
    assert len(listed.json["notes"]) == 6
    assert "mem check" in mem("list").err


@pytest.mark.parametrize("verb", [["list"], ["show", "n-aaaaaaa1"], ["status"], ["export"], ["search", "x"]])
def test_reading_leaves_the_working_tree_as_it_was(mem: Mem, stocked: Repo, verb: list[str]) -> None:
    assert mem(*verb).code == 0
    assert stocked.git("status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize("verb", [["list"], ["show", "x"], ["status"], ["export"], ["search", "x"]])
def test_a_repository_without_a_memory_is_exit_5(mem: Mem, verb: list[str]) -> None:
    ran = mem(*verb)
    assert ran.code == 5
    assert "mem init" in ran.err


@pytest.mark.usefixtures("stocked")
def test_output_survives_a_locale_without_unicode(mem: Mem, repo: Repo) -> None:
    repo.write("memory/decisions/odd.md", note_text("記憶 \x1b[31mred", id="n-eeeeeee5", facet="security"))
    ran = mem("list", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert ran.code == 0
    assert "記憶" in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.usefixtures("stocked")
def test_root_names_another_repository(
    mem: Mem, repo: Repo, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert len(mem("list", "--json", "--root", str(repo.root), cwd=elsewhere).json["notes"]) == 6
    assert mem("list", "--root", str(elsewhere)).code == 5


@pytest.mark.usefixtures("stocked")
def test_an_inherited_git_dir_is_not_believed(mem: Mem, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("other")
    os.makedirs(elsewhere / ".git")
    assert mem("list", env={"GIT_DIR": str(elsewhere / ".git")}).code == 0


def test_a_lifecycle_that_nobody_knows_is_said_to_read_as_a_rule(mem: Mem, stocked: Repo) -> None:
    stocked.write(
        "memory/debts/odd.md",
        note_text("Odd", id="n-0dd00000", lifecycle="dept", condition="{file_exists: x.py}"),
    )
    told = "M104 unrecognised lifecycle 'dept', read as rule: its condition has no effect"
    for verb in ("show", "why"):
        answer = mem(verb, "n-0dd00000", "--json").json
        assert [" ".join(one.values()) for one in answer["remarks"]] == [told]
        assert (answer["lifecycle"], answer["condition"]) == ("rule", None)
        assert told in " ".join(mem(verb, "n-0dd00000").out.split())


def test_a_folder_of_notes_that_cannot_be_listed_is_counted_and_omitted_as_invalid(
    memory_repo: Repo, inside: Mem
) -> None:
    memory_repo.write("elsewhere/a.md", note_text("Hidden", id="n-aaaaaaaa"))
    (memory_repo.root / "memory/decisions").mkdir()
    (memory_repo.root / "memory/decisions/more").symlink_to("../../elsewhere")
    ran = inside("list")
    assert ran.code == 0
    assert "1 could not be read: mem check" in ran.err
    omitted = inside("route", "--task", "plan", "--json").json["omitted"]
    (row,) = [one for one in omitted if one["path"] == "memory/decisions/more"]
    assert (row["module"], row["reason"]) == ("decisions/", "invalid")


def test_a_note_whose_events_cannot_be_read_is_not_loaded(memory_repo: Repo, inside: Mem) -> None:
    memory_repo.write("memory/decisions/a.md", note_text("A claim", id="n-aaaaaaaa", facet="security"))
    (memory_repo.root / "memory/events/n-aaaaaaaa/0001-revoked-00000000.json").mkdir(parents=True)
    inside("list")
    (memory_repo.root / "memory/events/n-aaaaaaaa/0001-revoked-00000000.json").rmdir()
    (memory_repo.root / "memory/events/n-aaaaaaaa/0001-revoked-00000000.json").symlink_to("nowhere")
    for _ in range(2):
        omitted = inside("route", "--task", "plan", "--json").json["omitted"]
        assert [one["reason"] for one in omitted if one["path"] == "memory/decisions/a.md"] == ["invalid"]


def test_a_search_without_a_hit_says_so(mem: Mem, stocked: Repo) -> None:
    ran = mem("search", "zebra")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "no note contains 'zebra'\n"
    assert mem("search", "zebra", "--quiet").err == ""
    assert mem("list", "--lifecycle", "debt", "--module", "inbox").err == "no note is like that\n"


def test_status_names_the_project_as_people_do(mem: Mem, memory_repo: Repo) -> None:
    assert mem("status").out.splitlines()[0] == "memory of The project (p-7q2m4x9k)"
    (memory_repo.root / "memory/brief.md").unlink()
    assert mem("status").out.splitlines()[0] == f"memory of {memory_repo.root.name} (p-7q2m4x9k)"
    assert mem("status", "--json").json["name"] == memory_repo.root.name


def test_a_live_note_that_is_not_told_is_marked_in_list_and_status(memory_repo: Repo, mem: Mem) -> None:
    silent = note_text("No evidence", id="n-bbbbbbbb", subject="path:b", evidence="")
    memory_repo.write("memory/decisions/b.md", silent)
    listed = mem("list").out
    assert "not told: n-bbbbbbbb (M201)" in listed
    assert "active" in listed
    assert "not told" in mem("status").out
    assert mem("status", "--json").json["untold"] == 1


def test_a_note_beside_the_modules_is_said_to_be_lost_and_what_to_do(memory_repo: Repo, mem: Mem) -> None:
    memory_repo.write("memory/x.md", note_text("Lost", id="n-cccccccc", subject="path:c"))
    [found] = [one for one in mem("check", "--json").json["findings"] if one["code"] == "M503"]
    assert "memory/x.md" in found["message"]
    assert "mem move n-cccccccc" in found["fix"]


def test_an_area_that_the_manifest_lacks_names_the_line_to_write(memory_repo: Repo, mem: Mem) -> None:
    ran = mem("add", "For the service", "--module", "areas/svc")
    assert ran.code == 2
    assert "- areas/svc/: `GLOB` under ## Areas" in ran.err
