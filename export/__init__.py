"""Checked items become a folder that `datasets.load_dataset` reads."""
