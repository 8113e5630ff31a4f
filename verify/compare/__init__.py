"""Two games side by side: their differences, and whether these matter."""
