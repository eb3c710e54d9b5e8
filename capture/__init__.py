"""A device or a file becomes a capture session on disk."""
