"""macOS: what ``sandbox-exec`` is told to keep a command read-only, and how to tell that it did not start.

In a profile the last rule that fits decides, and a path in it has to be the real one: the kernel compares
after every link on the way is resolved.
"""

from __future__ import annotations

import os

PROGRAM = "/usr/bin/sandbox-exec"
# What sandbox-exec itself ends with: a profile that it cannot read, a system that refuses.
REFUSALS = (65, 71)
OWN_WORDS = "sandbox-exec: "

# Opened for writing by scripts that only print: a device that forgets, and the streams that are open already.
HARMLESS = (
    '(literal "/dev/null")',
    '(literal "/dev/zero")',
    '(literal "/dev/dtracehelper")',
    '(literal "/dev/stdout")',
    '(literal "/dev/stderr")',
    '(subpath "/dev/fd")',
)


def profile(scratch: str) -> str:
    """Everything is allowed but to write outside the scratch folder, by itself or through somebody else."""
    rules = (
        "(version 1)",
        "(allow default)",
        "(deny file-write*)",
        f"(allow file-write* (subpath {_quoted(scratch)}) {' '.join(HARMLESS)})",
        # A second name in the scratch folder would be a way to write to a file outside it.
        "(deny file-link)",
        # Another process, outside this sandbox, would do the writing: an application or a document that is
        # opened, one that is sent an event, a job of launchd, the keeper of the preferences.
        "(deny lsopen)",
        "(deny appleevent-send)",
        "(deny job-creation)",
        "(deny user-preference-write)",
        # In this order: a denial that names the others by itself is not heeded.
        "(deny signal)",
        "(allow signal (target same-sandbox))",
    )
    return "".join(rules)


def wrapped(program: str, argv: tuple[str, ...], scratch: str) -> tuple[str, ...]:
    """The words that run ``argv`` under the profile, or none where there is no such program."""
    if not os.path.exists(PROGRAM):
        return ()
    return ("sandbox-exec", "-p", profile(scratch), program, *argv[1:])


def refused(code: int | None, said: str) -> str:
    """Why the command was never started, or "".  What ends this way is no answer of the command's."""
    if code not in REFUSALS or not said.startswith(OWN_WORDS):
        return ""
    why = said.partition("\n")[0].removeprefix(OWN_WORDS)
    if why.startswith("sandbox_apply"):
        why += "; macOS starts no sandbox inside another one, so run this outside of it"
    return f"sandbox-exec did not start it: {why}"


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
