"""The only rooms that touch the world: files, git, locks, the clock, the environment."""
