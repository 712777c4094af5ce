"""A condition's command: endorsed, read-only, bounded, and gone afterwards."""
