"""git children are sealed, and say distinctly why they cannot answer."""

from __future__ import annotations

import os

import pytest

from memwarden.core.workspace import Unreadable
from memwarden.edge.git.gitrepo import worktrees
from memwarden.edge.git.gitstate import Head, head, is_shallow, merge_heads, operation
from memwarden.edge.git.objects import Objects
from memwarden.edge.git.plumbing import GitFailed, clean_env, config_value, run
from memwarden.edge.git.revisions import ref_names, resolve, resolve_range, tags
from memwarden.edge.place import find_place
from memwarden.errors import NoMemory, UsageError


@pytest.fixture
def place(repo):
    return find_place(str(repo.root))


def test_large_input_and_output_pass_through_the_pipes(repo, place):
    repo.commit()
    asked = b"HEAD\n" * 50_000
    assert run(place, "cat-file", "--batch-check", stdin=asked).count(b"\n") == 50_000


def test_a_child_that_stops_listening_is_no_error_of_ours(place):
    assert run(place, "rev-parse", "--git-dir", stdin=b"x" * 1_000_000) == b".git\n"


def test_a_refusal_carries_what_git_said(place):
    with pytest.raises(GitFailed) as caught:
        run(place, "cat-file", "-e", "HEAD")
    assert caught.value.status == 128
    assert "HEAD" in caught.value.complaint


def test_without_git_the_message_says_to_install_it(place, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(NoMemory, match="git could not be started"):
        run(place, "version")


def test_a_repository_of_another_owner_names_safe_directory(place, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    environment = {**clean_env(place), "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    monkeypatch.setattr("memwarden.edge.git.plumbing.clean_env", lambda *_, **__: environment)
    with pytest.raises(NoMemory) as caught:
        run(place, "rev-parse", "HEAD")
    assert "safe.directory" in caught.value.message
    assert "safe.directory" in caught.value.next_step


def test_inherited_git_variables_point_nowhere(repo, place, tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    repo.git("init", "-q", str(other))
    for key, value in {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "core.worktree",
        "GIT_CONFIG_VALUE_0": str(other),
        "GIT_CONFIG_KEY_1": "user.name",
        "GIT_CONFIG_VALUE_1": "Grace",
    }.items():
        monkeypatch.setenv(key, value)
    kept = clean_env(place, index=True)
    assert not {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"} & set(kept)
    assert "GIT_EXTERNAL_DIFF" not in kept
    assert run(place, "rev-parse", "--show-toplevel").decode().strip() == str(repo.root)
    assert config_value(place, "user.name") == "Grace"


@pytest.mark.parametrize("named", ["index.lock", "next-index-1234.lock"])
def test_an_index_of_this_repository_is_honoured_for_index_reads_only(repo, place, named, monkeypatch):
    monkeypatch.chdir(repo.root)
    repo.write("a.txt", "x")
    repo.git("add", "a.txt")
    (repo.root / ".git" / named).write_bytes((repo.root / ".git" / "index").read_bytes())
    monkeypatch.setenv("GIT_INDEX_FILE", f".git/{named}")
    assert clean_env(place, index=True)["GIT_INDEX_FILE"] == os.path.realpath(f".git/{named}")
    assert "GIT_INDEX_FILE" not in clean_env(place)


def test_objects_that_a_push_has_brought_are_readable(place, monkeypatch):
    incoming = os.path.join(place.common_dir, "objects", "incoming-x")
    monkeypatch.setenv("GIT_QUARANTINE_PATH", incoming)
    assert clean_env(place)["GIT_OBJECT_DIRECTORY"] == os.path.realpath(incoming)
    monkeypatch.setenv("GIT_QUARANTINE_PATH", "/elsewhere/objects/x")
    assert "GIT_OBJECT_DIRECTORY" not in clean_env(place)


def test_a_setting_that_is_not_there_is_empty(place):
    assert config_value(place, "no.such") == ""
    assert config_value(place, "user.name") == "Ada"


def test_head_before_the_first_commit_has_a_branch_only(place):
    assert head(place) == Head("", "main")


def test_head_on_a_branch_loose_and_packed(repo, place):
    commit = repo.commit()
    assert head(place) == Head(commit, "main")
    repo.git("pack-refs", "--all")
    assert head(place) == Head(commit, "main")
    repo.git("switch", "-q", "-c", "feature/é")
    assert head(place) == Head(commit, "feature/é")


def test_a_detached_head_has_no_branch(repo, place):
    commit = repo.commit()
    repo.git("checkout", "-q", "--detach")
    assert head(place) == Head(commit, "")


def test_head_is_read_through_a_symbolic_branch(repo, place):
    commit = repo.commit()
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    repo.git("symbolic-ref", "HEAD", "refs/heads/alias")
    assert head(place) == Head(commit, "alias")


def test_head_of_a_linked_worktree_is_its_own(repo, place):
    commit = repo.commit()
    repo.git("worktree", "add", "-q", "-b", "side", "../side")
    side = find_place(str(repo.root.parent / "side"))
    assert head(side) == Head(commit, "side")
    assert head(place) == Head(commit, "main")
    (repo.root.parent / "side" / "x").write_text("x")
    repo.git("-C", "../side", "add", "x")
    repo.git("-C", "../side", "commit", "-qm", "x")
    assert head(side).commit != commit
    assert worktrees(place) == (str(repo.root.parent / "side"),)


def test_where_refs_are_not_files_git_is_asked(repo, place, monkeypatch):
    commit = repo.commit()
    (repo.root / ".git" / "reftable").mkdir()
    assert head(place) == Head(commit, "main")


def conflict(repo):
    repo.write("a", "1")
    repo.commit("base")
    repo.git("switch", "-qc", "side")
    repo.write("a", "2")
    side = repo.commit("side")
    repo.git("switch", "-q", "main")
    repo.write("a", "3")
    repo.commit("main")
    return side


@pytest.mark.parametrize(
    ("command", "word"),
    [(("merge", "side"), "merge"), (("rebase", "side"), "rebase"), (("cherry-pick", "side"), "cherry-pick"),
     (("revert", "--no-edit", "HEAD~1"), "revert"), (("rebase", "--apply", "side"), "rebase")],
)  # fmt: skip
def test_an_operation_in_progress_is_named(repo, place, command, word):
    side = conflict(repo)
    assert operation(place) == ""
    repo.git(*command, check=False)
    assert operation(place) == word
    assert merge_heads(place) == ((side,) if word == "merge" else ())


def test_a_bisect_and_an_am_are_named(repo, place):
    conflict(repo)
    repo.git("bisect", "start")
    assert operation(place) == "bisect"
    repo.git("bisect", "reset")
    patch = repo.git("format-patch", "-1", "--stdout", "side")
    repo.write("../p.patch", patch)
    repo.git("am", "../p.patch", check=False)
    assert operation(place) == "am"


def test_a_shallow_clone_is_known(repo, place, tmp_path):
    repo.commit("one")
    repo.commit("two")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(tmp_path / "shallow"))
    shallow = find_place(str(tmp_path / "shallow"))
    assert is_shallow(shallow)
    assert not is_shallow(place)
    with pytest.raises(UsageError, match="shallow clone"):
        resolve(shallow, "HEAD~1")


@pytest.mark.parametrize("rev", ["nope", "", "-x", "a\nb", "main:a", "--help"])
def test_an_unknown_revision_lists_those_that_exist(repo, place, rev):
    repo.write("-x", "1")
    repo.commit()
    repo.git("tag", "v1")
    with pytest.raises(UsageError) as caught:
        resolve(place, rev)
    assert "\n" not in caught.value.message
    assert caught.value.next_step == "refs that exist: main, v1"


def test_a_branch_that_only_the_remote_has_is_named_first(repo, place):
    commit = repo.commit()
    repo.git("update-ref", "refs/remotes/origin/trunk", commit)
    with pytest.raises(UsageError) as caught:
        resolve_range(place, "trunk..")
    assert caught.value.next_step.startswith("refs that exist: origin/trunk,")


def test_a_file_named_like_a_revision_is_not_one(repo, place):
    repo.write("HEAD", "x")
    repo.write("main", "x")
    commit = repo.commit()
    assert resolve(place, "HEAD") == commit
    assert resolve(place, "main") == commit


def test_a_range_has_two_ends(repo, place):
    first = repo.commit("one")
    repo.git("switch", "-qc", "side")
    second = repo.commit("two")
    repo.git("switch", "-q", "main")
    third = repo.commit("three")
    assert resolve_range(place, "main..side") == (third, second)
    assert resolve_range(place, "side..") == (second, third)
    assert resolve_range(place, "main...side") == (first, second)
    with pytest.raises(UsageError, match="not a range"):
        resolve_range(place, "main")


def test_tags_and_refs_are_named(repo, place):
    repo.commit()
    repo.git("tag", "rel/1")
    repo.git("tag", "-a", "v2", "-m", "two")
    assert tags(place) == ("rel/1", "v2")
    assert ref_names(place) == ("main", "rel/1", "v2")


def test_one_process_serves_every_object(repo, place):
    repo.write("a", "alpha\n")
    repo.write("b", b"\0" * (9 << 20))
    repo.commit()
    a, b = repo.git("rev-parse", "HEAD:a").strip(), repo.git("rev-parse", "HEAD:b").strip()
    with Objects(place) as objects:
        assert objects.read(a) == b"alpha\n"
        with pytest.raises(Unreadable, match="larger"):
            objects.read(b)
        with pytest.raises(Unreadable, match="no such object"):
            objects.read("0" * 40)
        with pytest.raises(Unreadable, match="not a file"):
            objects.read(repo.git("rev-parse", "HEAD").strip())
        found = list(objects.read_many([a, "0" * 40, b, a] * 300))
    assert [x for x in found if isinstance(x, bytes)] == [b"alpha\n"] * 600


def test_a_process_that_died_is_started_anew(repo, place):
    repo.write("a", "alpha\n")
    repo.commit()
    a = repo.git("rev-parse", "HEAD:a").strip()
    with Objects(place) as objects:
        assert objects.read(a) == b"alpha\n"
        os.kill(objects._child.pid, 9)
        results = [r if isinstance(r, bytes) else None for r in objects.read_many([a, a, a])]
        assert results[-1] == b"alpha\n"
        assert objects.read(a) == b"alpha\n"


def test_a_child_starts_in_the_working_tree_and_we_stay_where_we_are(repo, place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(place, "rev-parse", "--show-toplevel").decode().strip() == place.root
    assert os.getcwd() == str(tmp_path)


def test_git_is_asked_though_our_own_folder_is_gone(repo, place, tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run(place, "rev-parse", "--git-dir") == b".git\n"
    with pytest.raises(FileNotFoundError):
        os.getcwd()


def test_a_working_tree_that_is_gone_is_refused_and_its_path_is_not_said(place, tmp_path):
    with pytest.raises(GitFailed) as caught:
        run(place._replace(root=str(tmp_path / "nowhere")), "status")
    assert "nowhere" not in caught.value.message
