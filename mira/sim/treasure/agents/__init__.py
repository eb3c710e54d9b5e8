"""Who plays the treasure game without a model."""
