#!/bin/sh
# The life of one debt, played in a throw-away repository: noted, ignored, asked about, paid on a branch,
# merged, broken again, taken back, and paid for good. Needs git and mem on PATH; writes only in its own
# temporary folder.
#
#   sh docs/flaky-test-story.sh

set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

say() { printf '\n== %s\n' "$*"; }
show() { printf '$ %s\n' "$*"; "$@" 2>&1; }
save() { git add -A && git commit -q -m "$1"; }
# A session of an agent that edits the test and leaves the debt as it is.
ignore() {
    mem touch tests/test_retry.py --write --session "$1" > told.txt
    head -n 3 told.txt; rm told.txt
    printf '# %s\n' "$1" >> tests/test_retry.py
    mem close --session "$1"
}

git init -q -b main
git config user.name "${GIT_AUTHOR_NAME:-Ada}"
git config user.email "${GIT_AUTHOR_EMAIL:-ada@example.org}"
mkdir tests
cat > tests/test_retry.py <<'PYTHON'
import time

def test_backoff():
    time.sleep(0.1)
PYTHON
mem init --quiet > /dev/null
save "Start"

say "A flaky test is noted, with what would make the note unnecessary"
show mem add "test_retry.py is flaky until it uses frozen_clock" --debt \
    --until contains:tests/test_retry.py:frozen_clock --anchor tests/test_retry.py --apply > /dev/null
save "Note the flaky test"
show mem debts
note=$(mem debts --json | sed -n 's/.*"id": "\(n-[0-9a-z]*\)".*/\1/p' | head -n 1)

say "Three sessions edit the test and leave it flaky: each is told once, each counts one miss"
for session in first second third; do ignore "$session"; done
show mem debts
save "Three edits"

say "From now on a write is asked about"
mem touch tests/test_retry.py --write --session fourth --json | sed -n 's/.*"level": /level: /p'

say "On a branch the test is fixed; the next touch finds it, and records the payment with its evidence"
git checkout -q -b fix/retry
sed 's/test_backoff()/test_backoff(frozen_clock)/; /time/d' tests/test_retry.py > fixed && mv fixed tests/test_retry.py
show mem touch tests/test_retry.py --write
save "Freeze the clock"
show mem debts

say "On main it is still owed, until the branch is merged"
git checkout -q main
show mem debts
git merge -q --no-ff -m "Merge fix/retry" fix/retry
show mem debts

say "Months later the fix is lost; the debt comes back with its misses"
sed 's/frozen_clock//' tests/test_retry.py > broken && mv broken tests/test_retry.py
save "Simplify the tests"
show mem settle
save "Record the regression"
show mem debts

say "It is fixed again, for good"
sed 's/test_backoff()/test_backoff(frozen_clock)/' tests/test_retry.py > fixed && mv fixed tests/test_retry.py
show mem settle
save "Freeze the clock again"
show mem debts

say "History names the commits that paid it and the one that broke it"
show mem blame "$note"
show mem log "$note"
