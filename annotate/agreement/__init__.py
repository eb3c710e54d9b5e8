"""How far two annotations of the same pictures agree."""
