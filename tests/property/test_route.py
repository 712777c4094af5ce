"""Laws of the route and the pack on generated memories and bodies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memwarden.core.manifest import Area, Manifest, Profile, Route, Task
from memwarden.core.memory import Memory
from memwarden.core.note import DEBT, RULE, Anchor, Evidence, Note
from memwarden.core.route.pack import assemble, block
from memwarden.core.route.request import REASONS, Request
from memwarden.core.route.route import Loaded, Routed, route
from memwarden.core.standing import Standing
from memwarden.edit.manifest_reader import read_manifest
from tests.core.test_route import Files

FOLDERS = (
    "",
    "decisions/",
    "constraints/",
    "debts/",
    "areas/sync/",
    "profiles/release/",
    "inbox/",
    "archive/",
    "other/",
)
STANDINGS = (
    "active",
    "owed",
    "paid",
    "superseded",
    "revoked",
    "expired",
    "not-yet",
    "candidate",
    "rejected",
    "archived",
)
OMISSIONS = (
    "not-routed",
    "candidate",
    "explicit-only",
    "archived",
    "superseded",
    "revoked",
    "paid",
    "expired",
    "not-yet",
    "over-budget",
    "not-present",
    "invalid",
)

modules = st.sampled_from(["brief.md", "decisions/", "constraints/", "debts/", "other/", "gone.md", "gone/"])
routes = st.lists(modules, unique=True, max_size=5).map(lambda found: tuple(Route(one) for one in found))
manifests = st.builds(
    lambda always, task, budgets: Manifest(
        always=always,
        tasks=(Task("plan", ("think",), task), Task("idle")),
        areas=(Area("sync", "areas/sync/", ("src/sync/**",)),),
        profiles=(Profile("release", "profiles/release/"),),
        explicit_only=(Route("inbox/"), Route("archive/")),
        budgets=tuple(budgets.items()),
    ),
    routes,
    routes,
    st.dictionaries(st.sampled_from(["total", "decisions/", "debts/"]), st.integers(0, 60)),
)
notes = st.builds(
    lambda folder, name, lifecycle, anchors, created, tokens, fit: Note(
        f"memory/{folder}{name}.md",
        "" if name == "b" else f"n-{FOLDERS.index(folder)}000000{name}",
        "T",
        "project",
        "workflow",
        lifecycle,
        anchors=anchors,
        evidence=(Evidence("user", "Ada"),) if fit else (),
        created=created,
        tokens=tokens,
    ),
    st.sampled_from(FOLDERS),
    st.sampled_from("abcd"),
    st.sampled_from([RULE, DEBT]),
    st.sampled_from([(), (Anchor("path", "src/**"),), (Anchor("path", "x.py"), Anchor("command", "make"))]),
    st.sampled_from(["", "2026-01-01", "2026-01-02"]),
    st.integers(1, 30),
    st.booleans(),
)
memories = st.builds(
    lambda manifest, found, broken: Memory(
        Files(*(note.path for note in found)),  # type: ignore[arg-type]
        manifest,
        tuple(sorted(found, key=lambda note: note.path)),
        tuple(sorted(f"memory/{folder}broken.md" for folder in broken)),
    ),
    manifests,
    st.lists(notes, unique_by=lambda note: note.path, max_size=12),
    st.sets(st.sampled_from(FOLDERS), max_size=3),
)
requests = st.builds(
    Request,
    st.sampled_from(["plan", "think", "idle", ""]),
    st.sampled_from([(), ("sync",)]),
    st.sampled_from([(), ("release",)]),
    st.lists(st.sampled_from(["src/sync/a.py", "x.py", "docs/y.md"]), max_size=3).map(tuple),
    st.lists(st.sampled_from(["inbox/", "archive/"]), max_size=2).map(tuple),
    st.none() | st.integers(0, 80),
)


@pytest.mark.property
@given(memories, requests, st.data())
def test_every_note_is_loaded_or_omitted_exactly_once(
    memory: Memory, request: Request, data: st.DataObject
) -> None:
    found = {note.path: Standing(data.draw(st.sampled_from(STANDINGS))) for note in memory.notes}
    answer = route(memory, found, request, "2026-11-30")
    present = [one.path for one in answer.omitted if one.reason != "not-present"]
    paths = [one.note.path for one in answer.loaded] + present
    assert sorted(paths) == sorted([*(note.path for note in memory.notes), *memory.broken])
    assert all(one.reason in OMISSIONS for one in answer.omitted)
    for one in answer.loaded:
        assert list(one.reasons) == [reason for reason in REASONS if reason in one.reasons]
        standing = found[one.note.path]
        asked = one.module in request.modules and standing.name in ("candidate", "archived")
        assert standing.live or asked
    assert answer.tokens == sum(one.tokens for one in answer.loaded)
    assert answer.budget is None or answer.tokens <= answer.budget
    assert route(memory, found, request, "2026-11-30") == answer


def headings(text: str) -> list[tuple[str, str]]:
    tokens = MarkdownIt("commonmark").parse(text)
    return [
        (token.tag, tokens[at + 1].content)
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]


lines = st.sampled_from(
    [
        "# a",
        "## b",
        "### c",
        "a",
        "===",
        "---",
        "```",
        "~~~",
        "````",
        "<!--",
        "-->",
        "<div>",
        "</div>",
        "<?",
        ">",
        "> a",
        "- a",
        "  - # b",
        "1. a",
        "    # code",
        "\t# tab",
        "",
        "[a]: b",
        "***",
        "\\",
        "`",
        "<pre>",
        "\r",
    ]
)
bodies = st.text(max_size=60) | st.lists(lines, max_size=12).map("\n".join)


@pytest.mark.property
@given(st.lists(st.tuples(st.text(max_size=20), bodies), max_size=4))
def test_the_packs_headings_are_exactly_its_modules_and_notes(written: list[tuple[str, str]]) -> None:
    found = [
        Note(f"memory/decisions/{at}.md", f"n-0000000{at}", title) for at, (title, _) in enumerate(written)
    ]
    loaded = tuple(Loaded(note, "decisions/", 1, ("canonical-task",)) for note in found)
    blocks = {note.path: block(note, "active", body) for note, (_, body) in zip(found, written, strict=True)}
    text = assemble(Routed("plan", loaded, (), 0, None), blocks)
    expected = ["h1", *(["h2"] if found else []), *("h3" for _ in found)]
    assert [tag for tag, _ in headings(text)] == expected
    starts = [line for line in text.split("\n") if line.startswith("#")]
    assert [line.split(" ")[0] for line in starts] == ["#" * int(tag[1]) for tag in expected]
    assert [line for line in text.split("\n") if line.startswith("ID: ")] == [
        f"ID: {note.id}" for note in found
    ]


@pytest.mark.property
@given(st.lists(lines, max_size=20).map("\n".join) | st.text(max_size=200))
def test_no_text_makes_the_manifest_reader_fail(text: str) -> None:
    for data in (
        text.encode("utf-8", "surrogatepass"),
        b"---\nprotocol: 1\n---\n## Tasks\n" + text.encode("utf-8", "replace"),
    ):
        manifest, findings = read_manifest("memory/manifest.md", data)
        assert manifest is not None or findings
        assert all(finding.line > 0 for finding in findings)
