"""The person's own editor, on a copy: the file itself is written by a plan, or not at all."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping

from memwarden.errors import UsageError

FALLBACK = "vi"


def edited(data: bytes, name: str, env: Mapping[str, str]) -> bytes:
    """What the person leaves in ``$VISUAL`` or ``$EDITOR``.

    Raises :class:`UsageError` where the editor cannot be run or fails.
    """
    words = shlex.split(env.get("VISUAL") or env.get("EDITOR") or FALLBACK)
    with tempfile.TemporaryDirectory(prefix="mem-") as folder:
        copy = os.path.join(folder, name)
        with open(copy, "xb") as file:
            file.write(data)
        try:
            done = subprocess.run([*words, copy], check=False)
        except OSError as error:
            raise UsageError(f"{words[0]}: {error.strerror}", "set EDITOR, or use --file") from None
        if done.returncode:
            raise UsageError(f"{words[0]} ended with {done.returncode}; nothing is changed", "run it again")
        with open(copy, "rb") as file:
            return file.read()
