"""Whether a session is what it says, file by file."""
