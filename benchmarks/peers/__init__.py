"""Other programs that keep a memory for coding agents, measured beside this one.

``table`` says who they are, what is run and next to what of ours; ``forms`` plants the same amount of memory
in each one's own form; ``programs`` installs them; ``running`` does the rounds and prints.
"""
