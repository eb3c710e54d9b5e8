"""Scores of predictions on the questions of a release."""
