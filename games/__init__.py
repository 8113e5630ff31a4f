"""The shipped games: one folder a game, and `classics` for small known ones."""
