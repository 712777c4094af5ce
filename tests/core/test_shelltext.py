"""What a shell text runs and touches, as tables of text."""

from __future__ import annotations

import pytest

from memwarden.core.shell.powershell import as_posix_text
from memwarden.core.shell.shellpaths import ShellPath, touches_of

COMMANDS = [
    ("npm publish", ["npm publish"]),
    ("npm   publish  ", ["npm publish"]),
    ("a && b; c | d", ["a", "b", "c", "d"]),
    ("a || b & c\nd |& e", ["a", "b", "c", "d", "e"]),
    ("cd x && npm publish", ["cd x", "npm publish"]),
    ("FOO=1 BAR+=2 npm publish", ["npm publish"]),
    ("a=(npm publish) b", ["b"]),
    ("sudo -u me npm publish", ["sudo -u me npm publish", "npm publish"]),
    ("env -i A=b npm publish", ["env -i A=b npm publish", "npm publish"]),
    ("timeout -k 5 10 npm publish", ["timeout -k 5 10 npm publish", "npm publish"]),
    ("nohup npm publish &", ["nohup npm publish", "npm publish"]),
    ("time npm publish", ["time npm publish", "npm publish"]),
    ("nice -n 5 npm publish", ["nice -n 5 npm publish", "npm publish"]),
    ("ls | xargs -n 1 npm publish", ["ls", "xargs -n 1 npm publish", "npm publish"]),
    ("bash -c 'npm publish'", ["bash -c ''", "npm publish"]),
    ('bash -euo pipefail -c "a; b"', ["bash -euo pipefail -c ''", "a", "b"]),
    ("bash -lc 'a'", ["bash -lc a", "a"]),
    ("sudo bash -c \"sh -c 'a b'\"", ["sudo bash -c ''", "bash -c ''", "sh -c ''", "a b"]),
    ("eval 'npm publish'", ["eval ''", "npm publish"]),
    ("(a; b)", ["a", "b"]),
    ("{ a; b; }", ["a", "b"]),
    ("x $(npm publish)", ["npm publish", "x $()"]),
    ('x "$(npm publish)"', ["npm publish", "x $()"]),
    ("x `npm publish`", ["npm publish", "x $()"]),
    ("x ${y:-$(npm publish)}", ["npm publish", "x ${}"]),
    ("diff <(a) <(b)", ["a", "b", "diff $() $()"]),
    ("if a; then b; else c; fi", ["a", "b", "c"]),
    ("for f in a b; do c; done", ["c"]),
    ("while read l; do c; done < f", ["read l", "c"]),
    ("case $x in a) b;; *) c;; esac", ["b", "c"]),
    ("$(case x in a) b;; esac; c)", ["b", "c", "$()"]),
    ("f() { a; }", ["a"]),
    ("function f { a; }", ["a"]),
    ("a # npm publish", ["a"]),
    ("a#b", ["a#b"]),
    ("echo 'npm publish'", ["echo ''"]),
    ('git commit -m "npm publish"', ["git commit -m ''"]),
    ("git commit -m 'publish'", ["git commit -m ''"]),
    ("grep 'publish' f", ["grep '' f"]),
    ('pytest "tests/a.py"', ["pytest tests/a.py"]),
    ("cat <<EOF\nnpm publish\nEOF\nb", ["cat", "b"]),
    ("cat <<-'E F'\n\tnpm publish $(x)\n\tE F\nb", ["cat", "b"]),
    ("a <<A <<B\n1\nA\n2\nB\nb", ["a", "b"]),
    ("git commit -m \"$(cat <<'EOF'\nnpm publish\nEOF\n)\" && b", ["cat", "git commit -m ''", "b"]),
    ("cat <<< 'npm publish'", ["cat"]),
    ("npm \\\n publish", ["npm publish"]),
    ("np\\\nm publish", ["npm publish"]),
    ("np\\m publish", ["npm publish"]),
    ("a\r\nb\r\n", ["a", "b"]),
    ("[[ a > b && c ]] && d", ["[[ a b c ]]", "d"]),
    ("((a > b)); c", ["c"]),
    ("echo $((1 | 2))", ["echo $()"]),
    ("ssh -p 22 host 'vim f.cpp'", ["ssh -p 22 host ''", "vim f.cpp"]),
    ("2>&1 a 2>/dev/null", ["a"]),
    ("echo 'unclosed; a", ["echo ''"]),
    ("", []),
    (";;&&|", []),
]


@pytest.mark.parametrize(("text", "expected"), COMMANDS, ids=[text for text, _ in COMMANDS])
def test_shell_text_is_cut_into_the_commands_it_runs(text: str, expected: list[str]) -> None:
    assert list(touches_of(text).commands) == expected


WRITES = [
    ("echo x > f", ["f"]),
    ("echo x >> f 2>&1", ["f"]),
    ("echo x >| f", ["f"]),
    ("a 2> f", ["f"]),
    ("a &> f", ["f"]),
    ("a >& f", ["f"]),
    ("a > /dev/null", []),
    ("a > 'odd name'", ["odd name"]),
    ("a > $f", []),
    ("a | tee -a f g", ["f", "g"]),
    ("sed -i 's/a/b/' f", ["f"]),
    ("sed -i.bak -e s/a/b/ f g", ["f", "g"]),
    ("sed -i '' 's/a/b/' f", ["f"]),
    ("sed -Ei s/a/b/ f", ["f"]),
    ("sed --in-place=.x s/a/b/ f", ["f"]),
    ("sed -n -i -e 1p -- f", ["f"]),
    ("sed 's/a/b/' f", []),
    ("sed -e s/i/b/ f", []),
    ("perl -pi -e 's/a/b/' f", ["f"]),
    ("mv a b", ["a", "b", "b/a"]),
    ("mv -t d a", ["d", "a", "d/a"]),
    ("cp x/a b", ["b", "b/a"]),
    ("rm -rf a 'b c'", ["a", "b c"]),
    ("rm -- -f", ["-f"]),
    ("touch f", ["f"]),
    ("truncate -s0 f", ["f"]),
    ("dd if=a of=f", ["f"]),
    ("rsync -a -t x/a b", ["b", "b/a"]),
    ("ln -s a b", ["b", "b/a"]),
    ("install -m644 a b", ["b", "b/a"]),
    ("patch -p1 f < x.patch", ["f"]),
    ("curl -o f https://example.org", ["f"]),
    ("git checkout -- f g", ["f", "g"]),
    ("git checkout HEAD~1 -- f", ["f"]),
    ("git checkout HEAD f", ["f"]),
    ("git checkout -b topic", []),
    ("git restore f", ["f"]),
    ("git restore --staged f", []),
    ("git mv a b", ["a", "b", "b/a"]),
    ("git rm --cached f", []),
    ("git rm f", ["f"]),
    ("git -C sub checkout -- f", ["sub/f"]),
    ("git -c core.x=y restore f", ["f"]),
    ("cd sub && rm f", ["sub/f"]),
    ("cd /abs && rm f", ["/abs/f"]),
    ("(cd sub; rm f); rm g", ["sub/f", "g"]),
    ("cd sub; cd -; rm g", ["g"]),
    ("pushd sub; rm f; popd; rm g", ["sub/f", "g"]),
    ('cd "$x"; rm f; rm /abs', ["/abs"]),
    ("bash -c 'cd sub; rm f'", ["sub/f"]),
    ("env -C sub rm f", ["sub/f"]),
    ("sudo rm f", ["f"]),
    ("sudo tee f < g", ["f"]),
    ("x=$(rm f)", ["f"]),
    ("ssh host rm f", []),
    ("ssh host 'rm f > g'", []),
    ("ssh host cat f > g", ["g"]),
    ("echo 'rm f'", []),
    ("cat <<EOF > f\nrm g\nEOF", ["f"]),
    ("rm {a,b}.py", ["a.py", "b.py"]),
    ("[[ a > b ]]", []),
    ("apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.py\n*** Delete File: b.py\nE", ["a.py", "b.py"]),
    ("cat <<'E'\n*** Update File: a.py\nE", []),
]


@pytest.mark.parametrize(("text", "expected"), WRITES, ids=[text for text, _ in WRITES])
def test_paths_that_a_command_plainly_writes_are_named(text: str, expected: list[str]) -> None:
    assert sorted(path.text for path in touches_of(text).writes) == sorted(expected)


READS = [
    ("cat a b", ["a", "b"]),
    ("head -n5 f | grep x g", ["f", "g"]),
    ("grep -e x f", ["f"]),
    ("sed -n 1,5p f", ["f"]),
    ("awk '{print}' f", ["f"]),
    ("diff a b", ["a", "b"]),
    ("wc -l < f", ["f"]),
    ("python f.py", ["f.py"]),
    ("cp a b", ["a"]),
    ("git diff -- f", ["f"]),
    ("git blame f", ["f"]),
    ("cat f > f", []),
    ("ssh host cat f", []),
]


@pytest.mark.parametrize(("text", "expected"), READS, ids=[text for text, _ in READS])
def test_paths_that_a_command_plainly_reads_are_named(text: str, expected: list[str]) -> None:
    assert sorted(path.text for path in touches_of(text).reads) == sorted(expected)


def test_file_name_pattern_is_marked_for_expansion() -> None:
    assert touches_of("rm src/*.py").writes == (ShellPath("src/*.py", glob=True),)
    assert touches_of("rm 'src/*.py'").writes == (ShellPath("src/*.py"),)


def test_powershell_text_keeps_its_backslashes_and_separators() -> None:
    script = "cd src; Remove-Item app\\core.py | Out-Null # x\nSet-Content -Path \"a b.txt\" -Value 'it''s'"
    text = as_posix_text(script)
    touches = touches_of(text)
    assert "Remove-Item app\\core.py" in touches.commands
    assert ShellPath("src/app\\core.py") in touches.writes
    assert ShellPath("src/a b.txt") in touches.writes


def test_deep_nesting_ends() -> None:
    deep = "$(" * 2000 + "npm publish" + ")" * 2000
    assert "npm publish" in touches_of(deep).commands
