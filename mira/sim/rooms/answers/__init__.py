"""The true answer of every question that a picture of a simulated scene supports."""
