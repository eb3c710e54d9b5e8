"""The mirror test: a hand is to reach a mark on its own body, which only a mirror shows."""
