"""Numbers of move sequences that are known from elsewhere."""
