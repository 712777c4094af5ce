"""How results look: plain and rich text, Markdown, JSON, GitHub annotations, SARIF."""
