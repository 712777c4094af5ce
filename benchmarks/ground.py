"""The memories that are measured, and whether a row does its work on them."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.cases import Case
from benchmarks.corpus import plant


def planted(root: str, size: int) -> str:
    """A memory of this size, as it was committed."""
    if not os.path.exists(root):
        plant(root, size)
    for arguments in (("reset", "-q", "--hard"), ("clean", "-qfd")):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


def works(case: Case) -> bool:
    """One run of it ends well and prints what it should; what does not is named."""
    command = case.command
    if command.before:
        command.before()
    done = subprocess.run(
        command.argv(0),
        input=command.stdin(0) if command.stdin else b"",
        cwd=command.root,
        capture_output=True,
    )
    if command.after:
        command.after()
    if done.returncode == 0 and case.proof(done.stdout):
        return True
    said = done.stderr.decode(errors="replace").strip().split("\n")[0]
    print(f"{command.name}: not measured, it ended with {done.returncode} {said}", file=sys.stderr)
    return False
