"""The program's door: hot verbs go straight to their room, all else to the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Run ``mem`` with this process's arguments; the result is the exit code."""
    from memwarden.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
