"""Text to text, still pure: reading notes, editing them in place, and proposing changes to a tree."""
