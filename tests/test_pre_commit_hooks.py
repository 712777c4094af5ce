"""The hooks that the pre-commit framework and prek read from this repository."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.conftest import Mem, Repo

HOOKS = yaml.safe_load((Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def test_both_hooks_run_once_over_the_whole_memory() -> None:
    assert [hook["id"] for hook in HOOKS] == ["mem-check", "mem-settle"]
    for hook in HOOKS:
        assert hook["language"] == "python"
        assert (hook["pass_filenames"], hook["always_run"]) == (False, True)


def test_every_entry_is_a_command_of_ours(repo: Repo, mem: Mem) -> None:
    repo.write("a.py", "x")
    repo.git("add", "-A")
    for hook in HOOKS:
        program, *words = hook["entry"].split()
        assert program == "mem"
        assert mem(*words).code == 0
