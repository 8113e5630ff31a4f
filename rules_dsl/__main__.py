"""`python -m rules_dsl` is the command `rules`."""

from rules_dsl.cli import main

if __name__ == "__main__":
    main()
