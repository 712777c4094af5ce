"""The locked version decides; without a lock the lowest that the project admits."""

from __future__ import annotations

import json

import pytest

from memwarden.core.condition import CANNOT_TELL, FAILS, HOLDS, Combined, VersionTest
from memwarden.judge.bounds import lowest_npm, lowest_pep440, lowest_poetry
from memwarden.judge.judge import judge

from .ground import Files


def uv(*versions, name="requests"):
    return "version = 1\n" + "".join(f'[[package]]\nname = "{name}"\nversion = "{v}"\n' for v in versions)


def project(*dependencies, python=">=3.11"):
    return f'[project]\nname = "x"\nrequires-python = "{python}"\ndependencies = {json.dumps(dependencies)}\n'


def npm_lock(version):
    return json.dumps({"lockfileVersion": 3, "packages": {"node_modules/react": {"version": version}}})


OLD = ">=2.31"
POETRY = "[tool.poetry.dependencies]\n"
CASES = [
    # of, is, files, expected
    ("requests", OLD, {"uv.lock": uv("2.32.0")}, HOLDS),
    ("Requests", ">=2.33", {"uv.lock": uv("2.32.0")}, FAILS),
    ("requests", OLD, {"poetry.lock": uv("2.30")}, FAILS),
    ("requests", ">=2", {"uv.lock": uv("2.31", "2.32")}, CANNOT_TELL),
    ("requests", ">=2", {"uv.lock": uv("2.31"), "poetry.lock": uv("2.32")}, CANNOT_TELL),
    ("requests", ">=2", {"uv.lock": uv("2.31"), "poetry.lock": uv("2.31.0")}, HOLDS),
    ("requests", OLD, {"uv.lock": uv("2.32"), "pyproject.toml": project("requests>=2.0")}, HOLDS),
    ("requests", OLD, {"uv.lock": uv("1", name="other"), "pyproject.toml": project("requests>=2.31")}, HOLDS),
    ("requests", OLD, {"pyproject.toml": project("requests>=2.0")}, FAILS),
    ("requests", OLD, {"pyproject.toml": project("requests[socks]~=2.31.1 ; python_version>'3'")}, HOLDS),
    ("requests", OLD, {"pyproject.toml": project("requests<3")}, CANNOT_TELL),
    ("requests", OLD, {"pyproject.toml": project("requests")}, CANNOT_TELL),
    ("requests", OLD, {"pyproject.toml": project("requests>2.31")}, CANNOT_TELL),
    ("requests", OLD, {"pyproject.toml": project("requests>=2", "requests>=3")}, CANNOT_TELL),
    ("requests", OLD, {"pyproject.toml": project("httpx>=1")}, CANNOT_TELL),
    ("requests", ">=2.31", {}, CANNOT_TELL),
    ("requests", OLD, {"pyproject.toml": '[dependency-groups]\ntest = ["requests==2.31"]\n'}, HOLDS),
    ("requests", OLD, {"pyproject.toml": POETRY + 'requests = "^2.31"\n'}, HOLDS),
    ("requests", OLD, {"pyproject.toml": POETRY + 'requests = {version = "~2.30"}\n'}, FAILS),
    ("requests", OLD, {"requirements.txt": "requests==2.31.0 --hash=sha256:0\n"}, HOLDS),
    ("requests", OLD, {"requirements.txt": "-r r/base.txt\n", "r/base.txt": "requests>=2.31 # why\n"}, HOLDS),
    ("requests", OLD, {"requirements.txt": "-r requirements.txt\n"}, CANNOT_TELL),
    ("requests", OLD, {"requirements.txt": "-r ../secret.txt\n"}, CANNOT_TELL),
    ("requests", OLD, {"uv.lock": "not toml"}, CANNOT_TELL),
    ("requests", "wrong", {"uv.lock": uv("2.32")}, CANNOT_TELL),
    ("requests", OLD, {"uv.lock": uv("dev-main")}, CANNOT_TELL),
    ("react", ">=18", {"package-lock.json": npm_lock("18.2.0")}, HOLDS),
    ("react", ">=18", {"package-lock.json": npm_lock("17.0.2")}, FAILS),
    ("react", ">=18", {"package-lock.json": '{"dependencies": {"react": {"version": "18.0.0"}}}'}, HOLDS),
    ("react", ">=18", {"package.json": '{"dependencies": {"react": "^18.2.0"}}'}, HOLDS),
    ("react", ">=18", {"package.json": '{"devDependencies": {"react": "latest"}}'}, CANNOT_TELL),
    ("@scope/x", ">=1", {"package.json": '{"dependencies": {"@scope/x": "~1.2"}}'}, HOLDS),
    ("react", ">=18", {"package.json": '{"dependencies": {"react": "^17 || ^18"}}'}, FAILS),
    ("python", ">=3.11", {"pyproject.toml": project(python=">=3.11,<4")}, HOLDS),
    ("Python", ">=3.11", {"pyproject.toml": project(python=">=3.11,<4")}, HOLDS),
    ("python", ">=3.11", {"pyproject.toml": project(python=">=3.10")}, FAILS),
    ("python", ">=3.11", {"pyproject.toml": project(python="<4")}, CANNOT_TELL),
    ("python", ">=3.11", {"pyproject.toml": POETRY + 'python = "^3.12"\n'}, HOLDS),
]  # fmt: skip


@pytest.mark.parametrize(("of", "within", "files", "expected"), CASES)
def test_the_verdict_is(of, within, files, expected):
    verdict = judge(VersionTest("version", of, within), Files(files))
    assert verdict.state == expected, verdict


def test_locks_that_disagree_are_named():
    verdict = judge(
        VersionTest("version", "requests", ">=2"), Files({"uv.lock": uv("2.31"), "poetry.lock": uv("2.32")})
    )
    assert verdict.why == "the files disagree about requests: uv.lock has 2.31, poetry.lock has 2.32"


@pytest.mark.parametrize(
    ("text", "lowest"),
    [(">=1.2,<2", "1.2"), ("~=1.4.2", "1.4.2"), ("==1.*", "1"), (">=1,!=1", ""), (">=1,>=2", "2"), ("", ""),
     (">=1.0a1", "1.0a1"), ("nonsense", "")],
)  # fmt: skip
def test_the_lowest_of_a_pep440_set(text, lowest):
    assert lowest_pep440(text) == lowest


@pytest.mark.parametrize(
    ("text", "lowest"),
    [
        ("^1.2", "1.2"),
        ("~1.2.3", "1.2.3"),
        ("1.2", "1.2"),
        ("*", ""),
        (">=1,<2 || ^3", "1"),
        ("~=1.2", "1.2"),
    ],
)
def test_the_lowest_of_a_poetry_range(text, lowest):
    assert lowest_poetry(text) == lowest


@pytest.mark.parametrize(
    ("text", "lowest"),
    [("^1.2.3", "1.2.3"), ("~1.2", "1.2"), ("1.x", "1"), ("1", "1"),
     (">= 1.2 < 2", "1.2"), ("1.2 - 2", "1.2"),
     ("^16 || ^17", "16"), ("*", ""), ("", ""), (">1", ""), ("<2", ""), ("latest", ""), ("workspace:*", ""),
     ("github:a/b", ""), ("v1.2", "1.2"), ("=1.2.3", "1.2.3"), ("1.2.3-beta.1", "1.2.3b1")],
)  # fmt: skip
def test_the_lowest_of_an_npm_range(text, lowest):
    assert lowest_npm(text) == lowest


def test_removing_a_dependency_pays_neither_a_version_nor_its_opposite() -> None:
    within = VersionTest("version", "requests", ">=2.31")
    gone = Files({"pyproject.toml": project("httpx>=1")})
    for condition in (within, Combined("not", (within,))):
        verdict = judge(condition, gone)
        assert (verdict.state, verdict.why) == (CANNOT_TELL, "no file declares requests")
