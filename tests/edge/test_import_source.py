"""Another tool's files are read within bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwarden.edge.place import Place, find_place
from memwarden.edge.tree import import_source
from memwarden.edge.tree.import_source import read_files, read_folder, read_tracked
from memwarden.errors import UsageError
from tests.conftest import Repo

NOWHERE = Place("/nowhere", "/nowhere/.git", "/nowhere/.git")


def test_folder_gives_its_markdown_by_names_below_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.md").write_bytes(b"\xef\xbb\xbf# A\r\n")
    (tmp_path / "b.txt").write_text("b")
    found = read_folder(NOWHERE, str(tmp_path))
    assert found.texts == {"deep/a.md": "# A\r\n"}
    assert [(loss.source, loss.why) for loss in found.lost] == [("b.txt", "no Markdown file")]


def test_what_is_in_the_folder_and_not_read_is_named_or_counted(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / ".hidden").write_text("h")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "other/.git").mkdir(parents=True)
    (tmp_path / "large.md").write_bytes(b"x" * (1024 * 1024 + 1))
    named = {loss.source: loss.why for loss in read_folder(NOWHERE, str(tmp_path)).lost}
    assert named == {
        ".hidden": "no Markdown file",
        "picture.png": "no Markdown file",
        "other": "a folder that is another repository, or cannot be listed",
        "large.md": "larger than 1 MiB",
    }
    (tmp_path / "sessions").mkdir()
    for number in range(30):
        (tmp_path / f"sessions/{number}.jsonl").write_text("{}")
    counted = {loss.source: loss.why for loss in read_folder(NOWHERE, str(tmp_path)).lost}
    assert counted["sessions/"] == "no Markdown file (30 of them)"
    assert counted["."] == "no Markdown file (2 of them)"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere", "is not there"),
        ("a.md/below", "is not there"),
        ("a.md", "is no folder"),
        ("dangling", "is a link that leads nowhere"),
    ],
)
def test_folder_that_is_none_is_named_as_it_was_given(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "dangling").symlink_to("gone")
    given = f"{tmp_path}/../{tmp_path.name}/{name}"
    with pytest.raises(UsageError) as caught:
        read_folder(NOWHERE, given)
    assert caught.value.message == f"{given} {why}"


def test_file_that_is_none_is_named_as_it_was_given(repo: Repo, tmp_path: Path) -> None:
    place = find_place(str(repo.root))
    (tmp_path / "a").mkdir()
    for given, why in (
        (f"{tmp_path}/nope.md", f"{tmp_path}/nope.md: no such file"),
        (f"{tmp_path}/a", f"{tmp_path}/a: a folder"),
        (f"{tmp_path}/a/../b\x1b.md", f"{tmp_path}/a/../b\\x1b.md: no such file"),
        ("-", "-: standard input is not read here"),
        ("", "'': is empty"),
    ):
        with pytest.raises(UsageError) as caught:
            read_files(place, [given])
        assert caught.value.message == why


def test_source_over_the_limit_is_lost_where_it_has_a_sign(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("a.js", "// SIGN" + " " * 100)
    repo.write("b.js", "// nothing" + " " * 100)
    repo.write("c.js", b"// SIGN\0" + b" " * 100)
    repo.write("d.js", "// SIGN")
    monkeypatch.setattr(import_source, "MOST_SOURCE", 50)
    found = read_tracked(find_place(str(repo.root)), lambda path: True, ("SIGN",))
    assert list(found.texts) == ["d.js"]
    assert [(loss.source, loss.why) for loss in found.lost] == [("a.js", "larger than 1 MiB")]


def test_what_comes_after_too_much_to_read_is_counted(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c", "d"):
        repo.write(name, "12345678")
    monkeypatch.setattr(import_source, "MOST_BYTES", 1)
    found = read_tracked(find_place(str(repo.root)), lambda path: True)
    assert [(loss.source, loss.why) for loss in found.lost] == [
        ("b", "too much to read at once, and 2 files after it: import it by its folder")
    ]


def test_sign_tells_where_the_memory_is(tmp_path: Path) -> None:
    (tmp_path / "docs/memory").mkdir(parents=True)
    (tmp_path / "docs/memory/manifest.md").write_text("m")
    (tmp_path / "README.md").write_text("r")
    assert list(read_folder(NOWHERE, str(tmp_path), ("", "docs/memory/"), "manifest.md").texts) == [
        "docs/memory/manifest.md"
    ]


def test_folder_with_too_much_in_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        (tmp_path / f"{number}.md").write_text("words")
    for limit, told in (
        ("MOST_PATHS", "more than 4 files"),
        ("MOST_FILES", "more than 4 Markdown"),
        ("MOST_BYTES", "32 MiB"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(import_source, limit, 4)
            with pytest.raises(UsageError, match=told):
                read_folder(NOWHERE, str(tmp_path))


def test_link_inside_the_folder_is_read_and_one_that_leads_out_is_not(tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("out")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.md").write_text("a")
    (folder / "b.md").symlink_to("a.md")
    (folder / "c.md").symlink_to("../out.md")
    source = read_folder(NOWHERE, str(folder))
    assert source.texts == {"a.md": "a", "b.md": "a"}
    assert [loss.source for loss in source.lost] == ["c.md"]


def test_named_file_is_called_by_its_path_in_the_repository_or_by_its_name(
    repo: Repo, tmp_path: Path
) -> None:
    inside = repo.write("docs/t.md", "in")
    (tmp_path / "u.md").write_text("out")
    place = find_place(str(repo.root))
    assert read_files(place, [str(inside), str(tmp_path / "u.md")]).texts == {
        "docs/t.md": "in",
        "u.md": "out",
    }
    with pytest.raises(UsageError, match="named twice"):
        read_files(place, [str(inside), str(inside)])


def test_text_that_cannot_be_decoded_is_lost_where_it_has_a_sign(repo: Repo) -> None:
    repo.write("latin.py", b"# SIGN caf\xe9")
    repo.write("other.py", b"# caf\xe9")
    repo.write("binary", b"\x00SIGN")
    repo.write("wide.txt", "SIGN".encode("utf-16"))
    found = read_tracked(find_place(str(repo.root)), lambda path: True, ("SIGN",))
    assert [(loss.source, loss.why) for loss in found.lost] == [
        ("latin.py", "it is no UTF-8 text"),
        ("wide.txt", "it is no UTF-8 text"),
    ]


def test_link_to_a_folder_is_lost_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/a.md").write_text("a")
    (tmp_path / "memory/up").symlink_to("..")
    found = read_folder(NOWHERE, str(tmp_path / "memory"))
    assert (list(found.texts), [loss.source for loss in found.lost]) == (["a.md"], ["up"])


def test_text_that_git_has_or_would_add_outside_the_memory_is_read(repo: Repo) -> None:
    repo.write("a.py", "a")
    repo.write("memory/x.md", "x")
    repo.write("b.bin", b"\x00")
    repo.write("odd\u00e9 name.py", "o")
    repo.write(".gitignore", "out/\n.gitignore\n")
    repo.commit()
    repo.write("new.py", "n")
    repo.write("out/built.py", "b")
    texts = read_tracked(find_place(str(repo.root)), lambda path: True).texts
    assert texts == {"a.py": "a", "new.py": "n", "odd\u00e9 name.py": "o"}


def test_memory_of_the_repository_itself_is_no_source(repo: Repo) -> None:
    place = find_place(str(repo.root))
    repo.write("memory/brief.md", "ours")
    repo.write("notes/a.md", "theirs")
    (repo.root / "link").symlink_to("memory")
    for given in ("memory", "memory/", "link"):
        with pytest.raises(UsageError, match="own memory"):
            read_folder(place, str(repo.root / given))
    for given in ("memory/brief.md", "link/brief.md"):
        with pytest.raises(UsageError, match="own memory"):
            read_files(place, [str(repo.root / given)])
    found = read_folder(place, str(repo.root))
    assert list(found.texts) == ["notes/a.md"]
    assert ("memory/", "this repository's own memory") in [(one.source, one.why) for one in found.lost]
