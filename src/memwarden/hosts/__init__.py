"""One module per agent host: what it sends and what it understands."""
