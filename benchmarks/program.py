"""The program as people have it: a wheel, installed and compiled, in a virtual environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))


class Program(NamedTuple):
    """``python`` is the environment's interpreter, ``mem`` its console script."""

    python: str
    mem: str


def install(folder: str) -> Program:
    """Build the wheel, install it into a new environment in ``folder``, compile everything.

    pip is brought up to date first: scripts that old versions write import ``re``, which alone costs half
    of a bare start.
    """
    found = Program(os.path.join(folder, "bin", "python"), os.path.join(folder, "bin", "mem"))
    if not os.path.exists(found.python):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        _run(found, "-m", "pip", "install", "-q", "--upgrade", "pip")
    _run(found, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", os.path.dirname(HERE))
    _run(found, "-m", "pip", "install", "-q", os.path.dirname(HERE))
    _run(found, "-m", "compileall", "-q", "-j", "0", os.path.join(folder, "lib"))
    return found


def _run(program: Program, *arguments: str) -> None:
    subprocess.run([program.python, *arguments], check=True, stdout=subprocess.DEVNULL)
