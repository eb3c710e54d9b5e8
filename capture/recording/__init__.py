"""A plan and a source of frames become a session."""
