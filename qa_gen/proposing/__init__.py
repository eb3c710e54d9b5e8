"""Answers that labels and measured depth suggest, each with its reason and margin."""
