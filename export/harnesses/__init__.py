"""A release in the layouts that other programs read."""
