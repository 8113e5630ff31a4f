"""Help for authors: strategies for Hypothesis, tests, mutants, suggested invariants."""
