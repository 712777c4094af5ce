"""Recorded payloads of every host come down to one request; answers go back in the host's own words.

Each golden file names the document that its payload was read from.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memwarden.hosts import Answer, Request, patched_paths, scan

GOLDEN = Path(__file__).parent.parent / "golden" / "hosts"
AGENTS = ("claude", "codex", "gemini", "cursor", "copilot")
PATHS = f"import sys\nsys.path[:] = {sys.path!r}\n"
RECORDED = sorted(GOLDEN.glob("*/*.json"))
FIELDS = ("kind", "cwd", "session", "agent", "mode", "call", "tool", "source", "command", "reads", "writes")


def host(name: str) -> ModuleType:
    return import_module(f"memwarden.hosts.{name}")


def read(name: str, payload: dict[str, Any], event: str = "") -> Request | None:
    module = host(name)
    request: Request | None = module.read(payload, event) if name == "copilot" else module.read(payload)
    return request


def named(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


@pytest.mark.parametrize("file", RECORDED, ids=named)
def test_recorded_payload_is_this_request(file: Path) -> None:
    recorded = json.loads(file.read_text())
    assert recorded["read_from"]
    request = read(file.parent.name, recorded["payload"], recorded.get("event", ""))
    assert request is not None
    found = {field: getattr(request, field) for field in FIELDS if getattr(request, field)}
    found.update({key: list(found[key]) for key in ("reads", "writes") if key in found})
    expected = {key: value for key, value in recorded["request"].items() if value}
    assert found == expected


@pytest.mark.parametrize("file", RECORDED, ids=named)
def test_answer_is_in_the_dialect_of_the_host(file: Path) -> None:
    recorded = json.loads(file.read_text())
    request = read(file.parent.name, recorded["payload"], recorded.get("event", ""))
    assert request is not None
    for answer in recorded.get("answers", ()):
        assert host(file.parent.name).render(request, Answer(**answer["given"])) == answer["output"]


@pytest.mark.parametrize("file", RECORDED, ids=named)
def test_what_a_host_cannot_do_is_never_printed(file: Path) -> None:
    recorded = json.loads(file.read_text())
    module = host(file.parent.name)
    request = read(file.parent.name, recorded["payload"], recorded.get("event", ""))
    assert request is not None
    said = json.dumps(module.render(request, Answer("the context", "the ask", "")))
    assert ('"ask"' in said) == module.asks(request)
    assert ("the context" in said) <= module.tells(request)
    assert "allow" not in said
    refused = json.dumps(module.render(request, Answer("", "", "the refusal")))
    assert ("the refusal" in refused) == module.refuses(request)


@pytest.mark.parametrize("name", ["codex", "gemini", "cursor"])
def test_hosts_without_an_ask_never_print_one(name: str) -> None:
    for file in sorted((GOLDEN / name).glob("*.json")):
        recorded = json.loads(file.read_text())
        request = read(name, recorded["payload"])
        assert request is not None
        assert not host(name).asks(request)
        assert '"ask"' not in json.dumps(host(name).render(request, Answer("c", "a", "r")))


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize(
    "payload", [{}, {"hook_event_name": "NoSuchEvent"}, {"hook_event_name": 3}, {"hook_event_name": None}]
)
def test_unknown_event_is_no_request(name: str, payload: dict[str, Any]) -> None:
    assert read(name, payload) is None


@pytest.mark.parametrize("name", AGENTS)
def test_nothing_is_said_to_what_is_no_event_of_the_host(name: str) -> None:
    assert [host(name).least(event) for event in ("", "NoSuchEvent")] == ["", ""]


@pytest.mark.parametrize("file", RECORDED, ids=named)
@pytest.mark.parametrize("junk", [None, 3, [], {}, "", [{"a": 1}], True])
def test_field_of_another_shape_is_as_good_as_absent(file: Path, junk: object) -> None:
    recorded = json.loads(file.read_text())
    for key in recorded["payload"]:
        if key in ("hook_event_name", "hookEventName"):
            continue
        request = read(file.parent.name, {**recorded["payload"], key: junk}, recorded.get("event", ""))
        assert request is not None
        assert all(isinstance(path, str) for path in (*request.reads, *request.writes))
        host(file.parent.name).render(request, Answer("c", "a", "r"))


@pytest.mark.parametrize("name", AGENTS)
def test_every_host_says_what_it_cannot_do(name: str) -> None:
    assert name == host(name).NAME
    assert host(name).CANNOT
    assert json.loads(host(name).least("Stop") or "{}") == {}


def test_patch_names_its_files_in_order() -> None:
    assert patched_paths("*** Update File: a b.py\r\n*** Move to: c.py\n+*** Add File: no\n") == (
        "a b.py",
        "c.py",
    )


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        ' \n{"a": [1, 2.5, -3e4, "\\u00e9\\ud83d\\ude00\\ud800", true, false, null], "b": {"c": {}}}\t',
        "[]",
        '"x"',
        "1",
        "123456789012345678901234567890",
        "NaN",
        "-Infinity",
        "",
        " ",
        "{",
        '{"a"',
        '{"a": 1} x',
        '{"a": 1}{"b": 2}',
        "{'a': 1}",
        '{"a": "\x01"}',
        '{"a": "\\x"}',
        "[1,]",
        "tru",
        "\ufeff{}",
        '{"a": 1, "a": 2}',
        "[" * 100_000,
    ],
)
def test_scanner_reads_what_the_json_module_reads(text: str) -> None:
    def outcome(read: Callable[[str], object]) -> str:
        try:
            return repr(read(text))
        except (ValueError, RecursionError):
            return "refused"

    assert outcome(scan) == outcome(json.loads)


def test_whole_number_of_any_length_is_read() -> None:
    assert scan('{"a": ' + "9" * 5000 + ', "b": 7}') == {"a": float("inf"), "b": 7}


@pytest.mark.parametrize("text", ['{"a": "b', '{"a" 1}', '{"a": 1,}', '{"a": "\\ud8', "[1,", "nul"])
def test_broken_text_is_refused_also_before_json_was_ever_loaded(text: str) -> None:
    program = (
        "import sys\nfrom memwarden.hosts import scan\nassert 'json' not in sys.modules\n"
        f"try:\n    scan({text!r})\nexcept ValueError:\n    print('refused')"
    )
    done = subprocess.run([sys.executable, "-S", "-E", "-c", PATHS + program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("refused\n", "")


def test_scanner_that_asks_for_more_gives_way_to_the_json_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("memwarden.hosts._Decoding.strict")
    assert scan(' {"a": [1]} ') == {"a": [1]}


def test_missing_scanner_gives_way_to_the_json_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_json", None)
    assert scan(' {"a": [1]} ') == {"a": [1]}
    with pytest.raises(ValueError, match="Expecting"):
        scan("{")
