"""What was searched in files and is passed by in the past changes no number of the report."""

from __future__ import annotations

from memwarden.edge.erase.exposure import measure
from memwarden.edge.place import find_place
from memwarden.edge.tree.worktree import WorkingTree
from memwarden.edit.cleared import Cleared
from memwarden.edit.topic import Mark, Topic
from tests.conftest import Repo, note_text

NOTE = "memory/decisions/one.md"


def test_the_report_is_the_same_with_and_without_what_is_cleared(memory_repo: Repo) -> None:
    memory_repo.write(NOTE, note_text("About quetzal"))
    memory_repo.write("src/a.py", "plain = 1\n")
    memory_repo.write("src/told.py", "as the Quetzal said\n")
    memory_repo.commit("one")
    memory_repo.write("src/a.py", "quetzal = 1\n")
    memory_repo.write("docs/report.pdf", "%PDF-1.7 packed\n")
    memory_repo.commit("two")
    memory_repo.write("src/a.py", "plain = 1\n")
    memory_repo.write("src/loose.py", "staged, and a quetzal\n")
    memory_repo.git("add", "src/loose.py")
    memory_repo.write("src/loose.py", "clean again\n")
    memory_repo.write("untracked.txt", "QUETZAL\n")
    place = find_place(str(memory_repo.root))
    topic = Topic([Mark("quetzal")], ["n-4f7k2m9q"], [NOTE])
    cleared = Cleared(topic)
    tree = WorkingTree(place.root)
    hits = [path for path, _ in topic.sifted(((path, tree.read(path)) for path in tree.paths()), cleared.add)]
    assert NOTE in hits
    assert len(cleared.blobs_for(topic)) > 2
    found = measure(place, topic)
    assert measure(place, topic, cleared, plain=True) == found
    assert found.past is not None
    assert len(found.past.packed) == 1
    assert found.here.staged == (NOTE, "src/a.py", "src/loose.py", "src/told.py")
    assert found.here.files == ("src/told.py", "untracked.txt")
