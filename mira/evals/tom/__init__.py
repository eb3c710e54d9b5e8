"""Theory of mind: published sets as episodes' questions, asked, read and scored."""
