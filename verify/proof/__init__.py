"""From an obligation to a verdict: symbolic steps, goals, the prover, kept proofs, results."""
