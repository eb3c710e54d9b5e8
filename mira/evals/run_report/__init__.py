"""Runs on one page: scores, how sure they are, where they come from, and what failed."""
