"""MOSAIC: a game of two agents scored from what they did, whoever simulated it."""
