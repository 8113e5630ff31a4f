"""Lowering: from the checked syntax tree to the IR."""
