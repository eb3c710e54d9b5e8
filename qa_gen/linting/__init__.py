"""Wording files checked by reading every sentence that they can make."""
