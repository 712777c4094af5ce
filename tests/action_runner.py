"""The machine that runs the action: its own script, an event file, and nothing interpolated."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.conftest import Repo

ACTION = yaml.safe_load((Path(__file__).parent.parent / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]


class Job(NamedTuple):
    """How one run of the review step ended."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str

    @property
    def sarif(self) -> Any:
        return json.loads(Path(self.outputs["sarif-file"]).read_text(encoding="utf-8"))


class Runner:
    """A machine on which the install step has run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, mem: str = f'exec "{sys.executable}" -P -m memwarden "$@"') -> Runner:
        """What the install step leaves; ``mem`` is the line that stands for the program."""
        for name, line in (("mem", mem), ("python", f'exec "{sys.executable}" "$@"')):
            program = self.folder / "memwarden/bin" / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text(f"#!/bin/sh\n{line}\n")
            program.chmod(0o755)
        return self

    def review(
        self,
        repo: Repo,
        event: dict[str, Any] | bytes,
        variables: dict[str, str] | None = None,
        **inputs: str,
    ) -> Job:
        """Run the step.  An event in bytes is the file as it is; ``variables`` change the runner's own."""
        files = {name: self.folder / name for name in ("event.json", "output", "summary")}
        if isinstance(event, bytes):
            files["event.json"].write_bytes(event)
            event = {}
        else:
            files["event.json"].write_text(json.dumps({"repository": {"default_branch": "main"}, **event}))
        for name in ("output", "summary"):
            files[name].write_text("")
        given = {key: str(value.get("default", "")) for key, value in ACTION["inputs"].items()} | inputs
        step = STEPS[1]
        env = {
            **os.environ,
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_BASE_REF": _target(event),
            "GITHUB_EVENT_PATH": str(files["event.json"]),
            "GITHUB_REF": "",
            "GITHUB_OUTPUT": str(files["output"]),
            "GITHUB_STEP_SUMMARY": str(files["summary"]),
            "RUNNER_TEMP": str(self.folder),
            **(variables or {}),
        }
        for name, value in step["env"].items():
            env[name] = given[value.removeprefix("${{ inputs.").removesuffix(" }}")]
        script = self.folder / "script.sh"
        script.write_text(step["run"])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=repo.root, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        outputs = dict(line.split("=", 1) for line in files["output"].read_text().splitlines())
        return Job(done.returncode, done.stdout + done.stderr, outputs, files["summary"].read_text("utf-8"))


def _target(event: dict[str, Any]) -> str:
    """The branch that a pull request goes to, as a runner tells it beside the event."""
    try:
        return str(event["pull_request"]["base"]["ref"])
    except (KeyError, TypeError):
        return ""
