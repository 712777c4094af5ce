"""The README: its two commands, and what it has to name."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from memwarden import errors
from tests.test_docs import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = [line for line in README.split("\n") if line.startswith("python3 -m venv ")]


def test_two_lines_to_copy_work_on_a_fresh_machine() -> None:
    run, test = CODE
    assert run.endswith(".venv/bin/mem route --task plan")
    assert test.partition("pytest")[1]
    for line in (run, test):
        programs = [step.split()[0] for step in line.split(" && ")]
        assert programs[0] == "python3"
        assert all(program.startswith(".venv/bin/") for program in programs[1:])


def test_continuous_integration_finds_exactly_one_test_command() -> None:
    assert len([line for line in CODE if "pytest" in line]) == 1
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_command_is_mentioned() -> None:
    for name in {name.partition(" ")[0] for name in COMMANDS}:
        assert f"mem {name}" in README, name


def test_every_importer_and_subject_command_is_mentioned() -> None:
    for name in COMMANDS:
        group, _, verb = name.partition(" ")
        if verb:
            line = next(line for line in README.split("\n") if f"`mem {group} " in line)
            assert re.search(rf"\b{verb}\b", line), name


def test_every_pre_commit_hook_is_mentioned() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert all(f"`{hook['id']}`" in README for hook in hooks)


def test_every_exit_code_is_explained() -> None:
    for name, code in vars(errors).items():
        if name.startswith("EXIT_"):
            assert re.search(rf"(?m)^\| {code} \|", README), name


def test_dependencies_are_counted_right() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(project["dependencies"]) == 10
    assert "memwarden has ten" in README


def test_nothing_on_it_is_of_this_machine() -> None:
    here = re.escape(f"/{ROOT.parts[1]}/")
    for page in (README, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")):
        assert not re.search(rf"/home/|/root/|/Users/|/tmp/|{here}", page)


def test_the_changelog_names_every_command_and_hook() -> None:
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for name in {name.partition(" ")[0] for name in COMMANDS}:
        assert f"`mem {name}" in page, name
    assert "`mem-check`" in page
    assert "`mem-settle`" in page
