"""What the commands cost: corpora from a seed, and ratios inside one interleaved run."""
