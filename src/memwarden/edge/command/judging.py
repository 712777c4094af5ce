"""Judging a note's condition in the working tree as it stands; commands run only where that is asked for."""

from __future__ import annotations

from memwarden.core.condition import CANNOT_TELL, Verdict
from memwarden.core.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from memwarden.core.condition import CommandTest
    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.edge.command.sandbox import Endorsements
    from memwarden.edge.place import Place
    from memwarden.edge.reading.whole_memory import Found
    from memwarden.judge.judge import Judged


def judge_now(place: Place, note: Note, today: str) -> Verdict:
    """The verdict on a note's condition; evidence goes without blob IDs."""
    if note.condition is None:
        return Verdict(CANNOT_TELL, "there is no condition")
    from memwarden.edge.tree.checkout import working_tree
    from memwarden.judge.judge import judge
    from memwarden.judge.reader import Surroundings

    around = Surroundings(
        today, lambda: _tags(place), _is_shallow(place), blobs=False, unmerged=_unmerged(place)
    )
    return judge(note.condition, working_tree(place), around)


def judge_closely_now(place: Place, note: Note, today: str) -> Judged:
    """The verdict with blob IDs and with what it was read from."""
    from memwarden.edge.tree.checkout import working_tree
    from memwarden.judge.judge import judge_closely
    from memwarden.judge.reader import Surroundings

    assert note.condition is not None
    around = Surroundings(today, lambda: _tags(place), _is_shallow(place), unmerged=_unmerged(place))
    return judge_closely(note.condition, working_tree(place), around)


def _tags(place: Place) -> tuple[str, ...]:
    from memwarden.edge.git.revisions import tags  # a git process, for the few conditions on tags

    return tags(place)


def _is_shallow(place: Place) -> bool:
    from memwarden.edge.git.gitstate import is_shallow

    return is_shallow(place)


def _unmerged(place: Place) -> Callable[[bool], frozenset[str]]:
    from memwarden.edge.git.unmerged import Unmerged

    return Unmerged(place)


class Running(NamedTuple):
    """That commands may be run: what the user has endorsed (or CI has allowed), and the environment
    from which a command's is made."""

    trust: Endorsements
    env: Mapping[str, str]


def judge_all_now(
    place: Place, memory: Memory, debts: Iterable[Found], today: str, running: Running | None = None
) -> Iterator[tuple[Found, Judged]]:
    """The close verdict on every debt; commands are run only with ``running``."""
    from memwarden.edge.tree.checkout import working_tree
    from memwarden.judge.judge import judge_closely
    from memwarden.judge.reader import Surroundings, Texts

    tree, texts = working_tree(place), Texts()
    found_tags: list[tuple[str, ...]] = []

    def tags() -> tuple[str, ...]:
        if not found_tags:
            found_tags.append(_tags(place))
        return found_tags[0]

    around = Surroundings(today, tags, _is_shallow(place), unmerged=_unmerged(place))
    for found in debts:
        if found.note.condition is None:
            continue
        here = around
        if running:
            here = around._replace(run_command=runner_for(place, memory, found.note, running))
        yield found, judge_closely(found.note.condition, tree, here, texts)


def runner_for(
    place: Place, memory: Memory, note: Note, running: Running
) -> Callable[[CommandTest], Verdict]:
    """How the judge runs the commands of one note."""
    from memwarden.core.secrets import redact
    from memwarden.edge.command.sandbox import command_runner

    return command_runner(place, running.trust, memory.project, note.id, memory.settings, redact, running.env)
