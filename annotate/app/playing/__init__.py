"""The page on which people play what models play, and what serves it."""
