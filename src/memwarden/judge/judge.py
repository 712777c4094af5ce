"""One function that judges any condition against any workspace, in three values, with evidence.

The same function serves a hook, the check of what is being committed, and a walk through history.  It
never raises over what a repository holds: what cannot be read is "cannot tell", which never pays.
"""

from __future__ import annotations

from memwarden.core.condition import (
    CANNOT_TELL,
    FAILS,
    HOLDS,
    Combined,
    CommandTest,
    DataTest,
    DateTest,
    PathTest,
    TagTest,
    TextTest,
    Verdict,
    VersionTest,
    has_command,
)
from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.workspace import Unreadable
from memwarden.errors import MemError
from memwarden.judge.files import judge_path, judge_text
from memwarden.judge.moments import judge_command, judge_date, judge_tag
from memwarden.judge.reader import MOST_ITEMS, Reader, Surroundings, Texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.condition import Condition
    from memwarden.core.workspace import Workspace

FILES_ONLY = Surroundings()
OPPOSITE = {HOLDS: FAILS, FAILS: HOLDS, CANNOT_TELL: CANNOT_TELL}


class Judged(NamedTuple):
    """A verdict and what it rests on.

    ``reads`` maps every path looked at to its stamp, ``listed`` names the folders whose listing was
    asked for, and ``timeless`` says that nothing but files was asked.  A timeless verdict may be used
    again for the same condition while stamps and listings are the same.
    """

    verdict: Verdict
    reads: Mapping[str, str]
    listed: tuple[str, ...]
    timeless: bool


def judge(
    condition: Condition,
    workspace: Workspace,
    surroundings: Surroundings = FILES_ONLY,
    texts: Texts | None = None,
) -> Verdict:
    """Whether ``condition`` holds in ``workspace``, with the evidence.  Whoever judges many conditions
    gives each the same ``texts``, so that no file is read twice."""
    return _judge_whole(condition, Reader(workspace, surroundings, texts))


def judge_closely(
    condition: Condition,
    workspace: Workspace,
    surroundings: Surroundings = FILES_ONLY,
    texts: Texts | None = None,
) -> Judged:
    """The verdict together with what it was read from, for whoever keeps verdicts."""
    reader = Reader(workspace, surroundings, texts)
    verdict = _judge_whole(condition, reader)
    timeless = is_timeless(condition) and not reader.fleeting
    return Judged(verdict, reader.reads, tuple(sorted(reader.listed)), timeless)


def is_timeless(condition: Condition) -> bool:
    """Whether files alone decide: no date, no tag, no command."""
    if isinstance(condition, Combined):
        return all(is_timeless(part) for part in condition.parts)
    return not isinstance(condition, DateTest | TagTest | CommandTest)


def paths_of(condition: Condition) -> tuple[str, ...]:
    """Every path or glob that the condition names, in order, each once; a version names its files."""
    if isinstance(condition, Combined):
        return tuple(dict.fromkeys(path for part in condition.parts for path in paths_of(part)))
    if isinstance(condition, PathTest | TextTest | DataTest):
        return (condition.path,)
    if isinstance(condition, VersionTest):
        from memwarden.judge.versions import FILES

        return FILES
    return ()


def _judge_whole(condition: Condition, reader: Reader) -> Verdict:
    """Without its commands first: what is told without them needs none to run, and is proven where none may
    run."""
    around = reader.surroundings
    if around.run_command is None or not has_command(condition):
        return _judge(condition, reader)
    reader.surroundings = around._replace(run_command=None)
    verdict = _judge(condition, reader)
    reader.surroundings = around
    if verdict.state != CANNOT_TELL:
        return verdict
    verdict = _judge(condition, reader)
    return verdict._replace(ran=verdict.state != CANNOT_TELL)


def _judge(condition: Condition, reader: Reader, negated: bool = False) -> Verdict:
    if isinstance(condition, Combined):
        return _judge_parts(condition, reader, negated)
    try:
        verdict = _judge_one(condition, reader)
        if negated and isinstance(condition, DataTest) and not reader.targets(condition.path):
            # As with file_lacks: a file that is gone says nothing about what stood in it.
            return Verdict(CANNOT_TELL, f"anchor gone: {verdict.why}", verdict.items)
        return verdict
    except Unreadable as reason:
        why = str(reason)
    except MemError as error:
        why = error.message
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        why = f"unreadable ({type(error).__name__})"
    place = getattr(condition, "path", "")
    return Verdict(CANNOT_TELL, why, ({"path": place, "note": why} if place else {"note": why},))


def _judge_one(condition: Condition, reader: Reader) -> Verdict:
    if isinstance(condition, PathTest):
        return judge_path(condition, reader)
    if isinstance(condition, TextTest):
        return judge_text(condition, reader)
    if isinstance(condition, DataTest):
        from memwarden.judge.data import judge_data  # parsers that few conditions need

        return judge_data(condition, reader)
    if isinstance(condition, VersionTest):
        from memwarden.judge.versions import judge_version

        return judge_version(condition, reader)
    if isinstance(condition, TagTest):
        return judge_tag(condition, reader.surroundings)
    if isinstance(condition, DateTest):
        return judge_date(condition, reader.surroundings)
    if isinstance(condition, CommandTest):
        return judge_command(condition, reader.surroundings)
    raise Unreadable(f"unknown condition {condition.kind}")


def _judge_parts(condition: Combined, reader: Reader, negated: bool) -> Verdict:
    """Kleene's logic: ``all`` is the least of its parts, ``any`` the greatest; both stop at the part
    that decides, so nothing is read or run for an answer that cannot change."""
    if condition.kind == "not":
        inner = _judge(condition.parts[0], reader, not negated)
        return Verdict(OPPOSITE[inner.state], inner.why, inner.items)
    decides = FAILS if condition.kind == "all" else HOLDS
    verdicts = []
    for part in condition.parts:
        verdict = _judge(part, reader, negated)
        if verdict.state == decides:
            return verdict
        verdicts.append(verdict)
    unknown = [verdict for verdict in verdicts if verdict.state == CANNOT_TELL]
    told = unknown or verdicts
    state = CANNOT_TELL if unknown else OPPOSITE[decides]
    items = tuple(item for verdict in told for item in verdict.items)
    return Verdict(state, "; ".join(verdict.why for verdict in told), items[:MOST_ITEMS])
