"""git hooks: ours beside everyone else's, wherever git looks for them."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from memwarden.edge.place import find_place
from memwarden.errors import Refused
from memwarden.hosts import git, target
from memwarden.hosts.wiring import Caller
from tests.conftest import Repo

THEIRS = '#!/usr/bin/env bash\nset -e\nHERE="$(dirname "$0")"\nexec "$HERE/real-hook" "$@"\n'


def folder_of(repo: Repo, user: bool = False) -> target.Target:
    return target.hooks_folder(find_place(str(repo.root)), user)


def fake_mem(tmp_path: Path, code: int = 0) -> Path:
    """A program that notes what it was called with and ends with ``code``."""
    program = tmp_path / "bin" / "mem"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/called"\nexit {code}\n')
    program.chmod(0o755)
    return program


def test_hook_is_created_runnable_and_removed_again(repo: Repo, tmp_path: Path) -> None:
    folder = folder_of(repo).path
    program = fake_mem(tmp_path)
    assert git.install(folder, str(program)).action == "created"
    assert git.install(folder, str(program)).action == "unchanged"
    assert git.installed(folder)
    repo.write("a", "a")
    repo.commit()
    assert (tmp_path / "called").read_text() == "check --staged\n"
    assert git.uninstall(folder).action == "removed"
    assert not git.installed(folder)
    assert not Path(folder, "pre-commit").exists()


def test_failing_check_stops_the_commit(repo: Repo, tmp_path: Path) -> None:
    git.install(folder_of(repo).path, str(fake_mem(tmp_path, code=1)))
    repo.write("a", "a")
    repo.git("add", "-A")
    assert "fatal" not in repo.git("commit", "-qm", "x", check=False)
    assert repo.git("log", "--oneline", check=False) == ""


def test_settling_is_a_choice(repo: Repo, tmp_path: Path) -> None:
    git.install(folder_of(repo).path, str(fake_mem(tmp_path)), settle=True)
    repo.write("a", "a")
    repo.commit()
    assert (tmp_path / "called").read_text() == "check --staged\nsettle --stage\n"


def commit_with(repo: Repo, path: str) -> subprocess.CompletedProcess[str]:
    repo.write("a", "a")
    repo.git("add", "-A")
    env = {**os.environ, "PATH": path}
    return subprocess.run(
        ["git", "commit", "-qm", "x"], cwd=repo.root, capture_output=True, text=True, env=env, check=False
    )


@pytest.mark.parametrize("shell", ["#!/bin/sh\n", "#!/bin/sh -eu\n", "#!/usr/bin/env bash\nset -e\n"])
@pytest.mark.parametrize("program", ["mem", "/nowhere/mem", "broken"])
def test_missing_program_lets_the_commit_through_and_says_how_to_go_on(
    repo: Repo, tmp_path: Path, program: str, shell: str
) -> None:
    if program == "broken":  # there, and what it is written in is gone
        program = str(fake_mem(tmp_path))
        Path(program).write_text("#!/nowhere/python\n")
    hook = Path(folder_of(repo).path, "pre-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(shell)
    hook.chmod(0o755)
    git.install(str(hook.parent), program, settle=True)
    repo.write("memory/manifest.md", "x\n")
    done = commit_with(repo, "/usr/bin:/bin")
    assert done.returncode == 0
    assert done.stderr.endswith("\n".join(git.ABSENT) + "\n")
    assert repo.git("log", "--format=%s") == "x\n"


def test_missing_program_is_no_news_where_there_is_no_memory(repo: Repo) -> None:
    git.install(folder_of(repo).path, "/nowhere/mem")
    done = commit_with(repo, "/usr/bin:/bin")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_hook_that_a_team_shares_never_runs_what_another_package_calls_mem(
    repo: Repo, tmp_path: Path
) -> None:
    repo.git("config", "core.hooksPath", "hooks")
    folder = folder_of(repo)
    assert not folder.personal
    git.install(folder.path, "mem")
    path = f"{fake_mem(tmp_path, code=1).parent}:/usr/bin:/bin"
    assert commit_with(repo, path).returncode == 0
    fake_mem(tmp_path).rename(tmp_path / "bin/memwarden")
    repo.write("b", "b")
    assert commit_with(repo, path).returncode == 0
    assert (tmp_path / "called").read_text() == "check --staged\n"


@pytest.mark.parametrize(
    "theirs", [THEIRS, THEIRS.rstrip("\n"), "#!/bin/sh", "#!/bin/sh\n", "#!/bin/sh\nexit 0\n"]
)
def test_existing_hook_keeps_its_bytes_and_its_mode(repo: Repo, tmp_path: Path, theirs: str) -> None:
    folder = folder_of(repo).path
    hook = Path(folder, "pre-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(theirs)
    hook.chmod(0o711)
    assert git.install(folder, str(fake_mem(tmp_path))).action == "changed"
    assert git.install(folder, str(fake_mem(tmp_path))).action == "unchanged"
    assert stat.S_IMODE(hook.stat().st_mode) == 0o711
    assert git.uninstall(folder).action == "changed"
    assert hook.read_text() == theirs
    assert stat.S_IMODE(hook.stat().st_mode) == 0o711


def test_hook_that_we_made_is_known_again_after_another_install(repo: Repo, tmp_path: Path) -> None:
    folder = folder_of(repo).path
    git.install(folder, str(fake_mem(tmp_path)))
    assert git.install(folder, str(fake_mem(tmp_path)), settle=True).action == "changed"
    assert git.uninstall(folder).action == "removed"


def test_existing_hook_still_finds_its_own_folder(repo: Repo, tmp_path: Path) -> None:
    folder = folder_of(repo).path
    Path(folder).mkdir(exist_ok=True)
    Path(folder, "pre-commit").write_text(THEIRS)
    Path(folder, "pre-commit").chmod(0o755)
    Path(folder, "real-hook").write_text(f"#!/bin/sh\necho theirs >> {tmp_path}/called\n")
    Path(folder, "real-hook").chmod(0o755)
    git.install(folder, str(fake_mem(tmp_path)))
    repo.write("a", "a")
    repo.commit()
    assert (tmp_path / "called").read_text() == "check --staged\ntheirs\n"


@pytest.mark.parametrize(
    "theirs", [b"#!/usr/bin/env python3\nprint(1)\n", b"\x7fELF\x00", b"echo no first line\n"]
)
def test_hook_that_is_not_a_shell_script_is_left_alone(repo: Repo, theirs: bytes) -> None:
    folder = folder_of(repo).path
    hook = Path(folder, "pre-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(theirs)
    done = git.install(folder, "mem")
    assert done.action == "by hand"
    assert "check --staged" in done.lines
    assert hook.read_bytes() == theirs


def test_linked_worktree_shares_the_hooks_of_its_repository(repo: Repo, tmp_path: Path) -> None:
    repo.write("a", "a")
    repo.commit()
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = target.hooks_folder(find_place(str(tmp_path / "linked")), False)
    assert os.path.realpath(linked.path) == os.path.realpath(repo.root / ".git" / "hooks")


def test_submodule_has_hooks_of_its_own(repo: Repo, tmp_path: Path) -> None:
    repo.write("a", "a")
    repo.commit()
    outer = Repo(tmp_path / "outer")
    outer.root.mkdir()
    outer.git("init", "-q")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo.root), "sub")
    found = target.hooks_folder(find_place(str(outer.root / "sub")), False)
    assert found.path == os.path.realpath(outer.root / ".git" / "modules" / "sub" / "hooks")


def test_hooks_path_of_the_repository_is_honoured_and_created(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "core.hooksPath", ".githooks")
    found = folder_of(repo)
    assert (found.shown, found.personal) == (".githooks", False)
    git.install(found.path, str(fake_mem(tmp_path)))
    assert os.access(repo.root / ".githooks" / "pre-commit", os.X_OK)


def test_hooks_path_of_all_repositories_is_the_person_s_own(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "--global", "core.hooksPath", str(tmp_path / "all"))
    with pytest.raises(Refused, match="all your repositories"):
        folder_of(repo)
    assert folder_of(repo, user=True).path == str(tmp_path / "all")


def test_husky_s_generated_folder_is_refused_with_the_line_to_add(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".husky/_")
    with pytest.raises(Refused) as refusal:
        folder_of(repo)
    assert ".husky/pre-commit" in refusal.value.next_step


def test_block_without_an_end_is_refused(repo: Repo) -> None:
    folder = folder_of(repo).path
    Path(folder).mkdir(exist_ok=True)
    Path(folder, "pre-commit").write_text("#!/bin/sh\n" + git.BEGIN + "\n")
    with pytest.raises(Refused):
        git.install(folder, "mem")


@pytest.mark.parametrize("program", ["mem", "/opt/it's here/bin/mem"])
def test_line_for_agent_hosts_does_nothing_where_the_program_is_missing(tmp_path: Path, program: str) -> None:
    line = Caller(program).line("hook", "claude")
    done = subprocess.run(
        ["/bin/sh", "-c", line], env={"PATH": str(tmp_path)}, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_line_for_agent_hosts_runs_the_program(tmp_path: Path) -> None:
    program = fake_mem(tmp_path)
    line = Caller("mem").line("hook", "claude")
    path = f"{program.parent}:/usr/bin:/bin"
    subprocess.run(["/bin/sh", "-c", line], env={"PATH": path}, check=True)
    assert (tmp_path / "called").read_text() == "hook claude\n"
