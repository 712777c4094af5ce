"""The installed commands are scripts of our own, so that no installer's wrapper adds an import to a hook."""

import ast
import os
import subprocess
import sys
import tomllib

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _scripts() -> dict[str, str]:
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        declared = tomllib.load(file)
    wheel = declared["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "scripts" not in declared["project"]
    return {name: source for source, name in wheel["shared-scripts"].items()}


def test_both_names_are_installed() -> None:
    assert sorted(_scripts()) == ["mem", "memwarden"]


@pytest.mark.parametrize("name", ["mem", "memwarden"])
def test_an_installer_writes_its_python_into_the_first_line_and_leaves_it_executable(name: str) -> None:
    path = os.path.join(ROOT, _scripts()[name])
    with open(path, encoding="utf-8") as file:
        assert file.readline() == "#!python\n"
    assert os.access(path, os.X_OK)


@pytest.mark.parametrize("name", ["mem", "memwarden"])
def test_a_script_runs_the_program(name: str) -> None:
    path = os.path.join(ROOT, _scripts()[name])
    ran = subprocess.run([sys.executable, path, "--version"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout[:4], ran.stderr) == (0, "mem ", "")


@pytest.mark.parametrize("name", ["mem", "memwarden"])
def test_a_script_imports_only_what_starts_the_program_and_what_python_has_loaded(name: str) -> None:
    with open(os.path.join(ROOT, _scripts()[name]), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    imports = [ast.unparse(node) for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert imports == [
        "import os",
        "import sys",
        "from _signal import SIGINT, default_int_handler, getsignal, signal",
        "from memwarden.__main__ import run",
    ]
