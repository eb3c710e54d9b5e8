"""Answers that people give in files: read, checked against what can be asked, kept."""
