"""An agent's turn, decided: who speaks, how loudly, who is charged."""
