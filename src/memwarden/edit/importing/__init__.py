"""Other tools' memories, read for what they claim: one module a format, texts in, a harvest out."""
