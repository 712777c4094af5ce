"""The exit code of a command line that a host runs: none may refuse the host's tool."""

import os
import sys

from memwarden.edge.clock import moment
from memwarden.edge.turn.hooklog import record
from memwarden.errors import EXIT_USAGE
from memwarden.hook import AGENTS, near


def as_host_reads(code: int, arguments: list[str]) -> int:
    """The exit code of a command line that named a host and an option that we do not know: done, and one
    line in the log.  Every host takes exit 2 for a refusal of its tool, so a line that another release of
    ours, or a slip, put into its settings would refuse them all."""
    words = [word for word in arguments if not word.startswith("-")]
    if code != EXIT_USAGE or words[1:2] == [] or words[1] not in AGENTS or sys.stdin.isatty():
        return code
    if any(word in ("install", "uninstall") for word in words):
        return code
    here = near(".")
    if here is not None and os.path.isdir(here[0] + "/memory"):
        record(here[1] + "/mem", moment(""), words[1], "", "called with words that it does not know")
    return 0
