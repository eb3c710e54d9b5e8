"""Runs of the mirror test on one page."""
