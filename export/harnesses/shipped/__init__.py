"""Files that are copied into the folders as they are; they run without MIRA."""
