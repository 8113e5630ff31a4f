"""From the IR to formulas: terms, unknowns, expressions, statements, counting, graphs."""
