"""Writing: one lock, one plan, many files all together or not at all."""
