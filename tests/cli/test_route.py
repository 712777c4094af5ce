"""``mem route`` and ``mem why`` as their users run them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import MANIFEST, Mem, Repo, note_text

pytestmark = pytest.mark.slow


@pytest.fixture
def filled(memory_repo: Repo) -> Repo:
    """A decision, an area note, an anchored debt, a candidate, an archived and a broken note."""
    notes = {
        "decisions/json-00000001.md": note_text("Keep data as JSON", id="n-00000001", subject="path:data"),
        "areas/sync/order-00000002.md": note_text("Order matters", id="n-00000002", subject="path:src/sync"),
        "debts/flaky-00000003.md": note_text(
            "A flaky test", id="n-00000003", subject="path:tests/t.py", facet="behavior", lifecycle="debt",
            anchors="[tests/t.py]", condition="{file_contains: {path: tests/t.py, pattern: frozen}}"),
        "inbox/idea.md": "# Encrypt everything\n\nAn idea.\n",
        "archive/old-00000004.md": note_text("Long gone", id="n-00000004"),
        "decisions/broken.md": "---\nid: [\n---\n# Broken\n",
    }  # fmt: skip
    for path, text in notes.items():
        memory_repo.write(f"memory/{path}", text)
    memory_repo.write("tests/t.py", "sleep()\n")
    memory_repo.commit("notes")
    return memory_repo


def test_route_prints_the_pack_of_a_task(filled: Repo, mem: Mem) -> None:
    ran = mem("route", "--task", "plan")
    assert (ran.code, ran.err) == (0, "")
    assert [line for line in ran.out.split("\n") if line.startswith("#")] == [
        "# Project memory: plan", "## brief.md", "### The project", "## decisions/", "### Keep data as JSON",
    ]  # fmt: skip
    assert "Encrypt" not in ran.out


def test_json_has_the_contracts_shape_and_the_same_bytes_again(filled: Repo, mem: Mem) -> None:
    arguments = ("route", "--task", "planning", "--path", "tests/t.py", "--json", "--now", "2026-11-30")
    first, second = mem(*arguments), mem(*arguments)
    assert first.code == 0
    assert first.out == second.out
    answer = first.json
    assert answer["schema"] == "mem.route/1"
    assert answer["task"] == "plan"
    assert [(one["id"], one["module"], one["reason"]) for one in answer["loaded"]] == [
        ("n-br1ef000", "brief.md", "always-load"),
        ("n-00000001", "decisions/", "canonical-task"),
        ("n-00000003", "debts/", "anchor"),
    ]
    assert {one["path"]: one["reason"] for one in answer["omitted"]} == {
        "memory/areas/sync/order-00000002.md": "not-routed",
        "memory/inbox/idea.md": "candidate",
        "memory/archive/old-00000004.md": "archived",
        "memory/decisions/broken.md": "invalid",
    }
    assert answer["tokens"] == sum(one["tokens"] for one in answer["loaded"])
    assert answer["budget"] == 4000
    assert answer["digest"].startswith("sha256:")
    assert str(filled.root) not in first.out
    assert answer["text"] == mem(*(word for word in arguments if word != "--json")).out


def test_paths_may_be_given_from_anywhere_in_any_form(filled: Repo, mem: Mem) -> None:
    (filled.root / "src" / "sync").mkdir(parents=True)
    inside = filled.root / "src" / "sync"
    for cwd, path in (
        (filled.root, "src/sync/new.py"),
        (filled.root, "./src/../src/sync/new.py"),
        (inside, "new.py"),
        (inside, str(inside / "new.py")),
        (inside, "../sync/new.py"),
        (filled.root, "src\\sync\\new.py"),
    ):
        answer = mem("route", "--task", "plan", "--path", path, "--json", cwd=cwd).json
        assert answer["paths"] == [{"path": "src/sync/new.py", "on_disk": False, "areas": ["sync"]}]
        assert "n-00000002" in [one["id"] for one in answer["loaded"]]


def test_a_folder_is_a_path_too(filled: Repo, mem: Mem) -> None:
    (filled.root / "src" / "sync" / "deep").mkdir(parents=True)
    answer = mem("route", "--task", "plan", "--path", "src/sync/deep", "--json").json
    assert answer["paths"] == [{"path": "src/sync/deep/", "on_disk": True, "areas": ["sync"]}]


@pytest.mark.parametrize(
    ("path", "areas"), [("src/sync/", ["sync"]), ("src/sync", []), ("src/", ["sync"]), ("srcs/", [])]
)
def test_a_folder_selects_the_areas_of_what_is_below_it(
    filled: Repo, mem: Mem, path: str, areas: list[str]
) -> None:
    shutil.rmtree(filled.root / "src", ignore_errors=True)
    ask = ("route", "--task", "plan", "--path", path)
    assert mem(*ask, "--json").json["paths"][0]["areas"] == areas
    assert ("n-00000002" in mem(*ask).out) is bool(areas)
    (filled.root / "src" / "sync").mkdir(parents=True)
    if path == "src/sync":
        assert mem(*ask, "--json").json["paths"][0]["areas"] == ["sync"]


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", ".git/config", "."])
def test_a_path_outside_is_an_error_that_names_it(filled: Repo, mem: Mem, path: str) -> None:
    ran = mem("route", "--task", "plan", "--path", path)
    assert ran.code == 2
    assert repr(path) in ran.err
    assert ran.out == ""


def test_a_link_that_leaves_the_repository_is_outside(filled: Repo, mem: Mem, tmp_path: Path) -> None:
    (filled.root / "way-out").symlink_to(tmp_path)
    assert mem("route", "--task", "plan", "--path", "way-out/x.py").code == 2


def test_explain_says_why_for_every_note_within_eighty_columns(filled: Repo, mem: Mem) -> None:
    ran = mem("route", "--task", "plan", "--path", "tests/t.py", "--explain", env={"COLUMNS": "80"})
    assert ran.code == 0
    for word in ("n-br1ef000", "n-00000001", "n-00000002", "n-00000003", "n-00000004", "inbox/idea.md",
                 "decisions/broken.md", "anchor tests/t.py matches tests/t.py", "canonical-task", "invalid",
                 "not-routed", "candidate", "archived"):  # fmt: skip
        assert word in ran.out
    assert max(len(line) for line in ran.out.split("\n")) <= 80


def test_including_the_inbox_shows_candidates_as_unconfirmed(filled: Repo, mem: Mem) -> None:
    ran = mem("route", "--task", "plan", "--include", "inbox")
    assert "### Encrypt everything" in ran.out
    assert "No ID yet: memory/inbox/idea.md, a candidate: written down, confirmed by nobody" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--task", "plam"], "unknown task 'plam'"),
        ([], "route needs a task"),
        (["--task", "plan", "--area", "nope"], "unknown area 'nope'"),
        (["--task", "plan", "--profile", "nope"], "unknown profile 'nope'"),
        (["--task", "plan", "--include", "events/"], "unknown module 'events/'"),
        (["--task", "plan", "--budget", "-1"], "--budget"),
        (["--task", "plan", "--budget", "many"], "--budget"),
    ],
)
def test_a_wrong_argument_is_exit_2_and_named(
    filled: Repo, mem: Mem, arguments: list[str], said: str
) -> None:
    ran = mem("route", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_budget_of_nothing_loads_nothing(filled: Repo, mem: Mem) -> None:
    answer = mem("route", "--task", "plan", "--budget", "0", "--json").json
    assert (answer["loaded"], answer["tokens"], answer["budget"]) == ([], 0, 0)
    assert "2 more notes did not fit the budget" in answer["text"]


def test_a_manifest_that_declares_a_task_twice_routes_nothing(filled: Repo, mem: Mem) -> None:
    filled.write("memory/manifest.md", MANIFEST.replace("### implement", "### plan"))
    ran = mem("route", "--task", "plan")
    assert (ran.code, ran.out) == (1, "")
    assert "M504" in ran.err
    assert "line 12" in ran.err


def test_a_missing_manifest_is_named(filled: Repo, mem: Mem) -> None:
    (filled.root / "memory" / "manifest.md").unlink()
    ran = mem("route", "--task", "plan")
    assert ran.code == 1
    assert "M501" in ran.err


def test_a_manifest_that_cannot_be_read_is_named_by_its_first_line(filled: Repo, mem: Mem) -> None:
    manifest = filled.root / "memory" / "manifest.md"
    manifest.unlink()
    manifest.symlink_to("/etc/hostname")
    ran = mem("route", "--task", "plan")
    assert (ran.code, ran.out) == (1, "")
    assert "memory/manifest.md:1: M501" in ran.err


def test_secrets_are_masked_everywhere(filled: Repo, mem: Mem) -> None:
    token = "gh" + "p_" + "a1B2" * 9
    filled.write(
        "memory/decisions/leak-00000009.md",
        note_text(f"Use {token}", f"one {token} two {token}", id="n-00000009", subject="path:leak"),
    )
    for more in ([], ["--json"], ["--explain"]):
        ran = mem("route", "--task", "plan", *more)
        assert ran.code == 0
        assert token not in ran.out
    for more in ([], ["--json"]):
        assert token not in mem("why", "leak", *more).out


def test_why_tells_admission_ownership_routes_and_end(filled: Repo, mem: Mem) -> None:
    ran = mem("why", "flaky")
    assert ran.code == 0
    for said in ("n-00000003  A flaky test", "memory/debts/flaky-00000003.md", "standing    owed", "by hand",
                 "path:tests/t.py / behavior", "a debt owns no subject", "touched by  tests/t.py",
                 "loaded by   implement: canonical-task", "not by      plan: not-routed",
                 "when its condition holds"):  # fmt: skip
        assert said in ran.out


def test_why_of_a_note_that_no_task_loads_tells_what_brings_it(filled: Repo, mem: Mem) -> None:
    ran = mem("why", "order")
    assert "  but by      any task with --area sync, or a --path in src/sync/**, tests/sync/**\n" in ran.out
    assert "anchor" not in ran.out
    filled.write(
        "memory/decisions/deploy.md",
        note_text("Ask first", id="n-00000009", subject="path:d", anchors="[{command: deploy}]"),
    )
    assert mem("why", "00000009", "--json").json["otherwise"] == []
    (by_path,) = mem("why", "flaky", "--json").json["otherwise"]
    assert "an anchor matches" in by_path


def test_why_for_one_task_as_json(filled: Repo, mem: Mem) -> None:
    answer = mem("why", "00000001", "--task", "architecture", "--json").json
    assert answer["schema"] == "mem.why/1"
    assert answer["tasks"] == [
        {
            "task": "plan",
            "loaded": True,
            "reason": "canonical-task",
            "reasons": ["canonical-task"],
            "detail": "",
        }
    ]
    assert answer["governs"] == "it owns this subject and facet"


def test_why_of_an_ambiguous_part_lists_the_notes(filled: Repo, mem: Mem) -> None:
    ran = mem("why", "0000000")
    assert ran.code == 2
    assert "n-00000001" in ran.err
    assert "n-00000002" in ran.err


@pytest.mark.parametrize(("link", "target"), [("decisions", ".."), ("brief.md", "../README.md")])
def test_a_route_through_a_link_is_refused_before_anything_behind_it_is_read(
    filled: Repo, mem: Mem, link: str, target: str
) -> None:
    filled.write("README.md", note_text("Outside the memory"))
    filled.git("rm", "-rq", f"memory/{link}")
    (filled.root / "memory" / link).symlink_to(target)
    ran = mem("route", "--task", "plan")
    assert (ran.code, ran.out) == (1, "")
    assert f"M505 {link}" in ran.err
    assert "is a symbolic link" in ran.err


@pytest.mark.parametrize("verb", [("route", "--task", "plan"), ("why", "json"), ("list",)])
def test_a_newer_protocol_is_refused_by_every_reading_command(
    filled: Repo, mem: Mem, verb: tuple[str, ...]
) -> None:
    mem(*verb)
    filled.write("memory/manifest.md", MANIFEST.replace("protocol: 1", "protocol: 2\nnew: &x [*x]"))
    ran = mem(*verb)
    assert (ran.code, ran.out) == (2, "")
    assert "protocol 2 is newer" in ran.err
