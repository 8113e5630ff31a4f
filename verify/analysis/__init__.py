"""Analyses without a solver: effects, facts, bounds, dependencies."""
