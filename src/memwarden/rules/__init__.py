"""The rules of ``mem check``: one function per code, the docstring is the rule."""
