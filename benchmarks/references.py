"""What the commands are measured against: scripts that do the least that could be done."""

from __future__ import annotations

# Only reads every note.
READ = """
import os
for folder, _, names in os.walk("memory"):
    for name in names:
        if name.endswith(".md"):
            with open(os.path.join(folder, name), "rb") as file:
                file.read()
"""

# Reads every note and parses its frontmatter with PyYAML's C loader.
CSAFE = """
import os
import yaml
for folder, _, names in os.walk("memory"):
    for name in names:
        if name.endswith(".md"):
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            if data.startswith(b"---\\n"):
                yaml.load(data[4:data.index(b"\\n---\\n") + 1], Loader=yaml.CSafeLoader)
"""
