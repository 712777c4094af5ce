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
REACT = '{"dependencies": {"react": "^17.0.2"}}'
GO_MOD = """module example.org/x // golang.org/x/net v9

go 1.22

require example.org/one v1.2.3
require (
\tgolang.org/x/net v0.17.0 // indirect
\texample.org/mine v1.0.0
\texample.org/bad v0.0.0-20230905200255-921286631fa9
)
exclude (
\texample.org/none v1.0.0
)
replace example.org/mine => ../mine
"""
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
    ("node", ">=20", {"package.json": '{"engines": {"node": ">=20.1"}}'}, HOLDS),
    ("Node", ">=20", {"package.json": '{"engines": {"node": "18.x"}}'}, FAILS),
    ("node", ">=20", {"package.json": '{"dependencies": {"react": "20"}}'}, CANNOT_TELL),
    ("go", ">=1.21", {"go.mod": GO_MOD}, HOLDS),
    ("go", ">=1.23", {"go.mod": GO_MOD}, FAILS),
    ("golang.org/x/net", ">=0.17", {"go.mod": GO_MOD}, HOLDS),
    ("golang.org/x/net", ">=0.18", {"go.mod": GO_MOD}, FAILS),
    ("example.org/one", "==1.2.3", {"go.mod": GO_MOD}, HOLDS),
    ("example.org/bad", ">=1", {"go.mod": GO_MOD}, CANNOT_TELL),
    ("example.org/mine", ">=1", {"go.mod": GO_MOD}, CANNOT_TELL),
    ("example.org/none", ">=1", {"go.mod": GO_MOD}, CANNOT_TELL),
    ("react", ">=18", {"web/package.json": REACT, "web/package-lock.json": npm_lock("18.2.0")}, HOLDS),
    ("react", ">=18", {"web/package.json": REACT}, FAILS),
    ("react", ">=18", {"web/package.json": REACT, "api/package-lock.json": npm_lock("18.2")}, CANNOT_TELL),
    ("react", ">=18", {"package-lock.json": npm_lock("18.2"), "web/package.json": REACT}, HOLDS),
    ("react", ">=17", {"node_modules/x/package.json": REACT, "a/vendor/package.json": REACT}, CANNOT_TELL),
    ("requests", OLD, {"pyproject.toml": project("httpx>=1"), "s/requirements.txt": "requests>=2.32"}, HOLDS),
]  # fmt: skip


@pytest.mark.parametrize(("of", "within", "files", "expected"), CASES)
def test_a_version_gets_its_verdict(of, within, files, expected):
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


def test_files_further_down_that_disagree_are_named() -> None:
    files = {"a/package.json": REACT, "b/package.json": REACT.replace("17", "18")}
    verdict = judge(VersionTest("version", "react", ">=17"), Files(files))
    assert verdict.state == CANNOT_TELL
    assert (
        verdict.why == "the files disagree about react: a/package.json has 17.0.2, b/package.json has 18.0.2"
    )


def test_more_files_than_anyone_would_read_cannot_tell() -> None:
    files = {f"p{number}/package.json": REACT for number in range(300)}
    assert judge(VersionTest("version", "react", ">=17"), Files(files)).state == CANNOT_TELL
