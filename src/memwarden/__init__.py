"""memwarden: repo-native Markdown memory for coding agents and the people who review their work."""

__version__ = "0.1.0"
