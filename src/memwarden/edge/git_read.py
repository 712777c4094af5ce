"""What git's own files say, read by hand: a hook cannot afford a git process, nor most of our modules.

The layout is gitrepository-layout(5).  Where it is another one (reftable), git has to be asked, which is
:mod:`memwarden.edge.git.gitstate`'s part.
"""

import os

MOST_LINKS = 5
HEX = frozenset("0123456789abcdef")

# What git leaves in its directory while an operation waits for the person, and our word for it.
MARKS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)


def head_of(git_dir: str, common_dir: str) -> tuple[str, str] | None:
    """The commit ("" before the first) and the branch ("" where HEAD is detached) that are checked out;
    None where only git can tell."""
    text = read_text(git_dir + "/HEAD")
    if is_id(text):
        return text, ""
    name = text[len("ref:") :].strip() if text.startswith("ref:") else ""
    if not name or name.endswith("/.invalid") or os.path.isdir(common_dir + "/reftable"):
        return None
    branch = name.removeprefix("refs/heads/")
    for _ in range(MOST_LINKS):
        text = _ref(git_dir, common_dir, name)
        if not text.startswith("ref:"):
            return text, branch
        name = text[len("ref:") :].strip()
    return None


def operation_in(git_dir: str) -> str:
    """``merge``, ``rebase``, ``am``, ``cherry-pick``, ``revert`` or ``bisect``; "" when nothing waits."""
    for mark, word in MARKS:
        if os.path.exists(f"{git_dir}/{mark}"):
            return word
    return ""


def common_dir_of(git_dir: str) -> str:
    """The directory that a worktree's git directory shares with all others of its repository."""
    try:
        with open(git_dir + "/commondir", "rb", 0) as file:
            told = file.read(4096).decode("utf-8", "surrogateescape").strip()
        return os.path.normpath(os.path.join(git_dir, told))
    except OSError:
        return git_dir


def read_text(path: str, most: int = 1 << 16) -> str:
    """A small file's text without the blanks around it; "" where there is none."""
    try:
        with open(path, "rb", 0) as file:
            return file.read(most).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""


def is_id(text: str) -> bool:
    """Whether ``text`` is a whole object ID, of SHA-1 or SHA-256."""
    return len(text) in (40, 64) and HEX.issuperset(text)


def _ref(git_dir: str, common_dir: str, name: str) -> str:
    """What a ref's file or the packed list says, or "" for a ref that does not exist yet."""
    for folder in dict.fromkeys((git_dir, common_dir)):
        text = read_text(f"{folder}/{name}")
        if text:
            return text
    for line in read_text(common_dir + "/packed-refs", 1 << 26).split("\n"):
        if line[40:].partition(" ")[2] == name:
            return line.partition(" ")[0]
    return ""
