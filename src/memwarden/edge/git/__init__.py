"""git: light children, objects and commits, and what git is in the middle of."""
