"""Models in order: who is better than whom as far as one can tell, and who cannot be compared."""
