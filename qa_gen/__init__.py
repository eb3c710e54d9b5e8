"""Facts about a picture become questions with answers that can be computed again."""
