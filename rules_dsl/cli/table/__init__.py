"""Playing at the terminal: positions, moves, and the conversation about them."""
