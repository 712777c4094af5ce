"""A branch that does everything that a branch can do to a memory: told again by every face of ``diff``."""

from __future__ import annotations

from memwarden.core.actor import Actor
from memwarden.core.condition import TextTest
from memwarden.edit.event_writer import Stamp, condition_facts, draft, event_file
from tests.conftest import MANIFEST, Repo, note_text

FROZEN = TextTest("file_contains", "tests/test_retry.py", "frozen_clock")
GONE = TextTest("file_lacks", "src/sync/window.py", "sleep\\(")
COMMIT = "7c1f0e5b" * 5
RETRY, WINDOW, SLOW, CACHE, HOURS = "n-00retry0", "n-00w1nd0w", "n-00s10w00", "n-00cache0", "n-00h0vrs0"
QUEUE, OLDSYNC, NEWSYNC, GUESS, STALE, UTC, DROPPED = (
    "n-00q0eve0",
    "n-0001dsyn",
    "n-000newsy",
    "n-0000gv35",
    "n-000sta1e",
    "n-00000vtc",
    "n-00dr0pp0",
)
ADA = Actor("human", "Ada")
AGENT = Actor("agent", "claude-code")


def debt(title: str, note: str, condition: str, **fields: str) -> str:
    fields = {"facet": "behavior", "subject": "path:tests/test_retry.py", **fields}
    return note_text(title, id=note, lifecycle="debt", condition=condition, **fields)


def event(repo: Repo, note: str, seq: int, kind: str, actor: Actor = ADA, **facts: object) -> None:
    stamp = Stamp(f"2026-11-30T16:40:{seq:02}Z", actor, COMMIT, "fix/retry")
    earlier = tuple(draft(note, "failed", (), {})._replace(seq=number) for number in range(1, seq))
    repo.write(*event_file(draft(note, kind, earlier, dict(facts)), stamp))


def tell(repo: Repo) -> None:
    """``main``, and on ``fix/retry`` two commits more; the working tree is left as the branch has it."""
    frozen = "{file_contains: {path: tests/test_retry.py, pattern: frozen_clock}}"
    lacks = '{file_lacks: {path: src/sync/window.py, pattern: "sleep\\\\("}}'
    repo.write("tests/test_retry.py", "def test_backoff(): ...\n")
    repo.write("src/sync/window.py", "sleep(1)\n")
    repo.write("memory/manifest.md", MANIFEST)
    repo.write("memory/brief.md", note_text("The project", "Small.", id="n-br1ef000", facet="overview"))
    repo.write(
        "memory/debts/retry.md", debt("test_retry.py is flaky until it uses frozen_clock", RETRY, frozen)
    )
    repo.write("memory/debts/window.md", debt("The sync window sleeps on the wall clock", WINDOW, lacks))
    repo.write(
        "memory/debts/cache.md", debt("The cache key lacks the content", CACHE, frozen, subject="project")
    )
    repo.write("memory/decisions/old-sync.md", note_text("Sync on a timer", id=OLDSYNC, facet="architecture"))
    repo.write("memory/inbox/queue.md", note_text("The queue is bounded", id=QUEUE, subject="path:src/q.py"))
    repo.write("memory/constraints/utc.md", note_text("Times are UTC", id=UTC, facet="data-model"))
    repo.write("memory/preferences/stale.md", note_text("Prefer tabs", id=STALE, facet="interface"))
    repo.write("memory/decisions/dropped.md", note_text("Keep a changelog", id=DROPPED, facet="lifecycle"))
    repo.write(
        "memory/subjects/requests.md", "---\nid: requests\nname: requests\nkind: dependency\n---\nHTTP.\n"
    )
    event(repo, CACHE, 1, "paid", how="settle", **condition_facts(FROZEN))
    repo.commit("main")
    repo.git("switch", "-qc", "fix/retry")
    repo.write("memory/debts/slow.md", debt("Start-up is slow until the index is lazy", SLOW, frozen))
    change = note_text("Sync on change", id=NEWSYNC, facet="architecture", supersedes=f"[{OLDSYNC}]")
    repo.write("memory/decisions/new-sync.md", change)
    repo.git("mv", "memory/inbox/queue.md", "memory/decisions/queue.md")
    repo.write("memory/inbox/guess.md", note_text("@everyone <b>maybe</b> [x](http://x)\t`", id=GUESS))
    repo.commit("write it down")
    repo.write("tests/test_retry.py", "def test_backoff(frozen_clock): ...\n")
    reworded = {"id": UTC, "facet": "data-model", "anchors": "[src/log.py]"}
    repo.write(
        "memory/constraints/utc.md", note_text("Times are UTC, to the second", "Logs too.", **reworded)
    )
    repo.git("mv", "memory/debts/window.md", "memory/debts/sync-window.md")
    repo.git("rm", "-q", "memory/decisions/dropped.md")
    items = [{"path": "tests/test_retry.py", "line": 1, "excerpt": "def test_backoff(frozen_clock): ..."}]
    event(repo, RETRY, 1, "missed", count=3)
    event(repo, RETRY, 2, "paid", AGENT, how="touch", evidence={"items": items}, **condition_facts(FROZEN))
    event(repo, WINDOW, 1, "missed", count=1)
    event(repo, CACHE, 2, "reinstated", why="manual", reason="it passed for the wrong reason",
          verdict={"state": "does not hold"}, **condition_facts(FROZEN))  # fmt: skip
    event(repo, STALE, 1, "revoked", reason="nobody ever agreed to it")
    manifest = MANIFEST.replace("- do-not-use/\n- debts/\n", "- debts/\n").replace(
        "total: 4000", "total: 3000"
    )
    manifest = manifest.replace("Also: debug\n", "Also: debug, fix\n").replace(
        "protocol: 1\n", "protocol: 1\nask_after: 2\n"
    )
    manifest = manifest.replace("## Profiles\n", "- areas/store/: `src/store/**`\n\n## Profiles\n")
    manifest += "- decisions/: 1200\n"
    repo.write("memory/manifest.md", manifest)
    repo.write("memory/subjects/requests.md", "---\nid: requests\nname: Requests\nkind: dependency\n"
               "ref: pypi:requests\naliases: [python-requests]\n---\nHTTP.\n")  # fmt: skip
    repo.write("memory/subjects/queue.md", "---\nid: queue\nname: The queue\nkind: feature\n---\nIt waits.\n")
    repo.commit("pay it")
