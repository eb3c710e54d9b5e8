"""Scenes on disk: a capture session, its annotation files, its truth."""
