"""The workspace on disk: the only code that reads and writes it."""
