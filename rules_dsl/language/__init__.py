"""The rule language: grammar, syntax tree, checker, printer and diagnostics."""
