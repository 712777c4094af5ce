"""Which file a host's hooks go into: the project's, shared by everyone, or one person's own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from memwarden.core.record import NamedTuple
from memwarden.edge.git import plumbing
from memwarden.edge.place import Place
from memwarden.errors import Refused, UsageError
from memwarden.hosts.wiring import Wiring


class Target(NamedTuple):
    """A settings file or hooks folder: its absolute ``path``, how output names it (``shown``: never an
    absolute path), and whether it belongs to this machine alone."""

    path: str
    shown: str
    personal: bool

    @contextmanager
    def named(self) -> Iterator[None]:
        """A context in which a refusal names the place as output does, without this machine's folders."""
        try:
            yield
        except Refused as error:
            raise Refused(error.message.replace(self.path, self.shown), error.next_step) from None


def settings(wiring: Wiring, place: Place | None, env: Mapping[str, str]) -> Target:
    """The settings file of an agent host: the project's at ``place``, or the person's own."""
    if place is None:
        return _personal(wiring, env)
    path = os.path.join(place.root, *wiring.project_file.split("/"))
    real, root = os.path.realpath(path), os.path.realpath(place.root)
    if not real.startswith(root + os.sep):
        raise Refused(
            f"{wiring.project_file} leads out of the repository", "make it a file here, or pass --user"
        )
    return Target(path, wiring.project_file, False)


def _personal(wiring: Wiring, env: Mapping[str, str]) -> Target:
    """Below the home folder, or where the host's own variable moves its folder."""
    folder, _, rest = wiring.user_file.partition("/")
    moved = env.get(wiring.home_variable, "") if wiring.home_variable else ""
    if moved:
        return Target(os.path.join(moved, rest), f"${wiring.home_variable}/{rest}", True)
    home = env.get("HOME", "") or os.path.expanduser("~")
    if not os.path.isabs(home):
        raise UsageError("there is no home folder", "set HOME")
    return Target(os.path.join(home, folder, *rest.split("/")), f"~/{wiring.user_file}", True)


def hooks_folder(place: Place, user: bool) -> Target:
    """Where git looks for this repository's hooks.

    ``core.hooksPath`` is honoured, and created where it is missing.  One that a person set for all
    repositories is theirs: only ``--user`` writes there.
    """
    path, scope = _hooks_path(place)
    if not path:
        own = place.common_dir == os.path.join(place.root, ".git")
        shown = ".git/hooks" if own else "$GIT_COMMON_DIR/hooks"
        return Target(os.path.join(place.common_dir, "hooks"), shown, True)
    folder = os.path.normpath(os.path.join(place.root, path))
    inside = os.path.realpath(folder).startswith(os.path.realpath(place.root) + os.sep)
    if scope in ("global", "system") and not user:
        raise Refused(
            f"git takes the hooks of all your repositories from one folder (core.hooksPath, {scope})",
            "pass --user to write there, or set core.hooksPath for this repository",
        )
    if os.path.basename(folder) == "_" and os.path.basename(os.path.dirname(folder)) == ".husky":
        raise Refused(
            "husky writes the hooks of this repository anew whenever it is installed",
            "add the line  mem check --staged  to .husky/pre-commit by hand",
        )
    shown = os.path.relpath(folder, place.root) if inside else "core.hooksPath"
    return Target(folder, shown.replace(os.sep, "/"), not inside)


def _hooks_path(place: Place) -> tuple[str, str]:
    """core.hooksPath and the scope that sets it; our own children pin it on their command line."""
    try:
        told = plumbing.run(
            place, "config", "--type=path", "--show-scope", "-z", "--get-all", "core.hooksPath"
        )
    except plumbing.GitFailed:
        return "", ""
    words = told.decode("utf-8", "surrogateescape").split("\0")
    found = [(value, scope) for scope, value in zip(words[::2], words[1::2], strict=False)]
    found = [(value, scope) for value, scope in found if scope != "command"]
    return found[-1] if found else ("", "")
