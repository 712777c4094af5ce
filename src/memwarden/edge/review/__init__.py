"""Judging a change: the tree, the index, a commit or a range against what was before it."""
