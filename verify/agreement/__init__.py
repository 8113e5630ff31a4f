"""The compiled rules and the formulas, compared in sampled games."""
