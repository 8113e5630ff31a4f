"""Games that show or break something: how they are played, found, shortened and kept."""
