"""Simulated worlds: they write the same files as real captures and know the truth."""
