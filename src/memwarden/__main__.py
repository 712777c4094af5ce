"""The program's door: hot verbs go straight to their room, all else to the command line."""

import sys

# Where Python runs and this program does not: it takes the locks and the processes of Unix.
ELSEWHERE = ("win32", "emscripten", "wasi")
OF_UNIX = ("fcntl", "select", "resource", "pwd")
# What is known by few words and holds a whole memory: past the parser, and out without clearing up.
QUICK = (["check"], ["purge"], ["apply"])
# What is answered out of the index, where it is new and plainly asked.
INDEXED = ("route", "search")
INTERRUPTED = 130
_heard: list[int] = []
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def run() -> int:
    """The installed program: :func:`main`, but what was answered at once also ends at once; so does a check.

    Taking the interpreter down costs more than all that a hook loads, and by then all is written.  Whenever
    it is interrupted, it ends without a word.
    """
    sys.unraisablehook = _unraised
    try:
        try:
            _heed(_interrupt)
            code = main(_leave)
        finally:
            _heed(_end)
    except BaseException:  # while a package is loaded, an interrupt comes out of it as errors of many kinds
        if not _heard:
            raise
        code = INTERRUPTED
    return _as_caller_reads(code)


def main(leave: "Callable[[int], None] | None" = None) -> int:
    """Run ``mem`` with this process's arguments; the result is the exit code."""
    words = sys.argv[1:]
    if sys.platform in ELSEWHERE:
        return _turned_away(words)
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        _stand_in()
    try:
        code = _at_once(words)
        if code is None:
            code = _in_full(words)
            if leave is not None and words[:1] in QUICK:  # all is written, and they hold much
                leave(code)
            return code
        if leave is not None and words[0] != "add":  # a writer may still hold something open
            leave(code)
        return code
    except KeyboardInterrupt:  # also while a part of the program is still being loaded
        return INTERRUPTED
    except OSError as refused:  # what was known at once could not be written
        from memwarden.cli.app import ended

        return ended(refused, words[0], "--json" in words)
    except ImportError as missing:
        if missing.name not in OF_UNIX:
            raise
        return _turned_away(words)


def _heed(handler: "Callable[..., None]") -> None:
    """Have interrupts handled so; not where whoever started this process has them ignored."""
    import _signal  # type: ignore[import-not-found]  # built in; `signal` itself loads `enum`

    if callable(_signal.getsignal(_signal.SIGINT)):
        _signal.signal(_signal.SIGINT, handler)


def _interrupt(*_: object) -> None:
    """The first interrupt is raised where the program is, which clears up; a second one ends it there."""
    _heard.append(INTERRUPTED)
    _heed(_end)
    raise KeyboardInterrupt


def _end(*_: object) -> None:
    import os

    os._exit(_as_caller_reads(INTERRUPTED))


def _unraised(ignored: "sys.UnraisableHookArgs") -> None:
    """An interrupt that came where Python cannot raise it, as between two imports, is not lost, nor shown."""
    if ignored.exc_type is KeyboardInterrupt:
        _end()
    sys.__unraisablehook__(ignored)


def _as_caller_reads(code: int) -> int:
    """A host would take a hook that was interrupted for a refusal of its tool."""
    return 0 if code == INTERRUPTED and _is_host(sys.argv[1:]) else code


def _is_host(words: list[str]) -> bool:
    return words[:1] == ["hook"] and words[1:2] not in (["install"], ["uninstall"])


def _turned_away(words: list[str]) -> int:
    """Say where the program runs, as every command says what is wrong; a hook never breaks the agent."""
    if _is_host(words):
        return 0
    message = "memwarden runs on Linux and macOS; not on this system yet"
    step = "on Windows, run it inside WSL"
    if "--json" in words:
        import json

        error = {"message": message, "next_step": step, "exit": 2}
        told = {"schema": f"mem.{words[0]}/1", "error": error, "findings": []}
        sys.stdout.write(json.dumps(told, indent=2) + "\n")
    sys.stderr.write(f"mem: {message}\n  next: {step}\n")
    return 2


def _leave(code: int) -> None:
    """End this process without taking it down; only return where an answer cannot be written to its end."""
    import os

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        return
    os._exit(code)


def _stand_in() -> None:
    """Put the null device where a stream was closed before the start: else the next file that is opened
    would take its number, and answers would be written into it."""
    import os

    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None and os.open(os.devnull, os.O_RDWR) == number:
            stream = os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False)
            setattr(sys, name, stream)


def _at_once(words: list[str]) -> int | None:
    """The exit code of a command that needs next to nothing of the program; None for all the others."""
    if words[:1] == ["hook"]:
        from memwarden.hook import main as hook

        return hook(words[1:])
    from memwarden.edge.answers.recall import question, recall, say

    if words in (["--version"], ["-V"], ["version"]):
        from memwarden import __version__

        say(1, f"mem {__version__}\n".encode())
        return 0

    asked = question(words)
    if not asked:
        return _added(words[1:]) if words[:1] == ["add"] else None
    from memwarden.hook import near

    found = near(".")
    if found is None:
        return None
    root, private = found[0], found[1] + "/mem"
    code = recall(asked, root, private)
    return _from_index(asked, words, root, private) if code is None and words[0] in INDEXED else code


def _added(words: list[str]) -> int | None:
    _hold()
    from memwarden.cli.quick_add import quick_add

    return quick_add(words)


def _from_index(asked: str, words: list[str], root: str, private: str) -> int | None:
    _hold()
    from memwarden.edge.reading.full_look import begin

    look = begin(root, private)  # it goes on while the rest is loaded
    if look is None:
        return None
    try:
        if words[0] == "search":
            from memwarden.cli.quick_search import quick_search

            return quick_search(asked, words, look)
        from memwarden.cli.quick_route import quick_route

        return quick_route(asked, words, look)
    finally:
        look.close()


def _hold() -> None:
    """One command holds what it reads to its end; looking for circles in it costs a quarter of its time."""
    import gc  # not for a hook, which counts its modules

    gc.disable()


def _in_full(words: list[str]) -> int:
    _hold()
    from memwarden.edge.answers.recall import question

    run = _door(words[:1])
    asked = question(words)
    if not asked:
        return run(words)
    from memwarden.edge.answers.remembering import remembered

    return remembered(asked, words, lambda: run(words))


def _door(verb: list[str]) -> "Callable[[list[str]], int]":
    if verb == ["check"]:
        from memwarden.cli.quick_check import run as quick

        return quick
    if verb in QUICK:
        from memwarden.cli.quick_purge import run as quicker

        return quicker
    from memwarden.cli.app import run

    return run


if __name__ == "__main__":
    sys.exit(run())
