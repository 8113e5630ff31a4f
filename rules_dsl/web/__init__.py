"""Play, write and verify rules in a browser: the server behind `rules serve` (extra `web`)."""
