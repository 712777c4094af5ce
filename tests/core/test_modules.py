"""Which names may be routed, and how files fall into modules."""

from __future__ import annotations

import pytest

from memwarden.core.manifest import Manifest, Route
from memwarden.core.memory import Memory
from memwarden.core.modules import check_module, layout, resolve_module
from memwarden.core.note import Note, module_of


@pytest.mark.parametrize("text", ["decisions/", "brief.md", "areas/sync/", "a/b.md", "日本/"])
def test_folders_and_markdown_files_below_memory_may_be_routed(text: str) -> None:
    assert check_module(text) is None


@pytest.mark.parametrize(
    "text",
    ["", "/", "/x/", "x", "x.txt", "../x/", "a/../x/", "./x/", "a//b/", "a\\b/", "C:/x/", "~/x/", "nul/",
     "x./", "%2e%2e/", ".git/", "memory/", "memory/x/", "subjects/", "events/a/", "manifest.md",
     "README.md",     "a/README.md", "a*/", "a\x00/"],
)  # fmt: skip
def test_anything_else_may_not_be_a_module(text: str) -> None:
    assert check_module(text)


def test_every_file_falls_into_the_module_that_module_of_names() -> None:
    manifest = Manifest(
        always=(Route("brief.md"), Route("decisions/"), Route("decisions/core.md"), Route("areas/a/"))
    )
    paths = ["brief.md", "loose.md", "decisions/x.md", "decisions/core.md", "decisions/deep/y.md",
             "areas/a/z.md", "areas/b/z.md", "areas/z.md", "profiles/p/q/r.md"]  # fmt: skip
    memory = Memory(None, manifest, tuple(Note(f"memory/{path}") for path in paths), ("memory/new/b.md",))  # type: ignore[arg-type]
    known, of = layout(memory)
    declared = manifest.modules()
    assert of == {path: module_of(path, declared) for path in of}
    assert known == (*declared, "areas/", "areas/b/", "loose.md", "new/", "profiles/p/")


@pytest.mark.parametrize("text", ["decisions", "decisions/", "memory/decisions", "./decisions/"])
def test_a_module_is_resolved_from_any_of_its_spellings(text: str) -> None:
    assert resolve_module(text, ("brief.md", "decisions/")) == "decisions/"


def test_an_unknown_module_is_nothing() -> None:
    assert resolve_module("decision", ("decisions/",)) == ""
