"""The working tree: its files, and paths in one spelling."""
