"""Conditions on what is not a file: a date, a tag, a command's outcome.

None of them can be asked of a past commit: the clock was another then, tags carry no history, and a
command would need a checkout.
"""

from __future__ import annotations

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, Verdict
from memwarden.core.record import TYPE_CHECKING
from memwarden.judge.reader import UNMERGED

if TYPE_CHECKING:
    from memwarden.core.condition import CommandTest, DateTest, TagTest
    from memwarden.judge.reader import Surroundings


def judge_date(test: DateTest, surroundings: Surroundings) -> Verdict:
    """``after``: the date has come (UTC)."""
    today = surroundings.today
    if not today:
        return Verdict(CANNOT_TELL, "a date cannot be judged at a past commit", ({"note": "no clock"},))
    came = today >= test.date
    why = f"{test.date} has come" if came else f"{test.date} has not come (today is {today})"
    return Verdict(HOLDS if came else FAILS, why, ({"note": why},))


def judge_tag(test: TagTest, surroundings: Surroundings) -> Verdict:
    """``git_tag``: a tag that the glob matches exists; ``*`` matches a slash too, as in ``git tag -l``."""
    if surroundings.tags is None:
        return Verdict(CANNOT_TELL, "a tag cannot be judged at a past commit", ({"note": "no tags here"},))
    from fnmatch import fnmatchcase  # needs re; only tags come here

    for tag in sorted(surroundings.tags()):
        if fnmatchcase(tag, test.glob):
            return Verdict(HOLDS, f"tag {tag} exists", ({"note": f"tag {tag}"},))
    if surroundings.shallow:
        why = "no such tag in this shallow clone"
        return Verdict(CANNOT_TELL, why, ({"note": why},))
    return Verdict(FAILS, f"no tag matches {test.glob}", ({"note": f"no tag matches {test.glob}"},))


def judge_command(test: CommandTest, surroundings: Surroundings) -> Verdict:
    """``command``: what the runner says; without one, nothing is run."""
    if surroundings.run_command is None:
        why = "not run: not endorsed, or no --run was given (mem trust NOTE endorses one)"
        return Verdict(CANNOT_TELL, why, ({"note": why},))
    unmerged = sorted(surroundings.unmerged(True)) if surroundings.unmerged is not None else ()
    if unmerged:
        why = f"not run: {unmerged[0]} {UNMERGED}"
        return Verdict(CANNOT_TELL, why, ({"note": why},))
    return surroundings.run_command(test)
