"""Replies of models to theory-of-mind questions on one page, with numbers and tables."""
