"""Judging conditions against a workspace: holds, does not hold, or cannot tell, with evidence."""
