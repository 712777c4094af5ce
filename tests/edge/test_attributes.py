"""Which files git keeps with LF."""

from __future__ import annotations

import pytest

from memwarden.edge.git.attributes import stores_lf
from memwarden.edge.tree.worktree import WorkingTree
from tests.conftest import Repo


@pytest.mark.parametrize(
    ("attributes", "path", "told"),
    [
        ("", "a.txt", False),
        ("*.txt text\n", "a.txt", True),
        ("*.txt text=auto\n", "deep/a.txt", True),
        ("*.txt eol=crlf\n", "a.txt", True),
        ("* text\n*.txt -text\n", "a.txt", False),
        ("* text\n*.bin binary\n", "a.bin", False),
        ("# *.txt text\n", "a.txt", False),
        ("docs/*.txt text\n", "a.txt", False),
    ],
)
def test_last_matching_line_decides(repo: Repo, attributes: str, path: str, told: bool) -> None:
    repo.write(".gitattributes", attributes)
    assert stores_lf(WorkingTree(str(repo.root)), str(repo.root), path) is told


def test_deeper_file_overrules(repo: Repo) -> None:
    repo.write(".gitattributes", "*.txt text\n")
    repo.write("docs/.gitattributes", "*.txt -text\n")
    tree = WorkingTree(str(repo.root))
    assert stores_lf(tree, str(repo.root), "a.txt")
    assert not stores_lf(tree, str(repo.root), "docs/a.txt")
