"""An agent's turn: touches, the end of the turn, and what was seen in between."""
