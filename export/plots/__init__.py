"""Counts of a release as pictures that its card shows."""
