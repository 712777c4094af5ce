"""What was searched and holds nothing is known by the ID that git gives it, and for no wider topic."""

from __future__ import annotations

from memwarden.edit.cleared import Cleared
from memwarden.edit.topic import TITLE, Mark, Topic

# git hash-object of b"hello\n".
HELLO = b"ce013625030ba8dba906f756967f9e9ca394464a"
NARROW, WIDE = Mark("quetzal"), Mark("the vendor of record", TITLE, True)


def test_a_content_is_known_by_its_blob_id() -> None:
    topic = Topic([NARROW], ["n-4f7k2m9q"])
    cleared = Cleared(topic)
    contents = [("a", b"hello\n"), ("b", b"a QUETZAL\n"), ("c", b"see n-4f7k2m9q\n"), ("d", b"%PDF-1.7\n")]
    found = [name for name, _ in topic.sifted(contents, cleared.add)]
    assert found == ["b", "c"]
    assert cleared.blobs_for(topic) == {HELLO}


def test_nothing_is_known_of_a_wider_topic() -> None:
    cleared = Cleared(Topic([NARROW, WIDE]), [HELLO])
    assert cleared.blobs_for(Topic([NARROW])) == {HELLO}
    assert not cleared.blobs_for(Topic([NARROW, Mark("another")]))
    assert not cleared.blobs_for(Topic([NARROW], ["n-4f7k2m9q"]))
    assert not cleared.blobs_for(Topic([Mark(WIDE.text)]))


def test_where_there_is_no_sieve_nothing_is_cleared() -> None:
    topic = Topic([Mark("\u0301")])
    assert topic.sieve is None
    cleared = Cleared(topic)
    assert len(list(topic.sifted([("a", b"hello\n")], cleared.add))) == 1
    assert not cleared.blobs_for(topic)
