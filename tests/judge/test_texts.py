"""Many conditions, one reading."""

from __future__ import annotations

from typing import Any

from memwarden.core.condition import HOLDS, DataTest, TextTest
from memwarden.core.workspace import Entry
from memwarden.judge.judge import judge
from memwarden.judge.reader import Surroundings, Texts, excerpt

from .ground import Files

BLOBLESS = Surroundings(blobs=False)


class Counting:
    """Files with a stamp, and how often their content was asked for."""

    def __init__(self, files: dict[str, str | bytes]) -> None:
        self._files = Files(files)
        self.asked = 0
        self.stamp = "1"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def entry(self, path: str) -> Entry | None:
        found = self._files.entry(path)
        return found._replace(stamp=self.stamp) if found is not None else None

    def read(self, path: str) -> bytes:
        self.asked += 1
        return self._files.read(path)


def test_a_file_is_read_once_for_all_conditions_on_it_and_again_where_it_changed() -> None:
    files = Counting({"a.py": "one\ntwo été three\n", "b.bin": b"\0"})
    texts = Texts()
    for pattern in ("on[e]", "t[w]o", "thre.$", "nothing[x]"):
        judge(TextTest("file_contains", "a.py", pattern), files, BLOBLESS, texts)
        judge(TextTest("file_contains", "b.bin", pattern), files, BLOBLESS, texts)
    assert files.asked == 2
    files.stamp = "2"
    judge(TextTest("file_contains", "a.py", "one"), files, BLOBLESS, texts)
    assert files.asked == 3


def test_the_oldest_text_goes_where_room_is_short() -> None:
    files = Counting({"a.txt": "a" * 50, "b.txt": "b" * 60})
    texts = Texts(room=100)
    for path in ("a.txt", "b.txt", "b.txt", "a.txt"):
        judge(TextTest("file_contains", path, "[ab]b?"), files, BLOBLESS, texts)
    assert files.asked == 3


def test_a_match_behind_letters_of_many_bytes_has_its_line_and_text() -> None:
    files = Files({"a.py": "été é\nvoilà retry_7(1)\n"})
    verdict = judge(TextTest("file_contains", "a.py", r"retry_\d+"), files)
    assert verdict.state == HOLDS
    assert (verdict.items[0]["line"], verdict.items[0]["excerpt"]) == (2, "voilà retry_7(1)")
    data = judge(DataTest("data_matches", "p.json", "k", "à+"), Files({"p.json": '{"k": "voilà"}'}))
    assert data.state == HOLDS


def test_a_secret_that_reaches_out_of_the_excerpt_is_masked() -> None:
    token = "eyJ" + "a" * 3000 + ".eyJ" + "b" * 3000 + "." + "c" * 3000
    text = f"x = {token} end"
    assert "ccc" not in excerpt(text, text.index("ccc") + 1500)
    key = "-----BEGIN PRIVATE " + "KEY-----\n" + "MIIE\n" * 40 + "-----END PRIVATE " + "KEY-----\n"
    assert "MIIE" not in excerpt(key, key.index("MIIE") + 100)
