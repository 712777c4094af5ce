"""Draws docs/*.svg: the main outputs as a terminal shows them, from a run of the program.

python docs/pictures.py
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from sample_run import FIXED, RETRY, commit, git, said, sample_repository, write

COLUMNS = 100
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
THEME = TerminalTheme(
    (24, 26, 31),
    (222, 222, 218),
    [(36, 39, 46), (224, 108, 117), (152, 195, 121), (229, 192, 123),
     (97, 175, 239), (198, 120, 221), (86, 182, 194), (171, 178, 191)],
    [(130, 137, 151), (224, 108, 117), (152, 195, 121), (229, 192, 123),
     (97, 175, 239), (198, 120, 221), (86, 182, 194), (255, 255, 255)],
)  # fmt: skip
# A page of its own: no font is fetched, and no window is drawn around the text.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
<rect fill="#181a1f" x="0" y="0" width="{width}" height="{height}" rx="10"/>
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def main() -> None:
    """Play the sample, and draw what it shows."""
    with sample_repository():
        _prepare()
        draw("outputs", "mem status", "mem debts", "mem route --task plan --path src/client.py --explain")
        _review()
        draw("review", "mem check", "mem blame retry", "mem log", "mem diff main..fix/retry")


def draw(name: str, *commands: str) -> None:
    """One picture: each command after a prompt, and what the terminal shows."""
    console = Console(
        record=True, width=COLUMNS + 2, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    for number, command in enumerate(commands):
        if number:
            console.print()
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
        console.print(Text.from_ansi(steady(on_terminal(command)).rstrip("\n")), soft_wrap=True)
    console.print()  # the last line is cut off under its letters
    drawn = console.export_svg(title="", theme=THEME, code_format=FORMAT, unique_id=f"mem-{name}")
    lines = (line.rstrip() for line in drawn.split("\n"))
    Path(__file__).with_name(f"{name}.svg").write_text("\n".join(lines), encoding="utf-8")


def on_terminal(command: str) -> str:
    """What a command prints to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    words = [sys.executable, "-m", "memwarden", *shlex.split(command)[1:]]
    env = {**os.environ, "TERM": "xterm-256color"}
    started = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the last writer has closed its end
            break
        if not more:
            break
        shown += more
    os.close(ours)
    started.wait()
    return shown.decode().replace("\r\n", "\n")


NAMES: dict[str, str] = {}


def steady(text: str) -> str:
    """The same names whenever the picture is drawn: IDs, and objects of git."""

    def named(found: re.Match[str]) -> str:
        letters = LETTERS if len(found.group()) == 8 else "0123456789abcdef"
        at = len(NAMES) + 1
        drawn = "".join(
            letters[(at * (7 + 4 * i) + 11 * i) % len(letters)] for i in range(len(found.group()))
        )
        return NAMES.setdefault(found.group(), drawn)

    # No word boundaries: what sets a colour ends in a letter.
    ids = r"(?<=[np]-)[0-9a-z]{8}(?![0-9a-z])|(?<=-)[0-9a-z]{8}(?=\.md\b)"
    return re.sub(ids + r"|(?<![0-9a-f])(?=[a-f]*[0-9])[0-9a-f]{12}(?![0-9a-f])", named, text)


def _prepare() -> None:
    commit("Start")
    said("init")
    brief = Path("memory/brief.md")
    text = brief.read_text(encoding="utf-8")
    write(str(brief), text.partition("Say here")[0] + "A small shop: orders in, invoices out.\n")
    said("add", "config/app.yaml is generated: edit the template", "--anchor", "config/app.yaml", "--apply")
    said("add", "test_retry.py is flaky until it uses frozen_clock", "--anchor", "tests/test_retry.py",
         "--until", "contains:tests/test_retry.py:frozen_clock", "--apply")  # fmt: skip
    said("add", "src/client.py still uses legacy_http", "--anchor", "src/client.py", "--until",
         "lacks:src/client.py:legacy_http", "--apply")  # fmt: skip
    said("add", "Prices might be cached for a minute", "--anchor", "src/client.py", "--candidate")
    commit("Keep a memory")
    for session in ("one", "two", "three"):
        said("touch", "tests/test_retry.py", "--write", "--session", session)
        write("tests/test_retry.py", RETRY + f"# {session}\n")
        said("close", "--session", session, "--wrote", "tests/test_retry.py")
    commit("Edit the retry test")


def _review() -> None:
    git("checkout", "-q", "-b", "fix/retry")
    write("tests/test_retry.py", FIXED)
    said("settle")
    commit("Freeze the clock in the retry test")
    write(
        "memory/decisions/prices.md",
        "---\nsubject: project#prices\nfacet: behaviour\n---\n# Prices are in cents\n",
    )


if __name__ == "__main__":
    main()
