"""What went wrong in a hook, in a log that can never grow: a hook has nobody to tell but this file.

A hook must not break the agent that calls it, so its failures are silence plus one line here.  Nothing of
the payload enters a line but the host and the event, because a payload may hold secrets.  ``mem doctor``
reads the lines back, and the marks of when each host was last heard from.
"""

from __future__ import annotations

import os

LOG = "hook.log"
HEARD = "heard"
MOST_BYTES = 64 * 1024
LONGEST_LINE = 300


def record(private: str, now: str, host: str, event: str, message: str) -> None:
    """Append one line; every failure here is ignored, for there is nowhere left to report it."""
    line = _one_line(f"{now} {host} {event or '-'}: {message}")
    try:
        os.makedirs(private, exist_ok=True)
        path = os.path.join(private, LOG)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        log = os.open(path, flags, 0o666)
        try:
            if os.fstat(log).st_size > MOST_BYTES:
                _keep_the_end(path)
            os.write(log, line)
        finally:
            os.close(log)
    except OSError:
        return


def _one_line(text: str) -> bytes:
    """Printable, on one line, cut to a bound: a log line cannot forge another one."""
    shown = "".join(char if char.isprintable() else "?" for char in text)
    if len(shown) > LONGEST_LINE:
        shown = shown[: LONGEST_LINE - 3] + "..."
    return (shown + "\n").encode("utf-8", "replace")


def _keep_the_end(path: str) -> None:
    """Drop the older half in place, so that a writer that has the file open still writes into it."""
    with open(path, "r+b") as file:
        file.seek(-MOST_BYTES // 2, os.SEEK_END)
        rest = file.read().split(b"\n", 1)[-1]
        file.seek(0)
        file.write(rest)
        file.truncate()


def lines(private: str) -> list[str]:
    """The log's lines, oldest first; none where there is no log."""
    try:
        with open(os.path.join(private, LOG), "rb") as file:
            return file.read(4 * MOST_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def heard(private: str, host: str) -> None:
    """Mark that ``host`` has spoken to us now; one system call when the mark is there already."""
    mark = os.path.join(private, HEARD, host)
    try:
        os.utime(mark)
    except FileNotFoundError:
        try:
            os.makedirs(os.path.dirname(mark), exist_ok=True)
            os.close(os.open(mark, os.O_WRONLY | os.O_CREAT, 0o666))
        except OSError:
            return
    except OSError:
        return


def last_heard(private: str) -> dict[str, float]:
    """When each host last spoke, in seconds since the epoch."""
    found = {}
    try:
        for entry in os.scandir(os.path.join(private, HEARD)):
            found[entry.name] = entry.stat().st_mtime
    except OSError:
        return found
    return found
