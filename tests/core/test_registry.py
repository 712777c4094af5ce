"""Every spelling leads to one identity, and nothing is inferred."""

from __future__ import annotations

import pytest

from memwarden.core.registry import Registry
from memwarden.core.subject import Subject
from memwarden.errors import UsageError


def subject(id: str, **fields: object) -> Subject:
    return Subject(f"memory/subjects/{id}.md", id, **fields)  # type: ignore[arg-type]


LIBRARY = subject("library-x", name="Library X", kind="dependency", ref="pypi:Library_X", aliases=("libx",))
CONFIG = subject("config", name="Configuration", ref="path:config/app.yaml")


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("library-x", "library-x"),
        ("  LIBRARY   X ", "library-x"),
        ("library x", "library-x"),
        ("LibX", "library-x"),
        ("ＬＩＢＸ", "library-x"),
        ("pypi:library.x", "library-x"),
        ("PyPI:Library--X", "library-x"),
        ("libx#Retry  Policy", "library-x#retry policy"),
        ("project", "project"),
        ("Project", "project"),
        ("project#release", "project#release"),
        ("path:src/a.py", "path:src/a.py"),
        ("path:./src//a.py", "path:src/a.py"),
        ("path:src/", "path:src"),
        ("path:src/A.py", "path:src/A.py"),
        ("path:src/a.py#reload", "path:src/a.py#reload"),
        ("path:cafe\u0301.py", "path:caf\u00e9.py"),
        ("path:config/app.yaml", "config"),
        ("path:config/app.yaml#reload", "config#reload"),
    ],
)
def test_a_spelling_leads_to_its_identity(text: str, identity: str) -> None:
    assert Registry([LIBRARY, CONFIG]).canonical(text) == identity


@pytest.mark.parametrize(
    "text",
    [
        "",
        "librry-x",
        "library",
        "project#",
        "path:",
        "path:../x",
        "path:/etc/passwd",
        "path:a\\b",
        "#x",
        "path:#x",
    ],
)
def test_what_nobody_registered_is_unknown(text: str) -> None:
    assert Registry([LIBRARY, CONFIG]).canonical(text) == ""


def test_an_unknown_subject_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown subject 'librari-x'; did you mean .*library-x") as caught:
        Registry([LIBRARY, CONFIG]).require("librari-x")
    assert "--new-subject" in caught.value.next_step


def test_a_path_subject_that_leaves_the_repository_says_why() -> None:
    with pytest.raises(UsageError, match=r"path:\.\./x.*leaves its folder"):
        Registry().require("path:../x")


def test_a_merged_subject_forwards_through_the_whole_chain() -> None:
    chain = [subject("a", merged_into="b"), subject("b", merged_into="c"), subject("c", aliases=("cee",))]
    registry = Registry(chain)
    assert registry.canonical("a#x") == "c#x"
    assert registry.broken_merges() == {}


def test_merges_that_go_round_or_nowhere_are_found_and_never_hang() -> None:
    subjects = [
        subject("a", merged_into="b"),
        subject("b", merged_into="a"),
        subject("c", merged_into="gone"),
        subject("d", merged_into="d"),
    ]
    registry = Registry(subjects)
    assert registry.broken_merges() == {
        "a": ("a", "b", "a"),
        "b": ("b", "a", "b"),
        "c": ("c", "gone"),
        "d": ("d", "d"),
    }
    assert registry.canonical("a") == "a"


def test_a_second_claim_of_a_spelling_is_found_and_the_first_keeps_it() -> None:
    other = subject("other", ref="pypi:library.x", aliases=("LIB  X",))
    registry = Registry([LIBRARY, other])
    (claim,) = registry.claims()
    assert (claim.owner, claim.subject.id, claim.field) == ("library-x", "other", "ref")
    assert registry.canonical("pypi:library-x") == "library-x"


def test_one_id_in_two_files_and_the_name_project_are_claims_too() -> None:
    twin = LIBRARY._replace(path="memory/subjects/twin.md")
    claims = Registry([LIBRARY, twin, subject("project")]).claims()
    assert [(claim.owner, claim.subject.path, claim.field) for claim in claims] == [
        ("project", "memory/subjects/project.md", "id"),
        ("library-x", "memory/subjects/twin.md", "id"),
    ]


def test_two_subjects_that_a_merge_made_one_may_share_a_spelling() -> None:
    old = subject("old", name="Library X", merged_into="library-x")
    assert Registry([LIBRARY, old]).claims() == ()


def test_thousands_of_unknown_subjects_are_not_compared_with_thousands_of_known_ones() -> None:
    registry = Registry([subject(f"subject-{n:05}") for n in range(10_000)])
    messages = [registry.why_unknown(f"sbject-{n:05}") for n in range(300)]
    assert all(message.startswith("unknown subject") for message in messages)
