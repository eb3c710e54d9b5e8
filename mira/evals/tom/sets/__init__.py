"""Readers of published theory-of-mind sets, one a set, as their publishers lay them out."""
