"""On histories from a seed the report agrees with a slow search that shares no code with it."""

from __future__ import annotations

import gzip
import random
import subprocess
from collections.abc import Iterator

import pytest

from memwarden.edge.erase.object_search import COMPRESSED
from memwarden.edge.erase.past_search import Past, search_past
from memwarden.edge.erase.tips import Tip, names
from memwarden.edge.place import find_place
from memwarden.edit.normal_texts import normal_form, normal_texts
from memwarden.edit.topic import Mark, Topic
from tests.conftest import Repo
from tests.property.spellings import spelt

pytestmark = pytest.mark.property

TEXT = "Müller tms"
NOTE = "n-aaaaaaaa"
PATHS = ("memory/decisions/x.md", "memory/x.md", "top.md")
FOLDERS = ("src", "src/inner", "memory", "memory/decisions", "müller-tms", "a b", "src/deep/er/yet")
NAMES = ("a.txt", "x.md", "top.md", "MÜLLER_TMS.py", "b\tc", "40000 x", "d")


def plant(repo: Repo, dice: random.Random, commits: int) -> None:
    """Branches that part and meet, tags of everything, replaced and lost objects, reflogs."""
    lines: list[bytes] = []
    branches = ["main"]
    for number in range(1, commits + 1):
        branch = dice.choice(branches)
        parents = [f":{dice.randrange(max(1, number - 12), number)}"] if number > 1 else []
        if number > 3 and dice.random() < 0.2:
            parents.append(f":{dice.randrange(1, number)}")
        if dice.random() < 0.15:
            branch = f"branch-{number}"
            branches.append(branch)
        lines += [b"reset refs/heads/%s" % branch.encode(), b"commit refs/heads/%s" % branch.encode()]
        lines += [
            b"mark :%d" % number,
            b"committer Ada <a@b> %d +0000" % (1_700_000_000 + dice.randrange(900)),
        ]
        said = _content(dice)
        if dice.random() < 0.1:
            lines.append(b"encoding ISO-8859-1")
            said = dice.choice((TEXT, "caf\xe9")).encode("latin-1")
        lines += [b"data %d\n%s" % (len(said), said)]
        lines += [(b"merge" if at else b"from") + b" " + one.encode() for at, one in enumerate(parents)]
        lines += [b"deleteall"] * (dice.random() < 0.1)
        for _ in range(dice.randrange(4)):
            folder, name = dice.choice(FOLDERS), dice.choice(NAMES)
            path = name if dice.random() < 0.2 else f"{folder}/{name}"
            quoted = b'"' + path.replace("\t", "\\t").encode() + b'"'
            if dice.random() < 0.2:
                lines.append(b"D " + quoted)
            else:
                mode = dice.choice((b"100644", b"100644", b"100755", b"120000"))
                data = _content(dice)
                lines += [b"M %s inline %s" % (mode, quoted), b"data %d\n%s" % (len(data), data)]
    importing = ["git", "fast-import", "--quiet", "--force"]
    subprocess.run(importing, cwd=repo.root, input=b"\n".join(lines) + b"\n", check=True)
    _name(repo, dice)


def _content(dice: random.Random) -> bytes:
    kind = dice.randrange(8)
    if kind == 0:
        return f"so {spelt(dice, TEXT)} it is\n".encode("utf-8", "surrogatepass")
    if kind == 1:
        return TEXT.encode("utf-16")
    if kind == 2:
        return f"---\nid: {NOTE}\n---\n".encode()
    if kind == 3:
        return b'{"kind": "purged", "note": "%s"}' % NOTE.encode()
    if kind == 5 and dice.random() < 0.5:
        return gzip.compress(TEXT.encode())
    if kind == 4 and dice.random() < 0.05:
        return dice.randbytes(40) + b" missing\n"
    return b"%d &amp; caf\xc3\xa9 \\u00e9\n" % dice.randrange(30)


def _name(repo: Repo, dice: random.Random) -> None:
    commits = repo.git("rev-list", "--all").split()
    for number in range(6):
        target = dice.choice(commits) + dice.choice(("", "^{tree}"))
        repo.git("tag", f"light-{number}", target)
        repo.git("tag", "-a", "-m", dice.choice((TEXT, "plain")), f"told-{number}", target)
        repo.git("tag", "-a", "-m", "again", f"twice-{number}", f"told-{number}")
    for path in repo.git("ls-tree", "-r", "--name-only", "-z", commits[0]).split("\0")[:2]:
        if path:
            blob = repo.git("rev-parse", f"{commits[0]}:{path}").strip()
            repo.git("update-ref", f"refs/odd/{hash_of(path)}", blob)
            repo.git("tag", "-a", "-m", dice.choice((TEXT, "plain")), f"blob-{hash_of(path)}", blob)
    for number in range(4):
        data = _content(dice)
        made = subprocess.run(
            ["git", "hash-object", "-w", "--stdin"],
            cwd=repo.root,
            input=data,
            capture_output=True,
            check=True,
        )
        repo.git("update-ref", f"refs/keep/{number}", made.stdout.decode().strip())
    for number in range(3):  # a tag inside of a tag, whose own name is gone
        repo.git("tag", "-a", "-m", dice.choice((TEXT, "plain")), "inside", dice.choice(commits))
        repo.git("tag", "-a", "-m", "around", f"around-{number}", "inside")
        repo.git("tag", "-d", "inside")
    repo.git("replace", "-f", commits[3], commits[5])
    repo.git("reset", "-q", "--soft", dice.choice(commits))
    for _ in range(3):
        repo.git("update-ref", "refs/heads/main", dice.choice(commits))
    for name in repo.git("for-each-ref", "--format=%(refname)", "refs/heads/branch-*").split()[::2]:
        repo.git("update-ref", "-d", name)
    repo.git("read-tree", dice.choice(commits))
    blob = repo.git("rev-parse", "HEAD:", check=False).strip()
    repo.write("müller-tms/lost.txt", "lost\n")
    repo.git("add", "-f", "müller-tms")
    repo.git("write-tree")
    repo.git("read-tree", blob)
    for number in range(3):
        repo.git("tag", "-a", "-m", TEXT, f"lost-{number}", dice.choice(commits))
        repo.git("tag", "-d", f"lost-{number}")
    free = repo.write(".git/free", f"free {TEXT}\n")
    repo.git("hash-object", "-w", str(free))
    if dice.random() < 0.5:
        repo.git("repack", "-adq")
    repo.git("repack", "-dq") if dice.random() < 0.5 else None


def hash_of(path: str) -> str:
    return path.encode().hex()


class Slow:
    """Reads every object by itself, follows every tree of every commit, walks from every tip."""

    def __init__(self, repo: Repo, topic: Topic) -> None:
        self.topic = topic
        self.objects: dict[str, tuple[str, bytes]] = {}
        listed = subprocess.run(
            ["git", "cat-file", "--batch-all-objects", "--batch"],
            cwd=repo.root,
            capture_output=True,
            check=True,
        ).stdout
        at = 0
        while at < len(listed):
            end = listed.index(b"\n", at)
            oid, kind, size = listed[at:end].decode().split()
            self.objects[oid] = kind, listed[end + 1 : end + 1 + int(size)]
            at = end + 2 + int(size)

    def tells(self, data: bytes) -> bool:
        return any(map(self.topic.in_normal, normal_texts(data)))

    def says(self, commit: str) -> bool:
        data = self.objects[commit][1]
        western = b"\nencoding ISO-8859-1\n" in data.split(b"\n\n")[0] + b"\n"
        return self.tells(data) or (western and self.topic.in_text(data.decode("latin-1")))

    def bad(self) -> set[str]:
        return {
            oid
            for oid, (kind, data) in self.objects.items()
            if kind == "blob" and (self.topic.is_about(data) or self.tells(data))
        }

    def files(self, tree: str, above: str = "") -> Iterator[tuple[str, str]]:
        for mode, name, oid in self.entries(tree):
            if mode == b"40000":
                yield from self.files(oid, f"{above}{name}/")
            else:
                yield above + name, oid

    def entries(self, tree: str) -> Iterator[tuple[bytes, str, str]]:
        data = self.objects[tree][1]
        at = 0
        while at < len(data):
            space, end = data.index(b" ", at), data.index(b"\0", at)
            name = data[space + 1 : end].decode("utf-8", "surrogateescape")
            yield data[at:space], name, data[end + 1 : end + 21].hex()
            at = end + 21

    def trees(self, tree: str) -> Iterator[str]:
        for mode, _, oid in self.entries(tree):
            if mode == b"40000":
                yield oid
                yield from self.trees(oid)

    def lists(self, tree: str, bad: set[str]) -> bool:
        return any(
            oid in bad or name in self.topic.paths or self.topic.in_name(name)
            for _, name, oid in self.entries(tree)
        ) or any(self.topic.in_name(path) for path, _ in self.files(tree))

    def chain(self, oid: str) -> Iterator[str]:
        yield oid
        if self.objects.get(oid, ("",))[0] == "tag":
            yield from self.chain(self.objects[oid][1].split(b"\n")[0].split()[1].decode())

    def tree_of(self, commit: str) -> str:
        return self.objects[commit][1].split(b"\n")[0].split()[1].decode()

    def holding(self, tree: str, bad: set[str]) -> int:
        return sum(
            oid in bad or path in self.topic.paths or self.topic.in_name(path)
            for path, oid in self.files(tree)
        )

    def holds(self, commit: str, bad: set[str]) -> bool:
        return self.holding(self.tree_of(commit), bad) > 0

    def without_commit(self, oid: str, bad: set[str]) -> int:
        kind = self.objects.get(oid, ("",))[0]
        return self.holding(oid, bad) if kind == "tree" else int(oid in bad)

    def peeled(self, oid: str) -> str:
        return list(self.chain(oid))[-1]

    def reached(self, tip: Tip) -> set[str]:
        found: set[str] = set()
        pending = [self.peeled(oid.decode()) for oid in tip.oids]
        while pending:
            oid = pending.pop()
            if oid in found or self.objects.get(oid, ("",))[0] != "commit":
                continue
            found.add(oid)
            header = self.objects[oid][1].split(b"\n\n")[0].split(b"\n")
            pending += [line.split()[1].decode() for line in header if line.startswith(b"parent ")]
        return found


def assert_agrees(repo: Repo, topic: Topic) -> Past:
    place = find_place(str(repo.root))
    every = names(place).tips
    past = search_past(place, topic, every)
    slow = Slow(repo, topic)
    bad = slow.bad()
    assert past.blobs == bad
    commits = [oid for oid, (kind, _) in slow.objects.items() if kind == "commit"]
    holders = {oid for oid in commits if slow.holds(oid, bad)}
    told = set(filter(slow.says, commits))
    reached: set[str] = set()
    for tip, reach in zip(every, past.reaches, strict=True):
        from_here = slow.reached(tip)
        reached |= from_here
        assert (tip.kind, tip.name) == (reach.kind, reach.name)
        assert reach.commits == len(from_here & holders), tip
        assert reach.messages == len(from_here & told), tip
        targets = {slow.peeled(oid.decode()) for oid in tip.oids}
        assert reach.contents == sum(slow.without_commit(oid, bad) for oid in targets), tip
        if tip.kind == "tags" and not topic.in_name(tip.name):
            chain = {one for oid in tip.oids for one in slow.chain(oid.decode())}
            assert reach.told == any(
                slow.objects[oid][0] == "tag" and slow.tells(slow.objects[oid][1]) for oid in chain
            )
        assert {reach.first, reach.last} <= (from_here & holders or {""})
    assert set(past.loose_commits) == (holders | told) - reached
    kept = {oid for one in reached for _, oid in slow.files(slow.tree_of(one))}
    for tip in every:
        targets = {slow.peeled(oid.decode()) for oid in tip.oids}
        kept |= targets
        trees = [one for one in targets if slow.objects.get(one, ("",))[0] == "tree"]
        kept |= {oid for tree in trees for _, oid in slow.files(tree)}
    assert set(past.loose_blobs) == bad - kept
    named = {one for tip in every for oid in tip.oids for one in slow.chain(oid.decode())}
    tags = {oid for oid, (kind, data) in slow.objects.items() if kind == "tag" and slow.tells(data)}
    assert set(past.loose_tags) == tags - named
    used = {slow.tree_of(one) for one in commits} | {
        slow.peeled(oid.decode()) for t in every for oid in t.oids
    }
    used |= {inner for one in used if slow.objects.get(one, ("",))[0] == "tree" for inner in slow.trees(one)}
    lost = {oid for oid, (kind, _) in slow.objects.items() if kind == "tree"} - used
    assert set(past.loose_trees) == {oid for oid in lost if slow.lists(oid, bad)}
    assert past.packed == {
        oid for oid, (kind, data) in slow.objects.items() if kind == "blob" and data.startswith(COMPRESSED)
    }
    assert (past.held, past.told) == (len(holders & reached), len(told & reached))
    assert not past.unread
    assert not past.cut
    return past


@pytest.mark.parametrize("seed", range(8))
def test_the_report_on_a_seeded_history_is_that_of_a_slow_search(seed: int, repo: Repo) -> None:
    dice = random.Random(seed)
    plant(repo, dice, 60)
    past = assert_agrees(repo, Topic([Mark(normal_form(TEXT))], [NOTE], PATHS))
    assert past.blobs
    assert_agrees(repo, Topic([], [NOTE], PATHS[:1]))
    assert_agrees(repo, Topic([], [], PATHS[1:]))
    assert_agrees(repo, Topic([Mark("がぎ")]))
    assert_agrees(repo, Topic([Mark("é")]))
    assert_agrees(repo, Topic([Mark("inner/x.md")]))
    assert_agrees(repo, Topic([Mark("src inner"), Mark("ÿ/top")], [NOTE]))
