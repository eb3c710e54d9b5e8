"""Scores of the mirror test, of runs of any simulator."""
