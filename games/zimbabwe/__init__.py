"""The Great Zimbabwe: the rules, variants, and the drawing."""
