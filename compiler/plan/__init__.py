"""What every back end decides in the same way: where things lie, how moves are numbered."""
