"""Kinds of place: each module plans one kind, from a seed."""
