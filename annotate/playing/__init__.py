"""People who play what models play: who they are, and how far each of them is."""
