"""Two games side by side: what differs, and whether it matters."""
