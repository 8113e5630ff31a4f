"""From the IR to formulas: values, symbolic states, expressions, statements, totals."""
