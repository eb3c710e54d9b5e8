"""A trial of the treasure game, to look at again."""
