"""Peers as people have them: each in a virtual environment of its own, at the version of the table."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys

from benchmarks.peers.table import Peer

NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000


class Unavailable(Exception):
    """Why a peer cannot be installed here."""


def install(peer: Peer, folder: str, given: dict[str, str]) -> str:
    """The peer's command, installed into ``folder`` when it is not there yet.

    ``given`` names commands that are installed already.
    """
    if peer.name in given:
        return given[peer.name]
    if not peer.distribution:
        raise Unavailable(
            f"the package index has none; name an installed one with --have {peer.name}=COMMAND"
        )
    python, command = (os.path.join(folder, "bin", name) for name in ("python", peer.script))
    if not os.path.exists(command):
        _run("making an environment", interpreter(peer.python), "-m", "venv", folder)
        # As for our own program: scripts that old versions of pip write import more.
        _run("bringing pip up to date", python, "-m", "pip", "install", "-q", "--upgrade", "pip")
        _run("installing", python, "-m", "pip", "install", "-q", f"{peer.distribution}=={peer.version}")
    return command


def interpreter(at_least: tuple[int, int]) -> str:
    """This Python when it is new enough, or the first on PATH that is."""
    if sys.version_info >= at_least:
        return sys.executable
    major, minor = at_least
    for name in (f"python{major}.{number}" for number in range(minor, minor + 5)):
        found = shutil.which(name)
        if found is not None:
            return found
    raise Unavailable(f"it needs Python {major}.{minor}, which is not on PATH")


def cut_network() -> bool:
    """Leave this process, and all that it starts, without a network.  False where the system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    system = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if system.unshare(NEW_NETWORK) == 0:
        return True
    if system.unshare(NEW_USER | NEW_NETWORK) != 0:
        return False
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    return True


def _run(doing: str, *argv: str) -> None:
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise Unavailable(f"{doing} failed: {(lines or ['it says nothing'])[-1]}")
