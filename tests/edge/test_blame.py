"""The commit that paid, and every break and repair, found from blobs alone."""

from __future__ import annotations

import random
import subprocess

import pytest

from memwarden.core.condition import Combined, DataTest, DateTest, PathTest, TextTest
from memwarden.edge.git.git_workspace import CommitTree, EmptyTree
from memwarden.edge.place import find_place
from memwarden.edge.review.blame import blame
from memwarden.judge.judge import judge
from memwarden.judge.reader import Surroundings

CLOCK = TextTest("file_contains", "t.py", "frozen_clock")


@pytest.fixture
def place(repo):
    return find_place(str(repo.root))


def flips(place, condition, **options):
    return [(flip.commit, flip.holds) for flip in blame(place, condition, **options).flips]


def write(repo, path, text, message="change"):
    repo.write(path, text)
    return repo.commit(message)


def test_the_commit_that_paid_is_named_with_evidence_on_both_sides(repo, place):
    write(repo, "t.py", "sleep(3)\n")
    write(repo, "other.py", "1\n")
    paid = write(repo, "t.py", "sleep(3)\nfrozen_clock\n", "Freeze the clock")
    write(repo, "t.py", "frozen_clock\n")
    found = blame(place, CLOCK)
    [flip] = found.flips
    assert (flip.commit, flip.holds) == (paid, True)
    assert (flip.by.author, flip.by.summary) == ("Ada", "Freeze the clock")
    assert flip.by.at.endswith("Z")
    assert flip.before.items == (
        {"path": "t.py", "note": "no match", "blob": repo.git("rev-parse", f"{paid}~1:t.py").strip()},
    )
    assert flip.after.items[0]["line"] == 2
    assert found.holds_now is True
    assert found.paid_by == flip


def test_a_revert_is_a_break_and_its_revert_a_repair(repo, place):
    write(repo, "t.py", "x\n")
    paid = write(repo, "t.py", "frozen_clock\n")
    repo.git("revert", "--no-edit", "HEAD")
    broke = repo.git("rev-parse", "HEAD").strip()
    repo.git("revert", "--no-edit", "HEAD")
    repaired = repo.git("rev-parse", "HEAD").strip()
    assert flips(place, CLOCK) == [(paid, True), (broke, False), (repaired, True)]


def test_a_word_that_was_there_from_the_first_commit_was_paid_by_it(repo, place):
    first = write(repo, "t.py", "frozen_clock\n")
    assert flips(place, CLOCK) == [(first, True)]


def test_deleting_the_file_does_not_pay_file_lacks(repo, place):
    write(repo, "t.py", "sleep\n")
    (repo.root / "t.py").unlink()
    repo.commit()
    lacks = TextTest("file_lacks", "t.py", "sleep")
    assert flips(place, lacks) == []
    found = blame(place, lacks)
    assert found.holds_now is False
    assert found.now.why.startswith("anchor gone")
    back = write(repo, "t.py", "frozen\n")
    assert flips(place, lacks) == [(back, True)]


def merged(repo):
    base = write(repo, "t.py", "x\n")
    repo.git("switch", "-qc", "side")
    side = write(repo, "t.py", "frozen_clock\n", "on the side")
    repo.git("switch", "-q", "main")
    write(repo, "z", "1")
    repo.git("merge", "-q", "--no-ff", "side", "-m", "merge")
    return base, side, repo.git("rev-parse", "HEAD").strip()


def test_along_first_parents_the_merge_paid(repo, place):
    _, _, merge = merged(repo)
    assert flips(place, CLOCK) == [(merge, True)]


def test_along_all_parents_the_commit_on_the_branch_paid(repo, place):
    _, side, _ = merged(repo)
    assert flips(place, CLOCK, all_parents=True) == [(side, True)]


def test_a_merge_that_itself_breaks_it_is_named(repo, place):
    _, side, _ = merged(repo)
    repo.git("switch", "-qc", "other")
    write(repo, "y", "1")
    repo.git("switch", "-q", "main")
    write(repo, "z", "2")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "other")
    repo.write("t.py", "x\n")
    evil = repo.commit("evil")
    assert flips(place, CLOCK, all_parents=True) == [(side, True), (evil, False)]


def test_two_roots_are_walked(repo, place):
    first = write(repo, "t.py", "frozen_clock\n")
    repo.git("checkout", "-q", "--orphan", "second")
    repo.git("rm", "-rqf", ".")
    second = write(repo, "t.py", "frozen_clock 2\n")
    repo.git("merge", "-q", "--allow-unrelated-histories", "-s", "ours", "main", "-m", "join")
    assert set(flips(place, CLOCK, all_parents=True)) == {(first, True), (second, True)}


def test_a_rename_is_followed_where_git_sees_it(repo, place):
    body = "".join(f"line {n}\n" for n in range(30))
    write(repo, "old.py", body)
    paid = write(repo, "old.py", body + "frozen_clock\n")
    repo.git("mv", "old.py", "mid.py")
    repo.commit("rename")
    repo.write("mid.py", body + "frozen_clock\nmore\n")
    repo.git("mv", "mid.py", "t.py")
    repo.commit("rename and edit")
    found = blame(place, CLOCK)
    assert [(flip.commit, flip.holds) for flip in found.flips] == [(paid, True)]
    assert len(found.notes) == 2
    assert found.notes[0].startswith("t.py was mid.py before ")
    assert flips(place, CLOCK, all_parents=True) == [(paid, True)]
    write(repo, "old.py", "something else\n")
    assert flips(place, CLOCK) == [(paid, True)]


def test_whether_a_path_exists_is_not_a_question_about_renames(repo, place):
    write(repo, "old.py", "x\n" * 20)
    repo.git("mv", "old.py", "t.py")
    renamed = repo.commit()
    assert flips(place, PathTest("file_exists", "t.py")) == [(renamed, True)]
    assert flips(place, PathTest("file_absent", "old.py"))[-1] == (renamed, True)


def test_globs_folders_and_combinations_flip_as_files_do(repo, place):
    write(repo, "src/a.py", "legacy\n")
    write(repo, "src/deep/b.py", "legacy\n")
    write(repo, "src/a.py", "new\n")
    paid = write(repo, "src/deep/b.py", "new\n")
    glob = TextTest("file_lacks", "src/**/*.py", "legacy")
    assert flips(place, glob) == [(paid, True)]
    docs = write(repo, "docs/x.md", "1")
    both = Combined("all", (glob, PathTest("file_exists", "docs")))
    assert flips(place, both) == [(docs, True)]
    anywhere = write(repo, "memory/debts/n.md", "legacy")
    assert anywhere
    assert flips(place, TextTest("file_lacks", "*.md", "legacy")) == [(docs, True)]


def test_data_is_judged_by_its_parser(repo, place):
    write(repo, "p.json", '{"engines": {"node": "18"}}')
    paid = write(repo, "p.json", '{"engines": {"node": "20"}}')
    broken = write(repo, "p.json", "{")
    assert flips(place, DataTest("data_matches", "p.json", "engines.node", "^20")) == [
        (paid, True),
        (broken, None),
    ]


def test_binary_content_is_cannot_tell_on_the_way(repo, place):
    write(repo, "t.py", "x")
    binary = write(repo, "t.py", b"\0frozen_clock")
    text = write(repo, "t.py", "y")
    assert flips(place, CLOCK) == [(binary, None), (text, False)]


def test_a_clock_has_no_history_but_a_present(repo, place):
    repo.commit()
    found = blame(place, DateTest("after", "2026-01-01"), surroundings=Surroundings(today="2026-11-30"))
    assert (found.flips, found.holds_now) == ((), True)


def test_odd_names_are_walked_like_others(repo, place):
    name = "d/sp ace\n\té:(top)*.py"
    write(repo, name, "x")
    paid = write(repo, name, "frozen_clock")
    assert flips(place, TextTest("file_contains", "d/**", "frozen_clock")) == [(paid, True)]


def test_a_shallow_history_says_that_it_was_cut(repo, place, tmp_path):
    write(repo, "t.py", "frozen_clock\n")
    write(repo, "t.py", "frozen_clock\n2\n")
    broke = write(repo, "t.py", "x\n")
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.root}", str(tmp_path / "shallow"))
    found = blame(find_place(str(tmp_path / "shallow")), CLOCK)
    assert [(flip.commit, flip.holds) for flip in found.flips] == [(broke, False)]
    assert "shallow" in found.notes[-1]


def test_settings_of_the_user_change_no_answer(repo, place):
    first = write(repo, "t.py", "frozen_clock\n")
    for setting in ("log.showRoot=false", "log.follow=true", "diff.external=false", "color.ui=always",
                    "diff.renames=copies", "log.showSignature=true", "format.pretty=fuller"):  # fmt: skip
        repo.git("config", *setting.split("=", 1))
    assert flips(place, CLOCK) == [(first, True)]
    assert flips(place, CLOCK, all_parents=True) == [(first, True)]


HOLDS_OF = {"holds": True, "does not hold": False, "cannot tell": None}
CONDITIONS = [
    CLOCK,
    TextTest("file_lacks", "t.py", "frozen_clock"),
    TextTest("file_lacks", "d/*.py", "frozen_clock", literal=True),
    TextTest("file_contains", "*.py", "^frozen.clock$"),
    PathTest("file_exists", "d"),
    PathTest("file_absent", "t.py"),
    Combined("any", (PathTest("file_absent", "d/a.py"), TextTest("file_contains", "d/b.py", "x"))),
    Combined(
        "all", (Combined("not", (PathTest("file_exists", "t.py"),)), TextTest("file_lacks", "**", "zzz"))
    ),
]


def crooked_history(seed):
    """A stream for ``git fast-import``: branches, merges, removals and binary contents, from one seed."""
    rng = random.Random(seed)
    stream, tips = [], []
    bodies = [b"x\n", b"frozen_clock\n", b"frozen_clock\nx\n", b"\0", b"zzz\n"]
    for number in range(1, 90):
        stream.append(b"commit refs/heads/main\nmark :%d\n" % number)
        stream.append(b"committer Ada <ada@example.org> %d +0000\ndata 1\nm\n" % number)
        for at, parent in enumerate(rng.sample(tips, min(len(tips), rng.choice([1, 1, 1, 2])))):
            stream.append(b"%s :%d\n" % (b"merge" if at else b"from", parent))
        for path in rng.sample([b"t.py", b"d/a.py", b"d/b.py", b"e.txt"], rng.choice([0, 1, 2])):
            body = rng.choice(bodies)
            removed = rng.random() < 0.2
            change = (
                b"D %s\n" % path
                if removed
                else b"M 100644 inline %s\ndata %d\n%s\n" % (path, len(body), body)
            )
            stream.append(change)
        tips = [*tips, number][-3:]
    return b"".join(stream)


@pytest.mark.parametrize("seed", [7, 11])
def test_the_walk_agrees_with_judging_every_commit(repo, place, seed):
    importing = ["git", "fast-import", "--quiet", "--force"]
    subprocess.run(importing, input=crooked_history(seed), cwd=repo.root, check=True)
    listed = repo.git("rev-list", "--parents", "--topo-order", "--reverse", "main").splitlines()
    graph = [row.split() for row in listed]
    line = repo.git("rev-list", "--first-parent", "--reverse", "main").split()
    first_parents = [[commit, *line[at - 1 : at]] if at else [commit] for at, commit in enumerate(line)]
    assert len(graph) > 40
    trees = {commit: CommitTree(place, commit) for commit, *_ in graph}
    for condition in CONDITIONS:
        state = {commit: judge(condition, tree).state for commit, tree in trees.items()}
        state[""] = judge(condition, EmptyTree(place)).state
        for rows, all_parents in ((graph, True), (first_parents, False)):
            expected = [
                (commit, HOLDS_OF[state[commit]])
                for commit, *parents in rows
                if all(state[parent] != state[commit] for parent in parents or [""])
            ]
            assert flips(place, condition, rev="main", all_parents=all_parents) == expected
    for tree in trees.values():
        tree.close()


def test_a_file_that_had_the_name_before_is_not_forgotten(repo, place):
    body = "".join(f"line {n}\n" for n in range(30))
    write(repo, "t.py", "frozen_clock of another file\n")
    first = repo.git("rev-parse", "HEAD").strip()
    (repo.root / "t.py").unlink()
    gone = repo.commit()
    write(repo, "old.py", body)
    paid = write(repo, "old.py", body + "frozen_clock\n")
    repo.git("mv", "old.py", "t.py")
    repo.commit()
    assert flips(place, CLOCK) == [(first, True), (gone, False), (paid, True)]


def test_a_file_renamed_there_and_back_is_one_file(repo, place):
    body = "".join(f"line {n}\n" for n in range(30))
    write(repo, "t.py", body)
    repo.git("mv", "t.py", "away.py")
    repo.commit()
    paid = write(repo, "away.py", body + "frozen_clock\n")
    repo.git("mv", "away.py", "t.py")
    repo.commit()
    assert [pair for pair in flips(place, CLOCK) if pair[1]] == [(paid, True)]


def test_a_copy_has_no_older_history(repo, place):
    body = "".join(f"line {n}\n" for n in range(30)) + "frozen_clock\n"
    write(repo, "template.py", body)
    copied = write(repo, "t.py", body)
    assert flips(place, CLOCK) == [(copied, True)]
