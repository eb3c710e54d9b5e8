"""Scores of models: pure functions over exported questions and episodes."""
