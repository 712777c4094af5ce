"""What the tests of ``mem purge`` stand on: how to apply one, and an independent search for what is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.conftest import Mem, Ran, Repo

RULE = "memory/decisions/frobnicate-daily-aaaaaaaa.md"
OTHER = "memory/decisions/other-bbbbbbbb.md"
Tree = Callable[[], dict[str, bytes]]


def scope(ran: Ran) -> dict[str, Any]:
    return {one["name"]: one for one in ran.json["scope"]}


def applied(mem: Mem, *arguments: str, stdin: str = "") -> Ran:
    seen = mem(*arguments, "--json", stdin=stdin)
    assert seen.code == 0, seen.err + seen.out
    ran = mem("apply", seen.json["plan"]["id"], "--json")
    assert ran.code == 0, ran.err + ran.out
    return ran


def managed(repo: Repo) -> dict[str, bytes]:
    """Every byte that is ours, in the tree, in private state and in the user's state folder."""
    tops = [repo.root / "memory", *repo.root.glob("*.md"), *repo.root.glob(".git/**/mem")]
    files = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*"))]
    return {str(path.relative_to(repo.root)): path.read_bytes() for path in files if path.is_file()}


def assert_gone(repo: Repo, text: str) -> None:
    """An independent byte search of everything managed."""
    wanted = text.lower().encode()
    assert [
        name
        for name, data in managed(repo).items()
        if wanted in data.lower() or wanted in name.lower().encode()
    ] == []
