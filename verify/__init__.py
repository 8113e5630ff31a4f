"""The proof side: rules to SMT, obligations, search, mutation, semantic diff, reports."""
