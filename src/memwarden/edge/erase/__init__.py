"""Forgetting for good, and an honest account of what could not be reached."""
