"""What can be read off the rules without a solver: effects, facts, bounds, dependencies."""
