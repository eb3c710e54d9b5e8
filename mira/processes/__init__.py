"""Work in several processes that end in order, and memory that stays with a process."""
