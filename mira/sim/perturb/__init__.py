"""Annotation files with the errors that annotators make, and a record of each error."""
