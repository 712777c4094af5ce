"""Shell text: the commands that it runs and the files that it plainly touches."""
